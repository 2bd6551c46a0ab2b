import type { Database, Statement } from "bun:sqlite";
import type { CountedBook } from "../../../catalog/quality/book-counts.ts";
import type { Imprint } from "../../../catalog/store.ts";
import { CountChanges } from "../../count-changes.ts";

/** The tables of counts, with their columns. */
const TABLES = { imprint: ["slug", "name", "records"], book_count: ["kind", "value", "books"] } as const;

/** Maintains a table of counts, within the transaction of an import or a migration. */
export class CountWriter implements Disposable {
  readonly #changes: CountChanges;
  readonly #add: Statement<unknown, [string, string, number]>;
  readonly #deleteUnused: Statement<unknown, [string, string]>;

  constructor(db: Database, table: keyof typeof TABLES) {
    this.#changes = new CountChanges(table);
    const [first, second, count] = TABLES[table];
    this.#add = db.prepare(
      `INSERT INTO ${table} VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET ${count} = ${count} + excluded.${count}`,
    );
    this.#deleteUnused = db.prepare(
      `DELETE FROM ${table} WHERE ${first} = ? AND ${second} = ? AND ${count} = 0`,
    );
  }

  addImprint(imprint: Imprint, change: 1 | -1): void {
    this.#changes.addImprint(imprint, change);
    if (this.#changes.isFull) this.write();
  }

  addBook(book: CountedBook, change: 1 | -1): void {
    this.#changes.addBook(book, change);
    if (this.#changes.isFull) this.write();
  }

  write(): void {
    for (const { names, change } of this.#changes.take()) {
      this.#add.run(...names, change);
      if (change < 0) this.#deleteUnused.run(...names);
    }
  }

  [Symbol.dispose](): void {
    this.#add.finalize();
    this.#deleteUnused.finalize();
  }
}
