import { expect, test } from "bun:test";
import { DelayedFree } from "./delayed-free.ts";

/** Resolves after the `setImmediate` callbacks that are scheduled now. */
function nextTick(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

function countFreed(count: number, queue: DelayedFree): () => number {
  let freed = 0;
  for (let index = 0; index < count; index++) queue.add({ free: () => freed++ });
  return () => freed;
}

test("frees a response after the write batch of its tick, also when others were dropped before it", async () => {
  const queue = new DelayedFree();
  const order: string[] = [];
  queue.add({ free: () => order.push("first") });
  setImmediate(() => order.push("write batch"));
  queue.add({ free: () => order.push("second") });
  for (let tick = 0; tick < 4; tick++) await nextTick();
  expect(order).toEqual(["write batch", "first", "second"]);
});

test("frees at most 1,000 responses in a tick, and all of them in the end", async () => {
  const queue = new DelayedFree();
  const freed = countFreed(2500, queue);
  const counts: number[] = [];
  for (let tick = 0; tick < 6; tick++) {
    await nextTick();
    counts.push(freed());
  }
  const steps = counts.map((count, tick) => count - (counts[tick - 1] ?? 0));
  expect(Math.max(...steps)).toBe(1000);
  expect(freed()).toBe(2500);
});
