/** A parsed query, and the tiers that order its results by relevance. */
import type { Isbn13 } from "../../onix/isbn.ts";

/** A book is found when it has all the terms, and none of the excluded ones. */
export interface SearchQuery {
  readonly terms: readonly SearchTerm[];
  readonly excluded: readonly SearchTerm[];
}

export type SearchTerm = RankedTerm | IsbnTerm | FieldTerm;
/** A term whose place in the book decides the tier. */
export type RankedTerm = WordsTerm | PrefixTerm | InitialsTerm;

/** One word, or a phrase: words that follow each other in a title, a name, or another text of the book. */
export interface WordsTerm {
  readonly kind: "words";
  /** Folded words, at least one; see `wordsOf`. */
  readonly words: readonly string[];
}

/**
 * A title, the name of a contributor, or a label (collection, imprint, publisher) has a word that begins like this.
 * Descriptions are not searched: the words with a short beginning are in most of them, and an index would have to read
 * all of these places.
 */
export interface PrefixTerm {
  readonly kind: "prefix";
  readonly prefix: string;
  /** Any text of the book that has the prefix as a whole word counts, too: the last word of a query with `prefix=last`. */
  readonly orWord?: true | undefined;
  /** An ISBN that begins with these digits counts, too. They begin with 978 or 979, and are fewer than 13. */
  readonly orIsbn?: string | undefined;
}

/** Initials of names, `J.R.R.`: for each letter a name has a word that begins with it. The same letters as words count, too. */
export interface InitialsTerm {
  readonly kind: "initials";
  readonly letters: readonly string[];
}

interface IsbnTerm {
  readonly kind: "isbn";
  readonly isbn: Isbn13;
  /** The ISBN-10 that was typed. Its digits may be meant as others of an ISBN-13. */
  readonly isbn10?: string;
}

/** The book has a word, or one that begins like it, in one kind of text, or in any of the three. */
export interface FieldTerm {
  readonly kind: "field";
  readonly field: "title" | "name" | "label" | "any";
  readonly word: string;
  readonly isPrefix?: boolean;
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
 * An ISBN, a word of one field and an exclusion hold in each tier, and so do the filters.
 */
export function tiersOf(query: SearchQuery | undefined): readonly SearchTier[] {
  if (query === undefined || !query.terms.some(isRanked)) return [5];
  return titleWordsOf(query) === undefined ? [3, 4, 5] : [1, 2, 3, 4, 5];
}

export function isRanked(term: SearchTerm): term is RankedTerm {
  return term.kind !== "isbn" && term.kind !== "field";
}

/** Returns the words of a query, in their order, as tiers 1 and 2 compare them with titles. A prefix is not compared. */
export function titleWordsOf({ terms }: SearchQuery): readonly string[] | undefined {
  const words = terms.flatMap(wordsOfTerm);
  const hasPrefix = terms.some((term) => term.kind === "prefix" && !term.orWord);
  return words.length === 0 || hasPrefix ? undefined : words;
}

function wordsOfTerm(term: SearchTerm): readonly string[] {
  if (term.kind === "words") return term.words;
  if (term.kind === "initials") return term.letters;
  return term.kind === "prefix" ? [term.prefix] : [];
}

/** Returns the words that a book can have instead of the initials: `J.R.R.` is written as three words, or as one. */
export function spellingsOf({ letters }: InitialsTerm): readonly WordsTerm[] {
  const spellings = letters.length > 1 ? [letters, [letters.join("")]] : [letters];
  return spellings.map((words) => ({ kind: "words", words }));
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
