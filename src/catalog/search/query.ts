/** A parsed query, and the tiers that order its results by relevance. */
import type { Isbn13 } from "../../onix/isbn.ts";

/** A book is found when it has all the terms, and none of the excluded ones. */
export interface SearchQuery {
  readonly terms: readonly SearchTerm[];
  readonly excluded: readonly SearchTerm[];
}

export type SearchTerm = WordsTerm | IsbnTerm;

/** One word, or a phrase: words that follow each other. */
export interface WordsTerm {
  readonly kind: "words";
  /** Folded words, at least one; see `wordsOf`. */
  readonly words: readonly string[];
  /** Any word that begins with the last one matches it. */
  readonly isPrefix: boolean;
}

/** The book with this ISBN. */
export interface IsbnTerm {
  readonly kind: "isbn";
  readonly isbn: Isbn13;
}

/** How well a book fits a query: 1 is best. See `tiersOf`. */
export type SearchTier = 1 | 2 | 3 | 4 | 5;

/**
 * The words of a whole query in their order, as they are compared with whole titles. Is undefined when the query is
 * not one sequence of words.
 */
export interface TitleWords {
  readonly words: readonly string[];
  readonly isPrefix: boolean;
}

/**
 * Returns the tiers of a query, best first. Every book of a tier is in all later ones too, where it does not count again.
 *
 * 1. A title is exactly the words of the query.
 * 2. A title begins with them.
 * 3. All terms are in the titles.
 * 4. All terms are in the titles and the names of the contributors.
 * 5. All terms are in the book.
 *
 * An ISBN and an exclusion hold in each tier, and so do the filters.
 */
export function tiersOf(query: SearchQuery | undefined): readonly SearchTier[] {
  if (!query?.terms.some(({ kind }) => kind === "words")) return [5];
  const title = titleWordsOf(query);
  if (title === undefined) return [3, 4, 5];
  return title.isPrefix ? [2, 3, 4, 5] : [1, 2, 3, 4, 5];
}

/** Returns the words that tiers 1 and 2 compare with titles. A prefix can only be the last word of a title's beginning. */
export function titleWordsOf({ terms }: SearchQuery): TitleWords | undefined {
  const texts = terms.filter((term): term is WordsTerm => term.kind === "words");
  const prefix = texts.findIndex(({ isPrefix }) => isPrefix);
  if (texts.length === 0 || (prefix >= 0 && prefix < texts.length - 1)) return undefined;
  return { words: texts.flatMap(({ words }) => words), isPrefix: prefix >= 0 };
}
