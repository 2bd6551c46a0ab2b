import type { Database, Statement } from "bun:sqlite";
import type { Entry } from "../../../catalog/store.ts";

/** More than a feed of many publishers has at once, and little memory. */
const KEPT = 10_000;

/**
 * Counts how many records use which spelling of an imprint, as records come and go. What has changed is
 * kept here, and written when it gets much and at the end: one write for each spelling, not each record.
 */
export class ImprintCounts {
  readonly #add: Statement<unknown, [string, string, number]>;
  readonly #clear: Statement<unknown, [string, string]>;
  readonly #changes = new Map<string, Map<string, number>>();
  #size = 0;

  constructor(db: Database) {
    this.#add = db.prepare(
      "INSERT INTO imprint VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET records = records + excluded.records",
    );
    this.#clear = db.prepare("DELETE FROM imprint WHERE slug = ? AND name = ? AND records = 0");
  }

  count(imprint: NonNullable<Entry["imprint"]>, change: 1 | -1): void {
    const names = this.#changes.get(imprint.slug) ?? new Map<string, number>();
    const before = names.get(imprint.name);
    this.#changes.set(imprint.slug, names);
    if (before === undefined) this.#size++;
    names.set(imprint.name, (before ?? 0) + change);
    if (this.#size > KEPT) this.write();
  }

  write(): void {
    for (const [slug, names] of this.#changes) {
      for (const [name, change] of names) {
        if (change !== 0) this.#add.run(slug, name, change);
        if (change < 0) this.#clear.run(slug, name);
      }
    }
    this.#changes.clear();
    this.#size = 0;
  }

  close(): void {
    this.#add.finalize();
    this.#clear.finalize();
  }
}
