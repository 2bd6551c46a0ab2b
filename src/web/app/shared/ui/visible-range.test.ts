import { expect, test } from "bun:test";
import { columnCount, visibleRange } from "./visible-range.ts";

const view = { heightPx: 1000, rowPx: 100, rows: 1000, overscanRows: 4 };

test("visibleRange returns the visible rows and some around them", () => {
  expect(visibleRange({ ...view, topPx: 5000 })).toEqual({ start: 46, end: 64 });
});

test("visibleRange stays within the list", () => {
  expect(visibleRange({ ...view, topPx: -300 })).toEqual({ start: 0, end: 11 });
  expect(visibleRange({ ...view, topPx: 99_900 })).toEqual({ start: 995, end: 1000 });
  expect(visibleRange({ ...view, topPx: 500_000 })).toEqual({ start: 999, end: 1000 });
  expect(visibleRange({ ...view, rows: 0, topPx: 0 })).toEqual({ start: 0, end: 0 });
});

test("visibleRange returns no row of a list that is far below", () => {
  expect(visibleRange({ ...view, topPx: -9000 })).toEqual({ start: 0, end: 0 });
});

test("columnCount returns at least one column", () => {
  expect([columnCount(1000, 180), columnCount(100, 180)]).toEqual([5, 1]);
});
