/** Result codes of SQLite and of the operating system, and their translation into messages for operators. */
import { accessSync, constants } from "node:fs";
import { dirname } from "node:path";
import { StoreError } from "../../catalog/store-errors.ts";
import { isDiskFull } from "./disk-space.ts";
import type { FileFormat } from "./schema.ts";

/** Returns SQLite's or the system's code of an error. Is empty when it has none. */
export function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}

/** Returns whether another connection holds the lock. */
export function isBusy(error: unknown): boolean {
  return codeOf(error).startsWith("SQLITE_BUSY");
}

const RETRY_MS = 20;

/**
 * Repeats an attempt that does not wait by itself while another connection holds the lock, and lets other work run in
 * between. Throws `StoreError` with the message after the timeout.
 */
export async function retryWhileBusy<T>(timeoutMs: number, message: string, attempt: () => T): Promise<T> {
  for (const deadlineMs = performance.now() + timeoutMs; ; await Bun.sleep(RETRY_MS)) {
    try {
      return attempt();
    } catch (error) {
      if (!isBusy(error)) throw error;
      if (performance.now() >= deadlineMs) throw new StoreError(message);
    }
  }
}

export function damagedFile(path: string): StoreError {
  return new StoreError(`${path} is damaged; restore a backup, or import the feeds into a new file.`);
}

function isReadable(path: string): boolean {
  try {
    accessSync(path, constants.R_OK);
    return true;
  } catch {
    return false;
  }
}

/** Translates an error on opening a file. An error that an operator cannot fix is returned unchanged. */
export function toStoreError(
  error: unknown,
  path: string,
  format: FileFormat,
  access: "read" | "write",
): unknown {
  const code = codeOf(error);
  if (code === "SQLITE_NOTADB") {
    return new StoreError(`${path} is not a Colophon ${format.label} or any SQLite file; name another file.`);
  }
  if (code.startsWith("SQLITE_CORRUPT")) return damagedFile(path);
  // A first import uses a rollback journal, and rolling it back is a write.
  if (code === "SQLITE_READONLY_ROLLBACK") {
    return new StoreError(
      `An import into ${path} was interrupted; open it once for writing ("colophon stats" does), which undoes the import.`,
    );
  }
  if (code === "EROFS") {
    return new StoreError(
      `${path} is on a read-only file system; mount it so that it can be written, or use a command that only reads: serve, stats, history, verify, export.`,
    );
  }
  if (access === "read" && /^SQLITE_(CANTOPEN|READONLY)/.test(code) && isReadable(path)) {
    return new StoreError(
      `${path} can be read, but this user may not write the folder it is in, and SQLite needs ${path}-shm there to read a file that others may write; give this user the right to write the folder, or read a backup in another one.`,
    );
  }
  if (/^(EACCES|EPERM|SQLITE_CANTOPEN|SQLITE_READONLY|SQLITE_PERM|SQLITE_AUTH)/.test(code)) {
    return new StoreError(
      `${path} cannot be opened; give the user who runs this the right to ${access} it and the folder it is in.`,
    );
  }
  if (code === "ENOTDIR" || code === "EEXIST") {
    return new StoreError(
      `${dirname(path)} is not a folder, so ${path} cannot be created; name another file.`,
    );
  }
  if (/^(ENOENT|ENAMETOOLONG|ELOOP|EINVAL|ENOTSUP|ENOSYS)$/.test(code)) {
    return new StoreError(`${path} cannot be created (${(error as Error).message}); name another file.`);
  }
  // SQLite reports no full disk, but an I/O error, when it cannot create the index of the log.
  if (/^(SQLITE_IOERR_SHM|SQLITE_FULL|ENOSPC)/.test(code) && isDiskFull(path)) {
    return new StoreError(
      `${path} cannot be opened, because its disk is full; free some space, such as old backups beside it.`,
    );
  }
  if (/^(SQLITE_IOERR|SQLITE_FULL|EIO|ENOSPC|EDQUOT|EFBIG)/.test(code)) {
    return new StoreError(
      `${path} cannot be read or written (${(error as Error).message}); check the disk that it is on.`,
    );
  }
  if (isBusy(error)) {
    return new StoreError(`${path} is locked by another program; try again when that program has ended.`);
  }
  return error;
}
