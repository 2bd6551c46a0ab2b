/** The endpoints of the specification: from parsed parameters to a result. */

import { isOfOtherBook } from "../catalog/entry.ts";
import { newsWindow } from "../catalog/news.ts";
import type {
  Batches,
  DateSelection,
  ReadableStore,
  Selection,
  Snapshot,
  StoredRecord,
  View,
} from "../catalog/store.ts";
import { DamagedRecord } from "../catalog/store-errors.ts";
import { type Awaitable, attempt, then } from "../lib/awaitable.ts";
import type { Day } from "../onix/date.ts";
import type { Isbn13 } from "../onix/isbn.ts";
import { SUMMARY_RULES } from "../onix/summary/summary.ts";
import { ApiError } from "./errors.ts";
import type { FormatChoice } from "./formats/format-choice.ts";
import { bookInXml } from "./formats/formatted-result.ts";
import type { ListTotals } from "./paging/list-totals.ts";
import { type PagedRequest, pageStart, readPage } from "./paging/page.ts";
import {
  parseDate,
  parseImprint,
  parseIsbnList,
  parseIsbnParameter,
  parseLanguage,
  parseMissing,
  parsePage,
  parseView,
} from "./parameters.ts";
import { type JsonArray, joinBodies, joinImprints, joinIsbns, jsonArrayOf } from "./response/json-array.ts";
import { type EndpointResult, RecordResult } from "./response/responder.ts";
import type { StaticContent } from "./response/static-content.ts";

/** The data that endpoints respond with. */
export interface EndpointContext {
  readonly store: ReadableStore;
  readonly totals: ListTotals;
  readonly translations: StaticContent;
  /** Returns today's date in UTC. */
  readonly today: () => Day;
}

/** `parameter` is the last segment of the path, `query` the query, both as they were sent. */
export type Endpoint = (
  context: EndpointContext,
  parameter: string,
  query: string,
  /** Is undefined for JSON. The result is converted later; an endpoint only reads what the format needs. */
  choice?: FormatChoice,
) => Awaitable<EndpointResult>;

export const getBook: Endpoint = ({ store, today }, parameter, query, choice) => {
  const isbn = parseIsbnParameter(parameter);
  if (isbn instanceof ApiError) return isbn;
  const view = parseView(query);
  if (view instanceof ApiError) return view;
  if (choice?.format === "xml") return bookAsMessage(store, isbn, choice, today());
  const record = store.record(isbn, choice?.format === "csv" ? "summary" : view);
  if (record instanceof Promise) return record.then((late) => bookResult(isbn, late));
  return bookResult(isbn, record);
};

function bookResult(isbn: Isbn13, record: StoredRecord | undefined): EndpointResult {
  if (record === undefined) return bookNotFound(isbn);
  if (isOfOtherBook(isbn, record.body)) throw new DamagedRecord(isbn);
  return new RecordResult(record);
}

/** A message is made from the entry, which only a snapshot has. */
function bookAsMessage(
  store: ReadableStore,
  isbn: Isbn13,
  choice: FormatChoice,
  today: Day,
): Awaitable<EndpointResult> {
  return then(store.snapshot(), async (snapshot) => {
    try {
      for await (const [entry] of snapshot.entries({ kind: "isbns", isbns: [isbn] }))
        if (entry) return bookInXml(entry, choice, today);
      return bookNotFound(isbn);
    } finally {
      snapshot.close();
    }
  });
}

export const getBooks: Endpoint = ({ store }, parameter, query) => {
  const isbns = parseIsbnList(parameter);
  if (isbns instanceof ApiError) return isbns;
  const skipsMissing = parseMissing(query);
  if (skipsMissing instanceof ApiError) return skipsMissing;
  const view = parseView(query);
  if (view instanceof ApiError) return view;
  return withSnapshot(store, (snapshot) =>
    then(snapshot.missing(isbns), (missing) => {
      if (skipsMissing) return presentBooks(snapshot, isbns, missing, view);
      if (missing.length > 0) return booksNotFound(missing, isbns);
      return recordsOf(snapshot, { kind: "isbns", isbns }, view);
    }),
  );
};

/** The most that a proxy must expect of `X-Missing`: those of many accept 8 kB of header fields. */
const MAX_MISSING_CHARS = 4096;

/** Returns the books that the catalog has, and names the others in the header. */
function presentBooks(
  snapshot: Snapshot,
  isbns: readonly Isbn13[],
  missing: readonly Isbn13[],
  view: View,
): JsonArray {
  const absent = new Set(missing);
  const list = missing.join(",");
  const headers = {
    "X-Missing-Count": String(missing.length),
    ...(list !== "" && list.length <= MAX_MISSING_CHARS && { "X-Missing": list }),
  };
  const present = isbns.filter((isbn) => !absent.has(isbn));
  return recordsOf(snapshot, { kind: "isbns", isbns: present }, view, { headers });
}

export const getBooksOfImprint: Endpoint = ({ store, totals }, parameter, query) => {
  const slug = parseImprint(parameter);
  if (slug instanceof ApiError) return slug;
  const language = parseLanguage(query);
  if (language instanceof ApiError) return language;
  const view = parseView(query);
  if (view instanceof ApiError) return view;
  const page = parsePage(query);
  if (page instanceof ApiError) return page;
  const list = { kind: "imprint", slug, language } as const;
  const name = `imprint/${slug} ${language ?? ""}`;
  const start = page && pageStart(name, page);
  if (start instanceof ApiError) return start;
  return withSnapshot(store, (snapshot) =>
    then(snapshot.hasImprint(slug), (exists) => {
      if (!exists) return imprintNotFound;
      if (!page) return recordsOf(snapshot, list, view);
      const parameters = { language, ...viewParameter(view) };
      const request = { list, name, limit: page.limit, after: start?.key, parameters };
      return pageOfRecords(snapshot, totals, request, view);
    }),
  );
};

export const getNews: Endpoint = ({ store, totals, today }, _, query) => {
  const date = parseDate(query);
  if (date instanceof ApiError) return date;
  const view = parseView(query);
  if (view instanceof ApiError) return view;
  const page = parsePage(query);
  if (page instanceof ApiError) return page;
  const name = `news ${date ?? ""}`;
  const start = page && pageStart(name, page);
  if (start instanceof ApiError) return start;
  // All pages have the window of the first one, also after midnight.
  const window = date === undefined ? newsWindow(start?.lastDay ?? today()) : { from: date };
  const list: DateSelection = { kind: "date", ...window };
  return withSnapshot(store, (snapshot) => {
    // The window moves at midnight, so its day is part of the validator.
    const state = list.to === undefined ? snapshot.revision : `${snapshot.revision}-${list.to}`;
    if (!page) return recordsOf(snapshot, list, view, { state });
    const parameters = { date, ...viewParameter(view) };
    const request = { list, name, limit: page.limit, after: start?.key, lastDay: list.to, parameters };
    return pageOfRecords(snapshot, totals, request, view, state);
  });
};

export const getImprints: Endpoint = ({ store }) =>
  withSnapshot(store, (snapshot) =>
    jsonArrayOf(snapshot.revision, snapshot, () => snapshot.imprints(), joinImprints, {
      content: { kind: "imprints", batches: () => snapshot.imprints() },
    }),
  );

export const getSkus: Endpoint = ({ store, totals }, _, query) => {
  const page = parsePage(query);
  if (page instanceof ApiError) return page;
  const name = "skus";
  const start = page && pageStart(name, page);
  if (start instanceof ApiError) return start;
  return withSnapshot(store, (snapshot) => {
    const { revision } = snapshot;
    if (!page) return isbnsOf(revision, snapshot, () => snapshot.isbns());
    const request = {
      list: { kind: "all" },
      name,
      limit: page.limit,
      after: start?.key,
      parameters: {},
    } as const;
    return then(readPage(snapshot, totals, request), ({ isbns, headers }) =>
      isbnsOf(revision, snapshot, () => [isbns], headers),
    );
  });
};

export const getTranslations: Endpoint = ({ translations }) => translations;

export function bookNotFound(isbn: Isbn13): ApiError {
  return new ApiError("bookNotFound", `The catalog has no book with the ISBN ${isbn}.`);
}

export function booksNotFound(missing: readonly Isbn13[], requested: readonly Isbn13[]): ApiError {
  const total = new Set(requested).size;
  const verb = missing.length === 1 ? "is" : "are";
  const detail = `${missing.length} of ${total} ${total === 1 ? "ISBN" : "ISBNs"} ${verb} not in the catalog.`;
  return new ApiError("bookNotFound", detail, { missing });
}

export const imprintNotFound = new ApiError(
  "imprintNotFound",
  "The catalog has no books of this imprint; take a slug of /api/imprints.",
);

/** The books of a page are read by their ISBNs, in the order of the list. */
function pageOfRecords(
  snapshot: Snapshot,
  totals: ListTotals,
  request: PagedRequest,
  view: View,
  state?: string,
): Awaitable<JsonArray> {
  return then(readPage(snapshot, totals, request), ({ isbns, headers }) =>
    recordsOf(snapshot, { kind: "isbns", isbns }, view, { state, headers }),
  );
}

/** The default is left out, as in the request. */
function viewParameter(view: View): { readonly view?: View } {
  return view === "record" ? {} : { view };
}

/** About 50 books requested by ISBN are read at once, in about a millisecond, so that their snapshot is closed early. */
export const BUFFERED_BYTES_BY_ISBN = 256 * 1024;

interface RecordsOptions {
  /** What the list depends on. Default: the revision of the catalog. */
  readonly state?: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
}

function isbnsOf(
  etag: string,
  snapshot: Snapshot,
  batches: () => Batches<Isbn13>,
  headers?: Readonly<Record<string, string>>,
): JsonArray {
  return jsonArrayOf(etag, snapshot, batches, joinIsbns, { headers, content: { kind: "isbns", batches } });
}

export function recordsOf(
  snapshot: Snapshot,
  selection: Selection,
  view: View,
  options: RecordsOptions = {},
): JsonArray {
  const { state = snapshot.revision, headers } = options;
  // A summary depends on its record and on the rules.
  const etag = view === "summary" ? `${state}-s${SUMMARY_RULES}` : state;
  const maxBufferedBytes = selection.kind === "isbns" ? BUFFERED_BYTES_BY_ISBN : undefined;
  const bodies = () => snapshot.bodies(selection, view);
  const content = { kind: "books", selection, view, state, snapshot } as const;
  return jsonArrayOf(etag, snapshot, bodies, joinBodies, { maxBufferedBytes, headers, content });
}

/** Opens a snapshot. An array closes it once it has been sent; for an error it is closed here. */
export function withSnapshot(
  store: ReadableStore,
  read: (snapshot: Snapshot) => Awaitable<JsonArray | ApiError>,
): Awaitable<EndpointResult> {
  return then(store.snapshot(), (snapshot) =>
    attempt(
      () =>
        then(read(snapshot), (result) => {
          if (result instanceof ApiError) snapshot.close();
          return result;
        }),
      (error) => {
        snapshot.close();
        throw error;
      },
    ),
  );
}
