/** Opens a file of a store, or says to a person why not. Never writes into a file that is not ours. */
import { Database } from "bun:sqlite";
import { accessSync, constants, statSync } from "node:fs";
import { dirname } from "node:path";
import { StoreError } from "../../catalog/store-error.ts";
import { createFile } from "./create-file.ts";
import { codeOf, isBusy } from "./errors.ts";
import { migrate, readHeader, useWriteAheadLog } from "./migrate.ts";
import type { FileFormat } from "./schema.ts";

export interface OpenOptions {
  readonly create: boolean;
  readonly readonly: boolean;
  /** Of a file that is made. */
  readonly mode?: number;
}

/** Readers never wait for an import; they may for the moment in which another process mends what a crash left. */
const BUSY_MS = 5000;

/** A connection to a file that is known to be good. `cache` is in KiB, and the most it keeps in memory. */
export function connect(path: string, readonly: boolean, cache: number, patience = BUSY_MS): Database {
  const db = new Database(path, readonly ? { readonly: true } : { readwrite: true, create: false });
  try {
    db.run(`PRAGMA busy_timeout = ${patience}`);
    db.run(`PRAGMA cache_size = -${cache}`);
    db.run("PRAGMA synchronous = FULL");
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

/** The first connection to a file: makes the file and brings it to this program's format where it must. */
export function openFile(path: string, format: FileFormat, opening: OpenOptions, cache: number): Database {
  try {
    prepare(path, format, opening);
    const db = connect(path, opening.readonly, cache);
    try {
      settle(db, path, format, opening);
      return db;
    } catch (error) {
      db.close();
      throw error;
    }
  } catch (error) {
    throw refusal(error, path, format, opening);
  }
}

function prepare(path: string, format: FileFormat, opening: OpenOptions): void {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found?.isDirectory()) {
    throw new StoreError(`${path} is a folder; name a file in it, such as ${path}/catalog.db.`);
  }
  if (!found && (opening.readonly || !opening.create)) {
    throw new StoreError(
      `There is no ${format.label} at ${path}; import a feed first, or name the file that has it.`,
    );
  }
  if (!found) createFile(path, format, opening.mode ?? 0o666);
  // SQLite would open a file that it may not write, and fail only at the first import.
  accessSync(path, opening.readonly ? constants.R_OK : constants.R_OK | constants.W_OK);
  if (!opening.readonly) accessSync(dirname(path), constants.W_OK);
}

function settle(db: Database, path: string, format: FileFormat, opening: OpenOptions): void {
  const standing = readHeader(db);
  const known = format.migrations.length;
  // We leave no file without anything in it: this one has lost what it had, or is not ours.
  if (standing.empty) {
    throw new StoreError(
      `${path} is empty, and no ${format.label}; put a copy in its place, or remove it to begin anew.`,
    );
  }
  if (standing.application !== format.applicationId) {
    throw new StoreError(
      `${path} is a SQLite database, but no ${format.label} of Colophon; name another file.`,
    );
  }
  if (isCutOff(path, standing.pageSize)) throw new StoreError(damagedText(path));
  if (standing.version > known) {
    throw new StoreError(
      `${path} was made by a newer Colophon (format ${standing.version}, this one knows ${known}); update Colophon.`,
    );
  }
  if (standing.version < format.oldestVersion) {
    throw new StoreError(
      `${path} was made by a Colophon that is too old (format ${standing.version}, this one knows ${format.oldestVersion} and later); import the feeds into a new file.`,
    );
  }
  if (opening.readonly && standing.version < known) {
    throw new StoreError(
      `${path} was made by an older Colophon; open it once for writing, which brings it up to date.`,
    );
  }
  if (opening.readonly) return;
  useWriteAheadLog(db, path);
  // The first read in the log's mode: from here on an import knows that somebody has the file open.
  readHeader(db);
  if (standing.version < known) {
    db.run("PRAGMA busy_timeout = 60000");
    migrate(db, format);
    db.run(`PRAGMA busy_timeout = ${BUSY_MS}`);
  }
}

function damagedText(path: string): string {
  return `${path} is damaged; put a copy in its place, or import the feeds into a new file.`;
}

/**
 * Whether the last page is not whole, which SQLite would read as zeros. While a log or a journal is there, somebody
 * may be writing that page, or a crash has left it to be written again; so it is looked at once more behind them.
 */
function isCutOff(path: string, pageSize: number): boolean {
  const size = (end: string) => statSync(path + end, { throwIfNoEntry: false })?.size ?? 0;
  const isWhole = () => size("") % pageSize === 0;
  return !isWhole() && size("-wal") === 0 && size("-journal") === 0 && !isWhole();
}

/** SQLite's result codes, and the system's, in words. What is not for a person to mend stays as it is. */
function refusal(error: unknown, path: string, format: FileFormat, opening: OpenOptions): unknown {
  const code = codeOf(error);
  const right = opening.readonly ? "read" : "write";
  if (code === "SQLITE_NOTADB") {
    return new StoreError(
      `${path} is no ${format.label} of Colophon, nor any SQLite file; name another file.`,
    );
  }
  if (code.startsWith("SQLITE_CORRUPT")) {
    return new StoreError(damagedText(path));
  }
  // A rollback journal, as a first import has one: to undo what it began is to write.
  if (code === "SQLITE_READONLY_ROLLBACK") {
    return new StoreError(
      `An import into ${path} was cut off; open it once for writing ("colophon stats" does), which undoes it.`,
    );
  }
  if (/^(EACCES|EPERM|EROFS|SQLITE_CANTOPEN|SQLITE_READONLY|SQLITE_PERM|SQLITE_AUTH)/.test(code)) {
    return new StoreError(
      `${path} cannot be opened; give the user who runs this the right to ${right} it and the folder it is in.`,
    );
  }
  if (code === "ENOTDIR" || code === "EEXIST") {
    return new StoreError(`${dirname(path)} is not a folder, so ${path} cannot be made; name another file.`);
  }
  if (/^(SQLITE_IOERR|SQLITE_FULL|EIO|ENOSPC|EDQUOT|EFBIG)/.test(code)) {
    return new StoreError(
      `${path} cannot be read or written (${(error as Error).message}); look after the disk it is on.`,
    );
  }
  if (isBusy(error)) {
    return new StoreError(`${path} is kept busy by another program; try again when that has ended.`);
  }
  return error;
}
