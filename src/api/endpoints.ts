/** What the seven endpoints answer. */
import { newsWindow } from "../catalog/news.ts";
import type { Selection, Snapshot } from "../catalog/store.ts";
import type { Awaitable } from "../lib/awaitable.ts";
import { attempt, then } from "../lib/awaitable.ts";
import type { Day } from "../onix/day.ts";
import type { Isbn13 } from "../onix/isbn.ts";
import { ApiError } from "./errors.ts";
import {
  dateParameter,
  imprintParameter,
  isbnParameter,
  isbnsParameter,
  languageParameter,
} from "./parameters.ts";
import { joinBodies, joinImprints, joinIsbns, type List, listOf } from "./response/json-array.ts";
import { type Answer, OwnRecord } from "./response/responder.ts";
import type { Constant } from "./response/static-content.ts";
import type { Readable } from "./store-errors.ts";

/** What there is to answer from. */
export interface Catalog {
  readonly store: Readable;
  readonly translations: Constant;
  /** In UTC. */
  readonly today: () => Day;
}

/** `parameter` is the last segment of the path, `query` the query, both as they were sent. */
export type Endpoint = (catalog: Catalog, parameter: string, query: string) => Awaitable<Answer>;

export const book: Endpoint = ({ store }, parameter) => {
  const isbn = isbnParameter(parameter);
  if (isbn instanceof ApiError) return isbn;
  const record = store.record(isbn);
  if (record instanceof Promise) return record.then((late) => late ?? bookNotFound(isbn));
  // One that comes later may be given to others, too, who have asked for it meanwhile.
  return record ? new OwnRecord(record) : bookNotFound(isbn);
};

export const books: Endpoint = ({ store }, parameter) => {
  const isbns = isbnsParameter(parameter);
  if (isbns instanceof ApiError) return isbns;
  return viewing(store, (view) =>
    then(view.missing(isbns), (missing) =>
      missing.length > 0 ? booksNotFound(missing, isbns) : bodies(view, { by: "isbns", isbns }),
    ),
  );
};

export const booksOfImprint: Endpoint = ({ store }, parameter, query) => {
  const slug = imprintParameter(parameter);
  if (slug instanceof ApiError) return slug;
  const language = languageParameter(query);
  if (language instanceof ApiError) return language;
  return viewing(store, (view) =>
    then(view.hasImprint(slug), (has) =>
      has ? bodies(view, { by: "imprint", slug, language }) : imprintNotFound,
    ),
  );
};

export const news: Endpoint = ({ store, today }, _, query) => {
  const date = dateParameter(query);
  if (date instanceof ApiError) return date;
  if (date !== undefined) return viewing(store, (view) => bodies(view, { by: "date", from: date }));
  const window = newsWindow(today());
  // The window moves at midnight, and what is in it with it: its day is part of the validator.
  return viewing(store, (view) => bodies(view, { by: "date", ...window }, `${view.revision}-${window.to}`));
};

export const imprints: Endpoint = ({ store }) =>
  viewing(store, (view) => listOf(view.revision, view, () => view.imprints(), joinImprints));

export const skus: Endpoint = ({ store }) =>
  viewing(store, (view) => listOf(view.revision, view, () => view.isbns(), joinIsbns));

export const translations: Endpoint = ({ translations }) => translations;

export function bookNotFound(isbn: Isbn13): ApiError {
  return new ApiError("bookNotFound", `The catalog has no book with the ISBN ${isbn}.`);
}

export function booksNotFound(missing: readonly Isbn13[], asked: readonly Isbn13[]): ApiError {
  const all = new Set(asked).size;
  const are = missing.length === 1 ? "is" : "are";
  const detail = `${missing.length} of ${all} ${all === 1 ? "ISBN" : "ISBNs"} ${are} not in the catalog.`;
  return new ApiError("bookNotFound", detail, { missing });
}

export const imprintNotFound = new ApiError(
  "imprintNotFound",
  "The catalog has no books of this imprint; take a slug of /api/imprints.",
);

function bodies(view: Snapshot, selection: Selection, etag: string = view.revision): List {
  const whole = selection.by === "isbns" ? SOME : undefined;
  return listOf(etag, view, () => view.bodies(selection), joinBodies, whole);
}

/** Bytes: some 200 books that were asked for by ISBN are read at once, in about 3 ms, and their view is let go. */
const SOME = 1024 * 1024;

/** A list closes the view when it has been sent; whatever else comes of it, it is closed here. */
function viewing(store: Readable, ask: (view: Snapshot) => Awaitable<List | ApiError>): Awaitable<Answer> {
  return then(store.snapshot(), (view) =>
    attempt(
      () =>
        then(ask(view), (answer) => {
          if (answer instanceof ApiError) view.close();
          return answer;
        }),
      (error) => {
        view.close();
        throw error;
      },
    ),
  );
}
