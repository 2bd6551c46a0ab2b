/** What a file says of itself, and the switch to a write-ahead log, which is stored in its header. */
import type { Database } from "bun:sqlite";
import { StoreError } from "../../catalog/store-errors.ts";
import { isBusy } from "./errors.ts";

/** Tells the kind of a file. */
export interface FileHeader {
  readonly applicationId: number;
  readonly isEmpty: boolean;
  readonly pageSize: number;
}

/** Reads the header in one transaction, because another process may be creating the file at this moment. */
export function readHeader(db: Database): FileHeader {
  db.run("BEGIN");
  try {
    const applicationId = queryValue<number>(db, "PRAGMA application_id");
    const number = queryValue<number>(db, "PRAGMA user_version");
    const tables = queryValue<number>(db, "SELECT count(*) FROM sqlite_schema");
    const pageSize = queryValue<number>(db, "PRAGMA page_size");
    const isEmpty = applicationId === 0 && number === 0 && tables === 0;
    return { applicationId, pageSize, isEmpty };
  } finally {
    if (db.inTransaction) db.run("ROLLBACK");
  }
}

/** Reads the number of the format of a file of ours. */
export function readFormat(db: Database): number {
  return queryValue<number>(db, "PRAGMA user_version");
}

/** The attempts to switch to WAL mode: 500 times 20 ms are 10 seconds. */
const WAL_ATTEMPTS = 500;
const WAL_RETRY_MS = 20;

/**
 * Switches a file to write-ahead logging, where readers and an import do not block each other. The mode is stored in
 * the file, so this concerns new files. SQLite's busy timeout does not cover the switch, hence the retries.
 */
export function enableWriteAheadLog(db: Database, path: string): void {
  for (let attempt = 0; queryValue<string>(db, "PRAGMA journal_mode") !== "wal"; attempt++) {
    try {
      if (queryValue<string>(db, "PRAGMA journal_mode = WAL") === "wal") return;
    } catch (error) {
      if (!isBusy(error) || attempt === WAL_ATTEMPTS) throw error;
      Bun.sleepSync(WAL_RETRY_MS);
      continue;
    }
    throw new StoreError(
      `The file system of ${path} cannot share memory between processes (is it a network drive?); move the file to a local disk.`,
    );
  }
}

function queryValue<T extends number | string>(db: Database, sql: string): T {
  using statement = db.prepare<Record<string, T>, []>(sql);
  return Object.values(statement.get()!)[0]!;
}
