import { describe, expect, test } from "bun:test";
import { ENGINES } from "../stores/testing/engines.ts";
import { createTestApi } from "./testing/api.ts";
import { testPaths } from "./testing/example-paths.ts";
import { sharedApi } from "./testing/shared-api.ts";

const PATHS = [
  ...testPaths(),
  "/api/imprint/zeta?language=spa",
  "/api/news?date=20260101",
  "/api/search?q=la",
  "/api/search?sort=title&limit=2&view=record",
  "/openapi.json",
];

for (const engine of ENGINES) {
  describe(engine.name, () => {
    const api = sharedApi(() => createTestApi(engine));

    /** Returns the headers that HEAD and GET share. Those of the framing depend on the body (RFC 9110 §9.3.2). */
    const sharedHeaders = ({ headers }: { headers: Headers }) => {
      const shared = new Map(headers);
      for (const name of ["content-length", "transfer-encoding"]) shared.delete(name);
      return Object.fromEntries(shared);
    };

    for (const coding of ["identity", "gzip", "zstd"]) {
      test.each(PATHS)(`HEAD %s returns the headers of GET and no body (${coding})`, async (path) => {
        const headers = { "Accept-Encoding": coding };
        const get = await api.get(path, { headers });
        const head = await api.get(path, { headers, method: "HEAD" });
        expect(head.status).toBe(200);
        expect(head.raw).toHaveLength(0);
        expect(sharedHeaders(head)).toEqual(sharedHeaders(get));
        const length = head.headers.get("content-length");
        if (path.startsWith("/api/isbn/")) expect(length).toBe(get.headers.get("content-length"));
        if (length !== null) expect(length).toBe(String(get.raw.length));
      });
    }

    test("HEAD of a list reads no record and leaves no snapshot open", async () => {
      const before = api.observed.bytesRead;
      await api.get("/api/news?date=20200101", { method: "HEAD" });
      expect(api.observed.bytesRead).toBe(before);
      expect(api.observed.openSnapshots).toBe(0);
    });

    test.each(["/api/isbn/abc", "/api/isbn/9780000000002", "/api/imprint/nobody", "/api/nothing"])(
      "HEAD %s returns the headers of the error and no body",
      async (path) => {
        const headers = { "X-Request-Id": "same" };
        const get = await api.get(path, { headers });
        const head = await api.get(path, { headers, method: "HEAD" });
        expect(head.status).toBe(get.status);
        expect(head.raw).toHaveLength(0);
        expect(sharedHeaders(head)).toEqual(sharedHeaders(get));
      },
    );

    test.each(PATHS)("OPTIONS %s returns 204 without a token", async (path) => {
      const response = await api.get(path, { method: "OPTIONS", token: null });
      expect(response.status).toBe(204);
      expect(response.headers.get("allow")).toBe("GET, HEAD, OPTIONS");
      expect(response.raw).toHaveLength(0);
    });
  });
}
