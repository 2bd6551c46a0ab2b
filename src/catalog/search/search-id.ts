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
const FIRST_ISBN = 9_780_000_000_000;
export const IDS_PER_DAY = 20_000_000_000;
const STRIDE = BigInt(IDS_PER_DAY);
/** Days are the numbers YYYYMMDD. Books without a date have 0, and come last. */
export const LAST_DAY = 99_999_999;

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
  return BigInt(LAST_DAY - Number(published ?? 0)) * STRIDE + BigInt(Number(isbn) - FIRST_ISBN);
}

export function isbnOfSearchId(id: SearchId): Isbn13 {
  return String(FIRST_ISBN + Number(id % STRIDE)) as Isbn13;
}

export function dayOfSearchId(id: SearchId): Day | undefined {
  const day = LAST_DAY - Number(id / STRIDE);
  return day === 0 ? undefined : (String(day).padStart(8, "0") as Day);
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
    first: BigInt(LAST_DAY - Number(to ?? LAST_DAY)) * STRIDE,
    last: BigInt(LAST_DAY - Number(from ?? 1) + 1) * STRIDE - 1n,
  };
}
