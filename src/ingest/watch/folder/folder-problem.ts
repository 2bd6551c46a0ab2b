/** Problems of a watched folder that an operator must solve: the thing, the cause and the fix in one sentence. */
import { accessSync, constants, statSync } from "node:fs";
import { errorMessage } from "../../../lib/error-message.ts";

export class FolderProblem extends Error {
  override readonly name = "FolderProblem";
}

/** Another process has the lock of the folder. */
export class FolderInUse extends FolderProblem {}

/** Turns an error of the system about a path into a problem. Other errors are returned unchanged. */
export function toFolderProblem(error: unknown, path: string, access: string): unknown {
  if (error instanceof FolderProblem) return error;
  const code = String((error as { code?: unknown } | undefined)?.code ?? "");
  const cause = errorMessage(error);
  if (code === "ENOENT")
    return new FolderProblem(`${path} does not exist; create it, or name another folder.`);
  if (code === "ENOTDIR")
    return new FolderProblem(`${path} is not a folder; remove it, or name another folder.`);
  if (/^(EACCES|EPERM|SQLITE_CANTOPEN|SQLITE_READONLY|SQLITE_PERM)/.test(code)) {
    return new FolderProblem(
      `${path} cannot be used (${cause}); give the user who runs this the right to ${access} it.`,
    );
  }
  if (code === "ENAMETOOLONG") return new FolderProblem(`${path} has too long a name; rename it.`);
  if (code === "EROFS") {
    return new FolderProblem(`${path} is on a read-only file system; name a folder that can be written.`);
  }
  if (/^(ENOSPC|EDQUOT|SQLITE_FULL)/.test(code)) {
    return new FolderProblem(`The disk of ${path} is full (${cause}); free space on it.`);
  }
  if (/^(EIO|ESTALE|ETIMEDOUT|EHOSTDOWN|ENOTCONN|ENXIO|SQLITE_IOERR)/.test(code)) {
    return new FolderProblem(
      `${path} cannot be read or written (${cause}); check the disk or the network file system that it is on.`,
    );
  }
  return error;
}

/** @throws {FolderProblem} when there is no such folder, or it cannot be written */
export function requireFolder(path: string): void {
  try {
    if (!statSync(path).isDirectory()) {
      throw new FolderProblem(`${path} is not a folder; name the folder that the feeds are in.`);
    }
    accessSync(path, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    throw toFolderProblem(error, path, "read and write");
  }
}
