import type { SQL } from "bun";
import { type ImportDetails, NO_DETAILS } from "../../../catalog/history/import-details.ts";
import { type ImportRun, KEPT_IMPORT_RUNS } from "../../../catalog/import-run.ts";
import type { Stats } from "../../../catalog/store.ts";
import {
  FEED_COLUMNS,
  HISTORY_COLUMNS,
  historyToColumns,
  IMPORT_RUN_COLUMNS,
  type ImportRunRow,
  importRunFromRow,
} from "../../import-run-row.ts";

/** Takes the number of an import that begins. No other transaction sees the row before the commit completes it. */
export const BEGIN_RUN = `
  INSERT INTO colophon.import_run (id, started, ended, outcome, counts)
  VALUES (gen_random_uuid()::text, '', '', 'running', '{}') RETURNING number`;

const VALUES = "$1, $2, $3, $4, $5, $6, $7::bigint, $8, $9, $10::integer, $11::integer, $12::integer, $13";

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

const ADD_RUN = addFeeds(
  `INSERT INTO colophon.import_run (${HISTORY_COLUMNS}) VALUES (${VALUES}) RETURNING number`,
);
const COMPLETE_RUN = addFeeds(
  `UPDATE colophon.import_run SET place = DEFAULT, (${HISTORY_COLUMNS}) = ROW (${VALUES})
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

/** Adds the run of a failed import. */
export async function addImportRun(
  sql: Pick<SQL, "unsafe">,
  run: ImportRun,
  details: ImportDetails = NO_DETAILS,
): Promise<void> {
  await sql.unsafe(ADD_RUN, [...historyToColumns(run, details), JSON.stringify(details.feeds)]);
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
