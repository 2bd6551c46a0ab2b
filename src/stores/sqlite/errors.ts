/** Result codes of SQLite and of the operating system, and their translation into messages for operators. */
import { dirname } from "node:path";
import { StoreError } from "../../catalog/store-errors.ts";
import type { FileFormat } from "./schema.ts";

/** Returns SQLite's or the system's code of an error. Is empty when it has none. */
export function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}

/** Returns whether another connection holds the lock. */
export function isBusy(error: unknown): boolean {
  return codeOf(error).startsWith("SQLITE_BUSY");
}

export function damagedFile(path: string): StoreError {
  return new StoreError(`${path} is damaged; restore a backup, or import the feeds into a new file.`);
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
  if (/^(EACCES|EPERM|EROFS|SQLITE_CANTOPEN|SQLITE_READONLY|SQLITE_PERM|SQLITE_AUTH)/.test(code)) {
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
