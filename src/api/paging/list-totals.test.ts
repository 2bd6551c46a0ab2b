import { expect, test } from "bun:test";
import type { PagedList } from "../../catalog/store.ts";
import { ListTotals } from "./page.ts";

const LIST: PagedList = { kind: "imprint", slug: "a", language: "spa" };

/** Returns a snapshot whose lists have these lengths, one for each time that they are counted. */
function snapshotWith(revision: string, ...totals: (number | undefined)[]) {
  return { revision, total: () => totals.shift() };
}

test("returns a total again without counting, until the revision changes", async () => {
  const totals = new ListTotals();
  const first = snapshotWith("1", 5, 6);
  expect([await totals.of(first, LIST), await totals.of(first, LIST)]).toEqual([5, 5]);
  expect(await totals.of(first, { ...LIST, language: "eng" })).toBe(6);
  expect(await totals.of(snapshotWith("2", 7), LIST)).toBe(7);
});

test("counts a list that took too long again after a minute", async () => {
  let nowMs = 0;
  const totals = new ListTotals(() => nowMs);
  const snapshot = snapshotWith("1", undefined, 9);
  expect(await totals.of(snapshot, LIST)).toBeUndefined();
  nowMs = 59_999;
  expect(await totals.of(snapshot, LIST)).toBeUndefined();
  nowMs = 60_000;
  expect([await totals.of(snapshot, LIST), await totals.of(snapshot, LIST)]).toEqual([9, 9]);
});

test("forgets lists before it has more than a thousand", async () => {
  const totals = new ListTotals();
  let counted = 0;
  const snapshot = { revision: "1", total: () => ++counted };
  for (let list = 0; list < 3000; list++) await totals.of(snapshot, { kind: "imprint", slug: String(list) });
  expect(counted).toBe(3000);
  await totals.of(snapshot, { kind: "imprint", slug: "0" });
  expect(counted).toBe(3001);
});
