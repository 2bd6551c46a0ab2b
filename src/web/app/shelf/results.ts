/** The books that a selection finds, page by page. Lists are kept for a while, so that the back button is instant. */
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { SearchQuery, Summary } from "../../../client/generated/book.ts";
import { totalOf } from "../../../client/list.ts";
import type { Found, Highlight, Shaped } from "../../../client/shapes.ts";
import { get, getUrl, isAborted, nextPageOf } from "../shared/core/api.ts";
import { lostSince, useReconnect } from "../shared/core/connection.ts";
import { useObservable } from "../shared/core/observable.ts";
import { type Language, language } from "../shared/core/settings.ts";
import { apiQuery, type Selection, sortOf } from "./selection.ts";

/** The members of a summary that a card shows. */
export const CARD_FIELDS = [
  "isbn",
  "title",
  "partNumber",
  "partTitle",
  "contributors",
  "imprint",
  "languages",
  "cover",
] as const satisfies readonly (keyof Summary)[];
export type CardBook = Pick<Summary, (typeof CARD_FIELDS)[number]>;

/** The members of a summary that a row shows. Whole summaries have several times the bytes. */
const FIELDS = [
  ...CARD_FIELDS,
  "subtitle",
  "published",
  "form",
  "pages",
  "subjects",
  "prices",
  "availability",
] as const;
type Field = (typeof FIELDS)[number];
const EDITION_FIELDS = ["isbn", "form"] as const;
type Edition = Shaped<"summary", (typeof EDITION_FIELDS)[number], Language>;

/** A book that stands for the editions of a work on its page. */
export interface Hit extends Shaped<"summary", Field, Language> {
  readonly editions?: readonly Edition[];
  /** Where the words of a query stand. */
  readonly highlights?: readonly Highlight[];
}

export interface Results {
  readonly books: readonly Hit[];
  /** A number, or a text such as `10000+`. */
  readonly total: number | string;
  readonly nextUrl: string | undefined;
  /** `last` when no book has the last word, and it counts as the beginning of a word. */
  readonly prefix: "last" | undefined;
  /** The query that was used instead of one that finds nothing. */
  readonly corrected: string | undefined;
}

export interface ResultsState {
  /** Is undefined when the books of this selection could not be loaded. */
  readonly results: Results | undefined;
  /** True while the results of another selection are still shown. */
  readonly isLoading: boolean;
  readonly error: unknown;
  readonly retry: () => void;
  readonly loadMore: () => void;
}

type Hits = readonly (Found<"summary", Field, Language> & Pick<Hit, "highlights">)[];

const PAGE_BOOKS = 50;
const KEPT_LISTS = 12;
const KEPT_MS = 120_000;

interface Kept {
  readonly results: Results;
  readonly loadedMs: number;
}

const kept = new Map<string, Kept>();

function keyOf(selection: Selection): string {
  return JSON.stringify([apiQuery(selection), sortOf(selection), language.value]);
}

export function useResults(selection: Selection): ResultsState {
  useObservable(language);
  const key = keyOf(selection);
  const [attempt, setAttempt] = useState(0);
  const [shown, setShown] = useState<{ key: string; results: Results } | undefined>(undefined);
  const [failure, setFailure] = useState<{ key: string; error: unknown } | undefined>(undefined);
  // No state: several renders before the next paint would each begin a request for the same page.
  const more = useRef<AbortController>(undefined);
  const instant = recall(key);

  // The request does not wait for a paint.
  useLayoutEffect(() => {
    if (instant) return setShown({ key, results: instant });
    const controller = new AbortController();
    loadFirst(selection, controller.signal).then(
      (results) => {
        if (controller.signal.aborted) return;
        keep(key, results);
        setFailure(undefined);
        setShown({ key, results });
      },
      (error) => {
        if (!controller.signal.aborted && !isAborted(error)) setFailure({ key, error });
      },
    );
    return () => controller.abort();
  }, [key, attempt]);
  useLayoutEffect(
    () => () => {
      more.current?.abort();
      more.current = undefined;
    },
    [key],
  );

  const isCurrent = instant !== undefined || shown?.key === key;
  const error = failure?.key === key ? failure.error : undefined;
  const isLoading = !isCurrent && error === undefined;
  const results = instant ?? (isCurrent || isLoading ? shown?.results : undefined);
  const retry = () => {
    setFailure(undefined);
    setAttempt((count) => count + 1);
  };
  useReconnect(error !== undefined, retry);
  return {
    results,
    isLoading,
    error,
    retry,
    loadMore: () => {
      if (!isCurrent || !results?.nextUrl || more.current || error !== undefined) return;
      const controller = new AbortController();
      more.current = controller;
      getUrl<Hits>(results.nextUrl, controller.signal)
        .then(async (page) => {
          const hits = await withEditions(page.body, controller.signal);
          const longer = { ...results, books: appended(results.books, hits), nextUrl: nextPageOf(page) };
          if (controller.signal.aborted) return;
          more.current = undefined;
          keep(key, longer);
          setShown({ key, results: longer });
        })
        .catch((error) => {
          if (controller.signal.aborted || isAborted(error)) return;
          more.current = undefined;
          setFailure({ key, error });
        });
    },
  };
}

/** A list that an import changes between two pages can repeat a book: each is shown once. */
function appended(books: readonly Hit[], more: readonly Hit[]): readonly Hit[] {
  const known = new Set(books.map(({ isbn }) => isbn));
  return [...books, ...more.filter(({ isbn }) => !known.has(isbn))];
}

/**
 * Searches for whole words first. When there are none, the last word may be one that is still being typed, and others may
 * have mistakes.
 */
async function loadFirst(selection: Selection, signal: AbortSignal): Promise<Results> {
  if (selection.q === undefined) return await search(selection, {}, signal);
  // A person who looks for words looks for a work. Other lists have every book.
  const shape = { group: "work", highlight: "1" } as const;
  const results = await search(selection, { ...shape, spelling: "off" }, signal);
  return results.books.length > 0 ? results : await search(selection, { ...shape, prefix: "last" }, signal);
}

async function search(
  selection: Selection,
  options: Pick<SearchQuery, "prefix" | "spelling" | "group" | "highlight">,
  signal: AbortSignal,
): Promise<Results> {
  const shape = { fields: FIELDS.join(), labels: language.value };
  const query = { ...apiQuery(selection), ...options, sort: sortOf(selection), limit: PAGE_BOOKS, ...shape };
  const page = await get<Hits>("search", query, signal);
  return {
    books: await withEditions(page.body, signal),
    total: totalOf(page.headers) ?? page.body.length,
    nextUrl: nextPageOf(page),
    prefix: options.prefix,
    corrected: decoded(page.headers.get("x-search-corrected")),
  };
}

/** Reads the other editions of the works on a page, for their forms, with one request. */
async function withEditions(hits: Hits, signal: AbortSignal): Promise<readonly Hit[]> {
  const isbns = hits.flatMap(({ editions }) => editions ?? []);
  const query = {
    view: "summary",
    missing: "skip",
    fields: EDITION_FIELDS.join(),
    labels: language.value,
  };
  const read =
    isbns.length === 0 ? [] : (await get<Edition[]>(`isbns/${isbns.join(",")}`, query, signal)).body;
  const byIsbn = new Map(read.map((book) => [book.isbn, book]));
  return hits.map(({ editions, ...book }) =>
    editions ? { ...book, editions: editions.flatMap((isbn) => byIsbn.get(isbn) ?? []) } : book,
  );
}

function decoded(header: string | null): string | undefined {
  try {
    return header === null ? undefined : decodeURIComponent(header);
  } catch {
    return undefined;
  }
}

function recall(key: string): Results | undefined {
  const entry = kept.get(key);
  // An old list is better than none.
  if (!entry || (Date.now() - entry.loadedMs > KEPT_MS && !lostSince.value)) return undefined;
  return entry.results;
}

function keep(key: string, results: Results): void {
  kept.delete(key);
  kept.set(key, { results, loadedMs: Date.now() });
  for (const oldest of kept.keys()) {
    if (kept.size <= KEPT_LISTS) break;
    kept.delete(oldest);
  }
}
