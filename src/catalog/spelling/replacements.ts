/** Replaces words of a query by words of titles, names and labels. */
import { compareCodePoints } from "../../lib/text.ts";
import { queryText, type SearchQuery, type SearchTerm } from "../search/query.ts";
import { MAX_QUERY_PREFIXES, MIN_PREFIX_CHARS } from "../search/query-parser.ts";
import { type Asking, countBooks } from "./questions.ts";
import { isUnlisted, splitsOf } from "./rewrites.ts";
import type { NearWord, WordList } from "./word-list.ts";

/** Of a word, or of the one that it becomes. */
const MIN_CORRECTED_CHARS = 4;
const MIN_CHARS_OF_TWO_EDITS = 8;
/** A shorter beginning is near to the beginnings of too many words. */
const MIN_BEGINNING_CHARS = 5;
/** Bounds what a short word costs, which is near to many. */
const MAX_NEAR_WORDS = 200;
const MAX_BEGUN_WORDS = 50;
/** The corrections of each word that are combined with those of the others. */
const MAX_COMBINED_WORDS = 6;
const MAX_COMBINATIONS = 64;

const LETTERS = /^\p{L}+$/u;

/** A word of a query, and its place. */
interface QueryWord {
  readonly index: number;
  readonly at: number;
  readonly term: SearchTerm;
  readonly word: string;
}

interface Replacement {
  readonly place: QueryWord;
  /** Several when the word is split. */
  readonly words: readonly string[];
  /** True when books have words that begin like it. */
  readonly isPrefix?: true;
  /** The number of edits, and a fraction for what is less likely than as many wrong letters. */
  readonly cost: number;
}

const COST_OF_BEGINNING = 0.25;
const COST_OF_SPLIT = 1.5;
/** A short word that others begin with is more likely unfinished than wrong. A long one is nearly finished, or wrong. */
const COST_OF_SHORT_PREFIX = 0.75;
const COST_OF_LONG_PREFIX = 3;

/** Returns the query with other words. `known` are the words that books have, and the terms that find books. */
export function* replaceWords(
  query: SearchQuery,
  known: ReadonlySet<string | SearchTerm>,
  words: WordList,
): Asking<SearchQuery | undefined> {
  const unknown = wordsOf(query).filter(({ term, word }) => !known.has(term.kind === "words" ? word : term));
  if (unknown.length > 0) return yield* replaceAll(query, unknown, words);
  return yield* replaceOne(query, words);
}

function wordsOf({ terms }: SearchQuery): readonly QueryWord[] {
  return terms.flatMap((term, index): readonly QueryWord[] => {
    if (term.kind === "words") return term.words.map((word, at) => ({ index, at, term, word }));
    return term.kind === "prefix" && term.orWord ? [{ index, at: 0, term, word: term.prefix }] : [];
  });
}

/** Replaces all words that no book has. */
function* replaceAll(
  query: SearchQuery,
  unknown: readonly QueryWord[],
  words: WordList,
): Asking<SearchQuery | undefined> {
  const places = new Set(unknown.map(({ index }) => index));
  const others = query.terms.filter((_, index) => !places.has(index));
  const prefixes = query.terms.filter(({ kind }) => kind === "prefix").length;
  const mayBegin = prefixes + unknown.length <= MAX_QUERY_PREFIXES;
  let combined: readonly (readonly Replacement[])[] = [[]];
  for (const place of unknown) {
    const replacements = yield* replacementsOf(place, others, words, mayBegin);
    combined = combined.flatMap((before) => replacements.map((replacement) => [...before, replacement]));
    combined = combined.toSorted((a, b) => costOf(a) - costOf(b)).slice(0, MAX_COMBINATIONS);
  }
  // The books of a single word were counted with all others.
  const [{ term }] = unknown as [QueryWord];
  const isCounted = unknown.length === 1 && query.excluded.length === 0;
  if (isCounted && !(term.kind === "words" && term.words.length > 1))
    return combined[0] && replaced(query, combined[0]);
  return yield* best(query, combined);
}

/** Returns what a word can become in a book with the other terms, best first. Each counts without those of less cost. */
function* replacementsOf(
  place: QueryWord,
  others: readonly SearchTerm[],
  words: WordList,
  mayBegin: boolean,
): Asking<readonly Replacement[]> {
  const candidates = [
    ...(yield* nearbyOf(words, place, MIN_CORRECTED_CHARS - 1)),
    ...splitsOf(place.word, (part) => words.has(part)).map((parts) => {
      return { place, words: parts, cost: COST_OF_SPLIT };
    }),
    ...(mayBegin ? beginnings(place) : []),
  ];
  return (
    (yield* cheapestOf(candidates, others)) ??
    (yield* cheapestOf(yield* longerOf(words, place), others)) ??
    []
  );
}

/** Returns those of the least cost that books have beside the other terms. */
function* cheapestOf(
  candidates: readonly Replacement[],
  others: readonly SearchTerm[],
): Asking<readonly Replacement[] | undefined> {
  for (const group of byCost(candidates)) {
    const counts = yield* countBooks(
      group.map((each) => ({ terms: [...others, ...countedTerms(each)], excluded: [] })),
    );
    const found = group
      .map((each, index) => ({ ...each, books: counts[index]! }))
      .filter(({ books }) => books > 0)
      .sort((a, b) => b.books - a.books || compareCodePoints(a.words.join(" "), b.words.join(" ")));
    if (found.length > 0) return found.slice(0, MAX_COMBINED_WORDS);
  }
  return undefined;
}

/** Returns the words with enough letters for two edits that a shorter word becomes: `chistms`. */
function* longerOf(words: WordList, place: QueryWord): Asking<readonly Replacement[]> {
  const { length } = [...place.word];
  const isShorter = length < MIN_CHARS_OF_TWO_EDITS && length >= MIN_CHARS_OF_TWO_EDITS - 2;
  if (!isShorter || !LETTERS.test(place.word)) return [];
  const near = yield* nearWords(words, place.word, MIN_CHARS_OF_TWO_EDITS, false);
  return near
    .filter(({ word, distance }) => distance === 2 && [...word].length >= MIN_CHARS_OF_TWO_EDITS)
    .map(({ word, distance }) => ({ place, words: [word], cost: distance }));
}

function byCost(candidates: readonly Replacement[]): Iterable<readonly Replacement[]> {
  return Map.groupBy(
    candidates.toSorted((a, b) => a.cost - b.cost),
    ({ cost }) => cost,
  ).values();
}

/** A word in a phrase cannot be the beginning of one. */
function beginnings(place: QueryWord): readonly Replacement[] {
  const { term, word } = place;
  const isPossible = term.kind === "words" && term.words.length === 1 && LETTERS.test(word);
  const cost = [...word].length < MIN_CHARS_OF_TWO_EDITS ? COST_OF_SHORT_PREFIX : COST_OF_LONG_PREFIX;
  return isPossible && word.length >= MIN_PREFIX_CHARS
    ? [{ place, words: [word], isPrefix: true, cost }]
    : [];
}

/** All words are in books, but no book has all of them: one of them may be meant to be another. */
function* replaceOne(query: SearchQuery, words: WordList): Asking<SearchQuery | undefined> {
  const candidates: Replacement[] = [];
  for (const place of wordsOf(query))
    candidates.push(...(yield* nearbyOf(words, place, MIN_CORRECTED_CHARS)));
  for (const group of byCost(candidates)) {
    const corrected = yield* best(
      query,
      group.map((each) => [each]),
    );
    if (corrected) return corrected;
  }
  return undefined;
}

/** Returns the query with the least cost, then the most books, then in the order of code points. */
function* best(
  query: SearchQuery,
  candidates: readonly (readonly Replacement[])[],
): Asking<SearchQuery | undefined> {
  const queries = candidates.map((each) => replaced(query, each));
  const counts = yield* countBooks(
    queries.map((each, index) => ({
      ...each,
      terms: [...each.terms, ...candidates[index]!.flatMap(countedTerms)],
    })),
  );
  const found = queries
    .map((each, index) => ({
      query: each,
      cost: costOf(candidates[index]!),
      books: counts[index]!,
      text: queryText(each),
    }))
    .filter(({ books }) => books > 0)
    .sort((a, b) => a.cost - b.cost || b.books - a.books || compareCodePoints(a.text, b.text));
  return found[0]?.query;
}

/** Returns the near words of a word with at least so many letters. */
function* nearbyOf(words: WordList, place: QueryWord, minChars: number): Asking<readonly Replacement[]> {
  const { word, term } = place;
  const { length } = [...word];
  if (length < minChars || !LETTERS.test(word)) return [];
  const whole = [...(yield* nearWords(words, word, length, false)), ...otherForms(word, words)];
  const isBegun = term.kind === "prefix" && length >= MIN_BEGINNING_CHARS;
  const begun = isBegun ? yield* nearWords(words, word, length, true) : [];
  return [
    ...whole.map((each) => ({ place, words: [each.word], cost: each.distance })),
    ...begun.map((each) => ({ place, words: [each.word], cost: each.distance + COST_OF_BEGINNING })),
  ];
}

/** Returns near words with at least four letters, or those whose beginnings are near, the shortest first. */
function* nearWords(
  words: WordList,
  word: string,
  length: number,
  isPrefix: boolean,
): Asking<readonly NearWord[]> {
  const search = words.near(word, length < MIN_CHARS_OF_TWO_EDITS ? 1 : 2, isPrefix);
  for (;;) {
    const { done, value } = search.next();
    if (!done) {
      yield { kind: "pause" };
      continue;
    }
    return value
      .filter((each) => length >= MIN_CORRECTED_CHARS || [...each.word].length >= MIN_CORRECTED_CHARS)
      .sort(
        (a, b) =>
          a.distance - b.distance ||
          (isPrefix ? a.word.length - b.word.length : 0) ||
          compareCodePoints(a.word, b.word),
      )
      .slice(0, isPrefix ? MAX_BEGUN_WORDS : MAX_NEAR_WORDS);
  }
}

/**
 * The plural or the singular with `es` is one edit, also of a short word: `trenes`, `luces`. So are the letters for all
 * marks of a word: `vaeinoe`.
 */
function otherForms(word: string, words: WordList): readonly NearWord[] {
  const others: string[] = [];
  if (word.endsWith("z")) others.push(`${word.slice(0, -1)}ces`);
  else if (word.endsWith("ces")) others.push(`${word.slice(0, -3)}z`);
  if (word.length < MIN_CHARS_OF_TWO_EDITS)
    others.push(word.endsWith("es") ? word.slice(0, -2) : `${word}es`);
  const unmarked = word.replace(/([aou])e/g, "$1");
  if (unmarked !== word) others.push(unmarked);
  return others.filter((other) => words.has(other)).map((other) => ({ word: other, distance: 1 }));
}

/** Books are counted that have the new words in titles, names or labels, and the parts of a split one as a phrase. */
function countedTerms({ words, isPrefix }: Replacement): readonly SearchTerm[] {
  if (isPrefix) return [{ kind: "prefix", prefix: words[0]! }];
  const listed = words.filter((word) => words.length === 1 || !isUnlisted(word));
  const inFields = listed.map((word): SearchTerm => ({ kind: "field", field: "any", word }));
  return words.length > 1 ? [{ kind: "words", words }, ...inFields] : inFields;
}

function replaced(query: SearchQuery, replacements: readonly Replacement[]): SearchQuery {
  const terms = query.terms.flatMap((term, index) => {
    const own = replacements.filter(({ place }) => place.index === index);
    return own.length === 0 ? [term] : replacedTerms(term, own);
  });
  return { ...query, terms };
}

function replacedTerms(term: SearchTerm, replacements: readonly Replacement[]): readonly SearchTerm[] {
  const { words, isPrefix } = replacements[0]!;
  if (term.kind === "words" && term.words.length > 1) {
    const newWords = (at: number) => replacements.find(({ place }) => place.at === at)?.words;
    return [{ ...term, words: term.words.flatMap((word, at) => newWords(at) ?? [word]) }];
  }
  const last = words.at(-1)!;
  const lastTerm: SearchTerm =
    isPrefix || term.kind === "prefix"
      ? { kind: "prefix", prefix: last, ...(!isPrefix && { orWord: true }) }
      : { kind: "words", words: [last] };
  return [...words.slice(0, -1).map((word): SearchTerm => ({ kind: "words", words: [word] })), lastTerm];
}

function costOf(replacements: readonly Replacement[]): number {
  return replacements.reduce((sum, { cost }) => sum + cost, 0);
}
