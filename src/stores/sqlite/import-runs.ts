import type { Database } from "bun:sqlite";
import { type ImportRun, KEPT_IMPORT_RUNS } from "../../catalog/import-run.ts";
import type { Stats } from "../../catalog/store.ts";
import { StoreError } from "../../catalog/store-error.ts";
import {
  IMPORT_RUN_COLUMNS,
  type ImportRunRow,
  importRunFromRow,
  importRunToColumns,
} from "../import-run-row.ts";
import { connect, type DatabaseFile } from "./connection.ts";
import { isBusy } from "./errors.ts";

/** The id of the last import that was applied: no row before the first. */
export const SELECT_LAST_IMPORT =
  "SELECT id FROM import_run WHERE outcome <> 'failed' ORDER BY place DESC LIMIT 1";

const CACHE_KIB = 256;
/** Another import may hold the lock for minutes, and a failed one must not wait for it. */
const LOCK_TIMEOUT_MS = 2000;
const RETRY_MS = 20;

/** Adds a run within the transaction of the connection, and removes those that are too old. */
export function addImportRun(db: Database, run: ImportRun): void {
  db.run(`INSERT INTO import_run (${IMPORT_RUN_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?)`, importRunToColumns(run));
  db.run(
    `DELETE FROM import_run WHERE place <= (SELECT max(place) FROM import_run) - ${KEPT_IMPORT_RUNS}
     AND place IS NOT (SELECT max(place) FROM import_run WHERE outcome <> 'failed')`,
  );
}

/** Adds a run in a transaction of its own, which waits for another writer for a short time. */
export async function recordImportRun(file: DatabaseFile, run: ImportRun): Promise<void> {
  const db = connect(file, CACHE_KIB, 0);
  try {
    const deadlineMs = performance.now() + LOCK_TIMEOUT_MS;
    while (!tryToBegin(db)) {
      if (performance.now() >= deadlineMs)
        throw new StoreError(`Another import into ${file.path} is running.`);
      await Bun.sleep(RETRY_MS);
    }
    addImportRun(db, run);
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
      `SELECT ${IMPORT_RUN_COLUMNS} FROM import_run ${condition} ORDER BY place DESC LIMIT 1`,
    );
    const row = statement.get();
    return row === null ? undefined : importRunFromRow(row);
  };
  return { lastImport: last(""), lastApplied: last("WHERE outcome <> 'failed'") };
}

function tryToBegin(db: Database): boolean {
  try {
    db.run("BEGIN IMMEDIATE");
    return true;
  } catch (error) {
    if (isBusy(error)) return false;
    throw error;
  }
}
