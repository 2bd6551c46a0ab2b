/** Cached responses are never stale, and are sent without reading the store. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import type { Isbn13 } from "../../onix/isbn.ts";
import { importBooks } from "../../stores/testing/books.ts";
import { ENGINES, SQLITE } from "../../stores/testing/engines.ts";
import { type ApiResponse, createTestApi, type TestApi, type TestApp } from "../testing/api.ts";
import { BOOKS, entryOf, LONG_LIST_PATH, longList } from "../testing/books.ts";
import { compareCaches } from "../testing/cache-comparison.ts";
import { testPaths } from "../testing/example-paths.ts";
import { sharedApi } from "../testing/shared-api.ts";

const BOOK = BOOKS[0]!;
const BOOK_PATH = `/api/isbn/${BOOK.isbn}`;
const BOOKS_PATH = `/api/isbns/${BOOK.isbn},${BOOK.isbn}`;
const PATHS = [...testPaths(({ skipsCache }) => !skipsCache), BOOKS_PATH, "/api/news?date=20200101"];

/** Requests a path so often that its response is cached, if it ever is. Returns the last response. */
async function getRepeatedly(
  app: TestApp,
  path: string,
  headers: Record<string, string> = {},
): Promise<ApiResponse> {
  for (let count = 0; count < 4; count++) await app.get(path, { headers });
  return app.get(path, { headers });
}

for (const engine of ENGINES) {
  describe(engine.name, () => {
    let api: TestApi;
    beforeAll(async () => {
      api = await createTestApi(engine, { books: false });
    });
    beforeEach(async () => void (await importBooks(api.store, BOOKS.map(entryOf))));
    afterAll(() => api[Symbol.asyncDispose]());

    test.each(["identity", "gzip"])(
      "the first request after an import sees its changes (%s)",
      async (coding) => {
        const app = await api.withOptions({});
        const headers = { "Accept-Encoding": coding };
        for (const path of PATHS) await getRepeatedly(app, path, headers);
        await importBooks(api.store, [entryOf({ ...BOOK, title: "Changed", imprint: "Omega" })]);
        for (const path of [BOOK_PATH, BOOKS_PATH])
          expect((await app.get(path, { headers })).text).toContain("Changed");
        expect((await app.get("/api/imprints", { headers })).text).toContain("omega");
        await importBooks(api.store, [], [BOOK.isbn as Isbn13]);
        for (const path of [BOOK_PATH, BOOKS_PATH])
          expect((await app.get(path, { headers })).status).toBe(404);
        expect((await app.get("/api/skus", { headers })).json).not.toContain(BOOK.isbn);
      },
    );

    test("a change that is undone brings the first response back", async () => {
      const app = await api.withOptions({});
      const first = await getRepeatedly(app, BOOK_PATH);
      await importBooks(api.store, [entryOf({ ...BOOK, title: "Changed" })]);
      expect((await getRepeatedly(app, BOOK_PATH)).text).toContain("Changed");
      await importBooks(api.store, [entryOf(BOOK)]);
      expect((await app.get(BOOK_PATH)).text).toBe(first.text);
    });

    test.each([0, undefined])(
      "concurrent requests for one book get it, each in its own coding (cacheBytes: %p)",
      async (cacheBytes) => {
        const app = await api.withOptions({ cacheBytes });
        const codings = ["identity", "gzip", "zstd", "br"];
        const { text } = await app.get(BOOK_PATH);
        const responses = await Promise.all(
          Array.from({ length: 40 }, (_, index) =>
            app.get(BOOK_PATH, { headers: { "Accept-Encoding": codings[index % 4]! } }),
          ),
        );
        responses.forEach((response, index) => {
          expect(response.headers.get("content-encoding") ?? "identity").toBe(codings[index % 4]!);
          expect(response.text).toBe(text);
        });
      },
    );

    test("cached and uncached responses are the same", async () => {
      const [cachingApp, uncachingApp] = [
        await api.withOptions({}),
        await api.withOptions({ cacheBytes: 0 }),
      ];
      for (const path of PATHS) {
        for (const coding of ["identity", "gzip", "zstd"]) {
          const headers = { "Accept-Encoding": coding };
          await getRepeatedly(cachingApp, path, headers);
          for (const method of ["GET", "HEAD"]) {
            const cached = await cachingApp.get(path, { method, headers });
            const uncached = await uncachingApp.get(path, { method, headers });
            expect(Buffer.from(cached.raw).equals(uncached.raw)).toBe(true);
            expect(withoutFraming(cached)).toEqual(withoutFraming(uncached));
          }
        }
      }
    });
  });
}

/** A cached list has a Content-Length; one that is being read does not. */
function withoutFraming({ headers }: ApiResponse): [string, string][] {
  return [...headers].filter(([name]) => !["content-length", "transfer-encoding"].includes(name));
}

describe("with the embedded store", () => {
  const api = sharedApi(() => createTestApi(SQLITE, { cors: "https://a.example,https://b.example" }));

  test.each(["identity", "gzip", "zstd"])(
    "a cache hit reads no record and opens no snapshot (%s)",
    async (coding) => {
      const app = await api.withOptions({});
      const headers = { "Accept-Encoding": coding };
      for (const path of PATHS) {
        const { headers: cachedHeaders } = await getRepeatedly(app, path, headers);
        const { lookupTransactions: _, ...before } = app.observed;
        await app.get(path, { headers });
        await app.get(path, { method: "HEAD", headers });
        const etag = cachedHeaders.get("etag")!;
        expect((await app.get(path, { headers: { ...headers, "If-None-Match": etag } })).status).toBe(304);
        expect(app.observed).toMatchObject(before);
      }
      expect(app.observed.lookups).toBeGreaterThan(0);
      expect(app.observed.snapshots).toBeGreaterThan(0);
    },
  );

  test("an origin never gets the cached response of another origin", async () => {
    for (const origin of ["https://a.example", "https://b.example", "https://c.example"]) {
      const response = await getRepeatedly(api, BOOK_PATH, { Origin: origin });
      const allowed = origin === "https://c.example" ? null : origin;
      expect(response.headers.get("access-control-allow-origin")).toBe(allowed);
    }
  });

  test("the query is part of the cache key", async () => {
    await getRepeatedly(api, "/api/imprint/zeta");
    const all = (await api.get("/api/imprint/zeta?x=1")).json.length;
    await getRepeatedly(api, "/api/imprint/zeta?language=spa");
    expect((await api.get("/api/imprint/zeta?language=spa")).json.length).toBeLessThan(all);
    expect((await api.get("/api/imprint/zeta?%6Canguage=spa")).json.length).toBeLessThan(all);
    expect((await api.get("/api/imprint/zeta?language=spa&language=eng")).status).toBe(400);
  });
});

test("a long list is cached when it fits into the budget, and is complete for every client", async () => {
  await using api = await createTestApi(SQLITE, { books: longList(1_000_000) });
  for (const [cacheBytes, isCached] of [
    [3_000_000, true],
    [700_000, false],
  ] as const) {
    const app = await api.withOptions({ cacheBytes });
    const first = await getRepeatedly(app, LONG_LIST_PATH);
    const { bytesRead } = app.observed;
    const responses = await Promise.all([1, 2, 3].map(() => app.get(LONG_LIST_PATH)));
    for (const { raw } of responses) expect(Buffer.from(raw).equals(first.raw)).toBe(true);
    expect(app.observed.bytesRead === bytesRead).toBe(isCached);
  }
});

test("responses with and without the cache are the same while imports change the catalog", async () => {
  expect(await compareCaches({ numRuns: 10, seed: 1 })).toBeGreaterThan(200);
});
