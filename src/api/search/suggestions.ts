/** Makes suggestions from the books that the typed words find. */
import { imprintOfName } from "../../catalog/imprint.ts";
import { wordsOf } from "../../catalog/search/word-writer.ts";
import type { Contributor } from "../../onix/summary/contributors.ts";
import type { Summary } from "../../onix/summary/summary.ts";
import { encodeQuery } from "../parameters/query.ts";

export const SUGGESTION_KINDS = ["book", "contributor", "imprint", "series", "correction"] as const;
export const MAX_SUGGESTIONS = 20;

export interface Suggestion {
  readonly kind: (typeof SUGGESTION_KINDS)[number];
  readonly label: string;
  readonly path: string;
  readonly isbn?: string;
  readonly slug?: string;
  readonly books?: number | undefined;
  /** The book that has the label. A correction has none. */
  readonly source?: string;
}

/** The part of a summary that suggestions are made of. */
export interface LabelledBook
  extends Pick<Summary, "isbn" | "title" | "subtitle" | "collection" | "imprint"> {
  readonly contributors: readonly Pick<Contributor, "name">[];
}

/** A folded word that was typed. */
export interface TypedWord {
  readonly word: string;
  /** Words that begin like it count, too. */
  readonly isBegun: boolean;
  /** A letter with a full stop. It is the beginning of a word in names alone. */
  readonly isInitial: boolean;
}

/** The newest books that have the typed words in one kind of text. */
export interface FoundLabels {
  readonly books: readonly LabelledBook[];
  /** True when the search has found no other books. */
  readonly isWhole: boolean;
}

/** As many of each kind go first. Others follow where there is room. */
const QUOTAS = { contributor: 3, series: 2, imprint: 2 } as const;

/** `named`: the typed words as those of names. `isShort`: the last one was not searched for. */
export function suggestionsOf(
  typed: readonly TypedWord[],
  named: readonly TypedWord[],
  titles: FoundLabels,
  names: FoundLabels,
  labels: FoundLabels,
  limit: number,
  isShort: boolean,
): readonly Suggestion[] {
  const contributors = mostFrequent(named, names, (book) => book.contributors.map(({ name }) => name)).map(
    ({ label, ...more }) => linked("contributor", label, more),
  );
  const series = mostFrequent(typed, labels, (book) => [book.collection]).map(({ label, ...more }) =>
    linked("series", label, more),
  );
  const imprints = mostFrequent(typed, labels, (book) => [book.imprint]).flatMap(imprintSuggestion);
  const books = booksOf(typed, titles.books, isShort);
  const first = [
    ...books.beginning.slice(0, Math.ceil(limit / 2)),
    ...contributors.slice(0, QUOTAS.contributor),
    ...series.slice(0, QUOTAS.series),
    ...imprints.slice(0, QUOTAS.imprint),
    ...books.beginning.slice(Math.ceil(limit / 2)),
    ...books.others,
    ...contributors.slice(QUOTAS.contributor),
    ...series.slice(QUOTAS.series),
    ...imprints.slice(QUOTAS.imprint),
    ...books.unexplained,
  ];
  return first.slice(0, limit);
}

/** Returns a suggestion whose path is a search with this parameter. */
function linked(kind: "contributor" | "series", label: string, more: Omit<FoundName, "label">): Suggestion {
  return { kind, label, path: `/api/search?${encodeQuery({ [kind]: label })}`, ...more };
}

export function correctionOf(query: string): Suggestion {
  return {
    kind: "correction",
    label: query,
    path: `/api/search?${encodeQuery({ q: query, prefix: "last" })}`,
  };
}

function imprintSuggestion({ label, ...more }: FoundName): readonly Suggestion[] {
  const slug = imprintOfName(label)?.slug;
  if (slug === undefined) return [];
  return [{ kind: "imprint", label, path: `/api/imprint/${encodeURIComponent(slug)}`, slug, ...more }];
}

/** A name, the number of its books when that is known, and the first of them. */
interface FoundName {
  readonly label: string;
  readonly books: number | undefined;
  readonly source: string;
}

/**
 * Returns the names with all the words, first those that are written with the initials, then by their number of books. That
 * is known when the search has found all books.
 */
function mostFrequent(
  typed: readonly TypedWord[],
  { books, isWhole }: FoundLabels,
  namesOf: (book: LabelledBook) => readonly (string | null)[],
): readonly FoundName[] {
  const initials = typed.filter(({ isInitial }) => isInitial);
  const counts = new Map<string, { label: string; isWritten: boolean; books: number; source: string }>();
  for (const book of books) {
    for (const name of new Set(namesOf(book))) {
      const words = name === null ? [] : wordsOf(name);
      if (!hasTyped(words, typed)) continue;
      const key = words.join(" ");
      const count = counts.get(key);
      if (count) count.books++;
      else {
        const isWritten = initials.every(({ word }) => words.includes(word));
        counts.set(key, { label: name!, isWritten, books: 1, source: book.isbn });
      }
    }
  }
  return [...counts.values()]
    .sort((a, b) => Number(b.isWritten) - Number(a.isWritten) || b.books - a.books)
    .map(({ label, books, source }) => ({ label, books: isWhole ? books : undefined, source }));
}

function hasTyped(words: readonly string[], typed: readonly TypedWord[]): boolean {
  return typed.every(({ word, isBegun }) =>
    isBegun ? words.some((each) => each.startsWith(word)) : words.includes(word),
  );
}

/** Editions with one title are one suggestion, the newest. A label has the subtitle when words are there. */
function booksOf(typed: readonly TypedWord[], books: readonly LabelledBook[], isShort: boolean) {
  const found = {
    beginning: [] as Suggestion[],
    others: [] as Suggestion[],
    unexplained: [] as Suggestion[],
  };
  const seen = new Set<string>();
  const beginning = typed.map(({ word }) => word).join(" ");
  for (const { isbn, title, subtitle } of books) {
    if (title === null) continue;
    const words = wordsOf(title);
    const text = words.join(" ");
    if (seen.has(text)) continue;
    seen.add(text);
    const path = `/api/isbn/${isbn}`;
    const suggest = (label: string): Suggestion => ({ kind: "book", label, path, isbn, source: isbn });
    if (text.startsWith(beginning)) found.beginning.push(suggest(title));
    else if (hasTyped(words, typed)) found.others.push(suggest(title));
    else if (hasTyped([...words, ...wordsOf(subtitle ?? "")], typed))
      found.others.push(suggest(`${title}: ${subtitle}`));
    // Another title of the book has the words, or its ISBN begins like this.
    else if (!isShort) found.unexplained.push(suggest(title));
  }
  return found;
}
