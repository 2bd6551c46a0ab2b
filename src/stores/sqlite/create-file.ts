/** Creates a database file atomically: no process ever finds a half-written file under its name. */
import { Database } from "bun:sqlite";
import { closeSync, existsSync, fsyncSync, linkSync, mkdirSync, openSync, renameSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { formatNumber } from "../format.ts";
import { codeOf } from "./errors.ts";
import type { FileFormat } from "./schema.ts";

/**
 * Creates the file. When two processes start at once, one of the files is published and both use it. `publish` gives
 * the finished file its name.
 */
export function createFile(
  path: string,
  format: FileFormat,
  mode: number,
  publish: typeof publishFile = publishFile,
): void {
  mkdirSync(dirname(path), { recursive: true });
  const temporary = temporaryPathFor(path);
  try {
    // SQLite has no option for the mode. It gives the mode of this file to -wal and -shm.
    closeSync(openSync(temporary, "wx", mode));
    const db = new Database(temporary, { readwrite: true, create: false });
    try {
      db.run(`PRAGMA page_size = ${format.pageSize}`);
      // Without a write-ahead log, the commit fails when the data cannot be written to the disk.
      createTables(db, format);
    } finally {
      db.close();
    }
    publish(temporary, path);
    // The name must survive a power cut, as must the import that follows.
    syncToDisk(dirname(path));
  } catch (error) {
    if (codeOf(error) !== "EEXIST" || !existsSync(path)) throw error;
  } finally {
    removeTemporary(temporary);
  }
}

function createTables(db: Database, format: FileFormat): void {
  db.transaction(() => {
    db.run(format.schema);
    db.run(`PRAGMA application_id = ${format.applicationId}`);
    db.run(`PRAGMA user_version = ${formatNumber(format)}`);
  })();
}

/** Writes a file, or the names in a folder, to the disk (fsync). */
export function syncToDisk(path: string): void {
  if (process.platform === "win32") return;
  const file = openSync(path, "r");
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** Returns the path of a file while it is being written. */
export function temporaryPathFor(path: string): string {
  const suffix = Buffer.from(crypto.getRandomValues(new Uint8Array(6))).toString("hex");
  return join(dirname(path), `.${basename(path)}.${suffix}.unfinished`);
}

/** Removes a temporary database file and its rollback journal. */
export function removeTemporary(path: string): void {
  for (const suffix of ["", "-journal"]) rmSync(path + suffix, { force: true });
}

/**
 * Gives a finished file its name. Throws EEXIST when the name is taken: unlike a rename, a hard link never replaces
 * a file. File systems without hard links get a rename.
 */
export function publishFile(temporary: string, path: string): void {
  try {
    linkSync(temporary, path);
    rmSync(temporary);
  } catch (error) {
    if (!/^(EPERM|ENOTSUP|EOPNOTSUPP|ENOSYS|EMLINK)$/.test(codeOf(error))) throw error;
    if (existsSync(path)) throw Object.assign(new Error(`${path} already exists`), { code: "EEXIST" });
    renameSync(temporary, path);
  }
}
