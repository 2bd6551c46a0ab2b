/** Opens a database file, or explains why it cannot be opened. Never writes to a file that is not a Colophon file. */
import type { Database } from "bun:sqlite";
import { existsSync, statSync } from "node:fs";
import { StoreError } from "../../catalog/store-errors.ts";
import { requireCurrent, UNRELEASED } from "../format.ts";
import { createFile } from "./create-file.ts";
import { damagedFile, toStoreError } from "./errors.ts";
import { type AccessOptions, accessTo, type FileAccess, openHandle } from "./file-access.ts";
import { enableWriteAheadLog, type FileHeader, readFormat, readHeader } from "./file-header.ts";
import {
  type FileIdentity,
  identityOf,
  lastingIdentityOf,
  publishAlone,
  recordSideFiles,
  removeForeignSideFiles,
} from "./replacement/side-files.ts";
import type { FileFormat } from "./schema.ts";

interface OpenFileOptions extends AccessOptions {
  readonly create: boolean;
  /** The permissions of a file that is created. Default: 0o666, reduced by the umask. */
  readonly mode?: number;
}

/** A database file that was opened. Further connections must find the same file under its path. */
export interface DatabaseFile {
  readonly path: string;
  readonly access: FileAccess;
  readonly identity: FileIdentity;
  /**
   * The identity of the write-ahead log. Is undefined when no connection keeps the log in place, and when there is none
   * beside an immutable file.
   */
  readonly log: FileIdentity | undefined;
}

/** Readers never wait for an import, but they may wait for another process that recovers the file after a crash. */
const BUSY_TIMEOUT_MS = 5000;

/** Opens a further connection to a file that `openDatabase` has checked. Throws `StoreError` when it was replaced. */
export function connect(file: DatabaseFile, cacheKib: number, busyTimeoutMs = BUSY_TIMEOUT_MS): Database {
  const db = openHandle(file.path, file.access);
  try {
    // The first read opens the side files, so this comes before it.
    if (!isInPlace(file)) throw replacedFile(file.path);
    if (file.log === undefined) removeForeignSideFiles(file.path, file.access !== "write");
    configure(db, cacheKib, busyTimeoutMs);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

/** Returns whether the path still leads to the open file and to its log. A log beside an immutable file tells a writer. */
export function isInPlace({ path, access, identity, log }: DatabaseFile): boolean {
  const isLogIrrelevant = log === undefined && access !== "immutable";
  return identityOf(path) === identity && (isLogIrrelevant || identityOf(`${path}-wal`) === log);
}

/** Records whose the side files are, after SQLite has created them again. */
export function recordOwner(file: DatabaseFile): void {
  const identity = lastingIdentityOf(file.path);
  if (identity !== undefined && isInPlace(file)) recordSideFiles(file.path, identity);
}

export function replacedFile(path: string): StoreError {
  return new StoreError(`${path} was replaced or removed while it was in use; try again.`);
}

/**
 * Opens the first connection to a file, and returns what further connections need. Creates the file as the options allow.
 * `checkFormat` throws `StoreError` for a format that the caller cannot use. Default: any but the current one.
 */
export function openDatabase(
  path: string,
  format: FileFormat,
  options: OpenFileOptions,
  cacheKib: number,
  checkFormat: (path: string, stored: number, format: FileFormat) => unknown = requireCurrent,
): { readonly db: Database; readonly file: DatabaseFile } {
  try {
    ensureFile(path, format, options);
    const { access, note } = accessTo(path, options);
    const isReadonly = access !== "write";
    const identity = identityOf(path);
    const lastingIdentity = lastingIdentityOf(path);
    const db = openHandle(path, access);
    try {
      // The first read opens the side files, so this comes before it.
      if (identity === undefined || lastingIdentity === undefined || identityOf(path) !== identity) {
        throw replacedFile(path);
      }
      removeForeignSideFiles(path, isReadonly);
      configure(db, cacheKib, BUSY_TIMEOUT_MS);
      requireKind(readHeader(db), path, format);
      checkFormat(path, readFormat(db), format);
      if (!isReadonly) {
        enableWriteAheadLog(db, path);
        // The first read in WAL mode registers this connection: an import now knows that the file is in use.
        readHeader(db);
      }
      recordSideFiles(path, lastingIdentity);
      const file = { path, access, identity, log: identityOf(`${path}-wal`) };
      if (note !== undefined) options.onReadonly?.(note);
      return { db, file };
    } catch (error) {
      db.close();
      throw error;
    }
  } catch (error) {
    const isNew = options.create && !existsSync(path);
    const canRead = !isNew && (options.readonly || options.onReadonly);
    throw toStoreError(error, path, format, canRead ? "read" : "write");
  }
}

/** Moves the content of the log into the file, as far as readers allow. SQLite does not when a moved file is closed. */
export function moveLogIntoFile(db: Database): void {
  try {
    db.run("PRAGMA busy_timeout = 0");
    db.run("PRAGMA wal_checkpoint(TRUNCATE)");
  } catch {
    // The file is being left, and may be on a disk that fails.
  }
}

function configure(db: Database, cacheKib: number, busyTimeoutMs: number): void {
  db.run(`PRAGMA busy_timeout = ${busyTimeoutMs}`);
  db.run(`PRAGMA cache_size = -${cacheKib}`);
  db.run("PRAGMA synchronous = FULL");
}

function ensureFile(path: string, format: FileFormat, options: OpenFileOptions): void {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found?.isDirectory()) {
    throw new StoreError(`${path} is a folder; name a file in it, such as ${path}/catalog.db.`);
  }
  if (!found && (options.readonly || !options.create)) {
    throw new StoreError(`There is no ${format.label} at ${path}; import a feed first, or correct the path.`);
  }
  if (!found) createFile(path, format, options.mode ?? 0o666, publishAlone);
}

/** Throws `StoreError` unless the file is a complete one of the kind. */
function requireKind(
  { isEmpty, applicationId, pageSize }: FileHeader,
  path: string,
  format: FileFormat,
): void {
  // Colophon never leaves an empty file behind: this one has lost its content, or belongs to another program.
  if (isEmpty) {
    throw new StoreError(
      `${path} is empty, not a ${format.label}; restore a backup, or remove the file to start with a new one.`,
    );
  }
  if (format.unreleasedIds.includes(applicationId)) requireCurrent(path, UNRELEASED, format);
  if (applicationId !== format.applicationId) {
    throw new StoreError(
      `${path} is a SQLite database, but not a Colophon ${format.label}; name another file.`,
    );
  }
  if (isTruncated(path, pageSize)) throw damagedFile(path);
}

/**
 * Returns whether the last page is incomplete; SQLite would read it as zeros. While a log or a journal exists, another
 * process may be writing that page, or may have crashed while doing so. So the size is read again after them.
 */
function isTruncated(path: string, pageSize: number): boolean {
  const size = (suffix: string) => statSync(path + suffix, { throwIfNoEntry: false })?.size ?? 0;
  const isComplete = () => size("") % pageSize === 0;
  return !isComplete() && size("-wal") === 0 && size("-journal") === 0 && !isComplete();
}
