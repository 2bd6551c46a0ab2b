/** Opens the files that decide who gets in. A user who can write one can choose a key and sign tokens with it. */
import { closeSync, constants, fstatSync, openSync, type Stats } from "node:fs";
import { errorCode, KeyError } from "./key-source.ts";

interface Protection {
  /** Names the file in messages. */
  readonly source: string;
  /** Nobody but the owner may read a secret. Everybody may read a public key. */
  readonly isSecret: boolean;
}

/**
 * Opens a file for reading. Throws `KeyError` when it is not a regular file, or when other users have access that they
 * must not have. Throws the system's error when it cannot be opened. Never waits for the writer of a FIFO.
 */
export function openProtectedFile(path: string, protection: Protection): number {
  let file: number;
  try {
    // Windows has no O_NONBLOCK.
    file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  } catch (error) {
    // The code for a socket.
    if (errorCode(error) === "ENXIO") throw notRegular(protection.source);
    throw error;
  }
  try {
    check(fstatSync(file), protection);
    return file;
  } catch (error) {
    closeSync(file);
    throw error;
  }
}

function check(found: Stats, { source, isSecret }: Protection): void {
  const { mode, uid } = found;
  if (!found.isFile()) throw notRegular(source);
  const ownUid = process.getuid?.();
  if (ownUid === undefined) return;
  if (uid !== ownUid && uid !== 0) {
    throw new KeyError(
      `${source} belongs to another user (id ${uid}): give it to the user who runs Colophon with chown`,
    );
  }
  if (isSecret && (mode & 0o077) !== 0) {
    throw new KeyError(`${source} is open to other users: run chmod 600 on it`);
  }
  if ((mode & 0o022) !== 0) {
    throw new KeyError(`${source} can be changed by other users: run chmod go-w on it`);
  }
}

function notRegular(source: string): KeyError {
  return new KeyError(`${source} is not a regular file: put a file in its place, or name another one`);
}
