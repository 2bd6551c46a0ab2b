import type { SQL } from "bun";
import { type ImportRun, KEPT_IMPORT_RUNS } from "../../catalog/import-run.ts";
import type { Stats } from "../../catalog/store.ts";
import {
  IMPORT_RUN_COLUMNS,
  type ImportRunRow,
  importRunFromRow,
  importRunToColumns,
} from "../import-run-row.ts";

/** One statement, so that it is a transaction of its own where none is open. */
const ADD_RUN = `
  WITH pruned AS (
    DELETE FROM colophon.import_run
    WHERE place NOT IN (SELECT place FROM colophon.import_run ORDER BY place DESC LIMIT ${KEPT_IMPORT_RUNS - 1})
      AND place IS DISTINCT FROM (SELECT max(place) FROM colophon.import_run WHERE outcome <> 'failed')
  )
  INSERT INTO colophon.import_run (${IMPORT_RUN_COLUMNS}) VALUES ($1, $2, $3, $4, $5, $6)`;

/** Reads the last run, and the last one that was applied. Both rows are the same when the last one was applied. */
export const LAST_RUNS = `
  (SELECT ${IMPORT_RUN_COLUMNS} FROM colophon.import_run ORDER BY place DESC LIMIT 1)
  UNION ALL
  (SELECT ${IMPORT_RUN_COLUMNS} FROM colophon.import_run WHERE outcome <> 'failed' ORDER BY place DESC LIMIT 1)`;

/** The id of the last import that was applied: no row before the first. */
export const SELECT_LAST_IMPORT =
  "SELECT id FROM colophon.import_run WHERE outcome <> 'failed' ORDER BY place DESC LIMIT 1";

/** Adds a run, and removes those that are too old. */
export async function addImportRun(sql: Pick<SQL, "unsafe">, run: ImportRun): Promise<void> {
  await sql.unsafe(ADD_RUN, importRunToColumns(run));
}

export function lastImports(rows: readonly ImportRunRow[]): Pick<Stats, "lastImport" | "lastApplied"> {
  const [lastImport, lastApplied] = rows.map(importRunFromRow);
  if (lastImport?.outcome !== "failed") return { lastImport, lastApplied: lastImport };
  return { lastImport, lastApplied };
}
