/** Writes and reads the history of imports, and reads where a book comes from. */
import type { Database } from "bun:sqlite";
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
import type { Stats } from "../../../catalog/store.ts";
import type { Isbn13 } from "../../../onix/isbn.ts";
import {
  type AppliedFeedRow,
  appliedFeedsFromRows,
  bookOriginFromRow,
  FEED_COLUMNS,
  feedToColumns,
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
import { connect, type DatabaseFile } from "../connection.ts";
import { retryWhileBusy } from "../errors.ts";
import { isbnToColumn } from "../rows.ts";

/** The id of the last import that was applied: no row before the first. */
export const SELECT_LAST_IMPORT =
  "SELECT id FROM import_run WHERE outcome <> 'failed' ORDER BY number DESC LIMIT 1";

const CACHE_KIB = 256;
/** Another import may hold the lock for minutes, and a failed one must not wait for it. */
const LOCK_TIMEOUT_MS = 2000;

/** The numbers of imports and of changes are the same, so that a change leads to its import. */
const NEXT_NUMBER = `SELECT 1 + max(coalesce((SELECT max(number) FROM import_run), 0),
  coalesce((SELECT max(number) FROM change_run), 0)) AS number`;

/** One parameter for all digests: the number of parameters is limited. */
const APPLIED_FEEDS = `SELECT sha256, max(import_number) AS number
  FROM import_feed JOIN import_run ON import_run.number = import_number
  WHERE sha256 IN (SELECT value FROM json_each(?)) AND outcome <> 'failed' GROUP BY sha256`;

const QUALITY_TOTALS = "(SELECT json_group_object(value, books) FROM book_count WHERE kind = 'total')";

/** Returns the number of the import that the transaction of the connection begins or records. */
export function nextImportNumber(db: Database): number {
  using statement = db.prepare<{ number: number }, []>(NEXT_NUMBER);
  return statement.get()!.number;
}

/** Adds a run within the transaction of the connection, and removes those that are too old. */
export function addImportRun(
  db: Database,
  number: number,
  run: ImportRun,
  details: ImportDetails,
  revisionAfter?: string,
): void {
  const columns = historyToColumns(run, details, revisionAfter);
  const places = `?${", ?".repeat(columns.length)}`;
  const quality = run.outcome === "failed" ? "NULL" : QUALITY_TOTALS;
  db.run(`INSERT INTO import_run (number, ${HISTORY_COLUMNS}, quality) VALUES (${places}, ${quality})`, [
    number,
    ...columns,
  ]);
  using addFeed = db.prepare(
    `INSERT INTO import_feed (import_number, ${FEED_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  for (const feed of details.feeds) addFeed.run(number, ...feedToColumns(feed));
  removeOldRuns(db, number);
}

function removeOldRuns(db: Database, number: number): void {
  using removed = db.prepare<{ number: number }, [number]>(
    `DELETE FROM import_run WHERE number <= ?
     AND number IS NOT (SELECT max(number) FROM import_run WHERE outcome <> 'failed') RETURNING number`,
  );
  for (const row of removed.all(number - KEPT_IMPORT_RUNS)) {
    db.run("DELETE FROM import_feed WHERE import_number = ?", [row.number]);
  }
}

export function readAppliedFeeds(db: Database, sha256s: readonly string[]): ReadonlyMap<string, number> {
  using statement = db.prepare<AppliedFeedRow, [string]>(APPLIED_FEEDS);
  return appliedFeedsFromRows(statement.all(JSON.stringify(sha256s)));
}

/** Adds a run in a transaction of its own, which waits for another writer for a short time. */
export async function recordImportRun(
  file: DatabaseFile,
  run: ImportRun,
  details: ImportDetails = NO_DETAILS,
): Promise<void> {
  await inTransaction(file, LOCK_TIMEOUT_MS, (db) => addImportRun(db, nextImportNumber(db), run, details));
}

/** Writes in a transaction of its own. Rejects when another writer does not end in time. */
export async function inTransaction(
  file: DatabaseFile,
  timeoutMs: number,
  write: (db: Database) => void,
): Promise<void> {
  const db = connect(file, CACHE_KIB, 0);
  try {
    const busy = `Another import into ${file.path} is running.`;
    await retryWhileBusy(timeoutMs, busy, () => db.run("BEGIN IMMEDIATE"));
    write(db);
    db.run("COMMIT");
  } finally {
    // Closing rolls back a transaction that has failed.
    db.close();
  }
}

/** Reads the last run, and the last one that was applied. */
export function readLastImports(db: Database): Pick<Stats, "lastImport" | "lastApplied"> {
  const last = (condition: string) => {
    using statement = db.prepare<ImportRunRow, []>(
      `SELECT ${IMPORT_RUN_COLUMNS} FROM import_run ${condition} ORDER BY number DESC LIMIT 1`,
    );
    const row = statement.get();
    return row === null ? undefined : importRunFromRow(row);
  };
  return { lastImport: last(""), lastApplied: last("WHERE outcome <> 'failed'") };
}

/** Returns a subquery with the first feeds of an import, as JSON. */
function feedList(limit: number): string {
  return `(SELECT json_group_array(json_array(${FEED_COLUMNS})) FROM (
      SELECT ${FEED_COLUMNS} FROM import_feed WHERE import_number = import_run.number ORDER BY number LIMIT ${limit}
    )) AS feed_list`;
}

const IMPORTS = `SELECT ${KEPT_IMPORT_COLUMNS}, ${feedList(LISTED_FEEDS)} FROM import_run
  WHERE number < ?1 AND (?3 IS NULL OR outcome = ?3) AND (?4 IS NULL OR EXISTS (
      SELECT 1 FROM import_feed WHERE import_number = import_run.number AND sender = ?4))
  ORDER BY number DESC LIMIT ?2`;
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
    FROM record INDEXED BY record_by_isbn LEFT JOIN body USING (id) WHERE record.isbn = ?
  ) AS found`;

export function readImports(
  db: Database,
  before: number | undefined,
  limit: number,
  { outcome, sender }: ImportFilter = {},
): readonly KeptImport[] {
  using statement = db.prepare<KeptImportRow, [number, number, string | null, string | null]>(IMPORTS);
  return statement
    .all(before ?? Number.MAX_SAFE_INTEGER, limit, outcome ?? null, sender ?? null)
    .map(keptImportFromRow);
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
