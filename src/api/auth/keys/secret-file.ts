/** The file of a secret that Colophon has made itself: the one that signs, and those before it that are still valid. */
import {
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  unlinkSync,
  writeSync,
} from "node:fs";
import { dirname } from "node:path";
import { errorCode, KeyError } from "./key-source.ts";
import { openProtectedFile } from "./protected-file.ts";

export interface Secret {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Milliseconds since 1970. From then on, it verifies no token. */
  readonly untilMs: number;
}

/** The first one signs. All verify. */
export type Secrets = readonly [Secret, ...Secret[]];

/** Between a previous secret and its date. */
const UNTIL = " until ";

/** Processes that start at the same time get the same secret. */
export function readOrCreateSecretFile(path: string): Secrets {
  return describingErrors(path, () => {
    const existing = readSecretFile(path);
    if (existing) return existing;
    createSecretFile(path);
    const created = readSecretFile(path);
    if (created) return created;
    throw new KeyError(
      `the secret file ${path} disappeared after it was created: find out which program removes it`,
    );
  });
}

/** Returns undefined when there is no file. */
export function readSecretFile(path: string): Secrets | undefined {
  const source = `the secret file ${path}`;
  const text = describingErrors(path, () => {
    let file: number;
    try {
      file = openProtectedFile(path, { source, isSecret: true });
    } catch (error) {
      if (errorCode(error) === "ENOENT") return undefined;
      throw error;
    }
    try {
      return readFileSync(file, "utf8");
    } finally {
      closeSync(file);
    }
  });
  if (text === undefined) return undefined;
  const [signing = "", ...previous] = text.trimEnd().split("\n");
  return [
    { bytes: parseSecret(signing, source), untilMs: Number.POSITIVE_INFINITY },
    ...previous.map((line) => parsePrevious(line, source)),
  ];
}

function parsePrevious(line: string, source: string): Secret {
  const [secret = "", until = ""] = line.split(UNTIL);
  const untilMs = Date.parse(until);
  if (Number.isNaN(untilMs)) {
    throw new KeyError(`${source} has a previous secret without a date: restore the file from a copy`);
  }
  return { bytes: parseSecret(secret, source), untilMs };
}

/**
 * Puts a new secret before the others. Those that verify longer than `keepUntilMs` do so until then. Returns whether
 * there are any.
 */
export function rotateSecretFile(path: string, keepUntilMs: number, nowMs = Date.now()): boolean {
  return describingErrors(path, () => {
    const kept = (readSecretFile(path) ?? [])
      .map(({ bytes, untilMs }) => ({ bytes, untilMs: Math.min(untilMs, keepUntilMs) }))
      .filter(({ untilMs }) => untilMs > nowMs);
    // A link to a mounted secret stays a link.
    const target = existsSync(path) ? realpathSync(path) : path;
    const next = `${target}.next`;
    try {
      writeSecrets(next, kept);
    } catch (error) {
      if (errorCode(error) !== "EEXIST") throw error;
      throw new KeyError(`${next} exists: another rotation runs; or one was interrupted, then delete it`);
    }
    renameSync(next, target);
    syncDirectory(dirname(target));
    return kept.length > 0;
  });
}

/** Writes a temporary file and links it: the path appears with its whole content, and replaces no other file. */
function createSecretFile(path: string): void {
  mkdirSync(dirname(path), { recursive: true });
  const suffix = Buffer.from(crypto.getRandomValues(new Uint8Array(6))).toString("hex");
  const temporaryPath = `${path}.${process.pid}.${suffix}`;
  writeSecrets(temporaryPath, []);
  try {
    linkSync(temporaryPath, path);
  } catch (error) {
    // Another process has created the file in the meantime: its secret counts.
    if (errorCode(error) !== "EEXIST") throw error;
  } finally {
    unlinkSync(temporaryPath);
  }
  syncDirectory(dirname(path));
}

/** Writes a file that must not exist: a new secret, and previous ones. Leaves no file when it fails. */
function writeSecrets(path: string, previous: readonly Secret[]): void {
  const lines = [
    formatSecret(crypto.getRandomValues(new Uint8Array(MIN_SECRET_BYTES))),
    ...previous.map(({ bytes, untilMs }) => formatSecret(bytes) + UNTIL + new Date(untilMs).toISOString()),
  ];
  const file = openSync(path, "wx", 0o600);
  try {
    writeSync(file, `${lines.join("\n")}\n`);
    fsyncSync(file);
  } catch (error) {
    unlinkSync(path);
    throw error;
  } finally {
    closeSync(file);
  }
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

function describingErrors<T>(path: string, task: () => T): T {
  try {
    return task();
  } catch (error) {
    if (error instanceof KeyError) throw error;
    throw new KeyError(
      `the secret file ${path} cannot be read or created (${errorCode(error)}): give access to it, or set COLOPHON_JWT_SECRET`,
    );
  }
}

/** RFC 7518 §3.2: a key must be at least as long as the hash output. */
const MIN_SECRET_BYTES = 32;

const RAW_PREFIX = "base64url:";

/** Reads the secret as COLOPHON_JWT_SECRET and the secret file have it. `source` names either in messages. */
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
