/**
 * What a search filters, counts and sorts by. Each filter, facet and order is declared here. All else that depends on one
 * is made from these lists, or is a record of their names, so that the compiler names what a new one needs.
 */
import type { BookNeed } from "../../onix/completeness/needs.ts";
import type { Day } from "../../onix/date.ts";

interface FilterValues {
  /** A slug. */
  readonly imprint: string;
  /** A code of ONIX list 74. */
  readonly language: string;
  /** ProductForm (list 150). */
  readonly form: string;
  /** A subject code, `FBC`, or one of a scheme of list 27, `93:FBC`. Its narrower codes count too. */
  readonly subject: string;
  /** The name of a contributor. Case, accents and punctuation do not matter, here and in `series`. */
  readonly contributor: string;
  /** The title of the collection. */
  readonly series: string;
  /** An audience (list 28). */
  readonly audience: string;
  /** ProductAvailability (list 65). */
  readonly availability: string;
  /** A country (list 91) in which the book is sold. With `availability`, it is that of this market. */
  readonly market: string;
  /** PublishingStatus (list 64). */
  readonly status: string;
  /** A price band; see `bandOfKey`. */
  readonly price: string;
  /** The first and the last day of publication. With one of them, books without a date are not found. */
  readonly from: Day;
  readonly to: Day;
  /** What the books lack, each of it. */
  readonly lacks: readonly BookNeed[];
}

export type FilterName = keyof FilterValues;

/**
 * How a filter finds its books: by a term of the index of words for each value, by a term of the index of facts, which
 * are what feeds change every night, or by the range of search ids that days have.
 */
type Matching = "term" | "fact" | "days";

/** In the order of the parameters in the URL of the next page. */
const MATCHINGS = {
  imprint: "term",
  language: "term",
  form: "term",
  subject: "term",
  contributor: "term",
  series: "term",
  audience: "term",
  availability: "fact",
  market: "fact",
  status: "fact",
  price: "fact",
  from: "days",
  to: "days",
  lacks: "fact",
} as const satisfies Record<FilterName, Matching>;

type MatchedBy<M extends Matching> = {
  [Name in FilterName]: (typeof MATCHINGS)[Name] extends M ? Name : never;
}[FilterName];
export type TermFilter = MatchedBy<"term">;
export type FactFilter = MatchedBy<"fact">;

/** The filters that can have several values. A book passes one of them when it has one of its values. */
type RepeatedFilter = Exclude<TermFilter | FactFilter, "lacks">;

/** A book must pass all filters that are given. Those with several values are in ascending order, each value once. */
export type SearchFilters = {
  readonly [Name in FilterName]?:
    | (Name extends RepeatedFilter ? readonly FilterValues[Name][] : FilterValues[Name])
    | undefined;
};

/** The most values of one filter: the index compares each book with all of them. */
export const MAX_FILTER_VALUES = 20;

export const FILTERS = Object.keys(MATCHINGS) as readonly FilterName[];
export const TERM_FILTERS = filtersBy("term");
export const FACT_FILTERS = filtersBy("fact");

function filtersBy<M extends Matching>(matching: M): readonly MatchedBy<M>[] {
  return FILTERS.filter((name): name is MatchedBy<M> => MATCHINGS[name] === matching);
}

/**
 * The property that books are counted by, and the filters that choose a value of it. It is counted without them, so
 * that the values that are not chosen stay. A book without a value counts nowhere; one with several counts in each. A
 * further thing that is lacking leaves fewer books, so that `lacks` is counted with what is chosen.
 */
const CHOSEN_BY = {
  imprint: ["imprint"],
  language: ["language"],
  form: ["form"],
  availability: ["availability"],
  audience: ["audience"],
  price: ["price"],
  year: ["from", "to"],
  lacks: [],
} as const satisfies Readonly<Record<string, readonly FilterName[]>>;
export type FacetName = keyof typeof CHOSEN_BY;
export const FACETS = Object.keys(CHOSEN_BY) as readonly FacetName[];

/** Facets that are counted in the books of the same filters. */
export interface FacetGroup {
  readonly facets: readonly FacetName[];
  readonly filters: SearchFilters;
}

/** Returns the groups of all facets. The first one has all filters, and each other one a single facet without its own. */
export function facetGroups(filters: SearchFilters): readonly [FacetGroup, ...FacetGroup[]] {
  const isChosen = (facet: FacetName) => CHOSEN_BY[facet].some((name) => filters[name] !== undefined);
  const others = FACETS.filter(isChosen).map((facet) => {
    const own: readonly FilterName[] = CHOSEN_BY[facet];
    const left = Object.entries(filters).filter(([name]) => !own.includes(name as FilterName));
    return { facets: [facet], filters: Object.fromEntries(left) as SearchFilters };
  });
  return [{ facets: FACETS.filter((facet) => !isChosen(facet)), filters }, ...others];
}

/**
 * The orders, and what the place of a book in one depends on beside its day and its ISBN.
 *
 * `relevance` sorts by tier, then as `newest`. `newest` sorts by day, descending, then by ISBN. `oldest` is the reverse.
 * `title` sorts by title key, then by ISBN; it can fail with `SearchTooBroad`. Books without a date or a title come last.
 */
export const SORTS = { relevance: "tier", newest: undefined, oldest: undefined, title: "titleKey" } as const;
export type SearchSort = keyof typeof SORTS;
