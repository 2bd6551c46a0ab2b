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
export interface Hit extends Found<"summary", Field, Language> {
  /** The other editions with their forms, which come with a request of their own. */
  readonly forms?: readonly Edition[];
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
  const show = (results: Results) => {
    keep(key, results);
    setShown({ key, results });
  };
  const addForms = async (books: readonly Hit[], signal: AbortSignal) => {
    const withForms = await readForms(books, signal);
    // The list may be longer by now.
    const latest = kept.get(key)?.results;
    if (withForms.size === 0 || signal.aborted || !latest) return;
    show({ ...latest, books: latest.books.map((book) => withForms.get(book) ?? book) });
  };

  // The request does not wait for a paint.
  useLayoutEffect(() => {
    const controller = new AbortController();
    if (instant) {
      setShown({ key, results: instant });
      addForms(instant.books, controller.signal);
      return () => controller.abort();
    }
    loadFirst(selection, controller.signal).then(
      (results) => {
        if (controller.signal.aborted) return;
        setFailure(undefined);
        show(results);
        addForms(results.books, controller.signal);
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
      getUrl<readonly Hit[]>(results.nextUrl, controller.signal)
        .then((page) => {
          if (controller.signal.aborted) return;
          more.current = undefined;
          // Forms may have been added to the books meanwhile.
          const latest = kept.get(key)?.results ?? results;
          show({ ...latest, books: appended(latest.books, page.body), nextUrl: nextPageOf(page) });
          addForms(page.body, controller.signal);
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
  const page = await get<readonly Hit[]>("search", query, signal);
  return {
    books: page.body,
    total: totalOf(page.headers) ?? page.body.length,
    nextUrl: nextPageOf(page),
    prefix: options.prefix,
    corrected: decoded(page.headers.get("x-search-corrected")),
  };
}

/**
 * Reads the other editions of works with one request. Returns each work that has no forms yet with them. When the request
 * fails, editions have their ISBNs only.
 */
async function readForms(books: readonly Hit[], signal: AbortSignal): Promise<ReadonlyMap<Hit, Hit>> {
  const works = books.filter(({ editions, forms }) => editions && editions.length > 0 && !forms);
  if (works.length === 0) return new Map();
  const isbns = works.flatMap(({ editions = [] }) => editions);
  const query = {
    view: "summary",
    missing: "skip",
    fields: EDITION_FIELDS.join(),
    labels: language.value,
  };
  const read = await get<readonly Edition[]>(`isbns/${isbns.join(",")}`, query, signal).then(
    ({ body }) => body,
    () => isbns.map((isbn) => ({ isbn, form: null, formLabel: null })),
  );
  const byIsbn = new Map(read.map((edition) => [edition.isbn, edition]));
  return new Map(
    works.map((book) => [book, { ...book, forms: book.editions!.flatMap((isbn) => byIsbn.get(isbn) ?? []) }]),
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
