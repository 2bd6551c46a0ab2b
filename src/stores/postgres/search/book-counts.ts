import type { SQL } from "bun";
import { etagOf } from "../../../catalog/entry.ts";
import type { BookCount, CountedBook } from "../../../catalog/quality/book-counts.ts";
import { BookCountChanges } from "../../book-count-changes.ts";

const ROWS_PER_STATEMENT = 1000;
const encoder = new TextEncoder();

const ADD = `INSERT INTO colophon.book_count AS stored (key, kind, value, books)
  SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::bigint[])
  ON CONFLICT (key) DO UPDATE SET books = stored.books + excluded.books`;
const DELETE_UNUSED = "DELETE FROM colophon.book_count WHERE key = ANY ($1::text[]) AND books = 0";

/** Maintains the table `book_count`, within the transaction of an import. */
export class BookCounts {
  readonly #changes = new BookCountChanges();

  /** Counts a book that comes (1) or goes (-1). */
  add(book: CountedBook, change: 1 | -1): void {
    this.#changes.add(book, change);
  }

  /** Is true when the changes should be written, so that memory stays bounded. */
  get isFull(): boolean {
    return this.#changes.isFull;
  }

  async write(sql: SQL): Promise<void> {
    const changes = this.#changes.take();
    for (let from = 0; from < changes.length; from += ROWS_PER_STATEMENT) {
      const slice = changes.slice(from, from + ROWS_PER_STATEMENT);
      const keys = slice.map(keyOf);
      await sql.unsafe(ADD, [
        keys,
        slice.map(({ kind }) => kind),
        slice.map(({ value }) => value),
        slice.map(({ books }) => books),
      ]);
      const decreased = keys.filter((_, index) => slice[index]!.books < 0);
      if (decreased.length > 0) await sql.unsafe(DELETE_UNUSED, [decreased]);
    }
  }
}

/** No kind has a line feed, so the key is unambiguous. */
function keyOf({ kind, value }: BookCount): string {
  return etagOf(encoder.encode(`${kind}\n${value}`));
}
