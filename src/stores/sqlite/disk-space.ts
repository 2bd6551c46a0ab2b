/** The space that rewriting a file takes on its disk. */
import { closeSync, fsyncSync, openSync, rmSync, statfsSync, statSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import { StoreError } from "../../catalog/store-errors.ts";

/** The content is written twice, to the log and to a second place, before a byte of the old one is given back. */
export function bytesToRewrite(contentBytes: number): number {
  // A frame of the log has a header of 24 bytes, and the log has an index of some bytes per frame.
  return Math.ceil(2.02 * contentBytes + 1_000_000);
}

export function freeBytesAt(path: string): number {
  const { bavail, bsize } = statfsSync(dirname(path));
  return bavail * bsize;
}

/** SQLite needs an index of the log of 32 kB, for each of two files, even to read. */
export function isDiskFull(path: string): boolean {
  return freeBytesAt(path) < 100_000;
}

/** `purpose` says what the space is for, as in "to be compacted". Throws `StoreError` when it is not there. */
export function requireDiskSpace(path: string, neededBytes: number, purpose: string): void {
  const freeBytes = freeBytesAt(path);
  if (freeBytes >= neededBytes) return;
  const [needed, free] = [Math.ceil(neededBytes / 1e6), Math.floor(freeBytes / 1e6)];
  throw new StoreError(
    `${path} needs ${needed} MB of free space on its disk ${purpose}, and ${free} MB are free; the catalog is unchanged. Free some space first.`,
  );
}

/**
 * Space is held in reserve beside a catalog: when the disk is full, a token can still be revoked, because that may be when
 * it has to be. A revocation writes some pages to a log, and SQLite creates the indexes of two logs of 32 kB.
 */
const RESERVE_BYTES = 1024 * 1024;

const reservePath = (catalog: string) => `${catalog}.reserve`;

/** Does nothing when there is one, or no space for it. */
export function holdReserve(catalog: string): void {
  const path = reservePath(catalog);
  if (statSync(path, { throwIfNoEntry: false })?.size === RESERVE_BYTES) return;
  try {
    if (freeBytesAt(catalog) < 4 * RESERVE_BYTES) return;
    const file = openSync(path, "w", 0o600);
    try {
      writeSync(file, new Uint8Array(RESERVE_BYTES));
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
  } catch {
    // The disk is full or read-only. It is tried again with the next token.
    rmSync(path, { force: true });
  }
}

/** Returns whether the disk is full, and the reserve was there and is now free. */
export function releaseReserve(catalog: string): boolean {
  const isThere = statSync(reservePath(catalog), { throwIfNoEntry: false }) !== undefined;
  if (!isThere || freeBytesAt(catalog) >= RESERVE_BYTES) return false;
  rmSync(reservePath(catalog), { force: true });
  return true;
}
