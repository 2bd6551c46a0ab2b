/** Writes and reads the history of imports, and reads where a book comes from. */
import type { SQL } from "bun";
import { type ImportDetails, NO_DETAILS } from "../../../catalog/history/import-details.ts";
import {
  type BookOrigin,
  type ImportFilter,
  type KeptImport,
  type KeptImportDetails,
  LISTED_FEEDS,
  SHOWN_FEEDS,
} from "../../../catalog/history/import-history.ts";
import { type ImportRun, KEPT_IMPORT_RUNS } from "../../../catalog/import-run.ts";
import { TOTALS } from "../../../catalog/quality/book-counts.ts";
import type { Stats } from "../../../catalog/store.ts";
import type { Isbn13 } from "../../../onix/isbn.ts";
import {
  bookOriginFromRow,
  FEED_COLUMNS,
  HISTORY_COLUMNS,
  historyToColumns,
  IMPORT_RUN_COLUMNS,
  type ImportRunRow,
  importRunFromRow,
  KEPT_IMPORT_COLUMNS,
  type KeptImportDetailsRow,
  type KeptImportRow,
  keptImportDetailsFromRow,
  keptImportFromRow,
  type OriginRow,
} from "../../history-rows.ts";
import { countKey } from "../import/count-writer.ts";
import type { Pool } from "../session/pool.ts";
import { statement } from "../session/statement.ts";

/** Takes the number of an import that begins. No other transaction sees the row before the commit completes it. */
export const BEGIN_RUN = `
  INSERT INTO colophon.import_run (id, started, ended, outcome, counts)
  VALUES (gen_random_uuid()::text, '', '', 'running', '{}') RETURNING number`;

const TOTAL_KEYS = [...TOTALS.values()].map((value) => `'${countKey(["total", value])}'`);
const COLUMNS = `${HISTORY_COLUMNS}, quality`;
const VALUES = `$1, $2, $3, $4, $5, $6, $7::bigint, $8, $9, $10::integer, $11::integer, $12::integer, $13,
  CASE WHEN $4 <> 'failed' THEN (SELECT coalesce(json_object_agg(value, books), '{}')::text FROM colophon.book_count
    WHERE key IN (${TOTAL_KEYS})) END`;

/**
 * Adds the feeds of the run that `run` names, and removes what is too old. One statement, so that it is a transaction of
 * its own where none is open.
 */
const addFeeds = (run: string) => `
  WITH run AS (${run}),
  added AS (
    INSERT INTO colophon.import_feed (import_number, ${FEED_COLUMNS})
    SELECT run.number, feed.* FROM run, jsonb_to_recordset($14::text::jsonb)
      AS feed (number INTEGER, name TEXT, sha256 TEXT, bytes BIGINT, sender TEXT, sent TEXT, "messageNumber" TEXT)
  ),
  pruned AS (
    DELETE FROM colophon.import_run USING run
    WHERE import_run.number <= run.number - ${KEPT_IMPORT_RUNS} AND place IS DISTINCT FROM
      (SELECT max(place) FROM colophon.import_run WHERE outcome NOT IN ('failed', 'running'))
    RETURNING import_run.number
  )
  DELETE FROM colophon.import_feed WHERE import_number IN (SELECT number FROM pruned)`;

const ADD_RUN = addFeeds(`INSERT INTO colophon.import_run (${COLUMNS}) VALUES (${VALUES}) RETURNING number`);
const ADD_NUMBERED_RUN =
  addFeeds(`INSERT INTO colophon.import_run (number, ${COLUMNS}) OVERRIDING SYSTEM VALUE
  VALUES ($15::integer, ${VALUES}) RETURNING number`);
const COMPLETE_RUN = addFeeds(
  `UPDATE colophon.import_run SET place = DEFAULT, (${COLUMNS}) = ROW (${VALUES})
   WHERE number = $15::integer RETURNING number`,
);

export const APPLIED_FEEDS = `
  SELECT sha256, max(import_number) AS number
  FROM colophon.import_feed JOIN colophon.import_run ON import_run.number = import_number
  WHERE sha256 = ANY ($1::text[]) AND outcome <> 'failed' GROUP BY sha256`;

/** Reads the last run, and the last one that was applied. Both rows are the same when the last one was applied. */
export const LAST_RUNS = `
  (SELECT ${IMPORT_RUN_COLUMNS} FROM colophon.import_run ORDER BY place DESC LIMIT 1)
  UNION ALL
  (SELECT ${IMPORT_RUN_COLUMNS} FROM colophon.import_run WHERE outcome <> 'failed' ORDER BY place DESC LIMIT 1)`;

/** The id of the last import that was applied: no row before the first. */
export const SELECT_LAST_IMPORT =
  "SELECT id FROM colophon.import_run WHERE outcome <> 'failed' ORDER BY place DESC LIMIT 1";

/** Adds the run of a failed import, with the number that it took when it began, if it has begun. */
export async function addImportRun(
  sql: Pick<SQL, "unsafe">,
  run: ImportRun,
  details: ImportDetails = NO_DETAILS,
  number?: number,
): Promise<void> {
  const values = [...historyToColumns(run, details), JSON.stringify(details.feeds)];
  if (number === undefined) await sql.unsafe(ADD_RUN, values);
  else await sql.unsafe(ADD_NUMBERED_RUN, [...values, number]);
}

/** Completes the run of an import within its transaction. */
export async function completeImportRun(
  sql: Pick<SQL, "unsafe">,
  number: number,
  run: ImportRun,
  details: ImportDetails,
  revisionAfter: string,
): Promise<void> {
  const columns = historyToColumns(run, details, revisionAfter);
  await sql.unsafe(COMPLETE_RUN, [...columns, JSON.stringify(details.feeds), number]);
}

export function lastImports(rows: readonly ImportRunRow[]): Pick<Stats, "lastImport" | "lastApplied"> {
  const [lastImport, lastApplied] = rows.map(importRunFromRow);
  if (lastImport?.outcome !== "failed") return { lastImport, lastApplied: lastImport };
  return { lastImport, lastApplied };
}

const MAX_INTEGER = 2 ** 31 - 1;

/** Returns a subquery with the first feeds of an import, as JSON. */
function feedList(limit: number): string {
  return `(SELECT coalesce(json_agg(json_build_array(${FEED_COLUMNS}) ORDER BY number), '[]')::text FROM (
      SELECT ${FEED_COLUMNS} FROM colophon.import_feed WHERE import_number = import_run.number
      ORDER BY number LIMIT ${limit}
    ) AS feed) AS feed_list`;
}

const IMPORTS = `SELECT ${KEPT_IMPORT_COLUMNS}, ${feedList(LISTED_FEEDS)} FROM colophon.import_run
  WHERE number < $1::integer AND ($3::text IS NULL OR outcome = $3::text) AND ($4::text IS NULL OR EXISTS (
      SELECT FROM colophon.import_feed WHERE import_number = import_run.number AND sender = $4::text))
  ORDER BY number DESC LIMIT $2::integer`;
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
  { outcome, sender }: ImportFilter = {},
): Promise<readonly KeptImport[]> {
  // No text of PostgreSQL has a NUL.
  if (sender?.includes("\0")) return [];
  const values = [Math.min(before ?? MAX_INTEGER, MAX_INTEGER), limit, outcome ?? null, sender ?? null];
  const rows = await pool.query<KeptImportRow>(statement(IMPORTS), values);
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
