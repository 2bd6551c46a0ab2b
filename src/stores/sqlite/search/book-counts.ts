import type { Database, Statement } from "bun:sqlite";
import type { CountedBook } from "../../../catalog/quality/book-counts.ts";
import { BookCountChanges } from "../../book-count-changes.ts";

/** Maintains the table `book_count`, within the transaction of an import. */
export class BookCounts implements Disposable {
  readonly #changes = new BookCountChanges();
  readonly #add: Statement<unknown, [string, string, number]>;
  readonly #deleteUnused: Statement<unknown, [string, string]>;

  constructor(db: Database) {
    this.#add = db.prepare(
      "INSERT INTO book_count VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET books = books + excluded.books",
    );
    this.#deleteUnused = db.prepare("DELETE FROM book_count WHERE kind = ? AND value = ? AND books = 0");
  }

  /** Counts a book that comes (1) or goes (-1). */
  add(book: CountedBook, change: 1 | -1): void {
    this.#changes.add(book, change);
    if (this.#changes.isFull) this.write();
  }

  write(): void {
    for (const { kind, value, books } of this.#changes.take()) {
      this.#add.run(kind, value, books);
      if (books < 0) this.#deleteUnused.run(kind, value);
    }
  }

  [Symbol.dispose](): void {
    this.#add.finalize();
    this.#deleteUnused.finalize();
  }
}
