/** The sizes of a database file and of its write-ahead log. They are read from the folder, not from the database. */
import { statSync } from "node:fs";

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
