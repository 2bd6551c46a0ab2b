/**
 * The counts that a store keeps of its books, so that the quality of a catalog is known without reading them. Each count
 * has a kind and a value: so many books have this language, or are of this imprint and lack a cover.
 */
import { BOOK_NEEDS, type BookNeed } from "../../onix/completeness/needs.ts";
import type { Day } from "../../onix/date.ts";
import type { SearchDocument } from "../search/search-document.ts";

/** The kind of the books of an imprint that lack something. */
type LackKind = `lacks ${BookNeed}`;
export type CountKind = "imprint" | "language" | "form" | "price" | "month" | "total" | LackKind;

export const LACK_KINDS: readonly LackKind[] = BOOK_NEEDS.map((need): LackKind => `lacks ${need}`);

/** The kinds whose sums are counts of the kind `total`, by their values there: they are stored with each import. */
export const TOTALS: ReadonlyMap<string, BookNeed | "books"> = new Map<CountKind, BookNeed | "books">([
  ["imprint", "books"],
  ...BOOK_NEEDS.map((need): [LackKind, BookNeed] => [`lacks ${need}`, need]),
]);

/** Stands for the imprint of books without one. No slug is empty. */
export const NO_IMPRINT = "";

/** The properties of a book that are counted. */
export interface CountedBook
  extends Pick<SearchDocument, "imprint" | "languages" | "form" | "prices" | "lacks"> {
  readonly published: Day | undefined;
}

export function countedBookOf(document: SearchDocument, published: Day | undefined): CountedBook {
  const { imprint, languages, form, prices, lacks } = document;
  return { imprint, languages, form, prices, lacks, published };
}

export interface BookCount {
  readonly kind: string;
  readonly value: string;
  readonly books: number;
}

/** Calls `add` for each count that a book is in. A book without a value is in no count of that kind. */
export function countsOf(book: CountedBook, add: (kind: CountKind, value: string) => void): void {
  const { imprint = NO_IMPRINT, languages, form, prices, lacks, published } = book;
  add("imprint", imprint);
  for (let need = 0; need < LACK_KINDS.length; need++) {
    if ((lacks & (1 << need)) !== 0) add(LACK_KINDS[need]!, imprint);
  }
  for (const language of languages) add("language", language);
  if (form !== undefined) add("form", form);
  for (const price of prices) add("price", price);
  if (published !== undefined) add("month", published.slice(0, 6));
}
