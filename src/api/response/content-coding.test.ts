import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { importBooks } from "../../stores/testing/books.ts";
import { ENGINES } from "../../stores/testing/engines.ts";
import { createTestApi, type TestApi } from "../testing/api.ts";
import { BOOKS, LONG_LIST_PATH, longList } from "../testing/books.ts";
import { decode } from "../testing/decode.ts";
import { testPaths } from "../testing/example-paths.ts";
import { CODINGS, encodeBuffer, encodeOnThread, StreamEncoder } from "./content-coding.ts";

for (const engine of ENGINES) {
  describe(engine.name, () => {
    let api: TestApi;
    beforeAll(async () => {
      api = await createTestApi(engine);
      await importBooks(api.store, longList(1_000_000));
    });
    afterAll(() => api[Symbol.asyncDispose]());

    const paths = [
      ...testPaths(),
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
