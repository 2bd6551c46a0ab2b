/** The parameters of /api/search and /api/facets. */
import { BAND_STARTS } from "../../catalog/quality/price-bands.ts";
import {
  FILTERS,
  type FilterName,
  MAX_FILTER_VALUES,
  type SearchFilters,
  type SearchSort,
  SORTS,
} from "../../catalog/search/properties.ts";
import type { SearchQuery } from "../../catalog/search/query.ts";
import { parseQuery, QuerySyntaxError } from "../../catalog/search/query-parser.ts";
import type { SearchSelection } from "../../catalog/search/search.ts";
import type { View } from "../../catalog/store.ts";
import { BOOK_NEEDS, type BookNeed } from "../../onix/completeness/needs.ts";
import { ApiError, badRequest } from "../errors.ts";
import {
  code,
  day,
  excerpt,
  imprint as imprintSlug,
  language,
  oneOf,
  text,
  words,
} from "../parameters/kinds.ts";
import { inQuery, type Kind, type Parameter, repeatable, type Values } from "../parameters/parameter.ts";
import { encodeQuery } from "../parameters/query.ts";
import { labels, MAX_PAGE_LIMIT, pageLimit, view } from "../parameters/shared-parameters.ts";
import { HIGHLIGHT, SHAPE_PARAMETERS } from "../summaries/shape-parameters.ts";

export const DEFAULT_SEARCH_LIMIT = 20;

/** The parameters are in the `Link` of a page. Many proxies accept 4 kB of header fields. */
const MAX_SELECTION_CHARS = 2500;

interface QueryText {
  readonly text: string;
  /** An open quotation is no error while the query is being typed. */
  readonly query: SearchQuery | ApiError;
}

const queryText: Kind<QueryText> = {
  parse(value) {
    const query = parsedQuery(value);
    const isWrong = query instanceof ApiError && parsedQuery(value, true) instanceof ApiError;
    return isWrong ? query : { text: value.trim(), query };
  },
  schema: { type: "string" },
  wrong: { "Bad syntax": "treas*re" },
};

/** `isTyping`: see `parseQuery`. */
export function parsedQuery(text: string, isTyping?: boolean): SearchQuery | ApiError {
  try {
    return parseQuery(text, isTyping);
  } catch (error) {
    if (!(error instanceof QuerySyntaxError)) throw error;
    const { code, problem, position } = error;
    return new ApiError("badRequest", `${problem}, at character ${position} of q.`, { position, code });
  }
}

const imprint: Kind<string> = {
  parse: (value, name) =>
    imprintSlug.parse(value, name) ||
    badRequest("Give imprint as the slug or the name of an imprint of /api/imprints."),
  schema: { type: "string" },
};

/** The value has the names in their order, each once, so that a cursor is valid however they are spelt. */
const needs: Kind<readonly BookNeed[]> = {
  parse(value) {
    const names = new Set<string>(value.split(",").map((name) => name.trim().toLowerCase()));
    const found = BOOK_NEEDS.filter((need) => names.has(need));
    if (found.length === names.size) return found;
    const detail = `"${excerpt(value)}" is not what a book can lack; give lacks as names of "allowed", separated by commas.`;
    return new ApiError("badRequest", detail, { allowed: BOOK_NEEDS });
  },
  schema: { type: "string", pattern: `^(${BOOK_NEEDS.join("|")})(,(${BOOK_NEEDS.join("|")}))*$` },
  wrong: { "Not a need": "blurb" },
};

/** A price band as /api/facets has it, in upper or lower case, with a space, a hyphen or nothing between its parts. */
const priceBand: Kind<string> = {
  parse(value) {
    const [, currency = "", start] = /^([A-Za-z]{3})[ -]?([0-9]+(?:\.[0-9]+)?)$/.exec(value) ?? [];
    if (BAND_STARTS.includes(Number(start))) return `${currency.toUpperCase()} ${Number(start)}`;
    const detail = `"${excerpt(value)}" is not a price band; give a currency and where the band begins, such as "EUR 15".`;
    return new ApiError("badRequest", detail, { allowed: BAND_STARTS.map(String) });
  },
  schema: { type: "string", pattern: "^[A-Za-z]{3}[ -]?[0-9]+([.][0-9]+)?$" },
  wrong: { "Not a price band": "EUR 14" },
};

const filter = <Value extends string>(kind: Kind<Value>, description: string) =>
  repeatable(kind, { description }, MAX_FILTER_VALUES);

/** None has an example, so that the OpenAPI page leaves them empty. */
export const FILTER_PARAMETERS: {
  readonly [Name in FilterName]: Parameter<SearchFilters[Name]>;
} = {
  imprint: filter(imprint, "The slug of the imprint as `/api/imprints` has it, or its name."),
  language: filter(language, "The language of the text: a code of ONIX list 74, in three letters."),
  form: filter(code(150, "a form of product"), "The form of the product: a code of ONIX list 150."),
  subject: filter(
    words("Give subject as a code, such as FBA, or with its scheme of ONIX list 27, such as 93:FBA."),
    "A subject code; narrower codes, which begin with it, count too. `93:FBA` is of one scheme of ONIX list 27.",
  ),
  contributor: filter(
    words("Give contributor as the name of a contributor."),
    "The name of a contributor as the summary has it; case, accents and punctuation are ignored.",
  ),
  series: filter(
    words("Give series as the title of a collection."),
    "The title of the collection as the summary has it; case, accents and punctuation are ignored.",
  ),
  audience: filter(
    code(28, "an audience", { wrong: { "Not an audience": "99" } }),
    "The audience: a code of ONIX list 28.",
  ),
  availability: filter(
    code(65, "an availability"),
    "The best availability of all markets or, with `market`, that of the market: a code of ONIX list 65.",
  ),
  market: filter(
    code(91, "a country", { wrong: { "Not a country": "XX" } }),
    "A country in which the book is sold: a code of ONIX list 91. With `availability`, that of this market.",
  ),
  status: filter(
    code(64, "a publishing status", { wrong: { "Not a code": "99" } }),
    "The publishing status: a code of ONIX list 64.",
  ),
  price: filter(
    priceBand,
    "The band of a consumer price: a currency and where the band begins, such as `EUR 15`, as `/api/facets` has them.",
  ),
  from: inQuery(day, { description: "The first day of publication, as `YYYYMMDD` or `YYYY-MM-DD`." }),
  to: inQuery(day, { description: "The last day of publication, as `YYYYMMDD` or `YYYY-MM-DD`." }),
  lacks: inQuery(needs, {
    description: `Only books without these things, which shops need: one or more of ${BOOK_NEEDS.join(", ")}, separated by commas.`,
  }),
};

/** The parameters that select books. */
const SELECTION_PARAMETERS = {
  q: inQuery(queryText, {
    description:
      "Words that the book must have, in any field; case and accents are ignored. " +
      '`"a phrase"`, `prefix*`, `-without`, or an ISBN in any form.',
  }),
  prefix: inQuery(oneOf(["last"], { "Other words": "all" }), {
    description:
      "`last`: the last word of `q` is still being typed, and counts as the beginning of a word as well, from two " +
      "letters on, in titles, names, imprints and series; digits from four on as the beginning of an ISBN.",
  }),
  spelling: inQuery(oneOf(["off"], { "Other setting": "on" }), {
    description:
      "`off`: a query that finds nothing is not corrected. Otherwise near words are tried, and `X-Search-Corrected` has " +
      "the query that was used.",
  }),
  ...FILTER_PARAMETERS,
};

/** Those of pages are ignored, as unknown ones are. */
export const FACET_PARAMETERS = {
  ...SELECTION_PARAMETERS,
  labels: inQuery(labels, {
    description: "The language of the labels: `eng` or `spa`. Default: `eng`.",
    default: "eng",
  }),
};

export const SEARCH_PARAMETERS = {
  ...SELECTION_PARAMETERS,
  sort: inQuery(oneOf(Object.keys(SORTS) as SearchSort[], { "Other sort": "price" }), {
    description: "The order. Default: `relevance`, or `newest` without `q`. `title`: at most 10,000 books.",
  }),
  view: inQuery(view, {
    description: "`record`: the records instead of the summaries. Default: `summary`.",
    default: "summary",
  }),
  group: inQuery(oneOf(["work"], { "Other group": "title" }), {
    description:
      "`work`: one book for each work of the page, the first in the order. Its member `editions` has the ISBNs of the " +
      "others on the page, if there are any. `limit`, `Link` and `X-Total-Count` count books, not works, and a work can be on several pages.",
  }),
  ...SHAPE_PARAMETERS,
  highlight: HIGHLIGHT,
  limit: inQuery(pageLimit, {
    description: `The most books of a page, 1 to ${MAX_PAGE_LIMIT}. Default: ${DEFAULT_SEARCH_LIMIT}.`,
    default: DEFAULT_SEARCH_LIMIT,
  }),
  cursor: inQuery(text, {
    description:
      "Where the page begins, as the `Link` of the page before has it. Valid for the same query, filters and sort only.",
  }),
};

type SelectionValues = Values<typeof SELECTION_PARAMETERS>;
export type FacetValues = Values<typeof FACET_PARAMETERS>;
export type SearchValues = Values<typeof SEARCH_PARAMETERS>;

export interface ParsedSelection extends SearchSelection {
  /** The parameters, percent-encoded, without those of pages. */
  readonly queryString: string;
  readonly isTyping: boolean;
  readonly spelling: "off" | undefined;
}

export interface ParsedSearch extends ParsedSelection {
  readonly sort: SearchSort;
  readonly view: View;
  readonly group: "work" | undefined;
  readonly limit: number;
  readonly cursor: string | undefined;
}

export const daysInWrongOrder = badRequest("The day in from is after the day in to; exchange them.");

/** Returns what is searched, or the error of parameters that do not fit together. */
export function selectionOf(values: SelectionValues): ParsedSelection | ApiError {
  const { q, prefix, spelling, from, to } = values;
  if (from !== undefined && to !== undefined && from > to) return daysInWrongOrder;
  const given = FILTERS.filter((name) => values[name] !== undefined);
  const filters: SearchFilters = Object.fromEntries(given.map((name) => [name, values[name]]));
  const isTyping = prefix !== undefined;
  const query = q && isTyping ? parsedQuery(q.text, true) : q?.query;
  if (query instanceof ApiError) return query;
  const queryString = encodeQuery({ q: q?.text, prefix, spelling, ...filters, lacks: filters.lacks?.join() });
  if (queryString.length > MAX_SELECTION_CHARS)
    return badRequest(
      `Query and filters have more than ${MAX_SELECTION_CHARS} characters in the URL; shorten them.`,
    );
  return { query, filters, queryString, isTyping, spelling };
}

/** Without a query, all books are equally relevant: the order is that of the newest. */
export function searchOf(values: SearchValues): ParsedSearch | ApiError {
  const selection = selectionOf(values);
  if (selection instanceof ApiError) return selection;
  const { sort = "relevance", view, group, limit, cursor } = values;
  const resolved = sort === "relevance" && selection.query === undefined ? "newest" : sort;
  return { ...selection, sort: resolved, view, group, limit, cursor };
}
