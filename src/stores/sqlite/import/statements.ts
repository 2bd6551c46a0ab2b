/** The SQL statements of an import. */
import type { Database, SQLQueryBindings } from "bun:sqlite";
import { EMPTY_REVISION } from "../../../catalog/revision.ts";
import { type EntryRow, FOUND_BY_GROUPS, FOUND_BY_NAMES, type FoundByColumns } from "../rows.ts";

/** The part of a record that an import compares with a product. */
export interface RecordOutline {
  readonly id: number;
  readonly sender: number;
  readonly reference: string;
  /** This and all that follow are null when a damaged catalog has lost the body. */
  readonly etag: string | null;
  readonly origin: string | null;
  readonly changed: number | null;
  readonly feed: number | null;
  readonly added_feed: number | null;
  readonly blocks: string | null;
}

/** A record with the id of its sender, and its summary. */
type StoredEntry = Omit<EntryRow, "sender"> & FoundByColumns & SummaryColumns;

/** All are null when a damaged catalog has lost the summary. */
export interface SummaryColumns {
  readonly summaryBody: Uint8Array;
  readonly summaryEtag: string;
}

/** A row of the temporary table `seen`. */
export interface SeenRow {
  readonly feed: number;
  /** The etag before the import; null when there was no record. */
  readonly before: string | null;
  /** The number of the record before the import (`history/change-log.ts`); null when no feed has changed it. */
  readonly changed: number | null;
  /** The import that has added the record; null unless this import has removed it. */
  readonly added: number | null;
}

/** One row for each ISBN that a feed of this import has put, marked or removed. */
export const CREATE_SEEN =
  "CREATE TEMP TABLE seen (isbn INTEGER PRIMARY KEY, feed INTEGER NOT NULL, before TEXT, changed INTEGER, added INTEGER) STRICT";

type Text = string | null;

export type ImportStatements = ReturnType<typeof prepareStatements>;
export type GroupUpdate = ReturnType<typeof prepareUpdates>[number];
export type IndexStatements = ReturnType<typeof prepareIndexStatements>;
export type ByReference = ReturnType<typeof prepareByReference>;

export function prepareStatements(db: Database) {
  return {
    catalog: db.prepare<{ revision: string; records: number }, []>("SELECT revision, records FROM catalog"),
    lastId: db.prepare<{ id: number | null }, []>("SELECT max(id) AS id FROM record"),
    updateCatalog: db.prepare<unknown, [string, number, string]>(
      "UPDATE catalog SET revision = ?, records = ?, imported = ?",
    ),
    seen: db.prepare<SeenRow, [number]>("SELECT feed, before, changed, added FROM seen WHERE isbn = ?"),
    // The etag and the numbers before the import stay with the first row that has them.
    markSeen: db.prepare<unknown, [number, number, string | null, number | null, number | null]>(
      `INSERT INTO seen VALUES (?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET feed = excluded.feed,
         changed = coalesce(changed, excluded.changed), added = coalesce(added, excluded.added)`,
    ),
    seenBefore: db.prepare<{ records: number }, []>(
      "SELECT count(*) AS records FROM seen WHERE before IS NOT NULL",
    ),
    entry: db.prepare<StoredEntry, [number]>(
      `SELECT isbn, ${FOUND_BY_NAMES}, body.etag, origin, body.body, body.checksum,
         summary.body AS summaryBody, summary.etag AS summaryEtag
       FROM record LEFT JOIN body USING (id) LEFT JOIN whole_summary AS summary USING (id) WHERE id = ?`,
    ),
    body: db.prepare<{ readonly body: Uint8Array }, [number]>("SELECT body FROM body WHERE id = ?"),
    foundBy: db.prepare<FoundByColumns, [number]>(`SELECT ${FOUND_BY_NAMES} FROM record WHERE id = ?`),
    insert: db.prepare<unknown, SQLQueryBindings[]>(
      `INSERT INTO record (id, isbn, ${FOUND_BY_NAMES}) VALUES (?, ?${", ?".repeat(FOUND_BY_NAMES.length)})`,
    ),
    // An insertion too, because a damaged catalog may have lost the body of a record that is updated. SQLite writes no
    // page when the row stays the same; REPLACE would.
    putBody: db.prepare<
      unknown,
      [number, string, string, Uint8Array, number, number | null, number | null, Text, number]
    >(
      `INSERT INTO body (id, etag, origin, body, changed, feed, added_feed, blocks, checksum)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT DO UPDATE SET etag = excluded.etag, origin = excluded.origin, body = excluded.body,
         changed = excluded.changed, feed = excluded.feed, added_feed = excluded.added_feed, blocks = excluded.blocks,
         checksum = excluded.checksum`,
    ),
    putSummary: db.prepare<unknown, [number, string, Uint8Array, number, number, number]>(
      `INSERT INTO summary (id, etag, body, shared_at, shared_from, shared_bytes) VALUES (?, ?, ?, ?, ?, ?)
       ON CONFLICT DO UPDATE SET etag = excluded.etag, body = excluded.body,
         shared_at = excluded.shared_at, shared_from = excluded.shared_from, shared_bytes = excluded.shared_bytes`,
    ),
    remove: db.prepare<unknown, [number]>("DELETE FROM record WHERE id = ?"),
    removeBody: db.prepare<unknown, [number]>("DELETE FROM body WHERE id = ?"),
    removeSummary: db.prepare<unknown, [number]>("DELETE FROM summary WHERE id = ?"),
  };
}

/** Prepares an update of each group of columns. */
export function prepareUpdates(db: Database) {
  return FOUND_BY_GROUPS.map((names) => ({
    names,
    statement: db.prepare<unknown, SQLQueryBindings[]>(
      `UPDATE record SET ${names.map((name) => `${name} = ?`)} WHERE id = ?`,
    ),
  }));
}

/** Prepares the statements that need the indexes, which an import into an empty catalog creates as late as possible. */
export function prepareIndexStatements(db: Database) {
  return {
    outline: db.prepare<RecordOutline, [number]>(
      `SELECT id, sender, reference, etag, origin, changed, feed, added_feed, blocks
       FROM record INDEXED BY record_by_isbn LEFT JOIN body USING (id) WHERE isbn = ?`,
    ),
    unseen: db.prepare<{ isbn: number; etag: string | null }, [number, number]>(
      `SELECT isbn, etag FROM record INDEXED BY record_by_isbn LEFT JOIN body USING (id)
       WHERE isbn > ? AND id > ? AND isbn NOT IN (SELECT isbn FROM seen) ORDER BY isbn LIMIT 1000`,
    ),
    unseenOfSender: db.prepare<{ records: number }, [number]>(
      `SELECT count(*) AS records FROM record INDEXED BY record_by_reference
       WHERE sender = ? AND isbn NOT IN (SELECT isbn FROM seen)`,
    ),
  };
}

/** Prepares the statement that needs the index of references. */
export function prepareByReference(db: Database) {
  return db.prepare<{ isbn: number }, [number, string]>(
    `SELECT isbn FROM record INDEXED BY record_by_reference WHERE sender = ? AND reference = ?
     ORDER BY isbn LIMIT 100`,
  );
}

/** The rows of an ISBN at one moment of an import. */
export interface CurrentState {
  readonly record: RecordOutline | undefined;
  readonly seen: SeenRow | undefined;
  /** The whole row of the record, if it has been read. */
  readonly columns?: StoredEntry;
}

export const UNKNOWN: CurrentState = { record: undefined, seen: undefined };

/** The row in `seen` has the etag before the import; without one, the record is as it was. */
export function etagBefore({ record, seen }: CurrentState): string | null {
  if (seen) return seen.before;
  return record ? etagOf(record) : null;
}

/** A record whose body is lost counts nothing in the revision. */
export function etagOf({ etag }: { readonly etag: string | null }): string {
  return etag ?? EMPTY_REVISION;
}
