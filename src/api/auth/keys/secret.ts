/** The shared secret of HS256: as COLOPHON_JWT_SECRET has it, and the file of a generated one. */

import {
  closeSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  unlinkSync,
  writeSync,
} from "node:fs";
import { dirname } from "node:path";
import { errorCode, KeyError } from "./key-source.ts";
import { openProtectedFile } from "./protected-file.ts";

/** RFC 7518 §3.2: a key must be at least as long as the hash output. */
export const MIN_SECRET_BYTES = 32;

const RAW_PREFIX = "base64url:";

/** `source` names the variable or file in messages. */
export function parseSecret(text: string, source: string): Uint8Array<ArrayBuffer> {
  const bytes = text.startsWith(RAW_PREFIX)
    ? decodeBase64url(text.slice(RAW_PREFIX.length), source)
    : new TextEncoder().encode(text);
  if (bytes.length < MIN_SECRET_BYTES) {
    throw new KeyError(
      `${source} has ${bytes.length} bytes, and HS256 needs at least ${MIN_SECRET_BYTES}: ` +
        `make one with: echo "${RAW_PREFIX}$(openssl rand -base64 32 | tr '+/' '-_' | tr -d '=')"`,
    );
  }
  return bytes;
}

export function formatSecret(bytes: Uint8Array): string {
  return RAW_PREFIX + Buffer.from(bytes).toString("base64url");
}

function decodeBase64url(text: string, source: string): Uint8Array<ArrayBuffer> {
  const unpadded = text.replace(/={1,2}$/, "");
  const bytes = new Uint8Array(Buffer.from(unpadded, "base64url"));
  // The decoder ignores characters that it does not know, so a typing error would make a shorter secret.
  if (Buffer.from(bytes).toString("base64url") !== unpadded) {
    throw new KeyError(
      `${source} begins with ${RAW_PREFIX} but the rest is not base64url: use only A-Z a-z 0-9 - _`,
    );
  }
  return bytes;
}

/** Processes that start at the same time get the same secret. */
export function readOrCreateSecretFile(path: string): Uint8Array<ArrayBuffer> {
  try {
    const existing = readSecretFile(path);
    if (existing) return existing;
    createSecretFile(path);
    const created = readSecretFile(path);
    if (created) return created;
  } catch (error) {
    if (error instanceof KeyError) throw error;
    throw new KeyError(
      `the secret file ${path} cannot be read or created (${errorCode(error)}): give access to it, or set COLOPHON_JWT_SECRET`,
    );
  }
  throw new KeyError(
    `the secret file ${path} disappeared after it was created: find out which program removes it`,
  );
}

function readSecretFile(path: string): Uint8Array<ArrayBuffer> | undefined {
  let file: number;
  try {
    file = openProtectedFile(path, { source: `the secret file ${path}`, isSecret: true });
  } catch (error) {
    if (errorCode(error) === "ENOENT") return undefined;
    throw error;
  }
  try {
    return parseSecret(readFileSync(file, "utf8").trimEnd(), `the secret file ${path}`);
  } finally {
    closeSync(file);
  }
}

/** Writes a temporary file and links it: the path appears with its whole content, and replaces no other file. */
function createSecretFile(path: string): void {
  mkdirSync(dirname(path), { recursive: true });
  const suffix = Buffer.from(crypto.getRandomValues(new Uint8Array(6))).toString("hex");
  const temporaryPath = `${path}.${process.pid}.${suffix}`;
  const file = openSync(temporaryPath, "wx", 0o600);
  try {
    try {
      writeSync(file, `${formatSecret(crypto.getRandomValues(new Uint8Array(MIN_SECRET_BYTES)))}\n`);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    linkSync(temporaryPath, path);
  } catch (error) {
    // Another process has created the file in the meantime: its secret counts.
    if (errorCode(error) !== "EEXIST") throw error;
  } finally {
    unlinkSync(temporaryPath);
  }
  syncDirectory(dirname(path));
}

/** Makes the directory entry durable: tokens that were issued must stay valid after a power failure. */
function syncDirectory(path: string): void {
  if (process.platform === "win32") return;
  const directory = openSync(path, "r");
  try {
    fsyncSync(directory);
  } finally {
    closeSync(directory);
  }
}
