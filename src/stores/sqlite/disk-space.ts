/** The space that rewriting a file takes on its disk. */
import { statfsSync } from "node:fs";
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

/** `purpose` says what the space is for, as in "to be compacted". Throws `StoreError` when it is not there. */
export function requireDiskSpace(path: string, neededBytes: number, purpose: string): void {
  const freeBytes = freeBytesAt(path);
  if (freeBytes >= neededBytes) return;
  const [needed, free] = [neededBytes, freeBytes].map((bytes) => Math.ceil(bytes / 1e6));
  throw new StoreError(
    `${path} needs ${needed} MB of free space on its disk ${purpose}, and ${free} MB are free; the catalog is unchanged. Free some space first.`,
  );
}
