/**
 * What a search filters, counts and sorts by. Each filter, facet and order is declared here. All else that depends on one
 * is made from these lists, or is a record of their names, so that the compiler names what a new one needs.
 */
import type { BookNeed } from "../../onix/completeness/book-needs.ts";
import type { Day } from "../../onix/date.ts";

/** The values of filters. A book must pass all that are given. */
export interface FilterValues {
  /** A slug. */
  readonly imprint: string;
  /** A code of ONIX list 74. */
  readonly language: string;
  /** ProductForm (list 150). */
  readonly form: string;
  /** A subject code, `FBC`, or one of a scheme of list 27, `93:FBC`. Its narrower codes count too. */
  readonly subject: string;
  /** Words of names. All of them must be in the names of the contributors. */
  readonly contributor: string;
  /** ProductAvailability (list 65). */
  readonly availability: string;
  /** A country (list 91) in which the book is sold. With `availability`, it is that of this market. */
  readonly market: string;
  /** PublishingStatus (list 64). */
  readonly status: string;
  /** The first and the last day of publication. With one of them, books without a date are not found. */
  readonly from: Day;
  readonly to: Day;
  /** What the books lack, each of it. */
  readonly lacks: readonly BookNeed[];
}

export type FilterName = keyof FilterValues;
export type SearchFilters = { readonly [Name in FilterName]?: FilterValues[Name] | undefined };

/**
 * How a filter finds its books: by a term of the index of words for each value, by a term of the index of facts, which
 * are what feeds change every night, by the words of a text, or by the range of search ids that days have.
 */
type Matching = "term" | "fact" | "words" | "days";

/** In the order of the parameters in the URL of the next page. */
const MATCHINGS = {
  imprint: "term",
  language: "term",
  form: "term",
  subject: "term",
  contributor: "words",
  availability: "fact",
  market: "fact",
  status: "fact",
  from: "days",
  to: "days",
  lacks: "fact",
} as const satisfies Record<FilterName, Matching>;

type MatchedBy<M extends Matching> = {
  [Name in FilterName]: (typeof MATCHINGS)[Name] extends M ? Name : never;
}[FilterName];
export type TermFilter = MatchedBy<"term">;
export type FactFilter = MatchedBy<"fact">;
export type WordsFilter = MatchedBy<"words">;

export const FILTERS = Object.keys(MATCHINGS) as readonly FilterName[];
export const TERM_FILTERS = filtersBy("term");
export const FACT_FILTERS = filtersBy("fact");
export const WORDS_FILTERS = filtersBy("words");

function filtersBy<M extends Matching>(matching: M): readonly MatchedBy<M>[] {
  return FILTERS.filter((name): name is MatchedBy<M> => MATCHINGS[name] === matching);
}

/** What books are counted by. A book without a value counts nowhere; one with several counts in each. */
export const FACETS = ["imprint", "language", "form", "availability", "year", "lacks"] as const;
export type FacetName = (typeof FACETS)[number];

/**
 * The orders, and what the place of a book in one depends on beside its day and its ISBN.
 *
 * `relevance` sorts by tier, then as `newest`. `newest` sorts by day, descending, then by ISBN. `oldest` is the reverse.
 * `title` sorts by title key, then by ISBN; it can fail with `SearchTooBroad`. Books without a date or a title come last.
 */
export const SORTS = {
  relevance: "tier",
  newest: undefined,
  oldest: undefined,
  title: "titleKey",
} as const;
export type SearchSort = keyof typeof SORTS;
