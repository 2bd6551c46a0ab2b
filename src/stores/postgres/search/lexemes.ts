/**
 * The lexemes of the search index. Colophon makes them itself, so that no dictionary or setting of the server matters.
 *
 * A GIN index does not know where a word stands. A query for words of titles would have to read every book with these
 * words, so they have lexemes of their own, and so have the beginnings of titles. Only phrases read the positions.
 */
import { TEXT_BREAK, TITLE_END, TITLE_START } from "../../../catalog/search/index-terms.ts";
import type { IndexedText, SearchDocument } from "../../../catalog/search/search-document.ts";

/** Stand before a word, and before words that are joined by spaces. No word and no filter term has these characters. */
export const IN_TITLE = ".";
export const IN_CONTRIBUTOR = ",";
export const IN_LABEL = ";";
/** Stands before the first letter of a word of a name. */
export const NAME_INITIAL = ":";
export const TITLE_BEGINS = "^";
export const TITLE_IS = "=";
/** The beginnings of titles have lexemes up to this number of words. */
export const MAX_TITLE_LEXEME_WORDS = 4;

/** A position has 14 bits for the place and, above them, 2 for the weight. */
const WEIGHTS = { A: 3 << 14, B: 2 << 14, D: 0 } as const;
/** The limits of the type tsvector (`ts_type.h`). Documents have less than half of the places. */
const MAX_POSITIONS = 255;
const MAX_LEXEME_BYTES = 1_000_000;
/** A gap between two fields, so that a phrase does not match across them. */
const FIELD_GAP = 2;

/** The positions of each lexeme, in ascending order. A lexeme that no phrase needs has none. */
export type Lexemes = ReadonlyMap<string, readonly number[]>;

export function lexemesOf(document: Pick<SearchDocument, IndexedText | "label">): Lexemes {
  const lexemes = new LexemeSet();
  lexemes.addField(document.title, "A", IN_TITLE);
  lexemes.addField(document.contributor, "B", IN_CONTRIBUTOR);
  for (const { words, isComplete } of titlesOf(document.title)) {
    const length = Math.min(words.length, MAX_TITLE_LEXEME_WORDS);
    for (let end = 1; end <= length; end++) lexemes.add(TITLE_BEGINS + words.slice(0, end).join(" "));
    if (isComplete && words.length === length) lexemes.add(TITLE_IS + words.join(" "));
  }
  for (const word of termsOf(document.contributor))
    if (word !== TEXT_BREAK) lexemes.add(NAME_INITIAL + String.fromCodePoint(word.codePointAt(0)!));
  for (const word of termsOf(document.label)) if (word !== TEXT_BREAK) lexemes.add(IN_LABEL + word);
  for (const term of termsOf(document.filter)) lexemes.add(term);
  lexemes.addField(document.rest, "D");
  lexemes.addField(document.description, "D");
  return lexemes.positions;
}

class LexemeSet {
  readonly positions = new Map<string, number[]>();
  #place = 0;
  #bytes = 0;

  addField(text: string, weight: keyof typeof WEIGHTS, prefix?: string): void {
    for (const term of termsOf(text)) {
      this.#place++;
      if (term === TEXT_BREAK) continue;
      const positions = this.add(term);
      if (positions && positions.length < MAX_POSITIONS) positions.push(WEIGHTS[weight] | this.#place);
      if (prefix !== undefined && term !== TITLE_START && term !== TITLE_END) this.add(prefix + term);
    }
    this.#place += FIELD_GAP;
  }

  /** Returns the positions of the lexeme; undefined when the document has become too large for it. */
  add(lexeme: string): number[] | undefined {
    const known = this.positions.get(lexeme);
    if (known) return known;
    // A UTF-16 code unit takes at most three bytes in UTF-8, and the numbers of a lexeme eight more.
    this.#bytes += 3 * lexeme.length + 8;
    if (this.#bytes > MAX_LEXEME_BYTES) return undefined;
    const positions: number[] = [];
    this.positions.set(lexeme, positions);
    return positions;
  }
}

export function termsOf(text: string): readonly string[] {
  return text === "" ? [] : text.split(" ");
}

interface Title {
  readonly words: string[];
  /** False for a title that was cut. */
  isComplete: boolean;
}

function titlesOf(text: string): readonly Title[] {
  const titles: Title[] = [];
  for (const term of termsOf(text)) {
    if (term === TITLE_START) titles.push({ words: [], isComplete: false });
    else if (term === TITLE_END) titles.at(-1)!.isComplete = true;
    else titles.at(-1)!.words.push(term);
  }
  return titles;
}
