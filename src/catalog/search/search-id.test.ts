import { expect, test } from "bun:test";
import fc from "fast-check";
import type { Day } from "../../onix/date.ts";
import type { Isbn13 } from "../../onix/isbn.ts";
import {
  dayOfSearchId,
  FIRST_UNDATED_ID,
  isbnOfSearchId,
  MAX_SEARCH_ID,
  searchIdOf,
  searchIdRange,
} from "./search-id.ts";

const isbns = fc
  .integer({ min: 0, max: 19_999_999_999 })
  .map((number) => String(9_780_000_000_000 + number) as Isbn13);
const days = fc
  .tuple(fc.integer({ min: 1, max: 9999 }), fc.integer({ min: 1, max: 12 }), fc.integer({ min: 1, max: 28 }))
  .map(([year, month, day]) => String(year * 10_000 + month * 100 + day).padStart(8, "0") as Day);

test("a search id holds the ISBN and the day, and fits into 63 bits", () => {
  fc.assert(
    fc.property(isbns, fc.option(days, { nil: undefined }), (isbn, day) => {
      const id = searchIdOf(isbn, day);
      expect([isbnOfSearchId(id), dayOfSearchId(id)]).toEqual([isbn, day]);
      expect(id >= 0n && id <= MAX_SEARCH_ID && id < 2n ** 63n).toBe(true);
      expect(id >= FIRST_UNDATED_ID).toBe(day === undefined);
    }),
  );
});

test("search ids sort the newest first, then by ISBN", () => {
  fc.assert(
    fc.property(isbns, days, isbns, days, (isbn1, day1, isbn2, day2) => {
      const isBefore = day1 > day2 || (day1 === day2 && isbn1 < isbn2);
      expect(searchIdOf(isbn1, day1) < searchIdOf(isbn2, day2)).toBe(isBefore);
    }),
  );
});

test("searchIdRange includes the books of a period, and no others", () => {
  const option = fc.option(days, { nil: undefined });
  fc.assert(
    fc.property(isbns, option, option, option, (isbn, day, from, to) => {
      const { first, last } = searchIdRange(from, to);
      const id = searchIdOf(isbn, day);
      const isIncluded =
        (from === undefined && to === undefined) ||
        (day !== undefined && day >= (from ?? "") && day <= (to ?? "99999999"));
      expect(id >= first && id <= last).toBe(isIncluded);
    }),
  );
});

test("searchIdOf refuses a number that is not of a book", () => {
  expect(() => searchIdOf("9771234567898" as Isbn13, undefined)).toThrow(RangeError);
});
