/** The selections and lists of records that a store reads. */
import type { Day } from "../onix/date.ts";
import type { Isbn13 } from "../onix/isbn.ts";

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

/** Selects records, and sets their order. */
export type Selection =
  /** In the given order; a repeated ISBN yields its record again. */
  { readonly kind: "isbns"; readonly isbns: readonly Isbn13[] } | ImprintSelection | DateSelection;

/** A list that can be read in pages. `all` has every record, in ascending order of ISBN. */
export type PagedList = { readonly kind: "all" } | ImprintSelection | DateSelection;

/** The place of a record in a paged list. It stays the same whatever other records come and go. */
export interface ListKey {
  readonly isbn: Isbn13;
  /** Defined in the list of a period. */
  readonly published?: Day | undefined;
}
