/**
 * The segments of the full-text indexes. A search looks for its words in each of them: with one instead of fifteen, its
 * slowest statements take a third of the time (a million books).
 */
import type { Database } from "bun:sqlite";

const INDEXES = ["book_index", "book_facts"] as const;
type Index = (typeof INDEXES)[number];

/** All segments become one, and the terms of removed books go. */
export const MERGE_SEGMENTS = INDEXES.map((name) => `INSERT INTO ${name} (${name}) VALUES ('optimize')`).join(
  ";",
);

/** FTS5 has at most one segment more. */
const MOST_SEGMENTS = 1999;

/** While `book_index` is filled: FTS5 would write each word once or twice more before all segments become one. */
export function mergeRarely(db: Database): void {
  configure(db, "book_index", { automerge: 0, crisismerge: MOST_SEGMENTS });
}

/** As in `schema.sql`, and the default of FTS5. */
export function mergeAsUsual(db: Database): void {
  configure(db, "book_index", { automerge: 8, crisismerge: 16 });
}

function configure(db: Database, index: Index, settings: Readonly<Record<string, number>>): void {
  for (const [name, value] of Object.entries(settings))
    db.run(`INSERT INTO ${index} (${index}, rank) VALUES (?, ?)`, [name, value]);
}
