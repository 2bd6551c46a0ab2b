/**
 * The files that SQLite puts beside a database: write-ahead log, its index, rollback journal. Nothing in them names the
 * database. When another database file is moved over the first one, SQLite applies the old log to the new file, which
 * damages it (https://www.sqlite.org/howtocorrupt.html, 1.4).
 *
 * So a small file, `catalog.db-owner`, records which database the side files belong to. A side file that it assigns to
 * another database is removed before SQLite reads it. Processes that still use the old database have its files open
 * and are not disturbed.
 */
import { Database } from "bun:sqlite";
import { readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { StoreError } from "../../../catalog/store-errors.ts";
import { publishFile, temporaryPathFor } from "../create-file.ts";

const SUFFIXES = ["-wal", "-shm", "-journal"] as const;
type Suffix = (typeof SUFFIXES)[number];

/** The identities of a database and of its side files. */
type Owner = { readonly database: FileIdentity } & { readonly [suffix in Suffix]?: FileIdentity };

const LOCK_TIMEOUT_MS = 5000;

/**
 * Removes the side files of another database. Must be called before the first read of a connection, which opens them.
 * Throws `StoreError` when they may not be removed.
 */
export function removeForeignSideFiles(path: string, readonly: boolean): void {
  // SQLite is about to create them, and a file system may give a new file the identity of a deleted one.
  if (!hasSideFiles(path)) ignoreErrors(() => rmSync(ownerPath(path), { force: true }));
  else if (foreignSideFiles(path).length > 0) {
    if (readonly) throw foreignLog(path);
    withLock(path, () => {
      // Another process may have removed them meanwhile, and may be using its own.
      const foreign = foreignSideFiles(path);
      for (const suffix of foreign) setAside(path, suffix);
      if (foreign.length > 0) rmSync(ownerPath(path), { force: true });
    });
  }
}

/**
 * Records that the side files belong to the database, after SQLite has opened them. `database` is the identity of the
 * open file. Does nothing in a folder without write permission.
 */
export function recordSideFiles(path: string, database: FileIdentity): void {
  const sideFiles = SUFFIXES.map((suffix) => [suffix, lastingIdentityOf(path + suffix)] as const).filter(
    ([, found]) => found !== undefined,
  );
  if (sideFiles.length === 0) return;
  const owner: Owner = { database, ...Object.fromEntries(sideFiles) };
  // The database was replaced a moment ago: it is not known whose side files these are.
  if (lastingIdentityOf(path) !== database) return;
  const text = `${JSON.stringify(owner)}\n`;
  if (text === readText(ownerPath(path))) return;
  ignoreErrors(() => {
    const temporary = temporaryPathFor(ownerPath(path));
    try {
      writeFileSync(temporary, text, { flag: "wx", mode: statSync(path).mode & 0o777 });
      renameSync(temporary, ownerPath(path));
    } catch (error) {
      rmSync(temporary, { force: true });
      throw error;
    }
  });
}

/** Gives a new database its name, and removes what is left beside it of one that was deleted. */
export function publishAlone(temporary: string, path: string): void {
  if (!hasSideFiles(path)) {
    publishFile(temporary, path);
    return;
  }
  withLock(path, () => {
    // Another process may have published its file meanwhile, and may be using it.
    if (!exists(path)) for (const suffix of SUFFIXES) setAside(path, suffix);
    publishFile(temporary, path);
  });
}

function hasSideFiles(path: string): boolean {
  return SUFFIXES.some((suffix) => exists(path + suffix));
}

function foreignSideFiles(path: string): readonly Suffix[] {
  const owner = readOwner(path);
  if (owner === undefined || owner.database === lastingIdentityOf(path)) return [];
  // A side file with another identity was put there together with the database.
  return SUFFIXES.filter(
    (suffix) => owner[suffix] !== undefined && owner[suffix] === lastingIdentityOf(path + suffix),
  );
}

/** A log with content may be wanted: the database that it belongs to may have been moved elsewhere. */
function setAside(path: string, suffix: Suffix): void {
  const file = path + suffix;
  const found = statSync(file, { throwIfNoEntry: false });
  if (found === undefined) return;
  if (suffix === "-shm" || found.size === 0) rmSync(file, { force: true });
  else renameSync(file, `${file}.replaced`);
}

/**
 * The lock ends with its process, so a crash leaves nothing that blocks the next one. Its empty file stays: a process
 * may be waiting for it.
 */
function withLock(path: string, task: () => void): void {
  const lock = new Database(`${ownerPath(path)}.lock`, { readwrite: true, create: true });
  try {
    lock.run(`PRAGMA busy_timeout = ${LOCK_TIMEOUT_MS}`);
    lock.run("BEGIN EXCLUSIVE");
    task();
  } finally {
    lock.close();
  }
}

function foreignLog(path: string): StoreError {
  return new StoreError(
    `${path} was replaced, and ${path}-wal beside it belongs to the old file; open it once for writing ("colophon stats" does), which removes that log.`,
  );
}

function ownerPath(path: string): string {
  return `${path}-owner`;
}

/** Returns undefined when there is no such file, or when a power cut has left a part of it. */
function readOwner(path: string): Owner | undefined {
  try {
    const owner = JSON.parse(readText(ownerPath(path)) ?? "") as Owner;
    return typeof owner?.database === "string" ? owner : undefined;
  } catch {
    return undefined;
  }
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}

function exists(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false }) !== undefined;
}

/** The record only protects; without write permission, the database can be used without it. */
function ignoreErrors(task: () => void): void {
  try {
    task();
  } catch {}
}

/** Tells a file from another one under the same path. */
export type FileIdentity = string & { readonly identity: never };

/** Returns undefined when there is no file. Two open files never have the same identity. */
export function identityOf(path: string): FileIdentity | undefined {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false });
  return found && (`${found.dev}:${found.ino}` as FileIdentity);
}

/**
 * Returns an identity that can be written to a file. Device numbers change when the machine restarts, and the inode
 * number of a deleted file is used again, so it consists of the inode number and the time of creation. File systems
 * without that time have 0.
 */
export function lastingIdentityOf(path: string): FileIdentity | undefined {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false });
  return found && (`${found.ino}:${found.birthtimeNs}` as FileIdentity);
}
