import { expect, test } from "bun:test";
import { CountChanges } from "./count-changes.ts";
import { batchesOf } from "./lists.ts";

const ITEM_BYTES = 4096;
const LISTS = 50;

test("returns a first batch of 20 kB and then batches of 64 kB", () => {
  const items = Array.from({ length: 30 }, (_, index) => index);
  const sizes = [...batchesOf(items, () => ITEM_BYTES)].map(({ length }) => length);
  expect(sizes).toEqual([5, 16, 9]);
});

test("returns no batch for no items", () => {
  expect([...batchesOf([], () => ITEM_BYTES)]).toEqual([]);
});

test("holds no batch while the next one is not read", async () => {
  const references: WeakRef<object>[] = [];
  function* items() {
    for (;;) {
      const item = { bytes: ITEM_BYTES };
      references.push(new WeakRef(item));
      yield item;
    }
  }
  const lists = Array.from({ length: LISTS }, () => batchesOf(items(), ({ bytes }) => bytes));
  for (let round = 0; round < 3; round++) {
    for (const list of lists) list.next();
    await new Promise(setImmediate);
  }
  Bun.gc(true);
  const held = references.filter((reference) => reference.deref() !== undefined);
  // Each list may hold its last item, and the stack is scanned conservatively.
  expect(held.length).toBeLessThan(2 * LISTS);
});

test.each([
  ["20,000 counts", 20_001, (index: number) => `${index}`],
  ["2,000,000 characters", 21, (index: number) => `${index}`.padEnd(100_000)],
])("is full with more than %s, until they are taken", (_, count, nameOf) => {
  const changes = new CountChanges("imprint");
  for (let index = 0; index < count; index++) {
    expect(changes.isFull).toBe(false);
    changes.addImprint({ slug: "a", name: nameOf(index) }, 1);
  }
  expect(changes.isFull).toBe(true);
  expect(changes.take()).toHaveLength(count);
  expect([changes.isFull, changes.take()]).toEqual([false, []]);
});
