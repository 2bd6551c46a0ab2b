/** The table of the endpoints. The router and the OpenAPI document are both made from it. */
import type { Format } from "../catalog/formats/format.ts";
import type { Isbn13 } from "../onix/isbn.ts";
import { cursorTooOld, DEFAULT_CHANGES, getChanges, otherHistory, parseCursor } from "./changes/endpoint.ts";
import {
  BUFFERED_BYTES_BY_ISBN,
  bookNotFound,
  booksNotFound,
  type Endpoint,
  getBook,
  getBooks,
  getBooksOfImprint,
  getImprints,
  getNews,
  getSkus,
  getTranslations,
  imprintNotFound,
} from "./endpoints.ts";
import { ApiError } from "./errors.ts";
import { BOOK_FORMATS, LIST_FORMATS } from "./formats/format-choice.ts";
import { IMPORT_ROUTES } from "./imports/routes.ts";
import {
  EXAMPLE_ISBNS,
  exampleBook,
  exampleChanges,
  exampleImprint,
  exampleTranslations,
} from "./openapi/examples.ts";
import type { FoundHeader } from "./openapi/found-headers.ts";
import { arrayOf, isbn13Schema, ref, type Schema } from "./openapi/schemas.ts";
import { pageStart } from "./paging/page.ts";
import {
  MAX_ISBNS,
  MAX_PAGE_LIMIT,
  parseDate,
  parseIsbnList,
  parseIsbnParameter,
  parseLanguage,
  parseLimit,
  parseMissing,
  parsePage,
  parseView,
} from "./parameters.ts";
import { SEARCH_ROUTES } from "./search/search-routes.ts";

export interface Parameter {
  readonly name: string;
  readonly in: "path" | "query";
  readonly description: string;
  readonly schema: Schema;
  /** Is in the description of an optional parameter, which the OpenAPI page leaves empty. */
  readonly example?: string;
}

export interface Route {
  readonly path: string;
  readonly id: string;
  readonly tag: keyof typeof TAGS;
  readonly summary: string;
  readonly description: string;
  readonly parameters: readonly Parameter[];
  /** The 200 response. */
  readonly found: {
    readonly description: string;
    readonly schema: Schema;
    readonly example: unknown;
    /** The optional header fields of this endpoint alone. */
    readonly headers?: readonly FoundHeader[];
  };
  /** The errors of this endpoint alone, by the title of the example. */
  readonly errors: Readonly<Record<string, ApiError>>;
  readonly endpoint: Endpoint;
  /** The formats of the response, when there are others than JSON. Their parameters and errors are documented with it. */
  readonly formats?: readonly Format[];
  /** Is set where the response is a list, which can be long. */
  readonly isList?: true;
  /** The memory that a request of the list takes beyond that of other lists. */
  readonly extraListBytes?: number;
  /** The memory that a page of the list takes beyond that of other lists. */
  readonly extraPageBytes?: number;
  /**
   * Is set where the response does not depend on the store, so that it is served when the store is down, and where it
   * depends on more than the revision.
   */
  readonly skipsCache?: true;
}

export const TAGS = {
  Books: "Books by their ISBN.",
  Search: "Books by their words and properties.",
  Imprints: "The imprints of the catalog, and the books of one.",
  News: "Books by their day of publication.",
  Catalog: "What the catalog has.",
  Translations: "Labels for codes.",
} as const;

const [ISBN, OTHER_ISBN] = EXAMPLE_ISBNS;
const UNKNOWN_ISBN = "9789999900003" as Isbn13;
const BOOK: Schema = { oneOf: [ref("Book"), ref("Summary")] };
const BOOKS = { schema: arrayOf(BOOK), example: [exampleBook] };

/** The ISBNs, where their records are, and the start that is read at once. */
const BYTES_BY_ISBN = 2 * BUFFERED_BYTES_BY_ISBN;

const PAGE_PARAMETERS: readonly Parameter[] = [
  {
    name: "limit",
    in: "query",
    description:
      `At most so many items, 1 to ${MAX_PAGE_LIMIT}. The header \`Link\` has the URL of the next page, and ` +
      "`X-Total-Count` the length of the list. Without it, the response is the whole list.",
    schema: { type: "integer", minimum: 1, maximum: MAX_PAGE_LIMIT },
  },
  {
    name: "cursor",
    in: "query",
    description:
      "Where the page begins, as the `Link` of the page before has it. Valid for the same list only.",
    schema: { type: "string" },
  },
];
const PAGE_HEADERS = ["Link", "X-Total-Count"] as const;
const PAGE_ERRORS = {
  "Limit out of range": errorOf(parsePage(`limit=${MAX_PAGE_LIMIT + 1}`)),
  "Cursor without limit": errorOf(parsePage("cursor=x")),
  "Cursor of another list": errorOf(pageStart("skus", { limit: 1, cursor: "x" })),
};

const VIEW: Parameter = {
  name: "view",
  in: "query",
  description: "`summary`: one flat object per book instead of its record. Default: `record`.",
  schema: { type: "string", enum: ["record", "summary"] },
};
const VIEW_ERRORS = {
  "Other view": errorOf(parseView("view=full")),
  "Repeated view": errorOf(parseView("view=record&view=summary")),
};

export const ROUTES: readonly Route[] = [
  {
    path: "/api/isbn/{isbn}",
    id: "getBook",
    tag: "Books",
    summary: "One book",
    description: "The record of one ISBN.",
    parameters: [
      {
        name: "isbn",
        in: "path",
        description: "13 digits. Hyphens and spaces are ignored, and an ISBN-10 is converted to its ISBN-13.",
        schema: { type: "string" },
        example: ISBN,
      },
      VIEW,
    ],
    found: { description: "The book.", schema: BOOK, example: exampleBook },
    errors: {
      "Not an ISBN": errorOf(parseIsbnParameter("97899999")),
      ...VIEW_ERRORS,
      "Unknown ISBN": bookNotFound(UNKNOWN_ISBN),
    },
    endpoint: getBook,
    formats: BOOK_FORMATS,
  },
  {
    path: "/api/isbns/{isbns}",
    id: "getBooks",
    tag: "Books",
    summary: "Several books",
    description:
      "One record for each ISBN, in the requested order; a repeated ISBN is repeated. When one or more are " +
      "not in the catalog, the response is a 404 that names them in `missing`. With `missing=skip` it is a 200 " +
      "without them.",
    parameters: [
      {
        name: "isbns",
        in: "path",
        description: `ISBNs separated by commas, with no spaces; at most ${MAX_ISBNS}.`,
        schema: { type: "string" },
        example: `${ISBN},${OTHER_ISBN}`,
      },
      {
        name: "missing",
        in: "query",
        description:
          "`skip`: the books that the catalog has, in the requested order. The header `X-Missing-Count` tells how " +
          "many it does not have.",
        schema: { type: "string", enum: ["skip"] },
      },
      VIEW,
    ],
    found: { description: "The books.", ...BOOKS, headers: ["X-Missing-Count", "X-Missing"] },
    errors: {
      "Not an ISBN": errorOf(parseIsbnList(`${ISBN},97899999`)),
      "Empty item": errorOf(parseIsbnList(`${ISBN},`)),
      "Too many": errorOf(parseIsbnList(`${ISBN},`.repeat(MAX_ISBNS) + ISBN)),
      "Other value of missing": errorOf(parseMissing("missing=fail")),
      ...VIEW_ERRORS,
      "Unknown ISBN": booksNotFound([UNKNOWN_ISBN], [ISBN, OTHER_ISBN, UNKNOWN_ISBN] as Isbn13[]),
    },
    endpoint: getBooks,
    formats: BOOK_FORMATS,
    isList: true,
    extraListBytes: BYTES_BY_ISBN,
  },
  {
    path: "/api/imprint/{imprint}",
    id: "getBooksOfImprint",
    tag: "Imprints",
    summary: "The books of one imprint",
    description: "The records of one imprint, by ISBN.",
    parameters: [
      {
        name: "imprint",
        in: "path",
        description: "The slug of the imprint as `/api/imprints` has it, or its name.",
        schema: { type: "string" },
        example: exampleImprint.slug,
      },
      {
        name: "language",
        in: "query",
        description: "Only books whose text is in this language: a code of ONIX list 74, in three letters.",
        schema: { type: "string", minLength: 3, maxLength: 3 },
        example: "eng",
      },
      VIEW,
      ...PAGE_PARAMETERS,
    ],
    found: {
      description: "The books; none when no book of the imprint is in the language.",
      ...BOOKS,
      headers: PAGE_HEADERS,
    },
    errors: {
      "Not a language": errorOf(parseLanguage("language=es")),
      "Repeated language": errorOf(parseLanguage("language=spa&language=eng")),
      ...VIEW_ERRORS,
      ...PAGE_ERRORS,
      "Unknown imprint": imprintNotFound,
    },
    endpoint: getBooksOfImprint,
    formats: BOOK_FORMATS,
    isList: true,
    extraPageBytes: BYTES_BY_ISBN,
  },
  {
    path: "/api/imprints",
    id: "getImprints",
    tag: "Imprints",
    summary: "All imprints",
    description: "The imprints that have books, by slug.",
    parameters: [],
    found: { description: "The imprints.", schema: arrayOf(ref("ImprintEntry")), example: [exampleImprint] },
    errors: {},
    endpoint: getImprints,
    formats: LIST_FORMATS,
    isList: true,
  },
  {
    path: "/api/news",
    id: "getNews",
    tag: "News",
    summary: "New books",
    description:
      "The records of books published from a day on, forthcoming ones included; newest first, then by ISBN. " +
      "Without a date: those of the last 90 days up to today, in UTC.",
    parameters: [
      {
        name: "date",
        in: "query",
        description: "The first day, as `YYYYMMDD`.",
        schema: { type: "string", pattern: "^[0-9]{8}$" },
        example: "20260701",
      },
      VIEW,
      ...PAGE_PARAMETERS,
    ],
    found: { description: "The books.", ...BOOKS, headers: PAGE_HEADERS },
    errors: {
      "Not a day": errorOf(parseDate("date=2026-07-01")),
      "Repeated date": errorOf(parseDate("date=20260701&date=20260702")),
      ...VIEW_ERRORS,
      ...PAGE_ERRORS,
    },
    endpoint: getNews,
    formats: BOOK_FORMATS,
    isList: true,
    extraPageBytes: BYTES_BY_ISBN,
  },
  {
    path: "/api/skus",
    id: "getSkus",
    tag: "Catalog",
    summary: "All ISBNs",
    description: "The ISBN-13 of every book of the catalog, ascending.",
    parameters: PAGE_PARAMETERS,
    found: {
      description: "The ISBNs.",
      schema: arrayOf(isbn13Schema),
      example: [ISBN, OTHER_ISBN],
      headers: PAGE_HEADERS,
    },
    errors: PAGE_ERRORS,
    endpoint: getSkus,
    formats: LIST_FORMATS,
    isList: true,
    extraPageBytes: BYTES_BY_ISBN,
  },
  {
    path: "/api/changes",
    id: "getChanges",
    tag: "Catalog",
    summary: "All changes",
    description:
      "For a mirror of the catalog: one loop first loads and then follows it. Each changed book is listed once, with " +
      "its last change, in the order of the imports. Without `since`, all books are listed as added. Send `next` as " +
      "`since` of the next request: at once when `more` is true, and otherwise after a while, with `If-None-Match`. " +
      "When the catalog cannot continue after a cursor, the response is 410: load it anew.",
    parameters: [
      {
        name: "since",
        in: "query",
        description:
          "The cursor: `next` of the response before. Without it, the changes begin with all books.",
        schema: { type: "string" },
      },
      {
        name: "limit",
        in: "query",
        description: `At most so many changes, 1 to ${MAX_PAGE_LIMIT}. Default: ${DEFAULT_CHANGES}.`,
        schema: { type: "integer", minimum: 1, maximum: MAX_PAGE_LIMIT },
      },
      {
        ...VIEW,
        description:
          "`record` or `summary`: each change but a deletion has the book in a member of this name. " +
          "Default: neither.",
      },
    ],
    found: { description: "A page of changes.", schema: ref("Changes"), example: exampleChanges },
    errors: {
      "Not a cursor": errorOf(parseCursor("since=x")),
      "Limit out of range": errorOf(parseLimit(`limit=${MAX_PAGE_LIMIT + 1}`)),
      ...VIEW_ERRORS,
      "Other history": otherHistory,
      "Too old": cursorTooOld,
    },
    endpoint: getChanges,
    isList: true,
    extraListBytes: BYTES_BY_ISBN,
    skipsCache: true,
  },
  {
    path: "/api/translations",
    id: "getTranslations",
    tag: "Translations",
    summary: "Labels of codes",
    description: "English and Spanish labels of the ONIX codes that records have.",
    parameters: [],
    found: { description: "The table.", schema: ref("Translations"), example: exampleTranslations },
    errors: {},
    endpoint: getTranslations,
    skipsCache: true,
  },
  ...IMPORT_ROUTES,
  ...SEARCH_ROUTES.map((route) => ({
    ...route,
    ...("isList" in route && { extraListBytes: BYTES_BY_ISBN }),
  })),
];

/** Returns the error for a wrong value, so that the documented example is the real one. */
function errorOf(parsed: unknown): ApiError {
  if (parsed instanceof ApiError) return parsed;
  throw new Error("The example of an error is valid");
}
