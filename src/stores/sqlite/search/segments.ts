/**
 * The segments of the full-text indexes. A search looks for its words in each of them: with one instead of fifteen, its
 * slowest statements take a third of the time (a million books).
 */
import type { Database } from "bun:sqlite";

/** All segments become one, and the terms of removed books go. */
export const MERGE_SEGMENTS = `INSERT INTO book_index (book_index) VALUES ('optimize');
  INSERT INTO book_facts (book_facts) VALUES ('optimize')`;

/** While `book_index` is filled: FTS5 would write each word once or twice more before all segments become one. */
export function mergeRarely(db: Database): void {
  // FTS5 has at most one segment more.
  configure(db, { automerge: 0, crisismerge: 1999 });
}

/** As in `schema.sql`, and the default of FTS5. */
export function mergeAsUsual(db: Database): void {
  configure(db, { automerge: 8, crisismerge: 16 });
}

function configure(db: Database, settings: Readonly<Record<string, number>>): void {
  for (const [name, value] of Object.entries(settings))
    db.run("INSERT INTO book_index (book_index, rank) VALUES (?, ?)", [name, value]);
}
