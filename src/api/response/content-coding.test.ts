import { describe, expect, test } from "bun:test";
import type { BodyStream } from "../../server/response.ts";
import { importBooks } from "../../stores/testing/books.ts";
import { ENGINES } from "../../stores/testing/engines.ts";
import { createTestApi, decode } from "../testing/api.ts";
import { BOOKS, LONG_LIST_PATH, longList } from "../testing/books.ts";
import { testPaths } from "../testing/example-paths.ts";
import { sharedApi } from "../testing/shared-api.ts";
import { CODINGS, encodeBuffer, encodeOnThread, StaticContent, StreamEncoder } from "./content-coding.ts";
import { EncodedStream, prepend, readStart } from "./json-array.ts";

for (const engine of ENGINES) {
  describe(engine.name, () => {
    const api = sharedApi(async () => {
      const created = await createTestApi(engine);
      await importBooks(created.store, longList(1_000_000));
      return created;
    });

    const paths = [
      // Short documents are not encoded; lists always are.
      ...testPaths(({ isList }) => isList),
      `/api/isbn/${BOOKS[0]!.isbn}`,
      "/api/translations",
      "/api/imprint/zeta?language=fre",
      LONG_LIST_PATH,
      "/api/news?date=20200101",
      "/api/search?view=record&limit=1000",
      "/openapi.json",
    ];

    for (const coding of CODINGS) {
      test.each(paths)(`%s in ${coding} decodes to the uncompressed bytes`, async (path) => {
        const plain = await api.get(path);
        expect(plain.headers.has("content-encoding")).toBe(false);
        const encoded = await api.get(path, { headers: { "Accept-Encoding": coding } });
        expect(encoded.status).toBe(200);
        expect(encoded.headers.get("content-encoding")).toBe(coding);
        expect(encoded.headers.get("content-type")).toBe(plain.headers.get("content-type"));
        expect(Buffer.from(encoded.body).equals(plain.raw)).toBe(true);
        if (plain.raw.length > 2000) expect(encoded.raw.length).toBeLessThan(plain.raw.length / 2);
      });
    }

    test("a long list is sent without Content-Length at its first request, a short one with it", async () => {
      const long = await api.get(`${LONG_LIST_PATH}?first=request`);
      expect(long.raw.length).toBeGreaterThan(1_000_000);
      expect(long.headers.has("content-length")).toBe(false);
      expect((await api.get("/api/imprint/zeta")).headers.has("content-length")).toBe(true);
    });

    test("a short record is not compressed, unless the client refuses identity", async () => {
      const path = `/api/isbn/${BOOKS[1]!.isbn}`;
      const plain = await api.get(path, { headers: { "Accept-Encoding": "gzip" } });
      expect(plain.headers.has("content-encoding")).toBe(false);
      expect(plain.raw.length).toBeLessThan(1024);
      const encoded = await api.get(path, { headers: { "Accept-Encoding": "gzip, identity;q=0" } });
      expect(encoded.headers.get("content-encoding")).toBe("gzip");
      expect(Buffer.from(encoded.body).equals(plain.raw)).toBe(true);
    });
  });
}

describe("StreamEncoder", () => {
  /** The first bytes of a stream. Brotli has none, but its decoder stops at the end of the first stream. */
  const MAGIC_NUMBERS = { gzip: "\x1f\x8b\x08", zstd: "\x28\xb5\x2f\xfd", br: undefined };
  const block = new TextEncoder().encode("colophon ".repeat(9000));

  test.each([...CODINGS])("encodes many blocks as one %s stream", async (coding) => {
    const encoder = new StreamEncoder(coding);
    const chunks: Uint8Array[] = [];
    for (let count = 0; count < 20; count++) chunks.push(await encoder.push(block));
    chunks.push(await encoder.end());
    encoder.close();
    const encoded = Buffer.concat(chunks);
    const blocks = Buffer.concat(Array.from({ length: 20 }, () => block));
    expect(blocks.equals(decode(encoded, coding))).toBe(true);
    const magic = MAGIC_NUMBERS[coding];
    if (magic !== undefined) expect(encoded.toString("latin1").split(magic)).toHaveLength(2);
  });

  test.each([...CODINGS])("returns %s output long before the end of its input", async (coding) => {
    const encoder = new StreamEncoder(coding);
    const incompressible = crypto.getRandomValues(new Uint8Array(65536));
    let outputBytes = 0;
    for (let count = 0; count < 64; count++)
      outputBytes += (await encoder.push(incompressible.map((byte) => byte ^ count))).length;
    expect(outputBytes).toBeGreaterThan(1_000_000);
    encoder.close();
  });

  test.each([...CODINGS])("a whole body is encoded in %s, fast or small", async (coding) => {
    for (const body of [new Uint8Array(0), block.subarray(0, 10), block]) {
      for (const encoded of [encodeBuffer(body, coding), await encodeOnThread(body, coding)]) {
        expect(Buffer.from(body).equals(decode(encoded, coding))).toBe(true);
      }
    }
  });
});

/** As large as the largest file of the OpenAPI page. */
const body = Buffer.from(crypto.getRandomValues(new Uint8Array(1_000_000)).toHex());

test.each([...CODINGS])("encodes a large body in %s once, without keeping the event loop", async (coding) => {
  const content = new StaticContent(body, "etag");
  const first = content.encoded(coding);
  const second = content.encoded(coding);
  expect(first).toBeInstanceOf(Promise);
  expect(second).toBe(first);
  // The body is encoded on another thread, whose result comes in a later event-loop tick, after all microtasks.
  let isEncoded = false;
  void (first as Promise<unknown>).then(() => {
    isEncoded = true;
  });
  for (let microtask = 0; microtask < 100; microtask++) await Promise.resolve();
  expect(isEncoded).toBe(false);
  const encoded = await first;
  expect(content.encoded(coding)).toBe(encoded);
  expect(Buffer.from(decode(encoded, coding)).equals(body)).toBe(true);
});

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

test.each(CODINGS)("reads one chunk at a time, whatever becomes of it (%s)", async (coding) => {
  let reads = 0;
  const next = () => (++reads < CHUNKS ? new Uint8Array(100) : undefined);
  const encoded = new EncodedStream({ next, close() {} }, coding);
  for (let call = 1; call <= CHUNKS; call++) {
    await encoded.next();
    expect(reads).toBe(call);
  }
  expect(await encoded.next()).toBeUndefined();
  encoded.close();
});

test("the start of a stream has a few reads only, however little each gives", async () => {
  let reads = 0;
  const next = () => (reads === 100 ? undefined : Uint8Array.of(reads++));
  const start = await readStart({ next, close() {} }, 1024);
  expect([start.isWhole, reads]).toEqual([false, start.bytes.length]);
  expect(reads).toBeLessThan(10);
});
