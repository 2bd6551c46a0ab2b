/** Reads the history of imports, and where a book comes from. */
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
import type { Pool } from "../session/pool.ts";
import { statement } from "../session/statement.ts";

const MAX_INTEGER = 2 ** 31 - 1;

/** Returns a subquery with the first feeds of an import, as JSON. */
function feedList(limit: number): string {
  return `(SELECT coalesce(json_agg(json_build_array(${FEED_COLUMNS}) ORDER BY number), '[]')::text FROM (
      SELECT ${FEED_COLUMNS} FROM colophon.import_feed WHERE import_number = import_run.number
      ORDER BY number LIMIT ${limit}
    ) AS feed) AS feed_list`;
}

const IMPORTS = `SELECT ${KEPT_IMPORT_COLUMNS}, ${feedList(LISTED_FEEDS)} FROM colophon.import_run
  WHERE number < $1::integer ORDER BY number DESC LIMIT $2::integer`;
const IMPORT = `SELECT ${KEPT_IMPORT_COLUMNS}, complaint_list, ${feedList(SHOWN_FEEDS)} FROM colophon.import_run
  WHERE number = $1::integer`;

/** Returns a subquery with the import of a change, as JSON. */
function importOf(change: string, feed: string): string {
  return `(SELECT json_build_array(at, import_run.number, import_feed.name, import_feed.sender)::text
    FROM colophon.change_run
    LEFT JOIN colophon.import_run ON import_run.number = change_run.number
    LEFT JOIN colophon.import_feed ON import_feed.import_number = import_run.number AND import_feed.number = ${feed}
    WHERE change_run.number = ${change})`;
}

const ORIGIN = `SELECT (SELECT key FROM colophon.sender WHERE sender.id = record.sender) AS sender, reference, changed,
    added, blocks, ${importOf("record.added", "record.added_feed")} AS added_by,
    ${importOf("record.changed", "record.feed")} AS changed_by
  FROM colophon.record WHERE isbn = $1::bigint`;

export async function readImports(
  pool: Pool,
  before: number | undefined,
  limit: number,
): Promise<readonly KeptImport[]> {
  const rows = await pool.query<KeptImportRow>(statement(IMPORTS), [before ?? MAX_INTEGER, limit]);
  return rows.map(keptImportFromRow);
}

export async function readImport(pool: Pool, number: number): Promise<KeptImportDetails | undefined> {
  if (number > MAX_INTEGER) return undefined;
  const [row] = await pool.query<KeptImportDetailsRow>(statement(IMPORT), [number]);
  return row && keptImportDetailsFromRow(row);
}

export async function readOrigin(pool: Pool, isbn: Isbn13): Promise<BookOrigin | undefined> {
  const [row] = await pool.query<OriginRow>(statement(ORIGIN), [isbn]);
  return row && bookOriginFromRow(isbn, row);
}
