/** Parses the parameters of /api/search and /api/facets. */
import { slugOf } from "../../catalog/imprint.ts";
import { parseQuery, QuerySyntaxError } from "../../catalog/search/query-parser.ts";
import type { SearchFilters, SearchSelection, SearchSort } from "../../catalog/search/search.ts";
import { wordsOf } from "../../catalog/search/tokens.ts";
import type { View } from "../../catalog/store.ts";
import { BOOK_NEEDS, type BookNeed } from "../../onix/completeness/book-needs.ts";
import { type Day, parseDay } from "../../onix/date.ts";
import { ApiError, badRequest } from "../errors.ts";
import { excerpt, pageLimitOf, viewOf } from "../parameters.ts";
import { CODE_PARAMETERS, parseCode } from "./code-parameter.ts";
import { queryValuesByName } from "./query-string.ts";

const FILTER_NAMES = [
  "imprint",
  "language",
  "form",
  "subject",
  "contributor",
  "availability",
  "status",
  "from",
  "to",
] as const;
/** What books lack: names that are separated by commas. */
const LACKS = "lacks";

/** The parameters that select books, in their order in the URL of the next page. */
export const SELECTION_NAMES = ["q", ...FILTER_NAMES, LACKS] as const;
/** The parameters that only a search has. */
const PAGE_NAMES = ["sort", "view", "limit", "cursor"] as const;

export const SEARCH_SORTS = ["relevance", "newest", "oldest", "title"] as const satisfies SearchSort[];

export const DEFAULT_SEARCH_LIMIT = 20;

/** The parameters are in the `Link` of a page. Many proxies accept 4 kB of header fields. */
const MAX_SELECTION_CHARS = 2500;

type FilterName = (typeof FILTER_NAMES)[number];

export interface ParsedSelection extends SearchSelection {
  /** The parameters, percent-encoded, without those of pages. */
  readonly queryString: string;
}

export interface ParsedSearch extends ParsedSelection {
  readonly sort: SearchSort;
  readonly view: View;
  readonly limit: number;
  readonly cursor: string | undefined;
}

/** Returns the parameters of /api/facets. Those of pages are ignored, as unknown ones are. */
export function parseSelection(query: string): ParsedSelection | ApiError {
  const values = queryValuesByName(query, SELECTION_NAMES);
  return values instanceof ApiError ? values : selectionOf(values);
}

/** Returns the parameters of /api/search. */
export function parseSearch(query: string): ParsedSearch | ApiError {
  const values = queryValuesByName<string>(query, [...SELECTION_NAMES, ...PAGE_NAMES]);
  if (values instanceof ApiError) return values;
  const selection = selectionOf(values);
  if (selection instanceof ApiError) return selection;
  const sort = parseSort(values.get("sort"), selection);
  if (sort instanceof ApiError) return sort;
  const view = viewOf(values.get("view") ?? "summary");
  if (view instanceof ApiError) return view;
  const limit = pageLimitOf(values.get("limit") ?? String(DEFAULT_SEARCH_LIMIT));
  if (limit instanceof ApiError) return limit;
  return { ...selection, sort, view, limit, cursor: values.get("cursor") };
}

function selectionOf(values: ReadonlyMap<string, string>): ParsedSelection | ApiError {
  const q = values.get("q");
  const query = q === undefined ? undefined : parseQueryText(q);
  if (query instanceof ApiError) return query;
  const filters: Partial<Record<FilterName, string>> = {};
  for (const name of FILTER_NAMES) {
    const text = values.get(name);
    if (text === undefined) continue;
    const value = parseFilter(name, text);
    if (value instanceof ApiError) return value;
    filters[name] = value;
  }
  const { from, to } = filters;
  if (from !== undefined && to !== undefined && from > to)
    return badRequest("The day in from is after the day in to; exchange them.");
  const lacks = parseLacks(values.get(LACKS));
  if (lacks instanceof ApiError) return lacks;
  const queryString = encodeParameters({ q: q?.trim(), ...filters, lacks: lacks?.join() });
  if (queryString.length > MAX_SELECTION_CHARS)
    return badRequest(
      `Query and filters have more than ${MAX_SELECTION_CHARS} characters in the URL; shorten them.`,
    );
  return { query, filters: { ...filters, ...(lacks && { lacks }) } as SearchFilters, queryString };
}

/** Returns the names in their order, each once, so that a cursor is valid however they are spelt. */
function parseLacks(text: string | undefined): readonly BookNeed[] | undefined | ApiError {
  if (text === undefined) return undefined;
  const names = new Set<string>(text.split(",").map((name) => name.trim().toLowerCase()));
  const needs = BOOK_NEEDS.filter((need) => names.has(need));
  if (needs.length === names.size) return needs;
  const detail = `"${excerpt(text)}" is not what a book can lack; give lacks as names of "allowed", separated by commas.`;
  return new ApiError("badRequest", detail, { allowed: BOOK_NEEDS });
}

function parseQueryText(text: string): SearchSelection["query"] | ApiError {
  try {
    return parseQuery(text);
  } catch (error) {
    if (!(error instanceof QuerySyntaxError)) throw error;
    const { problem, position } = error;
    return new ApiError("badRequest", `${problem}, at character ${position} of q.`, { position });
  }
}

function parseFilter(name: FilterName, text: string): string | ApiError {
  switch (name) {
    case "language":
    case "form":
    case "availability":
    case "status":
      return parseCode(CODE_PARAMETERS[name], text);
    case "from":
    case "to":
      return parseFilterDay(name, text);
    case "imprint":
      return (
        slugOf(text) || badRequest("Give imprint as the slug or the name of an imprint of /api/imprints.")
      );
    case "contributor":
      return wordsOf(text).length > 0
        ? text.trim()
        : badRequest("Give contributor as one or more words of a name.");
    case "subject":
      return text.trim() !== "" && wordsOf(text).length > 0
        ? text.trim()
        : badRequest(
            "Give subject as a code, such as FBA, or with its scheme of ONIX list 27, such as 93:FBA.",
          );
  }
}

/** A summary writes days with hyphens, and /api/news takes them without. */
function parseFilterDay(name: string, text: string): Day | ApiError {
  const digits = /^[0-9]{4}-[0-9]{2}-[0-9]{2}$/.test(text) ? text.replaceAll("-", "") : text;
  return (
    parseDay(digits) ??
    badRequest(
      `"${excerpt(text)}" is not a day; give ${name} as a day of the calendar, YYYYMMDD or YYYY-MM-DD.`,
    )
  );
}

/** Without a query, all books are equally relevant: the order is that of the newest. */
function parseSort(text: string | undefined, { query }: SearchSelection): SearchSort | ApiError {
  const sort = SEARCH_SORTS.find((one) => one === (text ?? "relevance"));
  if (sort === undefined)
    return badRequest(
      `The values of the parameter sort are ${SEARCH_SORTS.join(", ").replace(/, (\w+)$/, " and $1")}.`,
    );
  return sort === "relevance" && query === undefined ? "newest" : sort;
}

/** Returns a query string with the parameters that are defined. */
export function encodeParameters(parameters: Readonly<Record<string, string | undefined>>): string {
  return Object.entries(parameters)
    .flatMap(([name, value]) => (value === undefined ? [] : `${name}=${encodeURIComponent(value)}`))
    .join("&");
}
