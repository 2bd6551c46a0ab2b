import { describe, expect, test } from "bun:test";
import { untilFailure } from "./awaitable.ts";

async function* twoItems() {
  yield 1;
  yield 2;
}

/** Yields one item. The next one never comes. */
async function* slowItems() {
  yield 1;
  await new Promise(() => {});
}

async function collect(items: AsyncIterable<number>): Promise<unknown[]> {
  const collected: unknown[] = [];
  try {
    for await (const item of items) collected.push(item);
  } catch (error) {
    collected.push((error as Error).message);
  }
  return collected;
}

describe("untilFailure", () => {
  test("yields all items when nothing fails", async () => {
    expect(await collect(untilFailure(twoItems(), undefined))).toEqual([1, 2]);
    expect(await collect(untilFailure(twoItems(), new Promise(() => {})))).toEqual([1, 2]);
  });

  test("throws the failure while the next item is slow to come", async () => {
    const { promise, reject } = Promise.withResolvers<never>();
    const collected = collect(untilFailure(slowItems(), promise));
    setTimeout(() => reject(new Error("lost")), 1);
    expect(await collected).toEqual([1, "lost"]);
  });

  test("throws a failure that came between two items", async () => {
    const { promise, reject } = Promise.withResolvers<never>();
    const items = untilFailure(twoItems(), promise);
    expect((await items.next()).value).toBe(1);
    reject(new Error("lost"));
    await promise.catch(() => {});
    expect(await collect(items)).toEqual(["lost"]);
  });

  test("throws an error of the items, and ends them when the reader stops", async () => {
    let hasEnded = false;
    async function* failingItems() {
      try {
        yield 1;
        throw new Error("feed");
      } finally {
        hasEnded = true;
      }
    }
    expect(await collect(untilFailure(failingItems(), new Promise(() => {})))).toEqual([1, "feed"]);
    hasEnded = false;
    for await (const _ of untilFailure(failingItems(), new Promise(() => {}))) break;
    expect(hasEnded).toBe(true);
  });
});
