/** The SQL statements of an import. */
import type { Database } from "bun:sqlite";
import type { ImprintColumns } from "../../columns.ts";
import { ENTRY_COLUMNS, type EntryRow } from "../rows.ts";

/** The part of a record that an import compares with a product. */
export interface RecordOutline {
  readonly id: number;
  readonly etag: string;
  readonly reference: string;
}

/** A row of the temporary table `seen`. */
export interface SeenRow {
  readonly feed: number;
  /** The etag before the import; null when there was no record. */
  readonly before: string | null;
}

/** One row for each ISBN that a feed of this import has put, marked or removed. */
export const CREATE_SEEN =
  "CREATE TEMP TABLE seen (isbn INTEGER PRIMARY KEY, feed INTEGER NOT NULL, before TEXT) STRICT";

type RecordBindings = [string | null, string | null, string, number | null, string, string, string];

export type ImportStatements = ReturnType<typeof prepareStatements>;
export type IndexStatements = ReturnType<typeof prepareIndexStatements>;

export function prepareStatements(db: Database) {
  return {
    catalog: db.prepare<{ revision: string; records: number }, []>("SELECT revision, records FROM catalog"),
    lastId: db.prepare<{ id: number | null }, []>("SELECT max(id) AS id FROM record"),
    updateCatalog: db.prepare<unknown, [string, number, string]>(
      "UPDATE catalog SET revision = ?, records = ?, imported = ?",
    ),
    seen: db.prepare<SeenRow, [number]>("SELECT feed, before FROM seen WHERE isbn = ?"),
    // The etag before the import stays with the first row.
    markSeen: db.prepare<unknown, [number, number, string | null]>(
      "INSERT INTO seen VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET feed = excluded.feed",
    ),
    entry: db.prepare<EntryRow, [number]>(
      `SELECT ${ENTRY_COLUMNS} FROM record LEFT JOIN body USING (id) WHERE id = ?`,
    ),
    imprint: db.prepare<ImprintColumns, [number]>("SELECT imprint, imprint_name FROM record WHERE id = ?"),
    insert: db.prepare<unknown, [number, number, ...RecordBindings]>(
      "INSERT INTO record VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
    ),
    // REPLACE, because a damaged catalog may have lost the body of a record that is updated.
    putBody: db.prepare<unknown, [number, Uint8Array]>("REPLACE INTO body VALUES (?, ?)"),
    update: db.prepare<unknown, [...RecordBindings, number]>(
      `UPDATE record SET imprint = ?, imprint_name = ?, languages = ?, published = ?, reference = ?, etag = ?,
         origin = ? WHERE id = ?`,
    ),
    remove: db.prepare<unknown, [number]>("DELETE FROM record WHERE id = ?"),
    removeBody: db.prepare<unknown, [number]>("DELETE FROM body WHERE id = ?"),
  };
}

/** Prepares the statements that need the indexes, which an import into an empty catalog creates as late as possible. */
export function prepareIndexStatements(db: Database) {
  return {
    outline: db.prepare<RecordOutline, [number]>(
      "SELECT id, etag, reference FROM record INDEXED BY record_outline WHERE isbn = ?",
    ),
    byReference: db.prepare<{ isbn: number }, [string]>(
      "SELECT isbn FROM record INDEXED BY record_by_reference WHERE reference = ? ORDER BY isbn LIMIT 100",
    ),
    unseen: db.prepare<{ isbn: number; etag: string }, [number, number]>(
      `SELECT isbn, etag FROM record INDEXED BY record_outline
       WHERE isbn > ? AND id > ? AND isbn NOT IN (SELECT isbn FROM seen) ORDER BY isbn LIMIT 1000`,
    ),
  };
}
