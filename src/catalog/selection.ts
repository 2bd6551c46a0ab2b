/** The selections and lists of records that a store reads. */
import { type Day, subtractDays } from "../onix/date.ts";
import type { Isbn13 } from "../onix/isbn.ts";

const NEWS_WINDOW_DAYS = 90;

/** The records of an imprint, in ascending order of ISBN. */
export interface ImprintSelection {
  readonly kind: "imprint";
  readonly slug: string;
  readonly language?: string | undefined;
}

/** The records of a period, newest first, then by ISBN. Both ends are inclusive. */
export interface DateSelection {
  readonly kind: "date";
  readonly from: Day;
  readonly to?: Day | undefined;
}

/** A selection by an index, not by ISBNs. */
export type IndexedSelection = ImprintSelection | DateSelection;

/** Selects records, and sets their order. */
export type Selection =
  /** In the given order; a repeated ISBN yields its record again. */
  { readonly kind: "isbns"; readonly isbns: readonly Isbn13[] } | IndexedSelection;

/** A list that can be read in pages. `all` has every record, in ascending order of ISBN. */
export type PagedList = { readonly kind: "all" } | IndexedSelection;

/** The place of a record in a paged list. It stays the same whatever other records come and go. */
export interface ListKey {
  readonly isbn: Isbn13;
  /** Defined in the list of a period. */
  readonly published?: Day | undefined;
}

/** Returns the dates that `/api/news` covers by default: 90 days ago to today, both inclusive. */
export function newsWindow(today: Day): { readonly from: Day; readonly to: Day } {
  return { from: subtractDays(today, NEWS_WINDOW_DAYS), to: today };
}
