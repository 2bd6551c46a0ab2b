/**
 * The columns of a book in the FTS5 table. Terms of their own tell that a word is in a title or a name: FTS5 would read
 * the positions of a common word in all books to find those that have it in one column.
 */
import { TEXT_BREAK, TITLE_END, TITLE_START } from "../../../catalog/search/index-terms.ts";
import type { SearchDocument } from "../../../catalog/search/search-document.ts";

export type IndexColumns = Pick<SearchDocument, "title" | "contributor" | "rest" | "description" | "filter">;

/** Begin terms that no word and no filter term is equal to. */
const TITLE_WORD = "·t";
const NAME_WORD = "·c";
const WHOLE_TITLE = "·w·";
const TITLE_BEGINNING = "·b·";
const MARK = "·";

/** The beginnings of a title that have a term of their own, in words. */
export const MAX_BEGINNING_WORDS = 2;

/** The term of a book that has a word in a title. */
export function titleWordTerm(word: string): string {
  return TITLE_WORD + MARK + word;
}

/** The term of a book that has a word in the name of a contributor. */
export function nameWordTerm(word: string): string {
  return NAME_WORD + MARK + word;
}

/** The term of a book with exactly this title. It is a digest, because whole titles are long and most are unique. */
export function wholeTitleTerm(words: readonly string[]): string {
  return WHOLE_TITLE + Bun.hash.xxHash64(words.join(" ")).toString(36);
}

/** The term of a book with a title that begins with these words, or with the first of them. */
export function titleBeginningTerm(words: readonly string[]): string {
  return TITLE_BEGINNING + words.slice(0, MAX_BEGINNING_WORDS).join(MARK);
}

/** The phrase of a book with a title that begins with these words. */
export function titleBeginning(words: readonly string[]): string {
  return [TITLE_START, ...words].join(" ");
}

export function indexColumnsOf(document: SearchDocument): IndexColumns {
  const { title, contributor, rest, description, filter } = document;
  const terms = new Set<string>();
  const titles = title.split(TITLE_END);
  titles.forEach((text, index) => {
    const words = text.split(" ").filter((word) => word !== "" && word !== TITLE_START);
    for (const word of words) terms.add(titleWordTerm(word));
    for (let length = 1; length <= Math.min(words.length, MAX_BEGINNING_WORDS); length++) {
      terms.add(titleBeginningTerm(words.slice(0, length)));
    }
    // Nothing follows the end of the last title, unless there were too many words.
    if (words.length > 0 && index < titles.length - 1) terms.add(wholeTitleTerm(words));
  });
  for (const word of contributor.split(" ")) {
    if (word !== "" && word !== TEXT_BREAK) terms.add(nameWordTerm(word));
  }
  return { title, contributor, rest, description, filter: `${filter} ${[...terms].join(" ")}` };
}
