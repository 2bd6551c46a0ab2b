/** The questions of a correction, which each engine answers in its own way. */
import type { SearchQuery } from "../search/query.ts";
import { type WordList, WordRun } from "./word-list.ts";

/** A question that an engine answers. A pause has no answer. */
export type Question =
  | { readonly kind: "pause" }
  /** The number of books that each query finds, up to a limit. */
  | { readonly kind: "count"; readonly queries: readonly SearchQuery[]; readonly limit: number }
  /** The words after a word, in the order of their bytes, or from an id on, in that order: at most `MAX_READ_WORDS`. */
  | { readonly kind: "words"; readonly start: WordStart };
export type WordStart = { readonly after: string } | { readonly from: number };

export interface ReadWords {
  /** Separated by spaces. */
  readonly words: string;
  /** The largest id of those that were read. */
  readonly lastId: number;
  /** The largest id of all words, and its word. */
  readonly maxId: number;
  readonly maxWord: string;
}
type Answer = readonly number[] | ReadWords | undefined;
export type Asking<T> = Generator<Question, T, Answer>;

const MAX_COUNTED = 1000;
export const MAX_READ_WORDS = 20_000;
/** Reads the words that imports have added since, or all. */
export function* readWords(words: WordList): Asking<void> {
  for (;;) {
    const { lastId, lastWord } = words;
    if (lastId === 0) break;
    const read = (yield { kind: "words", start: { from: lastId } }) as ReadWords;
    // Another correction has read the words meanwhile.
    if (words.lastId !== lastId) continue;
    const [first, ...added] = read.words.split(" ");
    // A restored catalog, or a server that took over, can have other words after an earlier state.
    if (first !== lastWord) break;
    if (added.length === 0) return;
    const run = new WordRun();
    run.add(added.toSorted());
    words.add(run, read.lastId, added.at(-1)!);
    if (words.isFragmented) break;
  }
  const run = new WordRun();
  let newest: ReadWords | undefined;
  for (let last = ""; ; ) {
    const read = (yield { kind: "words", start: { after: last } }) as ReadWords;
    newest ??= read;
    if (read.words === "") break;
    const list = read.words.split(" ");
    run.add(list);
    last = list.at(-1)!;
  }
  words.clear();
  words.add(run, newest.maxId, newest.maxWord);
}

/**
 * Counts up to the limit. 1 tells whether there are books at all, and takes less time for a common word. A single query has
 * no other to compare its number with.
 */
export function* countBooks(
  queries: readonly SearchQuery[],
  limit = queries.length === 1 ? 1 : MAX_COUNTED,
): Asking<readonly number[]> {
  return queries.length === 0 ? [] : ((yield { kind: "count", queries, limit }) as readonly number[]);
}
