/** What the header of a file says, and the switch to a write-ahead log, which is stored there. */
import type { Database } from "bun:sqlite";
import { StoreError } from "../../catalog/store-errors.ts";
import type { StoredFormat } from "../format.ts";
import { isBusy } from "./errors.ts";

/** The kind and the format of a file. */
export interface FileHeader {
  readonly applicationId: number;
  /** Its digest is null when the file has no table `format`. */
  readonly format: StoredFormat;
  readonly isEmpty: boolean;
  readonly pageSize: number;
}

/** Reads the header in one transaction, because another process may be creating the file at this moment. */
export function readHeader(db: Database): FileHeader {
  db.run("BEGIN");
  try {
    const applicationId = queryValue<number>(db, "PRAGMA application_id");
    const format = readFormat(db);
    const tables = queryValue<number>(db, "SELECT count(*) FROM sqlite_schema");
    const pageSize = queryValue<number>(db, "PRAGMA page_size");
    const isEmpty = applicationId === 0 && format.number === 0 && tables === 0;
    return { applicationId, format, pageSize, isEmpty };
  } finally {
    if (db.inTransaction) db.run("ROLLBACK");
  }
}

/** Reads the format within the transaction of the connection. */
export function readFormat(db: Database): StoredFormat {
  const hasDigest = queryValue<number>(db, "SELECT count(*) FROM sqlite_schema WHERE name = 'format'") > 0;
  return {
    number: queryValue<number>(db, "PRAGMA user_version"),
    digest: hasDigest ? queryValue<string | null>(db, "SELECT max(digest) FROM format") : null,
  };
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

function queryValue<T extends number | string | null>(db: Database, sql: string): T {
  using statement = db.prepare<Record<string, T>, []>(sql);
  return Object.values(statement.get()!)[0]!;
}
