import type { BookChange } from "./book-changes.ts";
import type { FieldChange } from "./record-diff.ts";

/** The examples of each kind of change. */
export const MAX_EXAMPLES = 5;
/** Feeds with invented element names must not fill the memory. */
const MAX_COUNTED_FIELDS = 10_000;

interface ChangedField {
  /** The path without indexes, as in `ProductSupply.SupplyDetail.Price.PriceAmount`. */
  readonly field: string;
  /** The number of books in which it changes. */
  readonly books: number;
}

/** Sums up what an import would change, in bounded memory. */
export class DiffSummary {
  readonly counts = { added: 0, changed: 0, deleted: 0 };
  /** The first books of each kind, in the order of the list. */
  readonly examples: Readonly<Record<BookChange["change"], BookChange[]>> = {
    added: [],
    changed: [],
    deleted: [],
  };
  readonly #books = new Map<string, number>();

  add(book: BookChange): void {
    this.counts[book.change]++;
    const examples = this.examples[book.change];
    if (examples.length < MAX_EXAMPLES) examples.push(book);
    for (const field of new Set(book.fields?.map(fieldOf))) {
      const books = this.#books.get(field);
      if (books === undefined && this.#books.size === MAX_COUNTED_FIELDS) continue;
      this.#books.set(field, (books ?? 0) + 1);
    }
  }

  /** Returns the fields that change in the most books. Fields with the same number are in the order of their names. */
  mostChangedFields(limit: number): ChangedField[] {
    const fields = [...this.#books].map(([field, books]) => ({ field, books }));
    fields.sort((a, b) => b.books - a.books || (a.field < b.field ? -1 : 1));
    return fields.slice(0, limit);
  }
}

function fieldOf({ path }: FieldChange): string {
  return path.replaceAll(/\[\d+\]/g, "");
}
