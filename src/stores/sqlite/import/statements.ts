/** What an import says to SQLite. */
import type { Database } from "bun:sqlite";
import { ENTRY_COLUMNS, type EntryRow } from "../rows.ts";

export interface Outline {
  readonly id: number;
  readonly etag: string;
  readonly reference: string;
}

export interface Touched {
  readonly feed: number;
  readonly before: string | null;
}

export interface Spelling {
  readonly imprint: string | null;
  readonly imprint_name: string | null;
}

type RecordColumns = [string | null, string | null, string, number | null, string, string, string];

export type Statements = ReturnType<typeof prepareStatements>;
export type IndexedStatements = ReturnType<typeof prepareIndexed>;

export function prepareStatements(db: Database) {
  return {
    catalog: db.prepare<{ revision: string; records: number }, []>("SELECT revision, records FROM catalog"),
    lastId: db.prepare<{ id: number | null }, []>("SELECT max(id) AS id FROM record"),
    commit: db.prepare<unknown, [string, number, string]>(
      "UPDATE catalog SET revision = ?, records = ?, imported = ?",
    ),
    touched: db.prepare<Touched, [number]>("SELECT feed, before FROM touched WHERE isbn = ?"),
    touch: db.prepare<unknown, [number, number, string | null]>(
      "INSERT INTO touched VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET feed = excluded.feed",
    ),
    entryOf: db.prepare<EntryRow, [number]>(
      `SELECT ${ENTRY_COLUMNS} FROM record LEFT JOIN body USING (id) WHERE id = ?`,
    ),
    spellingOf: db.prepare<Spelling, [number]>("SELECT imprint, imprint_name FROM record WHERE id = ?"),
    add: db.prepare<unknown, [number, number, ...RecordColumns]>(
      "INSERT INTO record VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
    ),
    // Also where a damaged catalog has lost the one that is to be replaced.
    putBody: db.prepare<unknown, [number, Uint8Array]>("REPLACE INTO body VALUES (?, ?)"),
    replace: db.prepare<unknown, [...RecordColumns, number]>(
      `UPDATE record SET imprint = ?, imprint_name = ?, languages = ?, published = ?, reference = ?, etag = ?,
         origin = ? WHERE id = ?`,
    ),
    remove: db.prepare<unknown, [number]>("DELETE FROM record WHERE id = ?"),
    removeBody: db.prepare<unknown, [number]>("DELETE FROM body WHERE id = ?"),
  };
}

/** Those that need the indexes, which an import into an empty catalog does without for as long as it can. */
export function prepareIndexed(db: Database) {
  return {
    outline: db.prepare<Outline, [number]>(
      "SELECT id, etag, reference FROM record INDEXED BY record_outline WHERE isbn = ?",
    ),
    byReference: db.prepare<{ isbn: number }, [string]>(
      "SELECT isbn FROM record INDEXED BY record_by_reference WHERE reference = ? ORDER BY isbn LIMIT 100",
    ),
    untouched: db.prepare<{ isbn: number; etag: string }, [number, number]>(
      `SELECT isbn, etag FROM record INDEXED BY record_outline
       WHERE isbn > ? AND id > ? AND isbn NOT IN (SELECT isbn FROM touched) ORDER BY isbn LIMIT 1000`,
    ),
  };
}
