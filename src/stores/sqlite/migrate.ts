import type { Database } from "bun:sqlite";
import { StoreError } from "../../catalog/store-error.ts";
import { isBusy } from "./errors.ts";
import type { FileFormat } from "./schema.ts";

/** What a file says of itself. */
export interface FileHeader {
  readonly application: number;
  readonly version: number;
  readonly empty: boolean;
  readonly pageSize: number;
}

/** Read in one transaction: another process may be making the file at this moment. */
export function readHeader(db: Database): FileHeader {
  db.run("BEGIN");
  try {
    const application = one<number>(db, "PRAGMA application_id");
    const version = one<number>(db, "PRAGMA user_version");
    const tables = one<number>(db, "SELECT count(*) FROM sqlite_schema");
    const pageSize = one<number>(db, "PRAGMA page_size");
    return { application, version, pageSize, empty: application === 0 && version === 0 && tables === 0 };
  } finally {
    if (db.inTransaction) db.run("ROLLBACK");
  }
}

/** Brings a file to the format. Of two processes that start at once one does it, and the other waits. */
export function migrate(db: Database, format: FileFormat): void {
  db.run("BEGIN IMMEDIATE");
  try {
    const version = one<number>(db, "PRAGMA user_version");
    for (const sql of format.migrations.slice(version)) db.run(sql);
    db.run(`PRAGMA application_id = ${format.applicationId}`);
    db.run(`PRAGMA user_version = ${Math.max(version, format.migrations.length)}`);
    db.run("COMMIT");
  } catch (error) {
    if (db.inTransaction) db.run("ROLLBACK");
    throw error;
  }
}

/**
 * With a write-ahead log readers and an import do not wait for each other. The file remembers it, so this is
 * for a new file. SQLite does not wait for the lock that the change takes: so it is tried again, for a while.
 */
export function useWriteAheadLog(db: Database, path: string): void {
  for (let tries = 0; one<string>(db, "PRAGMA journal_mode") !== "wal"; tries++) {
    try {
      if (one<string>(db, "PRAGMA journal_mode = WAL") === "wal") return;
    } catch (error) {
      if (!isBusy(error) || tries === 500) throw error;
      Bun.sleepSync(20);
      continue;
    }
    throw new StoreError(
      `The file system of ${path} cannot share memory between processes (a network drive?); move it to a local disk.`,
    );
  }
}

function one<T extends number | string>(db: Database, sql: string): T {
  using statement = db.prepare<Record<string, T>, []>(sql);
  return Object.values(statement.get()!)[0]!;
}
