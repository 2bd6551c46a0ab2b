/** A file in a watched folder, as a scan has found it. */
import type { BigIntStats } from "node:fs";

export interface FoundFile {
  /** The path below the watched folder: `a.xml`, or `sender/a.xml`. */
  readonly name: string;
  /** The absolute path of the folder that it lies in. */
  readonly folder: string;
  /** The absolute path. */
  readonly path: string;
  readonly stamp: FileStamp;
}

/** Tells whether a file is still the same, with the same content. */
export interface FileStamp {
  readonly inode: bigint;
  readonly sizeBytes: number;
  readonly modifiedNs: bigint;
  /** The time at which the file was created. Is 0 where the file system does not know it. */
  readonly createdNs: bigint;
}

export function stampOf(stats: BigIntStats): FileStamp {
  return {
    inode: stats.ino,
    sizeBytes: Number(stats.size),
    modifiedNs: stats.mtimeNs,
    createdNs: stats.birthtimeNs,
  };
}

/** Returns a text that is the same as long as the file is not written. Device numbers can change with a restart. */
export function contentKey({ inode, sizeBytes, modifiedNs }: FileStamp): string {
  return `${inode}:${sizeBytes}:${modifiedNs}`;
}

/**
 * Returns a text that stays the same when the file is written or renamed. An inode alone is used again by the next file.
 * Is undefined where the file system does not know when a file was created.
 */
export function fileKey({ inode, createdNs }: FileStamp): string | undefined {
  return createdNs > 0n ? `${inode}:${createdNs}` : undefined;
}

export function modifiedMs({ modifiedNs }: FileStamp): number {
  return Number(modifiedNs / 1_000_000n);
}
