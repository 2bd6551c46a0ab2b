import { expect, test } from "bun:test";
import { FairQueue } from "./fair-queue.ts";

/** Counts the ticks of the event loop until it is stopped. */
function countTicks(): { current: number; stop(): void } {
  const ticks = { current: 0, stop: () => clearImmediate(next) };
  let next = setImmediate(function count() {
    ticks.current++;
    next = setImmediate(count);
  });
  return ticks;
}

function spin(milliseconds: number): void {
  const end = performance.now() + milliseconds;
  while (performance.now() < end);
}

test("runs tasks that use up the budget in a tick each, in the order of arrival", async () => {
  const queue = new FairQueue(1);
  const ticks = countTicks();
  const order: number[] = [];
  const usedTicks = new Set<number>();
  await new Promise<void>((resolve) => {
    for (let task = 0; task < 30; task++) {
      queue.add(() => {
        spin(2);
        order.push(task);
        usedTicks.add(ticks.current);
        if (task === 29) resolve();
      });
    }
    expect(order).toEqual([]);
  });
  ticks.stop();
  expect(order).toEqual(Array.from({ length: 30 }, (_, task) => task));
  expect(usedTicks.size).toBe(30);
});

test("runs short tasks in one tick, and what they add after all that wait", async () => {
  const queue = new FairQueue(60_000);
  const ticks = countTicks();
  const order: string[] = [];
  const usedTicks = new Set<number>();
  await new Promise<void>((resolve) => {
    for (const name of ["a", "b", "c"]) {
      queue.add(() => {
        order.push(name);
        usedTicks.add(ticks.current);
        queue.add(() => {
          order.push(`${name}, again`);
          usedTicks.add(ticks.current);
          if (name === "c") resolve();
        });
      });
    }
  });
  ticks.stop();
  expect(order).toEqual(["a", "b", "c", "a, again", "b, again", "c, again"]);
  expect(usedTicks.size).toBe(1);
});
