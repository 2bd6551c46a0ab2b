import { expect, test } from "bun:test";
import type { Import as ImportEntry } from "../../../client/generated/book.ts";
import { changedByDay, changesOf, reasonOf, sendersOf } from "./diary.ts";

const NO_COUNTS = { added: 0, updated: 0, deleted: 0, removed: 0, rejected: 0 };
const NO_UPDATES = { texts: 0, supply: 0, publishing: 0, other: 0 };

const entry = (
  counts: Partial<ImportEntry["counts"]>,
  updates: Partial<ImportEntry["updates"]> = {},
  started = "2026-11-02T05:30:10.126Z",
) =>
  ({ started, counts: { ...NO_COUNTS, ...counts }, updates: { ...NO_UPDATES, ...updates } }) as ImportEntry;

test("an import says what it changed, without what it did not", () => {
  const changed = entry({ added: 12, updated: 341 }, { texts: 1, supply: 340 });
  expect(changesOf(changed)).toEqual([
    { kind: "added", books: 12 },
    { kind: "supply", books: 340 },
    { kind: "texts", books: 1 },
  ]);
  expect(changesOf(entry({ deleted: 7, removed: 5 }))).toEqual([
    { kind: "deleted", books: 2 },
    { kind: "removed", books: 5 },
  ]);
  expect(changesOf(entry({}))).toEqual([]);
});

test("each sender is named once, and a reason has one line", () => {
  const feeds = ["Sol", null, "Sol", "Luna"].map((sender) => ({ name: "a.xml", sender }));
  expect(sendersOf({ feeds })).toEqual(["Sol", "Luna"]);
  const message = "a.xml: line 3: not well-formed\n  <Product>";
  expect(reasonOf({ message, feeds })).toBe("line 3: not well-formed");
  expect(reasonOf({ message: `b${message}`, feeds })).toBe("ba.xml: line 3: not well-formed");
});

test("days have no gaps, and the latest ones are kept", () => {
  const entries = [
    entry({ added: 1, updated: 2, deleted: 3, removed: 2, unchanged: 9 }),
    entry({ updated: 5 }, {}, "2026-10-31T23:00:00.000Z"),
  ];
  const days = [
    { day: "2026-10-31", books: 5 },
    { day: "2026-11-01", books: 0 },
    { day: "2026-11-02", books: 6 },
  ];
  expect(changedByDay(entries, 60)).toEqual(days);
  expect(changedByDay(entries, 2)).toEqual(days.slice(1));
  expect(changedByDay([], 60)).toEqual([]);
  const { TZ = "UTC" } = process.env;
  process.env.TZ = "Europe/Madrid";
  // The list says this day, too.
  expect(changedByDay(entries, 60).map(({ day }) => day)).toEqual(["2026-11-01", "2026-11-02"]);
  process.env.TZ = TZ;
});
