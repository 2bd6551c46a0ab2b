import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Day } from "../../onix/date.ts";
import { importBooks } from "../../stores/testing/books.ts";
import { ENGINES, SQLITE } from "../../stores/testing/engines.ts";
import { createTestApi, type TestApi } from "../testing/api.ts";
import { BOOKS, entryOf } from "../testing/books.ts";

const PATHS = [
  `/api/isbn/${BOOKS[0]!.isbn}`,
  `/api/isbn/${BOOKS[1]!.isbn}`,
  `/api/isbns/${BOOKS[0]!.isbn},${BOOKS[1]!.isbn}`,
  "/api/imprint/zeta",
  "/api/imprint/zeta?language=fre",
  "/api/imprints",
  "/api/news",
  "/api/news?date=20260101",
  "/api/skus",
  "/api/translations",
  "/openapi.json",
];

for (const engine of ENGINES) {
  describe(engine.name, () => {
    let it: TestApi;
    beforeAll(async () => {
      it = await createTestApi(engine);
    });
    afterAll(() => it[Symbol.asyncDispose]());

    for (const coding of ["identity", "gzip", "br", "zstd"]) {
      test.each(PATHS)(`%s in ${coding}: its own tag gives 304`, async (path) => {
        const headers = { "Accept-Encoding": coding };
        const first = await it.get(path, { headers });
        const tag = first.headers.get("etag")!;
        expect(tag).toMatch(/^"[0-9a-z-]+"$/);
        if (first.headers.has("content-encoding")) expect(tag.endsWith(`-${coding}"`)).toBe(true);
        for (const method of ["GET", "HEAD"]) {
          const again = await it.get(path, { method, headers: { ...headers, "If-None-Match": tag } });
          expect(again.status).toBe(304);
          expect(again.raw).toHaveLength(0);
          for (const name of ["etag", "cache-control", "vary", "access-control-allow-origin"]) {
            expect(again.headers.get(name)).toBe(first.headers.get(name));
          }
          expect(again.headers.has("content-type")).toBe(false);
        }
        const other = await it.get(path, { headers: { ...headers, "If-None-Match": '"other"' } });
        expect(other.status).toBe(200);
        expect(Buffer.from(other.raw).equals(first.raw)).toBe(true);
      });
    }

    test("tags of different codings differ, and one coding's tag does not stand for another's", async () => {
      const path = PATHS[0]!;
      const tags = new Set<string>();
      for (const coding of ["identity", "gzip", "br", "zstd"]) {
        tags.add((await it.get(path, { headers: { "Accept-Encoding": coding } })).headers.get("etag")!);
      }
      expect(tags.size).toBe(4);
      const plain = (await it.get(path)).headers.get("etag")!;
      const headers = { "Accept-Encoding": "gzip", "If-None-Match": plain };
      expect((await it.get(path, { headers })).status).toBe(200);
    });

    test.each([
      ["*", 304],
      [" * ", 304],
      ["W/TAG", 304],
      ['"a", TAG', 304],
      ['"a,b",W/"c" , W/TAG,', 304],
      ['"a"', 200],
      ['W/"a", "TAGx"', 200],
      ["bare", 200],
      ["", 200],
    ])("If-None-Match: %s is %d", async (header, status) => {
      for (const path of [PATHS[0]!, "/api/skus"]) {
        const tag = (await it.get(path)).headers.get("etag")!;
        const sent = header.replace('"TAGx"', `"${tag.slice(1, -1)}x"`).replace("TAG", tag);
        expect((await it.get(path, { headers: { "If-None-Match": sent } })).status).toBe(status);
      }
    });

    test("an error is no 304", async () => {
      const headers = { "If-None-Match": `*, ${(await it.get("/api/skus")).headers.get("etag")}` };
      expect((await it.get("/api/isbn/9780000000002", { headers })).status).toBe(404);
      expect((await it.get("/api/imprint/nobody", { headers: { "If-None-Match": "*" } })).status).toBe(404);
      expect((await it.get("/api/isbns/9780000000002", { headers: { "If-None-Match": "*" } })).status).toBe(
        404,
      );
      expect((await it.get("/api/news?date=1", { headers: { "If-None-Match": "*" } })).status).toBe(400);
    });

    test("a 304 of a list reads no record, and leaves no view open", async () => {
      const before = it.observed.bytesRead;
      await it.get("/api/news?date=20200101", { headers: { "If-None-Match": "*" } });
      expect(it.observed.bytesRead).toBe(before);
      expect(it.observed.openSnapshots).toBe(0);
    });

    test("a list is stale after an import, a record only after its own", async () => {
      await using changing = await createTestApi(engine);
      const tags = new Map<string, string>();
      for (const path of PATHS) tags.set(path, (await changing.get(path)).headers.get("etag")!);
      await importBooks(changing.store, [entryOf({ ...BOOKS[1]!, title: "Changed" })]);
      for (const path of PATHS) {
        const reply = await changing.get(path, { headers: { "If-None-Match": tags.get(path)! } });
        const stays = path === PATHS[0] || path === "/api/translations" || path === "/openapi.json";
        expect([path, reply.status]).toEqual([path, stays ? 304 : 200]);
      }
    });
  });
}

test("the news without a date change with the day, those with one do not", async () => {
  let today = "20260901" as Day;
  await using it = await createTestApi(SQLITE, { today: () => today });
  const tagOf = async (path: string) => (await it.get(path)).headers.get("etag")!;
  const [moving, standing] = [await tagOf("/api/news"), await tagOf("/api/news?date=20260603")];
  today = "20260902" as Day;
  expect((await it.get("/api/news", { headers: { "If-None-Match": moving } })).status).toBe(200);
  expect(await tagOf("/api/news?date=20260603")).toBe(standing);
});

test("no answer has the tag of another", async () => {
  await using it = await createTestApi(SQLITE);
  await it.get(PATHS[0]!);
  for (const path of ["/api/isbn/abc", "/api/isbn/9780000000002", "/api/nothing"]) {
    expect((await it.get(path)).headers.has("etag")).toBe(false);
  }
  const tags = await Promise.all(BOOKS.map(({ isbn }) => it.get(`/api/isbn/${isbn}`)));
  expect(tags.map(({ headers }) => headers.get("etag"))).toEqual(
    BOOKS.map((book) => `"${entryOf(book).etag}"`),
  );
});
