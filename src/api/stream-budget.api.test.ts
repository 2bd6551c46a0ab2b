/** Lists of the API when the memory for lists is taken. */

import { describe, expect, test } from "bun:test";
import { ENGINES } from "../stores/testing/engines.ts";
import { DEFAULT_STREAM_BYTES, StreamBudget } from "./stream-budget.ts";
import { createTestApi } from "./testing/api.ts";
import { BOOKS } from "./testing/books.ts";
import { testPaths } from "./testing/example-paths.ts";

const [FIRST, SECOND] = BOOKS.map(({ isbn }) => isbn);
const LISTS = [
  ...testPaths(({ isList }) => isList),
  "/api/skus?format=csv",
  "/api/imprint/zeta?format=ndjson",
  "/api/imprint/zeta?format=xml",
];

/** Records that are read by their ISBNs are buffered up to this size, while as many are read ahead. */
const BUFFER_BYTES = 256 * 1024;

/** Notes the bytes of each list, and the client of the last one. */
class NotingBudget extends StreamBudget {
  readonly acquired: number[] = [];
  client = "";

  override acquire(...args: Parameters<StreamBudget["acquire"]>) {
    this.client = args[0];
    this.acquired.push(args[1]);
    return super.acquire(...args);
  }
}

for (const engine of ENGINES) {
  describe(engine.name, () => {
    test("lists that are converted take more memory than those of stored bytes", async () => {
      const streamBudget = new NotingBudget({ maxBytes: 100 << 20 });
      await using api = await createTestApi(engine, { streamBudget });
      for (const format of ["json", "ndjson", "csv", "xml"])
        await api.get(`/api/imprint/zeta?format=${format}`);
      const [json, ...others] = streamBudget.acquired;
      expect(others.map((bytes) => bytes > json!)).toEqual([true, true, true]);
    });

    test("pages, searches, changes and lists of ISBNs take the memory of two buffers beyond that of a whole list", async () => {
      const streamBudget = new NotingBudget({ maxBytes: 100 << 20 });
      await using api = await createTestApi(engine, { streamBudget, cacheBytes: 0 });
      const bytesOf = async (path: string) => {
        expect([path, (await api.get(path)).status]).toEqual([path, 200]);
        expect(streamBudget.acquired.length).toBe(1);
        return streamBudget.acquired.pop()!;
      };
      const whole = await bytesOf("/api/imprints");
      for (const path of ["/api/skus", "/api/news", "/api/imprint/zeta", "/api/imprint/zeta?language=spa"])
        expect([path, (await bytesOf(path)) - whole]).toEqual([path, 0]);
      const { headers } = await api.get("/api/skus?limit=1");
      streamBudget.acquired.pop();
      const next = /<([^>]+)>; *rel="?next/.exec(headers.get("link")!)![1]!;
      for (const path of [
        "/api/skus?limit=1",
        "/api/skus?%6Cimit=1",
        `/api/skus${next}`,
        "/api/news?date=20200101&limit=2",
        "/api/imprint/zeta?limit=1000",
        "/api/imprint/zeta?language=spa&limit=1",
        "/api/search?q=la",
        "/api/search?q=la&limit=1",
        "/api/changes",
        "/api/changes?limit=1",
        `/api/isbns/${FIRST},${SECOND}`,
      ])
        expect([path, (await bytesOf(path)) - whole]).toEqual([path, 2 * BUFFER_BYTES]);
    });

    test("lists get 503 with Retry-After while the memory is taken; a lookup is served", async () => {
      const streamBudget = new StreamBudget({ maxBytes: 1024, maxWaitMs: 5 });
      await using api = await createTestApi(engine, { streamBudget });
      const lease = await streamBudget.acquire("other", 1024);
      for (const path of LISTS) {
        const { status, headers, json } = await api.get(path);
        expect([path, status, headers.get("retry-after")]).toEqual([path, 503, "5"]);
        expect(json.message).toBe("Service Unavailable");
      }
      expect((await api.get(`/api/isbn/${FIRST}`)).status).toBe(200);
      expect((await api.get("/api/translations")).status).toBe(200);
      lease!.release();
      expect((await api.get("/api/skus")).status).toBe(200);
    });

    test("a token with a list in flight gets its other lists and searches while ten tokens hold and want more", async () => {
      const streamBudget = new NotingBudget({ maxBytes: DEFAULT_STREAM_BYTES, maxWaitMs: 1000 });
      await using api = await createTestApi(engine, { streamBudget, cacheBytes: 0 });
      await api.get("/api/skus");
      const [listBytes] = streamBudget.acquired;
      const own = await streamBudget.acquire(streamBudget.client, listBytes!);
      const wanted = Array.from({ length: 1300 }, (_, index) =>
        streamBudget.acquire(`token ${index % 10}`, listBytes!),
      );
      expect(streamBudget.waiting).toBeGreaterThan(0);
      const responses = await Promise.all(LISTS.map((path) => api.get(path)));
      expect(responses.map(({ status }) => status)).toEqual(LISTS.map(() => 200));
      own!.release();
      await Promise.all(wanted);
    });

    test("every response to a list gives its memory back", async () => {
      const streamBudget = new StreamBudget({ maxBytes: 1024, maxWaitMs: 5 });
      await using api = await createTestApi(engine, { streamBudget });
      const { headers } = await api.get("/api/skus");
      const etag = headers.get("etag")!;
      const requests = [
        ...LISTS.map((path) => api.get(path, { headers: { "Accept-Encoding": "gzip" } })),
        api.get("/api/skus", { headers: { "If-None-Match": etag } }),
        api.get("/api/skus", { method: "HEAD" }),
        api.get("/api/imprint/zeta?format=xml", { method: "HEAD" }),
        api.get("/api/imprint/unknown?format=xml"),
        api.get("/api/imprint/unknown"),
        api.get("/api/isbns/9789999900003"),
        api.get("/api/news?date=1"),
      ];
      await Promise.all(requests);
      expect([streamBudget.usedBytes, streamBudget.waiting]).toEqual([0, 0]);
    });
  });
}
