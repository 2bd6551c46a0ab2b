/** The search of the store port: what is searched for, and what is found. `docs/search.md` explains the rules. */
import type { BookNeed } from "../../onix/completeness/book-needs.ts";
import type { Day } from "../../onix/date.ts";
import type { Isbn13 } from "../../onix/isbn.ts";
import type { SearchQuery, SearchTier } from "./query.ts";

export type { SearchTier } from "./query.ts";

/** A search without a query finds all books that pass the filters. */
export interface SearchSelection {
  readonly query?: SearchQuery | undefined;
  readonly filters: SearchFilters;
}

/** A book must pass all of them. */
export interface SearchFilters {
  /** A slug. */
  readonly imprint?: string | undefined;
  /** A code of ONIX list 74. */
  readonly language?: string | undefined;
  /** ProductForm (list 150). */
  readonly form?: string | undefined;
  /** A subject code, `FBC`, or one of a scheme of list 27, `93:FBC`. Its narrower codes count too. */
  readonly subject?: string | undefined;
  /** Words of names. All of them must be in the names of the contributors. */
  readonly contributor?: string | undefined;
  /** ProductAvailability (list 65). */
  readonly availability?: string | undefined;
  /** PublishingStatus (list 64). */
  readonly status?: string | undefined;
  /** What the books lack, each of it. */
  readonly lacks?: readonly BookNeed[] | undefined;
  /** The first and the last day of publication. With one of them, books without a date are not found. */
  readonly from?: Day | undefined;
  readonly to?: Day | undefined;
}

/**
 * `relevance` sorts by tier, then as `newest`. `newest` sorts by day, descending, then by ISBN. `oldest` is the reverse.
 * `title` sorts by title key, then by ISBN; it can fail with `SearchTooBroad`. Books without a date or a title come last.
 */
export type SearchSort = "relevance" | "newest" | "oldest" | "title";

export interface SearchRequest extends SearchSelection {
  readonly sort: SearchSort;
  /** Returns the books that follow this place. Whether a book is there now does not matter. */
  readonly after?: SearchKey | undefined;
  readonly limit: number;
}

/**
 * The place of a book in the result of a search. It depends on the search and on this book alone, so it stays the same
 * whatever other books come and go.
 */
export interface SearchKey {
  readonly isbn: Isbn13;
  readonly published?: Day | undefined;
  /** Is defined in the order of relevance. */
  readonly tier?: SearchTier | undefined;
  /** Is defined in the order of titles; see `titleKeyOf`. */
  readonly titleKey?: string | undefined;
}

/**
 * A search is sorted by title when it finds at most this many books, or when it has no conditions at all. No index has
 * the titles of the books of one search in order, so the store reads and sorts them.
 */
export const MAX_SORTED_BY_TITLE = 10_000;

/** Books are counted up to this number. */
export const MAX_EXACT_TOTAL = 10_000;
export const MORE_THAN_EXACT = `${MAX_EXACT_TOTAL}+` as const;

export interface SearchResult {
  /** The revision of the catalog that was searched. */
  readonly revision: string;
  readonly keys: readonly SearchKey[];
  /** The number of all books that the search finds, whatever `after` and `limit` are. */
  readonly total: number | typeof MORE_THAN_EXACT;
}

/** The facets cover the newest books of a search, up to this number. */
export const MAX_FACET_BOOKS = 100_000;

export interface FacetRequest extends SearchSelection {
  /** Default: MAX_FACET_BOOKS. Tests set less. */
  readonly maxBooks?: number;
}

/** A facet lists this many values, those with the most books. */
export const MAX_FACET_VALUES = 1000;

export const FACETS = ["imprint", "language", "form", "availability", "year", "lacks"] as const;
export type FacetName = (typeof FACETS)[number];

export interface Facets {
  /** The revision of the catalog that was searched. */
  readonly revision: string;
  /** The number of books that were counted. */
  readonly counted: number;
  /** Is true when the search finds more books than were counted. */
  readonly hasMore: boolean;
  readonly facets: Readonly<Record<FacetName, Facet>>;
}

/** A book without a value counts nowhere. A book with several languages, or that lacks several things, counts in each. */
export interface Facet {
  /** By number of books, descending, then by value. */
  readonly values: readonly FacetValue[];
  /** The number of different values, also of those that are not listed. */
  readonly distinct: number;
}

export interface FacetValue {
  readonly value: string;
  readonly books: number;
}

/** A search that cannot be done now, because others are being done or because it takes too long. It is 503. */
export class SearchUnavailable extends Error {
  override readonly name = "SearchUnavailable";

  constructor(readonly reason: "busy" | "timeout") {
    super(
      reason === "busy"
        ? "Too many searches are waiting; search again in a second."
        : "The search took too long; search again, or for more specific words.",
    );
  }
}

/** A search finds too many books to sort them by title. It is 400: searching again does not help. */
export class SearchTooBroad extends Error {
  override readonly name = "SearchTooBroad";

  constructor() {
    super(`More than ${MAX_SORTED_BY_TITLE} books cannot be sorted by title; add words or filters.`);
  }
}
