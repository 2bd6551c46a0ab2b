import { expect, test } from "bun:test";
import { searchIdRange } from "../../../catalog/search/search-id.ts";
import { type Estimate, expectedMatches, fastestWay, isCertainlyMore, rowsToWalk } from "./estimate.ts";

const NOTHING = { inRange: 0, withWords: 0, matching: 0 };

/** Of 600 sampled books in a catalog of a million. */
const sample = (matching: number, records = 1_000_000): Estimate => ({
  records,
  books: 600,
  withFacts: 600,
  parts: [{ inRange: 600, withWords: matching, matching }],
});
const WORDS = { rank: 1, tsquery: "'sol'", facts: undefined, range: searchIdRange(undefined, undefined) };

test("a common word is read in the order of books, and a rare one by the index", () => {
  expect(rowsToWalk(sample(300), 0, WORDS, 20)).toBe(260);
  expect(rowsToWalk(sample(6), 0, WORDS, 20)).toBe(8100);
  expect(rowsToWalk(sample(0), 0, WORDS, 20)).toBeUndefined();
  expect(rowsToWalk(sample(6, 50_000), 0, WORDS, 1000)).toBeUndefined();
});

test("the rarer of words and facts finds the books, or both, and few words are read in the order of books", () => {
  const both = { ...WORDS, facts: "'·a·20'" };
  const counted = (withWords: number, withFacts: number, matching: number): Estimate => ({
    ...sample(0),
    withFacts,
    parts: [{ inRange: 600, withWords, matching }],
  });
  expect(fastestWay(counted(300, 6, 3), 0, both).way).toBe("facts");
  expect(fastestWay(counted(6, 300, 3), 0, both).way).toBe("words");
  expect(fastestWay(counted(30, 30, 3), 0, both).way).toBe("both");
  expect(fastestWay(counted(6, 6, 0), 0, { ...both, tsquery: undefined }).way).toBe("facts");
  expect(fastestWay(counted(6, 0, 0), 0, WORDS).way).toBe("words");
  expect(rowsToWalk(counted(300, 12, 6), 0, both, 20)).toBe(8100);
  expect(rowsToWalk(counted(300, 6, 3), 0, both, 1000)).toBeUndefined();
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
  const small: Estimate = { records: 500, books: 0, withFacts: 0, parts: [NOTHING] };
  expect(expectedMatches(small, 0)).toBe(500);
  expect(rowsToWalk(small, 0, WORDS, 20)).toBeUndefined();
  expect(isCertainlyMore(small, 0)).toBe(false);
});
