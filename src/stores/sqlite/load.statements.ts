/** What an import says to SQLite. */
import type { Database } from "bun:sqlite";
import { ENTRY_COLUMNS, type EntryRow } from "./rows.ts";

export interface OldRow {
  readonly etag: string;
  readonly imprint: string | null;
  readonly imprint_name: string | null;
}

export type Statements = ReturnType<typeof prepareLoad>;

export function prepareLoad(db: Database) {
  return {
    catalog: db.prepare<{ revision: string; records: number }, []>("SELECT revision, records FROM catalog"),
    commit: db.prepare<unknown, [string, number, string]>(
      "UPDATE catalog SET revision = ?, records = ?, imported = ?",
    ),
    outline: db.prepare<{ etag: string; reference: string }, [number]>(
      "SELECT etag, reference FROM record INDEXED BY record_outline WHERE isbn = ?",
    ),
    touched: db.prepare<{ feed: number; before: string | null }, [number]>(
      "SELECT feed, before FROM touched WHERE isbn = ?",
    ),
    entry: db.prepare<EntryRow, [number]>(`SELECT ${ENTRY_COLUMNS} FROM record WHERE isbn = ?`),
    imprint: db.prepare<OldRow, [number]>("SELECT etag, imprint, imprint_name FROM record WHERE isbn = ?"),
    byReference: db.prepare<{ isbn: number }, [string]>(
      "SELECT isbn FROM record WHERE reference = ? ORDER BY isbn LIMIT 100",
    ),
    put: db.prepare<
      unknown,
      [number, string | null, string | null, string, number | null, string, string, string, Uint8Array]
    >(
      `INSERT INTO record (${ENTRY_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT DO UPDATE SET imprint = excluded.imprint, imprint_name = excluded.imprint_name,
         languages = excluded.languages, published = excluded.published, reference = excluded.reference,
         etag = excluded.etag, origin = excluded.origin, body = excluded.body`,
    ),
    remove: db.prepare<unknown, [number]>("DELETE FROM record WHERE isbn = ?"),
    touch: db.prepare<unknown, [number, number, string | null]>(
      "INSERT INTO touched VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET feed = excluded.feed",
    ),
    untouched: db.prepare<{ isbn: number; etag: string }, [number]>(
      `SELECT isbn, etag FROM record INDEXED BY record_outline
       WHERE isbn > ? AND isbn NOT IN (SELECT isbn FROM touched) ORDER BY isbn LIMIT 1000`,
    ),
  };
}
