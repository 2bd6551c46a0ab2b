/** How a database file can be opened: for writing, for reading beside others that write, or as a file that never changes. */
import { Database, constants as flags } from "bun:sqlite";
import { accessSync, constants, statSync } from "node:fs";
import { dirname } from "node:path";
import { pathToFileURL } from "node:url";
import { StoreError } from "../../catalog/store-errors.ts";
import { codeOf } from "./errors.ts";

/**
 * With `immutable`, SQLite takes no locks and reads no log, because nobody can write the file. On a file that does change
 * it reads wrong data. So it is for read-only file systems alone, and for files without a log.
 */
export type FileAccess = "write" | "read" | "immutable";

export interface AccessOptions {
  readonly readonly: boolean;
  /**
   * Is called with a sentence when the file cannot be written, and is opened for reading only. When omitted, a file that
   * cannot be written is an error, unless it is opened for reading.
   */
  readonly onReadonly?: ((note: string) => void) | undefined;
}

interface FoundAccess {
  readonly access: FileAccess;
  /** For `onReadonly`, when the file is open. */
  readonly note?: string;
}

/** Throws the error of the system when the file cannot be used, and `StoreError` when its log prevents it. */
export function accessTo(path: string, { readonly, onReadonly }: AccessOptions): FoundAccess {
  accessSync(path, constants.R_OK);
  // SQLite opens a file without write permission, and fails only at the first import.
  const denial = denialOf(path) ?? denialOf(dirname(path));
  if (denial === undefined) return { access: readonly ? "read" : "write" };
  if (!readonly && !onReadonly) throw denial;
  if (codeOf(denial) === "EROFS") {
    const note = `${path} is on a read-only file system, and is opened for reading only.`;
    return { access: accessOnReadonlyDisk(path), note };
  }
  if (readonly) return { access: "read" };
  return { access: "read", note: `${path} cannot be written by this user, and is opened for reading only.` };
}

/** Returns why a file or a folder cannot be written. */
function denialOf(path: string): unknown {
  try {
    accessSync(path, constants.W_OK);
    return undefined;
  } catch (error) {
    return error;
  }
}

/** A log and its index are there while another mount of the disk writes to the file, or after a crash: SQLite reads both. */
function accessOnReadonlyDisk(path: string): FileAccess {
  const bytes = (suffix: string) => statSync(path + suffix, { throwIfNoEntry: false })?.size;
  if (bytes("-wal") !== undefined && bytes("-shm") !== undefined) return "read";
  if (!bytes("-wal") && !bytes("-journal")) return "immutable";
  throw new StoreError(
    `${path} is on a read-only file system, and has changes in a log beside it that only a writer can read; open it once where it can be written ("colophon stats" does).`,
  );
}

/** Opens the file. Reads nothing of it. */
export function openHandle(path: string, access: FileAccess): Database {
  if (access === "write") return new Database(path, { readwrite: true, create: false });
  if (access === "read") return new Database(path, { readonly: true });
  return new Database(
    `${pathToFileURL(path).href}?immutable=1`,
    flags.SQLITE_OPEN_READONLY | flags.SQLITE_OPEN_URI,
  );
}
