/** The search of the shelf: the query of the page's URL, which is nearly that of `/api/search`. */

import type { SearchQuery } from "../../../client/generated/book.ts";

type Filter = Exclude<
  keyof SearchQuery,
  | "q"
  | "prefix"
  | "spelling"
  | "sort"
  | "view"
  | "fields"
  | "labels"
  | "highlight"
  | "group"
  | "limit"
  | "cursor"
  | "format"
  | "shorttags"
>;
export type Sort = NonNullable<SearchQuery["sort"]>;

/** How the value of a filter is shown: as it is, in its own way, or with the label of a category of codes. */
export type Shown = "text" | "imprint" | "subject" | "price" | "day" | "need" | { readonly category: string };

/** In the order of the page. */
export const FILTER_VALUES: Readonly<Record<Filter, Shown>> = {
  imprint: "imprint",
  language: { category: "languages" },
  form: { category: "product_forms" },
  availability: { category: "product_availability" },
  market: { category: "countries" },
  subject: "subject",
  contributor: "text",
  series: "text",
  audience: { category: "audience_codes" },
  price: "price",
  status: { category: "publishing_status" },
  from: "day",
  to: "day",
  lacks: "need",
};
export const FILTERS = Object.keys(FILTER_VALUES) as readonly Filter[];
/** What a person chooses: a filter, or a year, which is two of them. */
export type Choice = Filter | "year";

const IS_SORT: Readonly<Record<Sort, true>> = { relevance: true, newest: true, oldest: true, title: true };
export const SORTS = Object.keys(IS_SORT) as readonly Sort[];

type SingleFilter = "from" | "to" | "lacks";
type Single = SingleFilter | "q" | "sort" | "show";

/** Parameters of the URL by name, without those that are unknown or empty. A filter can have several values. */
export type Selection = Readonly<
  Partial<Record<Single, string> & Record<Exclude<Filter, SingleFilter>, readonly string[]>>
>;

export function selectionOf(query: URLSearchParams): Selection {
  const selection: Record<string, string | readonly string[]> = {};
  for (const name of ["q", ...FILTERS] as const) {
    const values = [...new Set(query.getAll(name).map((value) => value.trim()))].filter(Boolean);
    if (values.length > 0) selection[name] = isSingle(name) ? values[0]! : values;
  }
  const sort = query.get("sort");
  if (SORTS.some((each) => each === sort)) selection.sort = sort!;
  if (query.get("show") === "covers") selection.show = "covers";
  return selection;
}

function isSingle(name: "q" | Filter): name is "q" | SingleFilter {
  return name === "q" || name === "from" || name === "to" || name === "lacks";
}

export function valuesOf(selection: Selection, choice: Choice): readonly string[] {
  return [(choice === "year" ? yearOf(selection) : selection[choice]) ?? []].flat();
}

/** Returns what can be chosen, in the order of the page. Two days that are a year are told as a year. */
export function choicesOf(selection: Selection): readonly Choice[] {
  if (yearOf(selection) === undefined) return FILTERS;
  return [...FILTERS.filter((filter) => filter !== "from" && filter !== "to"), "year"];
}

/** Returns the parameters that `/api/search` and `/api/facets` both take. */
export function apiQuery({ sort: _sort, show: _show, ...query }: Selection): Selection {
  return query;
}

/** Returns whether nothing is searched or filtered, so that the page is a shelf of new books. */
export function isBrowsing(selection: Selection): boolean {
  return selection.q === undefined && !hasFilters(selection);
}

export function hasFilters(selection: Selection): boolean {
  return FILTERS.some((filter) => selection[filter] !== undefined);
}

export function sortOf({ q, sort }: Selection): Sort {
  if (sort === undefined || (sort === "relevance" && q === undefined))
    return q === undefined ? "newest" : "relevance";
  return sort as Sort;
}

/** Returns the selection with a value added, or without it when it was there. One year replaces another. */
export function toggled(selection: Selection, choice: Choice, value: string): Selection {
  const before = valuesOf(selection, choice);
  const without = before.filter((each) => each !== value);
  const isRemoved = without.length < before.length;
  if (choice === "year") {
    const { from: _from, to: _to, ...others } = selection;
    return isRemoved ? others : { ...others, from: `${value}0101`, to: `${value}1231` };
  }
  const { [choice]: _changed, ...others } = selection;
  if (isSingle(choice)) return isRemoved ? others : { ...others, [choice]: value };
  const values = isRemoved ? without : [...before, value];
  return values.length === 0 ? others : { ...others, [choice]: values };
}

/** Returns the year whose first and last day are the filters. */
function yearOf({ from, to }: Selection): string | undefined {
  const year = from?.slice(0, 4);
  return year !== undefined && from === `${year}0101` && to === `${year}1231` ? year : undefined;
}
