import { expect, test } from "bun:test";
import { searchIdRange } from "../../../catalog/search/search-id.ts";
import type { Day } from "../../../onix/date.ts";
import {
  certainMatches,
  type Estimate,
  estimateOfNewest,
  expectedMatches,
  fastestWay,
  indexedPart,
  isCertainlyMore,
  newestMonths,
  rowsToWalk,
} from "./estimate.ts";
import { NewestMonths } from "./newest-months.ts";
import type { SearchPart } from "./search-parts.ts";

const NOTHING = { inRange: 0, withWords: 0, matching: 0 };
const NO_BEGINNINGS = { beginnings: 0, others: 0 };

/** Of 600 sampled books in a catalog of a million. */
const sample = (matching: number, records = 1_000_000): Estimate => ({
  records,
  books: 600,
  withFacts: 600,
  parts: [{ inRange: 600, withWords: matching, matching }],
  ...NO_BEGINNINGS,
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
  expect(isCertainlyMore(sample(6))).toBe(false);
  expect(isCertainlyMore(sample(20))).toBe(false);
  expect(isCertainlyMore(sample(60))).toBe(true);
  expect(isCertainlyMore(sample(600))).toBe(true);
  expect(isCertainlyMore(sample(500, 20_000))).toBe(true);
  expect(isCertainlyMore(sample(330, 20_000))).toBe(false);
  expect(isCertainlyMore(sample(600, 10_000))).toBe(false);
});

test("the matches in a sample that certainly mean more are more than those that are expected", () => {
  expect(certainMatches(1000, 1_000_000, 1000)).toBe(20);
  expect(certainMatches(10_000, 1_000_000, 400)).toBe(33);
  expect(certainMatches(1000, 1500, 200)).toBe(186);
  expect(certainMatches(1000, 1200, 200)).toBe(Number.POSITIVE_INFINITY);
  expect(certainMatches(1000, 500, 200)).toBe(Number.POSITIVE_INFINITY);
  expect(certainMatches(1000, 1_000_000, 0)).toBe(Number.POSITIVE_INFINITY);
});

test("a catalog without a sample may have all its books in every search", () => {
  const small: Estimate = { records: 500, books: 0, withFacts: 0, parts: [NOTHING], ...NO_BEGINNINGS };
  expect(expectedMatches(small)).toBe(500);
  expect(rowsToWalk(small, 0, WORDS, 20)).toBeUndefined();
  expect(isCertainlyMore(small)).toBe(false);
});

test("books with a word that is neither common nor rare are found in the newest months", () => {
  const counts = Array.from({ length: 100 }, (_, index) => `${1900 + index}12 10000`);
  const months = new NewestMonths({ records: "1000000", months: counts });
  const found = (matching: number, part: SearchPart = WORDS, limit = 20) =>
    newestMonths(sample(matching), 0, part, limit, months)?.last;
  // The last days of 1999 and of 1996 are the first ones of these months.
  expect(found(6)).toBe(searchIdRange("19991201" as Day, undefined).last);
  expect(found(1)).toBe(searchIdRange("19971201" as Day, undefined).last);
  expect(found(6, WORDS, 2000)).toBeUndefined();
  expect(found(6, { ...WORDS, facts: "'·a·20'" })).toBeUndefined();
  expect(found(6, { ...WORDS, range: { ...WORDS.range, first: 1n } })).toBeUndefined();
  expect(new NewestMonths({ records: "10", months: ["200001 6"] }).withBooks(7)).toBeUndefined();
});

test("the index is not read for a common beginning of words beside a rare word", () => {
  const part = { ...WORDS, tsquery: "'.sol' & '.m':*", others: "'.sol'" };
  const estimate = (beginnings: number, others: number) =>
    estimateOfNewest({ books: 2000, matching: 1, beginnings, others }, 1_000_000);
  expect(indexedPart(estimate(200, 3), part)).toBe(part);
  expect(indexedPart(estimate(20, 3), part).others).toBeUndefined();
  expect(indexedPart(estimate(20, 3), part, "months")).toBe(part);
  expect(indexedPart(estimate(3, 20), part, "months").others).toBeUndefined();
  expect(indexedPart(sample(6), part).others).toBeUndefined();
});
