/** The rows of the work list: the imprints, in the order of a column, and as CSV. */
import type { Quality } from "../../../client/generated/book.ts";
import { BYTE_ORDER_MARK, csvLine } from "../../../lib/csv-line.ts";
import { BOOK_NEEDS, type BookNeed } from "../../../onix/completeness/needs.ts";

/** `has` says how many of the books have each thing. */
export type CountedBooks = Pick<Quality, "books" | "has">;

export interface WorkRow extends CountedBooks {
  readonly slug: string;
  readonly name: string;
}

/** The columns that sort the list: the name, the numbers, and the share of each need. */
export type SortColumn = "imprint" | "books" | "gaps" | "complete" | BookNeed;

export interface Sorting {
  readonly column: SortColumn;
  readonly isDescending: boolean;
}

const COLUMNS: readonly SortColumn[] = ["imprint", "books", "gaps", "complete", ...BOOK_NEEDS];

/** The worst imprints come first. */
const DEFAULT: Sorting = { column: "complete", isDescending: false };

/** Reads a sorting from the URL: the name of a column, with a minus when it descends. */
export function sortingOf(text: string | null): Sorting {
  const column = COLUMNS.find((each) => each === text?.replace(/^-/, ""));
  return column === undefined ? DEFAULT : { column, isDescending: text!.startsWith("-") };
}

/** Returns the text of what a click on a column sorts by: the most work first, and then the reverse. */
export function nextSorting(column: SortColumn, { column: current, isDescending }: Sorting): string {
  const worksFirst = column === "books" || column === "gaps" ? `-${column}` : column;
  const reverse = worksFirst.startsWith("-") ? column : `-${column}`;
  return column === current && isDescending === worksFirst.startsWith("-") ? reverse : worksFirst;
}

/** Returns how many values the books lack, of all that shops need. */
export function gapsOf({ books, has }: CountedBooks): number {
  return BOOK_NEEDS.reduce((gaps, need) => gaps + books - has[need], 0);
}

/** Returns the share of the values that the books have. */
export function completenessOf(counted: CountedBooks): number {
  const values = counted.books * BOOK_NEEDS.length;
  // 1 minus the share of gaps would be a little too small: 0.19999999999999996 is no 20 %.
  return values === 0 ? 1 : (values - gapsOf(counted)) / values;
}

/** Equal rows are sorted by their gaps, those with the most first, then by name. */
export function sortedRows(rows: readonly WorkRow[], { column, isDescending }: Sorting): readonly WorkRow[] {
  const value = (row: WorkRow): number => {
    if (column === "books") return row.books;
    if (column === "gaps") return gapsOf(row);
    return column === "complete" ? completenessOf(row) : row.has[column as BookNeed] / (row.books || 1);
  };
  const direction = isDescending ? -1 : 1;
  const compare = (a: WorkRow, b: WorkRow) =>
    column === "imprint" ? a.name.localeCompare(b.name) : value(a) - value(b);
  return rows.toSorted(
    (a, b) => direction * compare(a, b) || gapsOf(b) - gapsOf(a) || a.name.localeCompare(b.name),
  );
}

/** Returns the list as CSV: the number of books that have each thing. */
export function rowsAsCsv(rows: readonly WorkRow[]): string {
  const lines = rows.map((row) =>
    csvLine([row.slug, row.name, row.books, gapsOf(row), ...BOOK_NEEDS.map((need) => row.has[need])]),
  );
  return [BYTE_ORDER_MARK, csvLine(["slug", "imprint", "books", "gaps", ...BOOK_NEEDS]), ...lines].join("");
}

/** A book with what it lacks. */
export interface WeakBook {
  readonly isbn: string;
  readonly title: string | null;
  readonly published: string | null;
  readonly lacks: readonly BookNeed[];
}

/** Joins the books that lack each thing, and returns those with the most gaps first. */
export function weakBooks(
  found: ReadonlyMap<BookNeed, readonly Omit<WeakBook, "lacks">[]>,
): readonly WeakBook[] {
  const books = new Map<string, WeakBook & { lacks: BookNeed[] }>();
  for (const [need, lacking] of found) {
    for (const { isbn, title, published } of lacking) {
      const book = books.get(isbn) ?? { isbn, title, published, lacks: [] };
      book.lacks.push(need);
      books.set(isbn, book);
    }
  }
  return [...books.values()].sort((a, b) => b.lacks.length - a.lacks.length || (a.isbn < b.isbn ? -1 : 1));
}

export function weakBooksAsCsv(books: readonly WeakBook[]): string {
  const lines = books.map(({ isbn, title, published, lacks }) =>
    csvLine([
      isbn,
      title,
      published,
      lacks.length,
      ...BOOK_NEEDS.map((need) => (lacks.includes(need) ? "missing" : null)),
    ]),
  );
  return [BYTE_ORDER_MARK, csvLine(["isbn", "title", "published", "gaps", ...BOOK_NEEDS]), ...lines].join("");
}

/** Returns whole percents. Only what is complete has 100, and only what is nowhere has 0. */
export function percentOf(has: number, books: number): number {
  if (has >= books) return 100;
  if (has === 0) return 0;
  return Math.min(99, Math.max(1, Math.round((has / books) * 100)));
}
