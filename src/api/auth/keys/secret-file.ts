/** The secret that the service makes for itself, kept beside the embedded database. */
import {
  closeSync,
  fstatSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  unlinkSync,
  writeSync,
} from "node:fs";
import { dirname } from "node:path";
import { errorCode, KeyError } from "../errors.ts";
import { readSecret, SECRET_BYTES, writeSecret } from "./secret.ts";

export function secretFileOf(database: string): string {
  return `${database}.secret`;
}

/** The secret in the file; on the first run it is made. Of two processes that start at once, both get the same. */
export function readOrCreateSecretFile(path: string): Uint8Array<ArrayBuffer> {
  try {
    const kept = read(path);
    if (kept) return kept;
    create(path);
    return read(path) ?? vanished(path);
  } catch (error) {
    if (error instanceof KeyError) throw error;
    throw new KeyError(
      `the secret file ${path} cannot be read or made (${errorCode(error)}): give access to it, or set COLOPHON_JWT_SECRET`,
    );
  }
}

function read(path: string): Uint8Array<ArrayBuffer> | undefined {
  let file: number;
  try {
    file = openSync(path, "r");
  } catch (error) {
    if (errorCode(error) === "ENOENT") return undefined;
    throw error;
  }
  try {
    // Whoever can read it can make tokens; whoever can write it can choose it.
    if (process.platform !== "win32" && (fstatSync(file).mode & 0o077) !== 0) {
      throw new KeyError(`the secret file ${path} is open to other users: run chmod 600 on it`);
    }
    return readSecret(readFileSync(file, "utf8").trimEnd(), `the secret file ${path}`);
  } finally {
    closeSync(file);
  }
}

/** Written aside, then linked: the name appears with the whole secret behind it, and never over another. */
function create(path: string): void {
  mkdirSync(dirname(path), { recursive: true });
  const aside = `${path}.${process.pid}.${Buffer.from(crypto.getRandomValues(new Uint8Array(6))).toString("hex")}`;
  const file = openSync(aside, "wx", 0o600);
  try {
    try {
      writeSync(file, `${writeSecret(crypto.getRandomValues(new Uint8Array(SECRET_BYTES)))}\n`);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    linkSync(aside, path);
  } catch (error) {
    if (errorCode(error) !== "EEXIST") throw error;
  } finally {
    unlinkSync(aside);
  }
  syncFolder(dirname(path));
}

/** A token that was handed out must outlive a power cut, and so must the name of the file that vouches for it. */
function syncFolder(path: string): void {
  if (process.platform === "win32") return;
  const folder = openSync(path, "r");
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}

function vanished(path: string): never {
  throw new KeyError(`the secret file ${path} was made and is gone again: something else removes it`);
}
