/** The rows of /api/search and /api/facets in the table of routes. */
import { MAX_QUALITY_BOOKS, MAX_QUALITY_IMPRINTS } from "../../catalog/quality/catalog-quality.ts";
import { MAX_FACET_BOOKS, MAX_FACET_VALUES } from "../../catalog/search/search.ts";
import { BYTES_BY_ISBN } from "../endpoints.ts";
import { searchTimeout, tooManySearches } from "../errors.ts";
import { BOOK_FORMATS } from "../formats/format-choice.ts";
import { arrayOf, isbn13Schema } from "../openapi/json-schema.ts";
import { ref } from "../openapi/schemas.ts";
import { exampleFacets, exampleQuality, exampleSuggestions } from "../openapi/search-schemas.ts";
import { exampleSummary } from "../openapi/summary-schema.ts";
import { day } from "../parameters/kinds.ts";
import { inQuery } from "../parameters/parameter.ts";
import { route } from "../route.ts";
import {
  getFacets,
  getQuality,
  notOfThisSearch,
  searchBooks,
  tooBroadForTitles,
} from "./search-endpoints.ts";
import { daysInWrongOrder, FACET_PARAMETERS, SEARCH_PARAMETERS } from "./search-parameters.ts";
import { SUGGEST_PARAMETERS, suggest } from "./suggest-endpoint.ts";

const BUSY_ERRORS = { "Too many searches": tooManySearches, "Search too long": searchTimeout };
export const SELECTION_ERRORS = { "Days in the wrong order": daysInWrongOrder, ...BUSY_ERRORS };

const SEARCH_ROUTE = route({
  path: "/api/search",
  id: "searchBooks",
  tag: "Search",
  summary: "Find books",
  description:
    "The books that have all the words of `q` and pass all filters, one page at a time. Title matches come first, " +
    "then contributors, then the rest; equally good ones newest first. Without `q`: all books that pass the filters. " +
    "A filter that is given several times needs one of its values; different filters must all hold.",
  parameters: SEARCH_PARAMETERS,
  found: {
    description: "The books; none when no book is found.",
    schema: arrayOf({
      anyOf: [ref("Summary"), ref("SummaryPart"), ref("Book")],
      properties: {
        editions: {
          ...arrayOf(isbn13Schema),
          description:
            "With `group=work`: the ISBNs of the other editions of its work on this page, in their order.",
        },
      },
    }),
    example: [exampleSummary],
    headers: ["Link", "X-Total-Count", "X-Search-Corrected"],
  },
  errors: {
    ...SELECTION_ERRORS,
    "Cursor of another search": notOfThisSearch,
    "Too many books for titles": tooBroadForTitles,
  },
  endpoint: searchBooks,
  formats: BOOK_FORMATS,
  isList: true,
  takesListMemory: true,
  extraListBytes: () => BYTES_BY_ISBN,
});

const FACETS_ROUTE = route({
  path: "/api/facets",
  id: "getFacets",
  tag: "Search",
  summary: "Count books",
  description:
    "How many of the books that `/api/search` finds have which value of each facet. A facet is counted without the " +
    "filter of its name, so that the values that are not chosen stay. " +
    `The newest ${MAX_FACET_BOOKS.toLocaleString("en")} books are counted, and each facet lists the ` +
    `${MAX_FACET_VALUES.toLocaleString("en")} values with the most books.`,
  parameters: FACET_PARAMETERS,
  found: {
    description: "The counts.",
    schema: ref("Facets"),
    example: exampleFacets,
    headers: ["X-Search-Corrected"],
  },
  errors: SELECTION_ERRORS,
  endpoint: getFacets,
});

const QUALITY_ROUTE = route({
  path: "/api/quality",
  id: "getQuality",
  tag: "Search",
  summary: "Count what books have",
  description:
    "How many books of the whole catalog and of each imprint have what shops need, and how many there are by language, " +
    "form, price band and month of publication. `/api/search?imprint=…&lacks=cover` has the books that lack something. " +
    `The ${MAX_QUALITY_IMPRINTS} imprints with the most books are listed, and the others counted together.`,
  parameters: {
    from: inQuery(day, {
      description:
        "Only books that are published from this day on, as `YYYYMMDD` or `YYYY-MM-DD`: with that of tomorrow, the " +
        `forthcoming ones. At most ${MAX_QUALITY_BOOKS.toLocaleString("en")} of them are counted, those that come last.`,
    }),
  },
  found: { description: "The counts.", schema: ref("Quality"), example: exampleQuality },
  errors: BUSY_ERRORS,
  endpoint: getQuality,
});

const SUGGEST_ROUTE = route({
  path: "/api/suggest",
  id: "getSuggestions",
  tag: "Search",
  summary: "Complete what is typed",
  description:
    "Books, contributors, imprints and series with the words that were typed, of which the last may be unfinished, " +
    "most relevant first. Each has the path of the request that leads there.",
  parameters: SUGGEST_PARAMETERS,
  found: { description: "The suggestions.", schema: ref("Suggestions"), example: exampleSuggestions },
  errors: BUSY_ERRORS,
  endpoint: suggest,
});

export const SEARCH_ROUTES = [SEARCH_ROUTE, FACETS_ROUTE, SUGGEST_ROUTE, QUALITY_ROUTE];
