/** Reads the header of a feed without importing it: only the first bytes, up to the first product. */
import { constants } from "node:fs";
import { open } from "node:fs/promises";
import { unpackDocuments } from "../../feed/container.ts";
import { utf8Document } from "../../feed/utf8-document.ts";
import type { MessageHeader } from "../../onix/message-header.ts";
import { ChunkScanner } from "../../onix/reader/chunk-scanner.ts";
import { ChunkCutter } from "../chunk-cutter.ts";
import { openFileBytes } from "../file-bytes.ts";
import type { FoundFile } from "./folder/found-file.ts";

/** A longer header is read at import. Until then its feed counts as one without a header. */
const HEADER_BYTES = 128 << 10;
const SLICE_BYTES = 16 << 10;

/** Never follows a link, and never waits for the other end of a pipe. */
export const OPEN_FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

let scanner: ChunkScanner | undefined;

/** Returns undefined when the file cannot be read, or does not begin like a feed. The import says why. */
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
    const { buffer, length, isLast } = await cutter.next();
    cutter.close();
    scanner ??= new ChunkScanner();
    const result = scanner.scan(buffer.subarray(0, length), undefined, isLast);
    return result.kind === "scanned" ? result.context?.header : undefined;
  } finally {
    await documents.return();
  }
}
