import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { importBooks } from "../../stores/testing/books.ts";
import { ENGINES } from "../../stores/testing/engines.ts";
import { createTestApi, type TestApi } from "../testing/api.ts";
import { BOOKS, longList } from "../testing/books.ts";
import { decode } from "../testing/decode.ts";
import { CODINGS, encodeBuffer, StreamEncoder } from "./content-coding.ts";

for (const engine of ENGINES) {
  describe(engine.name, () => {
    let it: TestApi;
    beforeAll(async () => {
      it = await createTestApi(engine);
      await importBooks(it.store, longList(1_000_000));
    });
    afterAll(() => it[Symbol.asyncDispose]());

    const paths = [
      `/api/isbn/${BOOKS[0]!.isbn}`,
      `/api/isbns/${BOOKS[0]!.isbn},${BOOKS[1]!.isbn}`,
      "/api/imprint/zeta",
      "/api/imprint/zeta?language=fre",
      "/api/imprint/long-list",
      "/api/imprints",
      "/api/news",
      "/api/news?date=20200101",
      "/api/skus",
      "/api/translations",
      "/openapi.json",
    ];

    for (const coding of CODINGS) {
      test.each(paths)(`%s in ${coding} is, decoded, the same bytes`, async (path) => {
        const plain = await it.get(path);
        expect(plain.headers.has("content-encoding")).toBe(false);
        const encoded = await it.get(path, { headers: { "Accept-Encoding": coding } });
        expect(encoded.status).toBe(200);
        expect(encoded.headers.get("content-encoding")).toBe(coding);
        expect(encoded.headers.get("content-type")).toBe(plain.headers.get("content-type"));
        expect(Buffer.from(encoded.body).equals(plain.raw)).toBe(true);
        if (plain.raw.length > 2000) expect(encoded.raw.length).toBeLessThan(plain.raw.length / 2);
      });
    }

    test("a large list has no Content-Length when it is read for the first time, a small one has", async () => {
      const large = await it.get("/api/imprint/long-list?first=time");
      expect(large.raw.length).toBeGreaterThan(1_000_000);
      expect(large.headers.has("content-length")).toBe(false);
      expect((await it.get("/api/imprint/zeta")).headers.has("content-length")).toBe(true);
    });

    test("a small record is sent as it is, unless that is refused", async () => {
      const path = `/api/isbn/${BOOKS[1]!.isbn}`;
      const plain = await it.get(path, { headers: { "Accept-Encoding": "gzip" } });
      expect(plain.headers.has("content-encoding")).toBe(false);
      expect(plain.raw.length).toBeLessThan(1024);
      const encoded = await it.get(path, { headers: { "Accept-Encoding": "gzip, identity;q=0" } });
      expect(encoded.headers.get("content-encoding")).toBe("gzip");
      expect(Buffer.from(encoded.body).equals(plain.raw)).toBe(true);
    });
  });
}

describe("StreamEncoder", () => {
  const block = new TextEncoder().encode("colophon ".repeat(9000));

  test.each([...CODINGS])("%s makes one stream of many blocks", async (coding) => {
    const encoder = new StreamEncoder(coding);
    const pieces: Uint8Array[] = [];
    for (let count = 0; count < 20; count++) pieces.push(await encoder.push(block));
    pieces.push(await encoder.end());
    encoder.close();
    const whole = Buffer.concat(Array.from({ length: 20 }, () => block));
    expect(whole.equals(decode(Buffer.concat(pieces), coding))).toBe(true);
  });

  test.each([...CODINGS])("%s gives out what it has taken in, and does not hoard it", async (coding) => {
    const encoder = new StreamEncoder(coding);
    const noise = crypto.getRandomValues(new Uint8Array(65536));
    let out = 0;
    for (let count = 0; count < 64; count++)
      out += (await encoder.push(noise.map((byte) => byte ^ count))).length;
    expect(out).toBeGreaterThan(1_000_000);
    encoder.close();
  });

  test.each([...CODINGS])("%s of a whole body, quick and thorough", (coding) => {
    for (const effort of ["fast", "smallest"] as const) {
      for (const body of [new Uint8Array(0), block.subarray(0, 10), block]) {
        expect(Buffer.from(body).equals(decode(encodeBuffer(body, coding, effort), coding))).toBe(true);
      }
    }
  });
});
