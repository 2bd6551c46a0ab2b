import { expect, test } from "bun:test";
import { type Estimate, expectedMatches, isCertainlyMore, rowsToWalk } from "./estimate.ts";

/** Of 600 sampled books in a catalog of a million. */
const sample = (matching: number, records = 1_000_000): Estimate => ({
  records,
  books: 600,
  parts: [{ inRange: 600, matching }],
});

test("a common word is read in the order of books, and a rare one by the index", () => {
  expect(rowsToWalk(sample(300), 0, 20)).toBe(260);
  expect(rowsToWalk(sample(6), 0, 20)).toBe(8100);
  expect(rowsToWalk(sample(0), 0, 20)).toBeUndefined();
  expect(rowsToWalk(sample(6, 50_000), 0, 1000)).toBeUndefined();
});

test("more than 10,000 books are certain only when a sample by chance is out of the question", () => {
  expect(isCertainlyMore(sample(6), 0)).toBe(false);
  expect(isCertainlyMore(sample(20), 0)).toBe(false);
  expect(isCertainlyMore(sample(60), 0)).toBe(true);
  expect(isCertainlyMore(sample(600), 0)).toBe(true);
  expect(isCertainlyMore(sample(500, 20_000), 0)).toBe(true);
  expect(isCertainlyMore(sample(330, 20_000), 0)).toBe(false);
  expect(isCertainlyMore(sample(600, 10_000), 0)).toBe(false);
});

test("a catalog without a sample may have all its books in every search", () => {
  const small: Estimate = { records: 500, books: 0, parts: [{ inRange: 0, matching: 0 }] };
  expect(expectedMatches(small, 0)).toBe(500);
  expect(rowsToWalk(small, 0, 20)).toBeUndefined();
  expect(isCertainlyMore(small, 0)).toBe(false);
});
