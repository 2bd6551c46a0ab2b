import { expect, test } from "bun:test";
import type { BodyStream } from "../../server/response.ts";
import { decode } from "../testing/decode.ts";
import { CODINGS } from "./content-coding.ts";
import { EncodedStream, prepend, readStart } from "./json-array.ts";

const CHUNKS = 12;
const CHUNK_BYTES = 64 * 1024;

/** Makes its chunks in one memory, which is overwritten when a chunk is released, as by another list. */
class SharedMemoryStream implements BodyStream {
  readonly #memory = new Uint8Array(CHUNK_BYTES);
  #count = 0;

  next(): Uint8Array | undefined {
    return this.#count === CHUNKS ? undefined : chunkOf(this.#count++, this.#memory);
  }

  release(): void {
    this.#memory.fill(0);
  }

  close(): void {}
}

/** Fills a chunk with bytes that cannot be compressed to nothing, so that a thread reads for a while. */
function chunkOf(number: number, bytes: Uint8Array): Uint8Array {
  for (let index = 0; index < bytes.length; index++)
    bytes[index] = Math.imul(index ^ number, 0x9e3779b1) >>> 24;
  return bytes;
}

const WHOLE = Buffer.concat(
  Array.from({ length: CHUNKS }, (_, number) => chunkOf(number, new Uint8Array(CHUNK_BYTES))),
);

test.each(CODINGS)("encodes each chunk before its memory is used again (%s)", async (coding) => {
  const stream = new SharedMemoryStream();
  const start = await readStart(stream, 2 * CHUNK_BYTES);
  expect(start.isWhole).toBe(false);
  const encoded = new EncodedStream(prepend(start, stream), coding);
  const parts: Uint8Array[] = [];
  for (let part = await encoded.next(); part; part = await encoded.next()) parts.push(part);
  encoded.close();
  expect(WHOLE.equals(decode(Buffer.concat(parts), coding))).toBe(true);
});
