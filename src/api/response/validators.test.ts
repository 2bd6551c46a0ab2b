import { describe, expect, test } from "bun:test";
import type { Day } from "../../onix/date.ts";
import { importBooks } from "../../stores/testing/books.ts";
import { ENGINES, SQLITE } from "../../stores/testing/engines.ts";
import { createTestApi } from "../testing/api.ts";
import { BOOKS, entryOf } from "../testing/books.ts";
import { testPaths } from "../testing/example-paths.ts";
import { expectGet, sharedApi } from "../testing/shared-api.ts";

const PATHS = [
  ...testPaths(),
  `/api/isbn/${BOOKS[1]!.isbn}`,
  "/api/imprint/zeta?language=fre",
  "/api/news?date=20260101",
  "/api/search?q=la",
  "/api/search?view=record&limit=2",
  "/openapi.json",
];

for (const engine of ENGINES) {
  describe(engine.name, () => {
    const api = sharedApi(() => createTestApi(engine));

    for (const coding of ["identity", "gzip", "br", "zstd"]) {
      test.each(PATHS)(`%s in ${coding} returns 304 for its own ETag`, async (path) => {
        const headers = { "Accept-Encoding": coding };
        const first = await api.get(path, { headers });
        const etag = first.headers.get("etag")!;
        expect(etag).toMatch(/^"[0-9a-z-]+"$/);
        if (first.headers.has("content-encoding")) expect(etag.endsWith(`-${coding}"`)).toBe(true);
        for (const method of ["GET", "HEAD"]) {
          const again = await api.get(path, { method, headers: { ...headers, "If-None-Match": etag } });
          expect(again.status).toBe(304);
          expect(again.raw).toHaveLength(0);
          for (const name of ["etag", "cache-control", "vary", "access-control-allow-origin"]) {
            expect(again.headers.get(name)).toBe(first.headers.get(name));
          }
          expect(again.headers.has("content-type")).toBe(false);
        }
        const other = await api.get(path, { headers: { ...headers, "If-None-Match": '"other"' } });
        expect(other.status).toBe(200);
        expect(Buffer.from(other.raw).equals(first.raw)).toBe(true);
      });
    }

    test("ETags differ between codings, and that of one coding does not match another", async () => {
      const path = PATHS[0]!;
      const etags = new Set<string>();
      for (const coding of ["identity", "gzip", "br", "zstd"]) {
        etags.add((await api.get(path, { headers: { "Accept-Encoding": coding } })).headers.get("etag")!);
      }
      expect(etags.size).toBe(4);
      const plain = (await api.get(path)).headers.get("etag")!;
      const headers = { "Accept-Encoding": "gzip", "If-None-Match": plain };
      expect((await api.get(path, { headers })).status).toBe(200);
    });

    test.each([
      ["*", 304],
      ['"a,b",W/"c" , W/TAG,', 304],
      ['W/"a", "TAGx"', 200],
    ])("If-None-Match: %s returns %d", async (header, status) => {
      for (const path of [PATHS[0]!, "/api/skus"]) {
        const etag = (await api.get(path)).headers.get("etag")!;
        const sent = header.replace('"TAGx"', `"${etag.slice(1, -1)}x"`).replace("TAG", etag);
        expect((await api.get(path, { headers: { "If-None-Match": sent } })).status).toBe(status);
      }
    });

    test.each([
      ["/api/isbn/9780000000002", 404],
      ["/api/imprint/nobody", 404],
      ["/api/isbns/9780000000002", 404],
      ["/api/news?date=1", 400],
    ])("%s stays %d with If-None-Match", async (path, status) => {
      const { headers } = await api.get("/api/skus");
      for (const tags of ["*", `*, ${headers.get("etag")}`])
        await expectGet(api, path, status, { headers: { "If-None-Match": tags } });
    });

    test("a 304 of a list reads no record and leaves no snapshot open", async () => {
      const before = api.observed.bytesRead;
      await api.get("/api/news?date=20200101", { headers: { "If-None-Match": "*" } });
      expect(api.observed.bytesRead).toBe(before);
      expect(api.observed.openSnapshots).toBe(0);
    });

    test("an import changes the ETags of lists, and of the records that it changes", async () => {
      await using changing = await createTestApi(engine);
      const etags = new Map<string, string>();
      for (const path of PATHS) etags.set(path, (await changing.get(path)).headers.get("etag")!);
      await importBooks(changing.store, [entryOf({ ...BOOKS[1]!, title: "Changed" })]);
      for (const path of PATHS) {
        const response = await changing.get(path, { headers: { "If-None-Match": etags.get(path)! } });
        // The first book, the first import, the counts, suggestions and subjects stay as they are. Another book can join a work.
        const isUnchanged =
          (path.endsWith(BOOKS[0]!.isbn) && !path.startsWith("/api/work/")) ||
          /\/(imports\/1|facets|suggest|translations|subjects|openapi\.json)$/.test(path);
        expect([path, response.status]).toEqual([path, isUnchanged ? 304 : 200]);
      }
    });
  });
}

test("the ETag of /api/news changes with the day, unless it has a date", async () => {
  let today = "20260901" as Day;
  await using api = await createTestApi(SQLITE, { today: () => today });
  const etagOf = async (path: string) => (await api.get(path)).headers.get("etag")!;
  const [undated, dated] = [await etagOf("/api/news"), await etagOf("/api/news?date=20260603")];
  today = "20260902" as Day;
  expect((await api.get("/api/news", { headers: { "If-None-Match": undated } })).status).toBe(200);
  expect(await etagOf("/api/news?date=20260603")).toBe(dated);
});

test("an error never has the ETag of another response", async () => {
  await using api = await createTestApi(SQLITE);
  await api.get(PATHS[0]!);
  for (const path of ["/api/isbn/abc", "/api/isbn/9780000000002", "/api/nothing"]) {
    expect((await api.get(path)).headers.has("etag")).toBe(false);
  }
});
