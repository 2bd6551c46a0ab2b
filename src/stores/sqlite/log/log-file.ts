/** The sizes of a database file and of its write-ahead log, and the space beside them. They are read from the folder. */
import { statfsSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { StoreError } from "../../../catalog/store-errors.ts";

/** A log up to this size is left alone: the next import writes it again from its start. */
export const MAX_IDLE_LOG_BYTES = 16 * 1024 * 1024;

/** A log of this size, and larger than several rewrites of the whole file, must be cut even if lists are lost by it. */
const MAX_LOG_BYTES = 1024 ** 3;
const MAX_LOG_TO_FILE_RATIO = 4;

export function logPath(path: string): string {
  return `${path}-wal`;
}

/** Returns 0 for a file that does not exist. */
export function bytesOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

export function logBytes(path: string): number {
  return bytesOf(logPath(path));
}

export function isLogOversized(path: string): boolean {
  const bytes = logBytes(path);
  return bytes > MAX_LOG_BYTES && bytes > MAX_LOG_TO_FILE_RATIO * bytesOf(path);
}

/** The content is written twice, to the log and to a second place, before a byte of the old one is given back. */
export function bytesToRewrite(contentBytes: number): number {
  // A frame of the log has a header of 24 bytes, and the log has an index of some bytes per frame.
  return Math.ceil(2.02 * contentBytes + 1_000_000);
}

export function freeBytesAt(path: string): number {
  const { bavail, bsize } = statfsSync(dirname(path));
  return bavail * bsize;
}

/** `purpose` says what the space is for, as in "to be compacted". Throws `StoreError` when it is not there. */
export function requireDiskSpace(path: string, neededBytes: number, purpose: string): void {
  const freeBytes = freeBytesAt(path);
  if (freeBytes >= neededBytes) return;
  const [needed, free] = [neededBytes, freeBytes].map((bytes) => Math.ceil(bytes / 1e6));
  throw new StoreError(
    `${path} needs ${needed} MB of free space on its disk ${purpose}, and ${free} MB are free; the catalog is unchanged. Free some space first.`,
  );
}
