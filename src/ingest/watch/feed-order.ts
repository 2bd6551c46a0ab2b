/** The order in which feeds are imported: that in which each sender has sent them, as their headers say. */
import { constants } from "node:fs";
import { open } from "node:fs/promises";
import { sentAtMs } from "../../catalog/rules/message-order.ts";
import { unpackDocuments } from "../../feed/container.ts";
import { utf8Document } from "../../feed/utf8-document.ts";
import type { MessageHeader } from "../../onix/message-header.ts";
import { ChunkScanner } from "../../onix/reader/chunk-scanner.ts";
import { ChunkCutter } from "../chunk-cutter.ts";
import { openFileBytes } from "../feed-source.ts";
import { type FoundFile, modifiedMs } from "./folder/folder-scan.ts";

/** A longer header is read at import. Until then its feed counts as one without a header. */
const HEADER_BYTES = 128 << 10;
const SLICE_BYTES = 16 << 10;

/** Never follows a link, and never waits for the other end of a pipe. */
export const OPEN_FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

let scanner: ChunkScanner | undefined;

/**
 * Reads only the first bytes of a feed, up to the first product. Returns undefined when the file cannot be read, or does
 * not begin like a feed. The import says why.
 */
export async function readFeedHeader({ path, name }: FoundFile): Promise<MessageHeader | undefined> {
  try {
    const file = await open(path, OPEN_FLAGS);
    try {
      return await headerOf(openFileBytes(file, SLICE_BYTES), name);
    } finally {
      await file.close();
    }
  } catch {
    return undefined;
  }
}

/** An archive has the header of its first document. */
async function headerOf(bytes: AsyncIterable<Uint8Array>, name: string): Promise<MessageHeader | undefined> {
  const documents = unpackDocuments(bytes, name);
  try {
    const { value: document, done } = await documents.next();
    if (done) return undefined;
    const cutter = new ChunkCutter(
      utf8Document(document.bytes, () => {}),
      HEADER_BYTES,
    );
    try {
      return await headerIn(cutter);
    } finally {
      cutter.close();
    }
  } finally {
    await documents.return();
  }
}

/** The first chunk ends at what looks like a product. That may be in a comment before the header. */
async function headerIn(cutter: ChunkCutter): Promise<MessageHeader | undefined> {
  scanner ??= new ChunkScanner();
  for (let read = new Uint8Array(0); ; ) {
    const { buffer, length, isLast, failure } = await cutter.next();
    read = new Uint8Array(Buffer.concat([read, buffer.subarray(0, length)]));
    const result = scanner.scan(read, undefined, isLast);
    if (result.kind === "error") return undefined;
    const { context } = result;
    if (isLast || context?.hasHeader || context?.hasProducts) return context?.header;
    if (failure || read.length >= HEADER_BYTES) return undefined;
  }
}

/** The order in which feeds are imported: that in which each sender has sent them. */
export interface OrderedFeed {
  readonly file: FoundFile;
  /** Feeds of one sender have the same. A feed without a readable header has its own. */
  readonly sender: string;
  readonly header: MessageHeader | undefined;
}

/**
 * Sorts by SentDateTime, where there is none by the time of the file. Messages of a sender with the same time follow
 * their numbers. Feeds of different senders are in one order too: the later one wins where both have a book.
 */
export function orderFeeds(
  files: readonly FoundFile[],
  headerOf: (file: FoundFile) => MessageHeader | undefined,
): OrderedFeed[] {
  return files
    .map((file) => {
      const header = headerOf(file);
      const sender = header ? `sender:${header.sender?.key ?? ""}` : `file:${file.name}`;
      const fileMs = modifiedMs(file.stamp);
      const timeMs = sentAtMs(header?.sent) ?? fileMs;
      return { file, sender, header, timeMs, fileMs, number: numberOf(header) };
    })
    .sort(
      (a, b) =>
        compare(a.timeMs, b.timeMs) ||
        compare(a.sender, b.sender) ||
        compare(a.number, b.number) ||
        compare(a.fileMs, b.fileMs) ||
        compare(a.file.name, b.file.name),
    )
    .map(({ file, sender, header }) => ({ file, sender, header }));
}

/** Returns the MessageNumber. A message without one comes before those that have one. */
function numberOf(header: MessageHeader | undefined): bigint {
  const text = header?.messageNumber?.trim() ?? "";
  return /^\d+$/.test(text) ? BigInt(text) : -1n;
}

function compare<T extends number | bigint | string>(a: T, b: T): number {
  return a === b ? 0 : a < b ? -1 : 1;
}
