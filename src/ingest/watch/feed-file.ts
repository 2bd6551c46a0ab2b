/** Reads a feed of a watched folder, and notices when the file is written, replaced or removed meanwhile. */
import { lstat, open } from "node:fs/promises";
import { FeedUnreadable } from "../../feed/feed-error.ts";
import { errorMessage } from "../../lib/error-message.ts";
import { FeedDigest } from "../feed-digest.ts";
import { readFeed } from "../feed-reader.ts";
import { type FeedSource, openFileBytes } from "../feed-source.ts";
import { OPEN_FLAGS } from "./feed-order.ts";
import { contentKey, type FoundFile, stampOf } from "./folder/folder-scan.ts";

/** The file is no longer what the scan has found. It is tried again when it is complete. */
export class FeedChanged extends Error {
  constructor({ name }: FoundFile) {
    super(`${name} is still being written, or was replaced`);
  }
}

/** Returns the file as a feed. Reading it ends with an error when the signal is aborted. */
export function foundFeed(file: FoundFile, signal: AbortSignal): FeedSource {
  const { name, path, stamp } = file;
  const digest = new FeedDigest();
  return {
    name,
    path,
    sizeBytes: stamp.sizeBytes,
    checks: false,
    digest,
    batches: (scanners) => readFeed(name, foundBytes(file, signal), scanners, undefined, digest),
  };
}

async function* foundBytes(
  file: FoundFile,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array, void, undefined> {
  const handle = await open(file.path, OPEN_FLAGS);
  try {
    const stats = await handle.stat({ bigint: true });
    // Another file may be in its place since the scan. It is not read, whatever it is.
    if (!stats.isFile() || contentKey(stampOf(stats)) !== contentKey(file.stamp)) throw new FeedChanged(file);
    for await (const bytes of openFileBytes(handle)) {
      signal.throwIfAborted();
      yield bytes;
    }
  } finally {
    await handle.close();
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

/**
 * Returns the SHA-256 digest by which the store knows the feed.
 * @throws {FeedUnreadable} when the file cannot be read
 */
export async function digestOf(file: FoundFile, signal: AbortSignal): Promise<string> {
  const digest = new FeedDigest();
  try {
    for await (const bytes of foundBytes(file, signal)) digest.add(bytes);
  } catch (error) {
    throw new FeedUnreadable(
      `${file.name} cannot be read (${errorMessage(error)}); give the user who runs this the right to read it.`,
    );
  }
  digest.complete();
  return digest.sha256!;
}
