/** A parsed query, and the tiers that order its results by relevance. */
import type { Isbn13 } from "../../onix/isbn.ts";

/** A book is found when it has all the terms, and none of the excluded ones. */
export interface SearchQuery {
  readonly terms: readonly SearchTerm[];
  readonly excluded: readonly SearchTerm[];
}

export type SearchTerm = WordsTerm | PrefixTerm | IsbnTerm;

/** One word, or a phrase: words that follow each other in a title, a name, or another text of the book. */
export interface WordsTerm {
  readonly kind: "words";
  /** Folded words, at least one; see `wordsOf`. */
  readonly words: readonly string[];
}

/**
 * A title or the name of a contributor has a word that begins like this. Descriptions are not searched: the words with
 * a short beginning are in most of them, and an index would have to read all of these places.
 */
export interface PrefixTerm {
  readonly kind: "prefix";
  readonly prefix: string;
}

/** The book with this ISBN. */
export interface IsbnTerm {
  readonly kind: "isbn";
  readonly isbn: Isbn13;
}

/** A fact that a book has, or how it begins: a term of the filters that feeds change every night. */
export interface FactTerm {
  readonly term: string;
  readonly isPrefix?: true;
  /** A fact that the book must not have beside it. */
  readonly without?: string;
}

/** A book has one of these facts. */
export type FactCondition = readonly FactTerm[];

/** How well a book fits a query: 1 is best. See `tiersOf`. */
export type SearchTier = 1 | 2 | 3 | 4 | 5;

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
  if (query === undefined || query.terms.every(({ kind }) => kind === "isbn")) return [5];
  return titleWordsOf(query) === undefined ? [3, 4, 5] : [1, 2, 3, 4, 5];
}

/** Returns the words of a query, in their order, as tiers 1 and 2 compare them with titles. A prefix is not compared. */
export function titleWordsOf({ terms }: SearchQuery): readonly string[] | undefined {
  const words = terms.flatMap((term) => (term.kind === "words" ? term.words : []));
  return words.length === 0 || terms.some(({ kind }) => kind === "prefix") ? undefined : words;
}
