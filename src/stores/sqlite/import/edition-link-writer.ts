import type { Database } from "bun:sqlite";
import { editionTargetsOf } from "../../../catalog/editions/edition-links.ts";
import type { Entry } from "../../../catalog/store.ts";
import { isbnToColumn } from "../rows.ts";

/** Writes the links of editions. A record without links writes nothing, nor does one whose links stay the same. */
export class EditionLinkWriter implements Disposable {
  readonly #sql: ReturnType<typeof prepare>;

  constructor(db: Database) {
    this.#sql = prepare(db);
  }

  /** Adds the links of a record that has none yet. */
  add(isbn: number, entry: Entry): void {
    for (const target of editionTargetsOf(entry)) this.#sql.add.run(isbn, target);
  }

  update(entry: Entry): void {
    // Such an update leaves the block of the links as it is.
    if (entry.supply !== undefined) return;
    const isbn = isbnToColumn(entry.isbn);
    const targets = editionTargetsOf(entry);
    const stored = this.#sql.targets.all(isbn);
    if (stored.length === targets.length && stored.every(({ target }, index) => target === targets[index]))
      return;
    this.#sql.remove.run(isbn);
    for (const target of targets) this.#sql.add.run(isbn, target);
  }

  remove(isbn: number): void {
    this.#sql.remove.run(isbn);
  }

  [Symbol.dispose](): void {
    for (const statement of Object.values(this.#sql)) statement.finalize();
  }
}

function prepare(db: Database) {
  return {
    targets: db.prepare<{ readonly target: string }, [number]>(
      "SELECT target FROM edition_link WHERE isbn = ? ORDER BY target",
    ),
    add: db.prepare<unknown, [number, string]>("INSERT INTO edition_link VALUES (?, ?)"),
    remove: db.prepare<unknown, [number]>("DELETE FROM edition_link WHERE isbn = ?"),
  };
}
