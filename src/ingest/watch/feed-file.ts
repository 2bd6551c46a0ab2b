/** Reads a feed of a watched folder, and notices when the file is written, replaced or removed meanwhile. */
import { lstat, open } from "node:fs/promises";
import { readFeed } from "../feed-reader.ts";
import type { FeedSource } from "../feed-source.ts";
import { openFileBytes } from "../file-bytes.ts";
import { FeedUnreadable } from "../import-error.ts";
import { OPEN_FLAGS } from "./feed-header.ts";
import { contentKey, type FoundFile, stampOf } from "./folder/found-file.ts";

/** The file is no longer what the scan has found. It is tried again when it is complete. */
export class FeedChanged extends Error {
  constructor({ name }: FoundFile) {
    super(`${name} is still being written, or was replaced`);
  }
}

/** Returns the file as a feed. Reading it ends with an error when the signal is aborted. */
export function foundFeed(file: FoundFile, signal: AbortSignal): FeedSource {
  const { name, stamp } = file;
  return {
    name,
    sizeBytes: stamp.sizeBytes,
    checks: false,
    batches: (scanners) => readFeed(name, foundBytes(file, signal), scanners),
  };
}

async function* foundBytes(
  file: FoundFile,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array, void, undefined> {
  const handle = await open(file.path, OPEN_FLAGS);
  try {
    const stats = await handle.stat({ bigint: true });
    // What has been put in its place since the scan is not read, whatever it is.
    if (!stats.isFile() || contentKey(stampOf(stats)) !== contentKey(file.stamp)) throw new FeedChanged(file);
    for await (const bytes of openFileBytes(handle)) {
      signal.throwIfAborted();
      yield bytes;
    }
  } finally {
    await handle.close();
  }
}

/** Returns why a file that is there cannot be opened. Without a journal entry and a failed import, it can be tried often. */
export async function readProblem({ path, name }: FoundFile): Promise<Error | undefined> {
  try {
    await (await open(path, OPEN_FLAGS)).close();
    return undefined;
  } catch (error) {
    const { code, message } = error as Error & { code?: string };
    // A file that is gone, or is a link now, is noticed by the next scan.
    if (code === "ENOENT" || code === "ELOOP") return undefined;
    return new FeedUnreadable(
      `${name} cannot be read (${message}); give the user who runs this the right to read it.`,
    );
  }
}

/** Returns whether the file is still there, with the content that the scan has found. */
export function isUnchanged({ path, stamp }: FoundFile): Promise<boolean> {
  return hasContent(path, contentKey(stamp));
}

export async function hasContent(path: string, key: string): Promise<boolean> {
  try {
    const stats = await lstat(path, { bigint: true });
    return stats.isFile() && contentKey(stampOf(stats)) === key;
  } catch {
    return false;
  }
}
