import { expect, test } from "bun:test";
import { levelOf, percentOf } from "./needs.ts";

test.each([
  [10, 10, 0, 100],
  [999_999, 1_000_000, 1, 99],
  [95, 100, 1, 95],
  [94, 100, 2, 94],
  [80, 100, 2, 80],
  [79, 100, 3, 79],
  [50, 100, 3, 50],
  [49, 100, 4, 49],
  [1, 1_000_000, 4, 1],
  [0, 10, 4, 0],
  [0, 0, 0, 100],
])("%d of %d books are level %d and %d percent", (has, books, level, percent) => {
  expect([levelOf(has, books), percentOf(has, books)]).toEqual([level, percent]);
});
