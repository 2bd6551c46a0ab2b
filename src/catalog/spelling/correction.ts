/**
 * Corrects a query that finds nothing: near words of titles, names and labels, and initials of names. The rules are a
 * generator that asks questions, which each engine answers in its own way. The result depends on the query and on the
 * books alone, whatever other words the catalog had before.
 */
import type { SearchQuery, SearchTerm } from "../search/query.ts";
import { type NearWord, type WordList, WordRun } from "./word-list.ts";

/** A question that an engine answers. A pause has no answer. */
export type Question =
  | { readonly kind: "pause" }
  /** The number of books that each query finds, up to `MAX_COUNTED`. */
  | { readonly kind: "count"; readonly queries: readonly SearchQuery[] }
  /** The words that follow a word, in the order of their bytes, or an id, in any order: at most `MAX_READ_WORDS`. */
  | { readonly kind: "words"; readonly after: AfterWord };
export type AfterWord = { readonly word: string } | { readonly id: number };

export interface ReadWords {
  /** Separated by spaces. */
  readonly words: string;
  /** The largest id of those that were read. */
  readonly lastId: number;
  /** The largest id of all words. */
  readonly maxId: number;
}
type Answer = readonly number[] | ReadWords | undefined;
type Asking<T> = Generator<Question, T, Answer>;

export const MAX_COUNTED = 1000;
export const MAX_READ_WORDS = 20_000;
/** Longer queries are not corrected: each word costs time, and a header and cursors have the corrected query. */
const MAX_WORDS = 10;
const MAX_CHARS = 120;
const MIN_CORRECTED_CHARS = 4;
const MIN_CHARS_OF_TWO_EDITS = 8;
/** `jrr` can be initials. A longer word is corrected. */
const MAX_INITIALS = 3;
/** Bounds what a short word costs, which is near to many. */
const MAX_NEAR_WORDS = 200;
/** The corrections of each word that are combined with those of the others. */
const MAX_COMBINED_WORDS = 6;
const MAX_COMBINATIONS = 64;

const LETTERS = /^\p{L}+$/u;

/** Returns the corrected query. Returns undefined for a query that finds books, and for one without a correction. */
export function* correct(query: SearchQuery, words: WordList): Asking<SearchQuery | undefined> {
  const { terms } = query;
  const count = terms.reduce((sum, term) => sum + ("words" in term ? term.words.length : 1), 0);
  if (count > MAX_WORDS || queryText(query).length > MAX_CHARS) return undefined;
  if ((yield* countBooks([query]))[0]! > 0) return undefined;
  const known = yield* knownTerms(terms);
  const spelt = { ...query, terms: terms.map((term) => asInitials(term, known.has(term))) };
  const hasInitials = spelt.terms.some((term, index) => term !== terms[index]);
  if (hasInitials && (yield* countBooks([spelt]))[0]! > 0) return spelt;
  yield* readWords(words);
  const unknown = wordsOf(spelt).filter(({ term, word }) => !known.has(term.kind === "words" ? word : term));
  if (unknown.length > 0) return yield* replaceAll(spelt, unknown, words);
  return yield* replaceOne(spelt, words);
}

/** A word of a query, and its place. */
interface QueryWord {
  readonly index: number;
  readonly at: number;
  readonly term: SearchTerm;
  readonly word: string;
}

function wordsOf({ terms }: SearchQuery): readonly QueryWord[] {
  return terms.flatMap((term, index): readonly QueryWord[] => {
    if (term.kind === "words") return term.words.map((word, at) => ({ index, at, term, word }));
    return term.kind === "prefix" && term.orWord ? [{ index, at: 0, term, word: term.prefix }] : [];
  });
}

/** Returns the words that books have, and the terms of other kinds that find books. */
function* knownTerms(terms: readonly SearchTerm[]): Asking<ReadonlySet<string | SearchTerm>> {
  const parts = terms.flatMap((term): (readonly [string | SearchTerm, SearchTerm])[] =>
    term.kind === "words"
      ? term.words.map((word) => [word, { kind: "words", words: [word] }])
      : [[term, term]],
  );
  const counts = yield* countBooks(parts.map(([, term]) => ({ terms: [term], excluded: [] })));
  const known = new Set(parts.flatMap(([key], index) => (counts[index]! > 0 ? [key] : [])));
  for (const term of terms)
    if (term.kind === "words" && term.words.every((word) => known.has(word))) known.add(term);
  return known;
}

/** Returns a single letter, or a short word that no book has, as initials. */
function asInitials(term: SearchTerm, isKnown: boolean): SearchTerm {
  if (term.kind !== "words" || term.words.length > 1) return term;
  const letters = [...term.words[0]!];
  const isPossible = letters.length === 1 || (!isKnown && letters.length <= MAX_INITIALS);
  return isPossible && LETTERS.test(term.words[0]!) ? { kind: "initials", letters } : term;
}

interface Replacement extends NearWord {
  readonly place: QueryWord;
}

/** Replaces all words that no book has. */
function* replaceAll(
  query: SearchQuery,
  unknown: readonly QueryWord[],
  words: WordList,
): Asking<SearchQuery | undefined> {
  const places = new Set(unknown.map(({ index }) => index));
  const others = query.terms.filter((_, index) => !places.has(index));
  let combined: readonly (readonly Replacement[])[] = [[]];
  for (const place of unknown) {
    const replacements = yield* replacementsOf(place, others, words);
    combined = combined.flatMap((before) => replacements.map((replacement) => [...before, replacement]));
    combined = combined.toSorted((a, b) => totalOf(a) - totalOf(b)).slice(0, MAX_COMBINATIONS);
  }
  return yield* best(query, combined);
}

/** Returns the near words that are in a book with the other terms, best first. The farther ones count without nearer ones. */
function* replacementsOf(
  place: QueryWord,
  others: readonly SearchTerm[],
  words: WordList,
): Asking<readonly Replacement[]> {
  const near = yield* nearWords(words, place.word);
  for (const distance of [1, 2]) {
    const candidates = near.filter((each) => each.distance === distance);
    const counts = yield* countBooks(
      candidates.map(({ word }) => ({ terms: [...others, anyField(word)], excluded: [] })),
    );
    const found = candidates
      .map((each, index) => ({ ...each, place, books: counts[index]! }))
      .filter(({ books }) => books > 0)
      .sort((a, b) => b.books - a.books || compareCodePoints(a.word, b.word));
    if (found.length > 0) return found.slice(0, MAX_COMBINED_WORDS);
  }
  return [];
}

/** All words are in books, but no book has all of them: one of them may be meant to be another. */
function* replaceOne(query: SearchQuery, words: WordList): Asking<SearchQuery | undefined> {
  const replacements: Replacement[] = [];
  for (const place of wordsOf(query)) {
    for (const each of yield* nearWords(words, place.word)) replacements.push({ ...each, place });
  }
  for (const distance of [1, 2]) {
    const candidates = replacements.filter((each) => each.distance === distance);
    const corrected = yield* best(
      query,
      candidates.map((each) => [each]),
    );
    if (corrected) return corrected;
  }
  return undefined;
}

/** Returns the query with the least distance, then the most books, then in the order of code points. */
function* best(
  query: SearchQuery,
  candidates: readonly (readonly Replacement[])[],
): Asking<SearchQuery | undefined> {
  const queries = candidates.map((each) => replaced(query, each));
  // The books that are counted have the new words in titles, names or labels.
  const counts = yield* countBooks(
    queries.map((each, index) => ({
      ...each,
      terms: [...each.terms, ...candidates[index]!.map(({ word }) => anyField(word))],
    })),
  );
  const found = queries
    .map((each, index) => ({
      query: each,
      distance: totalOf(candidates[index]!),
      books: counts[index]!,
      text: queryText(each),
    }))
    .filter(({ books }) => books > 0)
    .sort((a, b) => a.distance - b.distance || b.books - a.books || compareCodePoints(a.text, b.text));
  return found[0]?.query;
}

function* nearWords(words: WordList, word: string): Asking<readonly NearWord[]> {
  const { length } = [...word];
  if (length < MIN_CORRECTED_CHARS || !LETTERS.test(word)) return [];
  const search = words.near(word, length < MIN_CHARS_OF_TWO_EDITS ? 1 : 2);
  for (;;) {
    const { done, value } = search.next();
    if (!done) {
      yield { kind: "pause" };
      continue;
    }
    const near = value.sort((a, b) => a.distance - b.distance || compareCodePoints(a.word, b.word));
    return near.slice(0, MAX_NEAR_WORDS);
  }
}

/** Reads the words that imports have added since, or all. */
function* readWords(words: WordList): Asking<void> {
  for (;;) {
    const { lastId } = words;
    if (lastId === 0) break;
    const read = (yield { kind: "words", after: { id: lastId } }) as ReadWords;
    // Another correction has read the words meanwhile.
    if (words.lastId !== lastId) continue;
    // A restored catalog has an earlier state.
    if (read.maxId < lastId) break;
    if (read.words === "") return;
    const run = new WordRun();
    run.add(read.words.split(" ").sort());
    words.add(run, read.lastId);
    if (words.isFragmented) break;
  }
  const run = new WordRun();
  let maxId: number | undefined;
  for (let last = ""; ; ) {
    const read = (yield { kind: "words", after: { word: last } }) as ReadWords;
    maxId ??= read.maxId;
    if (read.words === "") break;
    const list = read.words.split(" ");
    run.add(list);
    last = list.at(-1)!;
  }
  words.clear();
  words.add(run, maxId);
}

function* countBooks(queries: readonly SearchQuery[]): Asking<readonly number[]> {
  return queries.length === 0 ? [] : ((yield { kind: "count", queries }) as readonly number[]);
}

/** A correction is a word of a title, a name or a label. */
function anyField(word: string): SearchTerm {
  return { kind: "field", field: "any", word };
}

function replaced(query: SearchQuery, replacements: readonly Replacement[]): SearchQuery {
  const terms = [...query.terms];
  for (const { place, word } of replacements) {
    const term = terms[place.index]!;
    terms[place.index] =
      term.kind === "words"
        ? { ...term, words: term.words.with(place.at, word) }
        : { kind: "prefix", prefix: word, orWord: true };
  }
  return { ...query, terms };
}

function totalOf(replacements: readonly Replacement[]): number {
  return replacements.reduce((sum, { distance }) => sum + distance, 0);
}

/** Writes a query as text that is parsed to the same query. */
export function queryText({ terms, excluded }: SearchQuery): string {
  return [...terms.map(termText), ...excluded.map((term) => `-${termText(term)}`)].join(" ");
}

function termText(term: SearchTerm): string {
  switch (term.kind) {
    case "isbn":
      return term.isbn;
    case "field":
      return term.word;
    case "initials":
      return term.letters.map((letter) => `${letter}.`).join("");
    case "prefix":
      return term.orWord ? term.prefix : `${term.prefix}*`;
    case "words":
      return term.words.length === 1 ? term.words[0]! : `"${term.words.join(" ")}"`;
  }
}

function compareCodePoints(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}
