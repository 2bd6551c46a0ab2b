/** A feed to import: a file, standard input, or the bundled sample. */
import { statSync } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { ImportError } from "../feed/feed-error.ts";
import { errorMessage } from "../lib/error-message.ts";
import { FeedDigest } from "./feed-digest.ts";
import { type FeedBatch, readFeed } from "./feed-reader.ts";
import type { Scanners } from "./scan/scanners.ts";

export interface FeedSource {
  readonly name: string;
  /** The path of the file. Default: the name. */
  readonly path?: string;
  /** Undefined when the size is not known in advance, as for a pipe. */
  readonly sizeBytes: number | undefined;
  /** The quality checks of `colophon check` become complaints too. */
  readonly checks: boolean;
  /** Complete when all batches are read. */
  readonly digest: FeedDigest;
  batches(scanners: Scanners): AsyncIterable<FeedBatch>;
  /** Ends a read that may take forever, and that would keep the process from ending. */
  close?(): void;
}

/** Returns the source for a path, or for standard input when it is "-". Throws when there is no such file. */
export function feedSource(path: string, checks: boolean): FeedSource {
  const digest = new FeedDigest();
  if (path === "-") {
    const name = "standard input";
    const reader = openStandardInput();
    const batches = (scanners: Scanners) => readFeed(name, readerBytes(reader), scanners, undefined, digest);
    const close = () => void reader.cancel().catch(() => {});
    return { name, sizeBytes: undefined, checks, digest, batches, close };
  }
  const stat = statOf(path);
  if (!stat && /^https?:\/\//i.test(path)) {
    throw new ImportError(
      `${path}: is not a file; download it, or pipe it in: "curl -sf '${path}' | colophon import -"`,
    );
  }
  if (!stat) throw new ImportError(`${path}: there is no such file; correct the path`);
  if (stat.isDirectory()) throw new ImportError(`${path}: is a folder; name the feeds in it`);
  const sizeBytes = stat.isFile() ? stat.size : undefined;
  const batches = (scanners: Scanners) => readFeed(path, fileBytes(path), scanners, undefined, digest);
  return { name: path, sizeBytes, checks, digest, batches };
}

function statOf(path: string) {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch (error) {
    throw new ImportError(
      `${path}: cannot be read (${errorMessage(error)}); give this user the right to read it, or correct the path`,
    );
  }
}

async function* readerBytes(
  reader: Pick<ReturnType<typeof openStandardInput>, "read">,
): AsyncGenerator<Uint8Array, void, undefined> {
  for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value;
}

function openStandardInput() {
  return Bun.stdin.stream().getReader();
}

/** Reads a file in slices of buffers that are used again, so that a large file leaves no garbage. */
const SLICE_BYTES = 256 << 10;

/** Yields slices that are valid until the request after the next. */
export async function* fileBytes(path: string): AsyncGenerator<Uint8Array, void, undefined> {
  const file = await open(path);
  try {
    yield* openFileBytes(file);
  } finally {
    await file.close();
  }
}

/** Does the same with a file that the caller has opened, and closes. */
export async function* openFileBytes(
  file: Pick<FileHandle, "read">,
  sliceBytes = SLICE_BYTES,
): AsyncGenerator<Uint8Array, void, undefined> {
  const buffers = [new Uint8Array(sliceBytes), new Uint8Array(sliceBytes)];
  for (let count = 0; ; count++) {
    const buffer = buffers[count % 2]!;
    const { bytesRead } = await file.read(buffer, 0, buffer.length);
    if (bytesRead === 0) return;
    yield buffer.subarray(0, bytesRead);
  }
}
