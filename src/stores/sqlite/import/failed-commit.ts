import type { Database } from "bun:sqlite";
import { formatNumber } from "../../format.ts";
import { CATALOG } from "../schema.ts";

/** Moving a log of gigabytes into the file takes some seconds. */
const OVERWRITE_TIMEOUT_MS = 60_000;

/**
 * Overwrites a commit that failed at fsync. No reader sees it, but it is in the log, and would take effect when the log is
 * recovered after a crash. The write must change nothing, and SQLite skips a row that stays equal; so it sets the number
 * of the format.
 */
export function overwriteFailedCommit(db: Database): void {
  try {
    // Another process may be truncating the log, which also removes the commit if it succeeds.
    db.run(`PRAGMA busy_timeout = ${OVERWRITE_TIMEOUT_MS}`);
    db.run(`PRAGMA user_version = ${formatNumber(CATALOG)}`);
  } catch {
    // The fsync fails here as well, but the log is overwritten by then.
  }
}
