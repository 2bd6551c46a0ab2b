import type { Database, Statement } from "bun:sqlite";
import type { Imprint } from "../../../catalog/store.ts";
import { ImprintCountChanges } from "../../imprint-count-changes.ts";

/** Maintains the `imprint` table: the number of records of each imprint spelling. */
export class ImprintCounts {
  readonly #changes = new ImprintCountChanges();
  readonly #add: Statement<unknown, [string, string, number]>;
  readonly #deleteUnused: Statement<unknown, [string, string]>;

  constructor(db: Database) {
    this.#add = db.prepare(
      "INSERT INTO imprint VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET records = records + excluded.records",
    );
    this.#deleteUnused = db.prepare("DELETE FROM imprint WHERE slug = ? AND name = ? AND records = 0");
  }

  /** Counts a record that comes (1) or goes (-1). */
  add(imprint: Imprint, change: 1 | -1): void {
    this.#changes.add(imprint, change);
    if (this.#changes.isFull) this.write();
  }

  write(): void {
    for (const { slug, name, change } of this.#changes.take()) {
      this.#add.run(slug, name, change);
      if (change < 0) this.#deleteUnused.run(slug, name);
    }
  }

  close(): void {
    this.#add.finalize();
    this.#deleteUnused.finalize();
  }
}
