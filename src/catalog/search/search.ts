/** The search of the store port: what is searched for, and what is found. `docs/search.md` explains the rules. */
import type { Day } from "../../onix/date.ts";
import type { Isbn13 } from "../../onix/isbn.ts";
import type { FacetName, SearchFilters, SearchSort } from "./properties.ts";
import type { SearchQuery, SearchTier } from "./query.ts";

export type { FacetName, SearchFilters, SearchSort } from "./properties.ts";
export type { SearchTier } from "./query.ts";

/** A search without a query finds all books that pass the filters. */
export interface SearchSelection {
  readonly query?: SearchQuery | undefined;
  readonly filters: SearchFilters;
}

export interface SearchRequest extends SearchSelection {
  readonly sort: SearchSort;
  /** Returns the books that follow this place. Whether a book is there now does not matter. */
  readonly after?: SearchKey | undefined;
  readonly limit: number;
  /** True when the caller needs no total. The result has the number of its keys then. */
  readonly isUncounted?: true;
  /** What the caller knows of the newest books. An engine need not estimate then how many books the search finds. */
  readonly newestMatches?: NewestMatches | undefined;
}

/** How many of the newest books a search finds. */
export interface NewestMatches {
  readonly books: number;
  readonly matching: number;
  /** How many have the beginnings of words, and how many the other words. 0 unless there are both. */
  readonly beginnings: number;
  readonly others: number;
}

/** The client that searches. Without a key, all are one client. */
export interface SearchClient {
  /** Searches of the client that was served least go first. */
  readonly key?: string;
  /** Aborted when nobody waits for the result any more. */
  readonly signal?: AbortSignal;
}

/**
 * The place of a book in the result of a search. It depends on the search and on this book alone, so it stays the same
 * whatever other books come and go.
 */
export interface SearchKey {
  readonly isbn: Isbn13;
  readonly published?: Day | undefined;
  /** Defined in the order of relevance. */
  readonly tier?: SearchTier | undefined;
  /** Defined in the order of titles; see `titleKeyOf`. */
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

export interface Correction {
  /** The revision of the catalog that was searched. */
  readonly revision: string;
  /** Undefined when the query finds books, and when no near query does. */
  readonly query: SearchQuery | undefined;
}

/** The facets cover the newest books of a search, up to this number. */
export const MAX_FACET_BOOKS = 100_000;

export interface FacetRequest extends SearchSelection {
  /** Default: MAX_FACET_BOOKS. Tests set less. */
  readonly maxBooks?: number;
}

/** A facet lists this many values, those with the most books. */
export const MAX_FACET_VALUES = 1000;

/** Books that were counted. */
export interface Counted {
  readonly counted: number;
  /** True when there are more of them than were counted. */
  readonly hasMore: boolean;
}

export interface Facets extends Counted {
  /** The revision of the catalog that was searched. */
  readonly revision: string;
  readonly facets: Readonly<Record<FacetName, Facet>>;
}

/** The books that were counted are those of the search without the filters that choose a value of this facet. */
export interface Facet extends Counted {
  /** By number of books, descending, then by value. */
  readonly values: readonly FacetValue[];
  /** The number of different values, also of those that are not listed. */
  readonly distinct: number;
}

export interface FacetValue {
  readonly value: string;
  readonly books: number;
  readonly name?: string | undefined;
}
