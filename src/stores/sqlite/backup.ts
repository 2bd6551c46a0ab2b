/** Copies an embedded store at one point in time, while other processes read it and import into it. */
import { chmodSync, closeSync, existsSync, openSync, rmSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { StoreError } from "../../catalog/store-errors.ts";
import { openDatabase } from "./connection.ts";
import { publishFile, removeTemporary, syncToDisk, temporaryPathFor } from "./create-file.ts";
import { codeOf } from "./errors.ts";
import { CATALOG, type FileFormat, TOKENS } from "./schema.ts";

const CACHE_KIB = 16 * 1024;

/** A finished copy under temporary names, so that it can be checked before it is published. */
interface BackupCopy {
  /** The path of the copied catalog. */
  readonly catalog: string;
  /** Gives the files their names: first the tokens, so that a catalog under its name is complete. */
  publish(): void;
  /** Removes all files of the copy. */
  discard(): void;
}

/**
 * Copies the catalog, then the token registry, which therefore has every revocation up to now. The secret is not
 * copied. Throws `StoreError`.
 */
export function copySqlite(from: string, to: string): BackupCopy {
  const catalog: CopiedFile = { from, to, temporary: temporaryPathFor(to), format: CATALOG, mode: undefined };
  const files = [catalog];
  const tokens = { from: `${from}.tokens`, to: `${to}.tokens` };
  for (const path of [to, tokens.to]) requireUnusedPath(path);
  const discard = () => {
    for (const { temporary } of files) removeTemporary(temporary);
  };
  try {
    copyFile(catalog);
    if (existsSync(tokens.from)) {
      const registry = { ...tokens, temporary: temporaryPathFor(tokens.to), format: TOKENS, mode: 0o600 };
      files.unshift(registry);
      copyFile(registry);
    }
  } catch (error) {
    discard();
    throw toBackupError(error, to);
  }
  return { catalog: catalog.temporary, publish: () => publish(files, discard, to), discard };
}

interface CopiedFile {
  readonly from: string;
  readonly to: string;
  readonly temporary: string;
  readonly format: FileFormat;
  /** Default: the mode of the original. */
  readonly mode: number | undefined;
}

/** VACUUM INTO reads one state without blocking other connections, and leaves out free pages. */
function copyFile({ from, temporary, format, mode }: CopiedFile): void {
  const { db } = openDatabase(from, format, { create: false, readonly: true }, CACHE_KIB);
  try {
    // SQLite has no option for the mode of the file.
    closeSync(openSync(temporary, "wx", 0o600));
    db.run("VACUUM INTO ?", [temporary]);
    chmodSync(temporary, mode ?? statSync(from).mode & 0o777);
    syncToDisk(temporary);
  } finally {
    db.close();
  }
}

function publish(files: readonly CopiedFile[], discard: () => void, to: string): void {
  const published: string[] = [];
  try {
    for (const file of files) {
      publishFile(file.temporary, file.to);
      published.push(file.to);
    }
    syncToDisk(dirname(to));
  } catch (error) {
    for (const path of published) rmSync(path, { force: true });
    throw toBackupError(error, to);
  } finally {
    discard();
  }
}

function requireUnusedPath(path: string): void {
  const found = statOf(path);
  if (found?.isDirectory()) throw new StoreError(`${path} is a folder; name a file in it for the backup.`);
  if (found) throw alreadyExists(path);
}

function statOf(path: string) {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch (error) {
    throw toBackupError(error, path);
  }
}

function alreadyExists(path: string): StoreError {
  return new StoreError(`${path} already exists, and a backup replaces nothing; name another file.`);
}

function toBackupError(error: unknown, to: string): unknown {
  const code = codeOf(error);
  if (error instanceof StoreError || code === "") return error;
  const cause = (error as Error).message;
  if (code === "EEXIST") return alreadyExists(to);
  if (code.startsWith("SQLITE_CORRUPT")) {
    return new StoreError(
      `the catalog is damaged and was not backed up (${cause}); "colophon verify" lists all damage.`,
    );
  }
  return new StoreError(
    `the backup ${to} cannot be written (${cause}); nothing is left of it. Name a file in a folder that this user may write, on a disk with space.`,
  );
}
