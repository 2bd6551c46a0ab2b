import type { Database } from "bun:sqlite";
import { StoreError } from "../../catalog/store-errors.ts";
import { isBusy } from "./errors.ts";
import type { FileFormat } from "./schema.ts";

/** The kind and the format of a file, from its header. */
export interface FileHeader {
  readonly applicationId: number;
  readonly version: number;
  readonly isEmpty: boolean;
  readonly pageSize: number;
}

/** Reads the header in one transaction, because another process may be creating the file at this moment. */
export function readHeader(db: Database): FileHeader {
  db.run("BEGIN");
  try {
    const applicationId = queryValue<number>(db, "PRAGMA application_id");
    const version = queryValue<number>(db, "PRAGMA user_version");
    const tables = queryValue<number>(db, "SELECT count(*) FROM sqlite_schema");
    const pageSize = queryValue<number>(db, "PRAGMA page_size");
    return {
      applicationId,
      version,
      pageSize,
      isEmpty: applicationId === 0 && version === 0 && tables === 0,
    };
  } finally {
    if (db.inTransaction) db.run("ROLLBACK");
  }
}

/** Applies the migrations that a file lacks. When two processes start at once, the second waits for the first. */
export function migrate(db: Database, format: FileFormat): void {
  db.run("BEGIN IMMEDIATE");
  try {
    const version = queryValue<number>(db, "PRAGMA user_version");
    for (const migration of format.migrations.slice(version)) {
      if (typeof migration === "string") db.run(migration);
      else migration(db);
    }
    db.run(`PRAGMA application_id = ${format.applicationId}`);
    db.run(`PRAGMA user_version = ${Math.max(version, format.migrations.length)}`);
    db.run("COMMIT");
  } catch (error) {
    if (db.inTransaction) db.run("ROLLBACK");
    throw error;
  }
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
