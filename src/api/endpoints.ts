/** The seven endpoints: from parsed parameters to a result. */
import { DamagedRecord, isOfOtherBook } from "../catalog/damaged-record.ts";
import { newsWindow } from "../catalog/news.ts";
import type { ReadableStore, Selection, Snapshot, StoredRecord } from "../catalog/store.ts";
import { type Awaitable, attempt, then } from "../lib/awaitable.ts";
import type { Day } from "../onix/date.ts";
import type { Isbn13 } from "../onix/isbn.ts";
import { ApiError } from "./errors.ts";
import { parseDate, parseImprint, parseIsbnList, parseIsbnParameter, parseLanguage } from "./parameters.ts";
import { type JsonArray, joinBodies, joinImprints, joinIsbns, jsonArrayOf } from "./response/json-array.ts";
import { type EndpointResult, RecordResult } from "./response/responder.ts";
import type { StaticContent } from "./response/static-content.ts";

/** The data that endpoints respond with. */
export interface EndpointContext {
  readonly store: ReadableStore;
  readonly translations: StaticContent;
  /** Returns today's date in UTC. */
  readonly today: () => Day;
}

/** `parameter` is the last segment of the path, `query` the query, both as they were sent. */
export type Endpoint = (
  context: EndpointContext,
  parameter: string,
  query: string,
) => Awaitable<EndpointResult>;

export const getBook: Endpoint = ({ store }, parameter) => {
  const isbn = parseIsbnParameter(parameter);
  if (isbn instanceof ApiError) return isbn;
  const record = store.record(isbn);
  if (record instanceof Promise) return record.then((late) => bookResult(isbn, late, false));
  return bookResult(isbn, record, true);
};

function bookResult(isbn: Isbn13, record: StoredRecord | undefined, ownsBody: boolean): EndpointResult {
  if (record === undefined) return bookNotFound(isbn);
  if (isOfOtherBook(isbn, record.body)) throw new DamagedRecord(isbn);
  return new RecordResult(record, ownsBody);
}

export const getBooks: Endpoint = ({ store }, parameter) => {
  const isbns = parseIsbnList(parameter);
  if (isbns instanceof ApiError) return isbns;
  return withSnapshot(store, (snapshot) =>
    then(snapshot.missing(isbns), (missing) =>
      missing.length > 0 ? booksNotFound(missing, isbns) : recordsOf(snapshot, { kind: "isbns", isbns }),
    ),
  );
};

export const getBooksOfImprint: Endpoint = ({ store }, parameter, query) => {
  const slug = parseImprint(parameter);
  if (slug instanceof ApiError) return slug;
  const language = parseLanguage(query);
  if (language instanceof ApiError) return language;
  return withSnapshot(store, (snapshot) =>
    then(snapshot.hasImprint(slug), (exists) =>
      exists ? recordsOf(snapshot, { kind: "imprint", slug, language }) : imprintNotFound,
    ),
  );
};

export const getNews: Endpoint = ({ store, today }, _, query) => {
  const date = parseDate(query);
  if (date instanceof ApiError) return date;
  if (date !== undefined)
    return withSnapshot(store, (snapshot) => recordsOf(snapshot, { kind: "date", from: date }));
  const window = newsWindow(today());
  // The window moves at midnight, so its day is part of the validator.
  return withSnapshot(store, (snapshot) =>
    recordsOf(snapshot, { kind: "date", ...window }, `${snapshot.revision}-${window.to}`),
  );
};

export const getImprints: Endpoint = ({ store }) =>
  withSnapshot(store, (snapshot) =>
    jsonArrayOf(snapshot.revision, snapshot, () => snapshot.imprints(), joinImprints),
  );

export const getSkus: Endpoint = ({ store }) =>
  withSnapshot(store, (snapshot) =>
    jsonArrayOf(snapshot.revision, snapshot, () => snapshot.isbns(), joinIsbns),
  );

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

/** About 50 books requested by ISBN are read at once, in about a millisecond, so that their snapshot is closed early. */
export const BUFFERED_BYTES_BY_ISBN = 256 * 1024;

function recordsOf(snapshot: Snapshot, selection: Selection, etag: string = snapshot.revision): JsonArray {
  const maxBufferedBytes = selection.kind === "isbns" ? BUFFERED_BYTES_BY_ISBN : undefined;
  return jsonArrayOf(etag, snapshot, () => snapshot.bodies(selection), joinBodies, maxBufferedBytes);
}

/** Opens a snapshot. An array closes it once it has been sent; for an error it is closed here. */
function withSnapshot(
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
