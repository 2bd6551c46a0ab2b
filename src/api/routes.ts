/** The table of the endpoints. The router and the OpenAPI document are both made from it. */
import { MAX_EDITIONS } from "../catalog/editions/editions.ts";
import type { Isbn13 } from "../onix/isbn.ts";
import { changeCursor, cursorTooOld, DEFAULT_CHANGES, getChanges, otherHistory } from "./changes/endpoint.ts";
import {
  BYTES_BY_ISBN,
  bookNotFound,
  booksNotFound,
  getBook,
  getBooks,
  getBooksOfImprint,
  getImprints,
  getNews,
  getSkus,
  getTranslations,
  getWork,
  imprintNotFound,
} from "./endpoints.ts";
import { BOOK_FORMATS, LIST_FORMATS } from "./formats/format-choice.ts";
import { IMPORT_ROUTES } from "./imports/routes.ts";
import {
  EXAMPLE_ISBNS,
  exampleBook,
  exampleChanges,
  exampleImprint,
  exampleTranslations,
  UNKNOWN_ISBN,
} from "./openapi/examples.ts";
import { arrayOf, isbn13Schema, type Schema } from "./openapi/json-schema.ts";
import { ref } from "./openapi/schemas.ts";
import { exampleSummary } from "./openapi/summary-schema.ts";
import { PAGE_ERRORS } from "./paging/page.ts";
import { misnamedParameter } from "./parameters/ignored-parameters.ts";
import { imprint, isbns, language, MAX_ISBNS, oneOf, specifiedDay } from "./parameters/kinds.ts";
import { inPath, inQuery } from "./parameters/parameter.ts";
import {
  ISBN_IN_PATH,
  MAX_PAGE_LIMIT,
  PAGE_PARAMETERS,
  type PageRequest,
  pageLimit,
  VIEW,
  view,
} from "./parameters/shared-parameters.ts";
import { type Route, route } from "./route.ts";
import { SEARCH_ROUTES } from "./search/search-routes.ts";
import { SUBJECTS_ROUTE } from "./subjects/endpoint.ts";
import { SHAPE_PARAMETERS } from "./summaries/shape-parameters.ts";

const [ISBN, OTHER_ISBN] = EXAMPLE_ISBNS;
const BOOK: Schema = { anyOf: [ref("Book"), ref("Summary"), ref("SummaryPart")] };
const BOOKS = { schema: arrayOf(BOOK), example: [exampleBook] };

/** A page of a list is read by its ISBNs, as /api/isbns is. */
const bytesOfPage = ({ limit }: PageRequest) => (limit === undefined ? 0 : BYTES_BY_ISBN);

const PAGE_HEADERS = ["Link", "X-Total-Count"] as const;

export const ROUTES: readonly Route[] = [
  route({
    path: "/api/isbn/{isbn}",
    id: "getBook",
    tag: "Books",
    summary: "One book",
    description: "The record of one ISBN.",
    parameters: { isbn: ISBN_IN_PATH, view: VIEW, ...SHAPE_PARAMETERS },
    found: { description: "The book.", schema: BOOK, example: exampleBook },
    errors: { "Unknown ISBN": bookNotFound(UNKNOWN_ISBN) },
    endpoint: getBook,
    formats: BOOK_FORMATS,
  }),
  route({
    path: "/api/isbns/{isbns}",
    id: "getBooks",
    tag: "Books",
    summary: "Several books",
    description:
      "One record for each ISBN, in the requested order; a repeated ISBN is repeated. When one or more are " +
      "not in the catalog, the response is a 404 that names them in `missing`. With `missing=skip` it is a 200 " +
      "without them.",
    parameters: {
      isbns: inPath(isbns, {
        description: `ISBNs separated by commas, with no spaces; at most ${MAX_ISBNS}.`,
        example: `${ISBN},${OTHER_ISBN}`,
      }),
      missing: inQuery(oneOf(["skip"], { "Other value of missing": "fail" }), {
        description:
          "`skip`: the books that the catalog has, in the requested order. The header `X-Missing-Count` tells how " +
          "many it does not have.",
      }),
      view: VIEW,
      ...SHAPE_PARAMETERS,
    },
    found: { description: "The books.", ...BOOKS, headers: ["X-Missing-Count", "X-Missing"] },
    errors: {
      "Unknown ISBN": booksNotFound([UNKNOWN_ISBN], [ISBN, OTHER_ISBN, UNKNOWN_ISBN] as Isbn13[]),
    },
    endpoint: getBooks,
    formats: BOOK_FORMATS,
    isList: true,
    extraListBytes: () => BYTES_BY_ISBN,
  }),
  route({
    path: "/api/work/{isbn}",
    id: "getWork",
    tag: "Books",
    summary: "The editions of one work",
    description:
      "The books that belong to the same work as one book, which is among them: those that the feeds link by the " +
      "identifier of a work (`RelatedWork`), or name as another edition of each other (`RelatedProduct` with the codes " +
      `06, 13 and 27). At most ${MAX_EDITIONS} books, the nearest ones; \`complete\` tells whether these are all.`,
    parameters: { isbn: ISBN_IN_PATH },
    found: {
      description: "The editions.",
      schema: ref("Work"),
      example: { editions: [exampleSummary], complete: true },
    },
    errors: { "Unknown ISBN": bookNotFound(UNKNOWN_ISBN) },
    endpoint: getWork,
    isList: true,
    extraListBytes: () => BYTES_BY_ISBN,
  }),
  route({
    path: "/api/imprint/{imprint}",
    id: "getBooksOfImprint",
    tag: "Imprints",
    summary: "The books of one imprint",
    description: "The records of one imprint, by ISBN.",
    parameters: {
      imprint: inPath(imprint, {
        description: "The slug of the imprint as `/api/imprints` has it, or its name.",
        example: exampleImprint.slug,
      }),
      language: inQuery(
        { ...language, wrong: { "Not a language": "es" } },
        {
          description: "Only books whose text is in this language: a code of ONIX list 74, in three letters.",
          example: "eng",
        },
      ),
      view: VIEW,
      ...SHAPE_PARAMETERS,
      ...PAGE_PARAMETERS,
    },
    found: {
      description: "The books; none when no book of the imprint is in the language.",
      ...BOOKS,
      headers: PAGE_HEADERS,
    },
    errors: { ...PAGE_ERRORS, "Unknown imprint": imprintNotFound },
    endpoint: getBooksOfImprint,
    formats: BOOK_FORMATS,
    isList: true,
    extraListBytes: bytesOfPage,
  }),
  route({
    path: "/api/imprints",
    id: "getImprints",
    tag: "Imprints",
    summary: "All imprints",
    description: "The imprints that have books, by slug.",
    parameters: {},
    found: { description: "The imprints.", schema: arrayOf(ref("ImprintEntry")), example: [exampleImprint] },
    errors: {},
    endpoint: getImprints,
    formats: LIST_FORMATS,
    isList: true,
  }),
  route({
    path: "/api/news",
    id: "getNews",
    tag: "News",
    summary: "New books",
    description:
      "The records of books published from a day on, forthcoming ones included; newest first, then by ISBN. " +
      "Without a date: those of the last 90 days up to today, in UTC.",
    parameters: {
      date: inQuery(specifiedDay, { description: "The first day, as `YYYYMMDD`.", example: "20260701" }),
      view: VIEW,
      ...SHAPE_PARAMETERS,
      ...PAGE_PARAMETERS,
    },
    found: { description: "The books.", ...BOOKS, headers: PAGE_HEADERS },
    errors: PAGE_ERRORS,
    endpoint: getNews,
    formats: BOOK_FORMATS,
    isList: true,
    extraListBytes: bytesOfPage,
  }),
  route({
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
    extraListBytes: bytesOfPage,
  }),
  route({
    path: "/api/changes",
    id: "getChanges",
    tag: "Catalog",
    summary: "All changes",
    description:
      "For a mirror of the catalog: one loop first loads and then follows it. Each changed book is listed once, with " +
      "its last change, in the order of the imports. Without `since`, all books are listed as added. Send `next` as " +
      "`since` of the next request: at once when `more` is true, and otherwise after a while, with `If-None-Match`. " +
      "When the catalog cannot continue after a cursor, the response is 410: load it anew.",
    parameters: {
      since: inQuery(changeCursor, {
        description:
          "The cursor: `next` of the response before. Without it, the changes begin with all books.",
      }),
      limit: inQuery(pageLimit, {
        description: `The most changes of a page, 1 to ${MAX_PAGE_LIMIT}. Default: ${DEFAULT_CHANGES}.`,
        default: DEFAULT_CHANGES,
      }),
      view: inQuery(view, {
        description:
          "`record` or `summary`: each change but a deletion has the book in a member of this name. " +
          "Default: neither.",
      }),
    },
    found: { description: "A page of changes.", schema: ref("Changes"), example: exampleChanges },
    misnamed: { cursor: "since" },
    errors: {
      "Cursor instead of since": misnamedParameter("cursor", "since"),
      "Other history": otherHistory,
      "Too old": cursorTooOld,
    },
    endpoint: getChanges,
    isList: true,
    extraListBytes: () => BYTES_BY_ISBN,
    skipsCache: true,
  }),
  route({
    path: "/api/translations",
    id: "getTranslations",
    tag: "Translations",
    summary: "Labels of codes",
    description: "English and Spanish labels of the ONIX codes that records have.",
    parameters: {},
    found: { description: "The table.", schema: ref("Translations"), example: exampleTranslations },
    errors: {},
    endpoint: getTranslations,
    skipsCache: true,
  }),
  SUBJECTS_ROUTE,
  ...IMPORT_ROUTES,
  ...SEARCH_ROUTES,
];
