import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { parseResponse, sendRaw } from "../server/testing/socket.ts";
import { type ServedApi, serveTestApi } from "./testing/api.ts";
import { BOOKS } from "./testing/books.ts";
import { ENGINES } from "../stores/testing/engines.ts";

const PATHS = [
  `/api/isbn/${BOOKS[0]!.isbn}`,
  `/api/isbns/${BOOKS[0]!.isbn},${BOOKS[1]!.isbn}`,
  "/api/imprint/zeta?language=spa",
  "/api/imprints",
  "/api/news",
  "/api/news?date=20260101",
  "/api/skus",
  "/api/translations",
  "/openapi.json",
];

for (const engine of ENGINES) {
  describe(engine.name, () => {
    let it: ServedApi;
    beforeAll(async () => {
      it = await serveTestApi(engine);
    });
    afterAll(() => it[Symbol.asyncDispose]());

    /** What differs from one answer to the next, or depends on the body's having been made. */
    const fields = ({ headers }: { headers: Headers }) => {
      const all = new Map(headers);
      for (const name of ["date", "connection", "content-length", "transfer-encoding"]) all.delete(name);
      return Object.fromEntries(all);
    };

    for (const coding of ["identity", "gzip", "zstd"]) {
      test.each(PATHS)(`HEAD %s is GET without the body (${coding})`, async (path) => {
        const headers = { "Accept-Encoding": coding };
        const get = await it.get(path, { headers });
        const head = await it.get(path, { headers, method: "HEAD" });
        expect(head.status).toBe(200);
        expect(head.raw).toHaveLength(0);
        expect(fields(head)).toEqual(fields(get));
        const length = head.headers.get("content-length");
        if (path.startsWith("/api/isbn/")) expect(length).toBe(get.headers.get("content-length"));
        if (length !== null) expect(length).toBe(String(get.raw.length));
      });
    }

    test("HEAD of a list reads no record, and leaves no view open", async () => {
      const before = it.observed.bytesRead;
      await it.get("/api/news?date=20200101", { method: "HEAD" });
      expect(it.observed.bytesRead).toBe(before);
      expect(it.observed.openSnapshots).toBe(0);
    });

    test.each(["/api/isbn/abc", "/api/isbn/9780000000002", "/api/imprint/nobody", "/api/nothing"])(
      "HEAD %s is the error without its body",
      async (path) => {
        const get = await it.get(path);
        const head = await it.get(path, { method: "HEAD" });
        expect(head.status).toBe(get.status);
        expect(head.raw).toHaveLength(0);
        expect(fields(head)).toEqual(fields(get));
      },
    );

    test("after a HEAD the connection goes on with the next answer", async () => {
      const head = (method: string, path: string) =>
        `${method} ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${it.token}\r\n\r\n`;
      const text = await sendRaw(it.port, head("HEAD", "/api/skus") + head("GET", "/api/isbn/abc"), 2);
      expect(text.startsWith("HTTP/1.1 200")).toBe(true);
      const [, second] = text.split(/(?=HTTP\/1\.1 400)/);
      expect(JSON.parse(parseResponse(second!).body).message).toBe("Bad Request");
    });

    test("pipelined requests are answered in order", async () => {
      const isbns = BOOKS.map(({ isbn }) => isbn);
      const lines = isbns.map(
        (isbn) => `GET /api/isbn/${isbn} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${it.token}\r\n\r\n`,
      );
      const text = await sendRaw(it.port, lines.join(""), isbns.length);
      expect(text.match(/HTTP\/1\.1 200/g)).toHaveLength(isbns.length);
      expect([...text.matchAll(/"RecordReference":"(\d+)"/g)].map(([, isbn]) => isbn!)).toEqual(isbns);
    });

    test.each(PATHS)("OPTIONS %s needs no token", async (path) => {
      const reply = await it.get(path, { method: "OPTIONS", token: null });
      expect(reply.status).toBe(204);
      expect(reply.headers.get("allow")).toBe("GET, HEAD, OPTIONS");
      expect(reply.raw).toHaveLength(0);
    });
  });
}
