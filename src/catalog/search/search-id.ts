/**
 * The number of a book in a search index. Ascending numbers are the order of the newest books first: by day of
 * publication, descending, then by ISBN. So an index returns books in this order without sorting them, and a range of
 * days is a range of numbers.
 */
import type { Day } from "../../onix/date.ts";
import type { Isbn13 } from "../../onix/isbn.ts";

/** A place in the order. It is larger than 2^53 but fits into 63 bits. */
export type SearchId = bigint;

/** All ISBNs begin with 978 or 979. */
export const FIRST_ISBN = 9_780_000_000_000;
const ISBNS_PER_DAY = 20_000_000_000;
const STRIDE = BigInt(ISBNS_PER_DAY);
/** All months have 31 numbers: close numbers are stored in fewer bytes. Books without a date have 0, and come last. */
const DAYS_PER_YEAR = 12 * 31;
const LAST_DAY = 10_000 * DAYS_PER_YEAR - 1;

export const MAX_SEARCH_ID: SearchId = BigInt(LAST_DAY + 1) * STRIDE - 1n;
/** Books without a date have this number or a larger one. */
export const FIRST_UNDATED_ID: SearchId = BigInt(LAST_DAY) * STRIDE;

/** A search finds only books. An import accepts nothing else, but a store holds what it is given. */
export function isSearchable(isbn: Isbn13): boolean {
  return isbn.startsWith("978") || isbn.startsWith("979");
}

/** Throws `RangeError` for an ISBN that is not searchable. */
export function searchIdOf(isbn: Isbn13, published: Day | undefined): SearchId {
  if (!isSearchable(isbn)) throw new RangeError(`${isbn} does not begin with 978 or 979`);
  return startOf(published) + BigInt(Number(isbn) - FIRST_ISBN);
}

export function isbnOfSearchId(id: SearchId): Isbn13 {
  return String(FIRST_ISBN + Number(id % STRIDE)) as Isbn13;
}

export function dayOfSearchId(id: SearchId): Day | undefined {
  const number = LAST_DAY - Number(id / STRIDE);
  if (number === 0) return undefined;
  const [year, month, day] = [number / DAYS_PER_YEAR, (number % DAYS_PER_YEAR) / 31 + 1, (number % 31) + 1];
  return String(Math.floor(year) * 10_000 + Math.floor(month) * 100 + day).padStart(8, "0") as Day;
}

/** Returns the year of a column of search ids in SQL. It is 0 for a book without a date. */
export function yearInSql(column: string): string {
  return `(${LAST_DAY} - ${column} / ${ISBNS_PER_DAY}) / ${DAYS_PER_YEAR}`;
}

/** Returns the month of a column of search ids in SQL, as YYYYMM. All books of the column must have a date. */
export function monthInSql(column: string): string {
  const day = `(${LAST_DAY} - ${column} / ${ISBNS_PER_DAY})`;
  const month = `${day} / ${DAYS_PER_YEAR} * 100 + ${day} % ${DAYS_PER_YEAR} / 31 + 1`;
  return `substr(CAST(1000000 + ${month} AS TEXT), 2)`;
}

/** Both ends are inclusive. */
export interface SearchIdRange {
  readonly first: SearchId;
  readonly last: SearchId;
}

/** Returns the range of a period. Without both days, it includes the books without a date. */
export function searchIdRange(from: Day | undefined, to: Day | undefined): SearchIdRange {
  if (from === undefined && to === undefined) return { first: 0n, last: MAX_SEARCH_ID };
  return {
    first: to === undefined ? 0n : startOf(to),
    last: (from === undefined ? FIRST_UNDATED_ID : startOf(from) + STRIDE) - 1n,
  };
}

/** Returns the first number of a day. */
function startOf(day: Day | undefined): SearchId {
  return BigInt(LAST_DAY - (day === undefined ? 0 : dayNumber(Number(day)))) * STRIDE;
}

function dayNumber(day: number): number {
  const [year, month] = [Math.floor(day / 10_000), Math.floor(day / 100) % 100];
  return year * DAYS_PER_YEAR + (month - 1) * 31 + (day % 100) - 1;
}
