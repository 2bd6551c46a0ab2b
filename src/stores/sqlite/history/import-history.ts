/** Reads the history of imports, and where a book comes from. */
import type { Database } from "bun:sqlite";
import {
  type BookOrigin,
  type KeptImport,
  type KeptImportDetails,
  LISTED_FEEDS,
  SHOWN_FEEDS,
} from "../../../catalog/history/import-history.ts";
import type { Isbn13 } from "../../../onix/isbn.ts";
import {
  bookOriginFromRow,
  KEPT_IMPORT_COLUMNS,
  type KeptImportDetailsRow,
  type KeptImportRow,
  keptImportDetailsFromRow,
  keptImportFromRow,
  type OriginRow,
} from "../../history-row.ts";
import { FEED_COLUMNS } from "../../import-run-row.ts";
import { isbnToColumn } from "../rows.ts";

/** Returns a subquery with the first feeds of an import, as JSON. */
function feedList(limit: number): string {
  return `(SELECT json_group_array(json_array(${FEED_COLUMNS})) FROM (
      SELECT ${FEED_COLUMNS} FROM import_feed WHERE import_number = import_run.number ORDER BY number LIMIT ${limit}
    )) AS feed_list`;
}

const IMPORTS = `SELECT ${KEPT_IMPORT_COLUMNS}, ${feedList(LISTED_FEEDS)} FROM import_run
  WHERE number < ? ORDER BY number DESC LIMIT ?`;
const IMPORT = `SELECT ${KEPT_IMPORT_COLUMNS}, complaint_list, ${feedList(SHOWN_FEEDS)} FROM import_run WHERE number = ?`;

/** Returns a subquery with the import of a change, as JSON. */
function importOf(change: string, feed: string): string {
  return `(SELECT json_array(at, import_run.number, import_feed.name, import_feed.sender) FROM change_run
    LEFT JOIN import_run ON import_run.number = change_run.number
    LEFT JOIN import_feed ON import_feed.import_number = import_run.number AND import_feed.number = ${feed}
    WHERE change_run.number = ${change})`;
}

const ORIGIN = `SELECT found.*, ${importOf("found.added", "found.added_feed")} AS added_by,
    ${importOf("found.changed", "found.feed")} AS changed_by
  FROM (
    SELECT (SELECT key FROM sender WHERE sender.id = record.sender) AS sender, reference, body.changed, feed,
      added_feed, blocks, (SELECT added FROM change WHERE number = body.changed AND change.isbn = record.isbn) AS added
    FROM record INDEXED BY record_outline LEFT JOIN body USING (id) WHERE record.isbn = ?
  ) AS found`;

export function readImports(db: Database, before: number | undefined, limit: number): readonly KeptImport[] {
  using statement = db.prepare<KeptImportRow, [number, number]>(IMPORTS);
  return statement.all(before ?? Number.MAX_SAFE_INTEGER, limit).map(keptImportFromRow);
}

export function readImport(db: Database, number: number): KeptImportDetails | undefined {
  using statement = db.prepare<KeptImportDetailsRow, [number]>(IMPORT);
  const row = statement.get(number);
  return row === null ? undefined : keptImportDetailsFromRow(row);
}

export function readOrigin(db: Database, isbn: Isbn13): BookOrigin | undefined {
  using statement = db.prepare<OriginRow, [number]>(ORIGIN);
  const row = statement.get(isbnToColumn(isbn));
  return row === null ? undefined : bookOriginFromRow(isbn, row);
}
