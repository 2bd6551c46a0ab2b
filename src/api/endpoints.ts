/** The endpoints of the specification: from parsed parameters to a result. */

import { editionsOf } from "../catalog/editions/editions.ts";
import { isOfOtherBook } from "../catalog/entry.ts";
import type { SearchQuery } from "../catalog/search/query.ts";
import { type DateSelection, newsWindow, type Selection } from "../catalog/selection.ts";
import type { Batches, ReadableStore, Snapshot, StoredRecord, View } from "../catalog/store.ts";
import { DamagedRecord } from "../catalog/store-errors.ts";
import { type Awaitable, attempt, then } from "../lib/awaitable.ts";
import type { Day } from "../onix/date.ts";
import type { Isbn13 } from "../onix/isbn.ts";
import { SUMMARY_RULES } from "../onix/summary/summary.ts";
import { ApiError } from "./errors.ts";
import type { FormatChoice } from "./formats/format-choice.ts";
import { bookInXml } from "./formats/formatted-result.ts";
import { type ListTotals, type PagedRequest, pageStart, readPage } from "./paging/page.ts";
import type { PageRequest } from "./parameters/shared-parameters.ts";
import {
  type BookList,
  type Join,
  type JsonArray,
  joinBodies,
  joinImprints,
  joinIsbns,
  jsonArrayOf,
} from "./response/json-array.ts";
import { type EndpointResult, RecordResult } from "./response/responder.ts";
import type { Endpoint } from "./route.ts";

interface BookRequest {
  readonly isbn: Isbn13;
  readonly view: View;
}

export const getBook: Endpoint<BookRequest> = ({ store, today }, { isbn, view }, choice, { key }) => {
  if (choice?.format === "xml") return bookAsMessage(store, isbn, choice, today(), key);
  const record = store.record(isbn, choice?.format === "csv" ? "summary" : view);
  if (record instanceof Promise) return record.then((late) => bookResult(isbn, late, false));
  return bookResult(isbn, record, true);
};

/** `ownsBody`: a late record may be shared with other requests that wait for it. */
function bookResult(isbn: Isbn13, record: StoredRecord | undefined, ownsBody: boolean): EndpointResult {
  if (record === undefined) return bookNotFound(isbn);
  if (isOfOtherBook(isbn, record.body)) throw new DamagedRecord(isbn);
  return new RecordResult(record, undefined, undefined, ownsBody);
}

/** A message is made from the entry, which only a snapshot has. */
function bookAsMessage(
  store: ReadableStore,
  isbn: Isbn13,
  choice: FormatChoice,
  today: Day,
  client: string,
): Awaitable<EndpointResult> {
  return then(store.snapshot(), async (snapshot) => {
    try {
      for await (const [entry] of snapshot.entries({ kind: "isbns", isbns: [isbn] }))
        if (entry) return bookInXml(entry, choice, today, client);
      return bookNotFound(isbn);
    } finally {
      snapshot.close();
    }
  });
}

interface BooksRequest {
  readonly isbns: readonly Isbn13[];
  /** Without it, a missing book is an error. */
  readonly missing: "skip" | undefined;
  readonly view: View;
}

export const getBooks: Endpoint<BooksRequest> = ({ store }, { isbns, missing, view }) =>
  withSnapshot(store, (snapshot) =>
    then(snapshot.missing(isbns), (absent) => {
      if (missing === "skip") return presentBooks(snapshot, isbns, absent, view);
      if (absent.length > 0) return booksNotFound(absent, isbns);
      return recordsOf(snapshot, { kind: "isbns", isbns }, view);
    }),
  );

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

/** The editions depend on the records alone, so the revision of the catalog is their validator. */
export const getWork: Endpoint<Pick<BookRequest, "isbn">> = ({ store }, { isbn }) =>
  withSnapshot(store, async (snapshot) => {
    if ((await snapshot.missing([isbn])).length > 0) return bookNotFound(isbn);
    const { isbns, isComplete } = await editionsOf(snapshot, isbn);
    const selection = { kind: "isbns", isbns } as const;
    const join: Join<Uint8Array> = (batch, prefix, buffer) => {
      const joined = joinBodies(batch, prefix, buffer);
      return prefix === "[" ? Buffer.concat([WORK_START, joined]) : joined;
    };
    return jsonArrayOf(
      `${snapshot.revision}-s${SUMMARY_RULES}`,
      snapshot,
      () => snapshot.bodies(selection, "summary"),
      join,
      { maxBufferedBytes: BUFFERED_BYTES_BY_ISBN, end: () => `],"complete":${isComplete}}` },
    );
  });

const WORK_START = Buffer.from('{"editions":');

interface ImprintRequest extends PageRequest {
  /** A slug. */
  readonly imprint: string;
  readonly language: string | undefined;
  readonly view: View;
}

export const getBooksOfImprint: Endpoint<ImprintRequest> = ({ store, totals }, values) => {
  const { imprint: slug, language, view, limit } = values;
  const list = { kind: "imprint", slug, language } as const;
  const name = `imprint/${slug} ${language ?? ""}`;
  const start = pageStart(name, values);
  if (start instanceof ApiError) return start;
  return withSnapshot(store, (snapshot) =>
    then(snapshot.hasImprint(slug), (exists) => {
      if (!exists) return imprintNotFound;
      if (limit === undefined) return recordsOf(snapshot, list, view);
      const parameters = { language, ...viewParameter(view) };
      const request = { list, name, limit, after: start?.key, parameters };
      return pageOfRecords(snapshot, totals, request, view);
    }),
  );
};

interface NewsRequest extends PageRequest {
  readonly date: Day | undefined;
  readonly view: View;
}

export const getNews: Endpoint<NewsRequest> = ({ store, totals, today }, values) => {
  const { date, view, limit } = values;
  const name = `news ${date ?? ""}`;
  const start = pageStart(name, values);
  if (start instanceof ApiError) return start;
  // All pages have the window of the first one, also after midnight.
  const window = date === undefined ? newsWindow(start?.lastDay ?? today()) : { from: date };
  const list: DateSelection = { kind: "date", ...window };
  return withSnapshot(store, (snapshot) => {
    // The window moves at midnight, so its day is part of the validator.
    const state = list.to === undefined ? snapshot.revision : `${snapshot.revision}-${list.to}`;
    if (limit === undefined) return recordsOf(snapshot, list, view, { state });
    const parameters = { date, ...viewParameter(view) };
    const request = { list, name, limit, after: start?.key, lastDay: list.to, parameters };
    return pageOfRecords(snapshot, totals, request, view, state);
  });
};

export const getImprints: Endpoint = ({ store }) =>
  withSnapshot(store, (snapshot) =>
    jsonArrayOf(snapshot.revision, snapshot, () => snapshot.imprints(), joinImprints, {
      content: { kind: "imprints", batches: () => snapshot.imprints() },
    }),
  );

export const getSkus: Endpoint<PageRequest> = ({ store, totals }, values) => {
  const { limit } = values;
  const name = "skus";
  const start = pageStart(name, values);
  if (start instanceof ApiError) return start;
  return withSnapshot(store, (snapshot) => {
    const { revision } = snapshot;
    if (limit === undefined) return isbnsOf(revision, snapshot, () => snapshot.isbns());
    const request = { list: { kind: "all" }, name, limit, after: start?.key, parameters: {} } as const;
    return readPage(snapshot, totals, request, (isbns, headers) =>
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
  return readPage(snapshot, totals, request, (isbns, headers) =>
    recordsOf(snapshot, { kind: "isbns", isbns }, view, { state, headers }),
  );
}

/** The default is left out, as in the request. */
function viewParameter(view: View): { readonly view?: View } {
  return view === "record" ? {} : { view };
}

/** About 50 books requested by ISBN are read at once, in about a millisecond, so that their snapshot is closed early. */
export const BUFFERED_BYTES_BY_ISBN = 256 * 1024;
/** The memory of a list that is read by ISBN: the ISBNs, where their records are, and the start that is read at once. */
export const BYTES_BY_ISBN = 2 * BUFFERED_BYTES_BY_ISBN;

interface RecordsOptions {
  /** What the list depends on. Default: the revision of the catalog. */
  readonly state?: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  readonly edit?: BookList["edit"];
  /** The query that has found the books. */
  readonly query?: SearchQuery | undefined;
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
  const { state = snapshot.revision, headers, edit, query } = options;
  // A summary depends on its record and on the rules.
  const etag = view === "summary" ? `${state}-s${SUMMARY_RULES}` : state;
  const maxBufferedBytes = selection.kind === "isbns" ? BUFFERED_BYTES_BY_ISBN : undefined;
  const bodies = () => snapshot.bodies(selection, view);
  const content = { kind: "books", selection, view, state, snapshot, edit, query } as const;
  const join: Join<Uint8Array> = edit
    ? (batch, prefix, buffer) => joinBodies(batch.map(edit), prefix, buffer)
    : joinBodies;
  return jsonArrayOf(etag, snapshot, bodies, join, { maxBufferedBytes, headers, content });
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
