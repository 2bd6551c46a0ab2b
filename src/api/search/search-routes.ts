/** The rows of /api/search and /api/facets in the table of routes. */
import { MAX_QUALITY_IMPRINTS } from "../../catalog/quality/catalog-quality.ts";
import { MAX_FACET_BOOKS, MAX_FACET_VALUES } from "../../catalog/search/search.ts";
import { BOOK_NEEDS } from "../../onix/completeness/book-needs.ts";
import { ApiError, searchTimeout, tooManySearches } from "../errors.ts";
import { BOOK_FORMATS } from "../formats/format-choice.ts";
import { exampleFacets } from "../openapi/facets-schema.ts";
import { exampleQuality } from "../openapi/quality-schema.ts";
import { arrayOf, ref, type Schema } from "../openapi/schemas.ts";
import { exampleSummary } from "../openapi/summary-schema.ts";
import { MAX_PAGE_LIMIT } from "../parameters.ts";
import { CODE_PARAMETERS, type CodeParameter } from "./code-parameter.ts";
import { getQuality } from "./quality-endpoint.ts";
import { getFacets, notOfThisSearch, searchBooks, tooBroadForTitles } from "./search-endpoints.ts";
import { DEFAULT_SEARCH_LIMIT, parseSearch, parseSelection, SEARCH_SORTS } from "./search-parameters.ts";

/** None has an example, so that the OpenAPI page leaves them empty. */
const parameter = (name: string, description: string, schema: Schema = { type: "string" }) =>
  ({ name, in: "query", description, schema }) as const;

const codeParameter = ({ name, list, codes }: CodeParameter, description: string) =>
  parameter(name, `${description}: a code of ONIX list ${list}.`, {
    type: "string",
    enum: [...codes.values()],
  });

const DAY: Schema = { type: "string", pattern: "^[0-9]{4}-?[0-9]{2}-?[0-9]{2}$" };

const SELECTION_PARAMETERS = [
  parameter(
    "q",
    "Words that the book must have, in any field; case and accents are ignored. " +
      '`"a phrase"`, `prefix*`, `-without`, or an ISBN in any form.',
  ),
  parameter("imprint", "The slug of the imprint as `/api/imprints` has it, or its name."),
  parameter("language", "The language of the text: a code of ONIX list 74, in three letters.", {
    type: "string",
    minLength: 3,
    maxLength: 3,
  }),
  codeParameter(CODE_PARAMETERS.form, "The form of the product"),
  parameter(
    "subject",
    "A subject code; narrower codes, which begin with it, count too. `93:FBA` is of one scheme of ONIX list 27.",
  ),
  parameter("contributor", "Words that must be in the names of the contributors."),
  codeParameter(CODE_PARAMETERS.availability, "The availability"),
  codeParameter(CODE_PARAMETERS.status, "The publishing status"),
  parameter("from", "The first day of publication, as `YYYYMMDD` or `YYYY-MM-DD`.", DAY),
  parameter("to", "The last day of publication, as `YYYYMMDD` or `YYYY-MM-DD`.", DAY),
  parameter(
    "lacks",
    `What the books lack of what shops need: one or more of ${BOOK_NEEDS.join(", ")}, separated by commas. A book must lack all of them.`,
    { type: "string", pattern: `^(${BOOK_NEEDS.join("|")})(,(${BOOK_NEEDS.join("|")}))*$` },
  ),
];

const SELECTION_ERRORS = {
  "Bad syntax": errorOf(parseSelection("q=%22treasure")),
  "Not a code": errorOf(parseSelection("status=99")),
  "Not a need": errorOf(parseSelection("lacks=blurb")),
  "Not a day": errorOf(parseSelection("from=2026")),
  "Days in the wrong order": errorOf(parseSelection("from=20260102&to=20260101")),
  "Repeated parameter": errorOf(parseSelection("imprint=a&imprint=b")),
  "Too many searches": tooManySearches,
  "Search too long": searchTimeout,
};

const SEARCH_ROUTE = {
  path: "/api/search",
  id: "searchBooks",
  tag: "Search",
  summary: "Find books",
  description:
    "The books that have all the words of `q` and pass all filters, one page at a time. Title matches come first, " +
    "then contributors, then the rest; equally good ones newest first. Without `q`: all books that pass the filters.",
  parameters: [
    ...SELECTION_PARAMETERS,
    parameter(
      "sort",
      "The order. Default: `relevance`, or `newest` without `q`. `title`: at most 10,000 books.",
      {
        type: "string",
        enum: SEARCH_SORTS,
      },
    ),
    parameter("view", "`record`: the records instead of the summaries. Default: `summary`.", {
      type: "string",
      enum: ["record", "summary"],
    }),
    parameter("limit", `At most so many books, 1 to ${MAX_PAGE_LIMIT}. Default: ${DEFAULT_SEARCH_LIMIT}.`, {
      type: "integer",
      minimum: 1,
      maximum: MAX_PAGE_LIMIT,
    }),
    parameter(
      "cursor",
      "Where the page begins, as the `Link` of the page before has it. Valid for the same query, filters and sort only.",
    ),
  ],
  found: {
    description: "The books; none when no book is found.",
    schema: arrayOf({ oneOf: [ref("Book"), ref("Summary")] }),
    example: [exampleSummary],
    headers: ["Link", "X-Total-Count"],
  },
  errors: {
    ...SELECTION_ERRORS,
    "Other sort": errorOf(parseSearch("sort=price")),
    "Other view": errorOf(parseSearch("view=full")),
    "Limit out of range": errorOf(parseSearch(`limit=${MAX_PAGE_LIMIT + 1}`)),
    "Cursor of another search": notOfThisSearch,
    "Too many books for titles": tooBroadForTitles,
  },
  endpoint: searchBooks,
  isList: true,
  formats: BOOK_FORMATS,
} as const;

const FACETS_ROUTE = {
  path: "/api/facets",
  id: "getFacets",
  tag: "Search",
  summary: "Count books",
  description:
    "How many of the books that `/api/search` finds have which imprint, language, form, availability and year of " +
    `publication. The newest ${MAX_FACET_BOOKS.toLocaleString("en")} books are counted, and each facet lists the ` +
    `${MAX_FACET_VALUES.toLocaleString("en")} values with the most books.`,
  parameters: SELECTION_PARAMETERS,
  found: { description: "The counts.", schema: ref("Facets"), example: exampleFacets },
  errors: SELECTION_ERRORS,
  endpoint: getFacets,
} as const;

const QUALITY_ROUTE = {
  path: "/api/quality",
  id: "getQuality",
  tag: "Search",
  summary: "Count what books have",
  description:
    "How many books of the whole catalog and of each imprint have what shops need, and how many there are by language, " +
    "form, price band and month of publication. `/api/search?imprint=…&lacks=cover` has the books that lack something. " +
    `The ${MAX_QUALITY_IMPRINTS} imprints with the most books are listed, and the others counted together.`,
  parameters: [],
  found: { description: "The counts.", schema: ref("Quality"), example: exampleQuality },
  errors: { "Too many searches": tooManySearches, "Search too long": searchTimeout },
  endpoint: getQuality,
} as const;

export const SEARCH_ROUTES = [SEARCH_ROUTE, FACETS_ROUTE, QUALITY_ROUTE] as const;

/** Returns the error for a wrong value, so that the documented example is the real one. */
function errorOf(parsed: unknown): ApiError {
  if (parsed instanceof ApiError) return parsed;
  throw new Error("The example of an error is valid");
}
