/** What is kept is never stale, and costs the store nothing. */
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import type { Isbn13 } from "../../onix/isbn.ts";
import { importBooks } from "../../stores/testing/books.ts";
import { ENGINES, SQLITE } from "../../stores/testing/engines.ts";
import { createTestApi, type TestApi } from "../testing/api.ts";
import { BOOKS, entryOf, longList } from "../testing/books.ts";

setDefaultTimeout(60_000);

const BOOK = BOOKS[0]!;
const PATHS = [
  `/api/isbn/${BOOK.isbn}`,
  `/api/isbns/${BOOK.isbn},${BOOK.isbn}`,
  "/api/imprint/zeta",
  "/api/imprints",
  "/api/news?date=20200101",
  "/api/skus",
];

/** Often enough to be kept, if it ever is. */
async function often(it: TestApi, path: string, headers: Record<string, string> = {}) {
  for (let times = 0; times < 4; times++) await it.get(path, { headers });
  return it.get(path, { headers });
}

async function remove(it: TestApi, isbn: string): Promise<void> {
  const load = await it.store.beginImport();
  await load.remove([isbn as Isbn13], 1);
  await load.commit("f".repeat(32));
}

for (const engine of ENGINES) {
  describe(engine.name, () => {
    test.each(["identity", "gzip"])("an import is seen by the next request (%s)", async (coding) => {
      await using it = await createTestApi(engine);
      const headers = { "Accept-Encoding": coding };
      for (const path of PATHS) await often(it, path, headers);
      const changed = entryOf({ ...BOOK, title: "Changed", imprint: "Omega" });
      await importBooks(it.store, [changed]);
      for (const path of PATHS.slice(0, 2))
        expect((await it.get(path, { headers })).text).toContain("Changed");
      expect((await it.get("/api/imprints", { headers })).text).toContain("omega");
      await remove(it, BOOK.isbn);
      for (const path of PATHS.slice(0, 2)) expect((await it.get(path, { headers })).status).toBe(404);
      expect((await it.get("/api/skus", { headers })).json).not.toContain(BOOK.isbn);
    });

    test("a catalog that is as it was before gives what it gave before", async () => {
      await using it = await createTestApi(engine);
      const [path] = PATHS;
      const first = await often(it, path!);
      await importBooks(it.store, [entryOf({ ...BOOK, title: "Changed" })]);
      expect((await often(it, path!)).text).toContain("Changed");
      await importBooks(it.store, [entryOf(BOOK)]);
      expect((await it.get(path!)).text).toBe(first.text);
    });

    test("who asks for one book at the same time gets it, kept or not, each in his own coding", async () => {
      for (const cache of [0, undefined]) {
        await using it = await createTestApi(engine, { cacheBytes: cache });
        const [path] = PATHS;
        const codings = ["identity", "gzip", "zstd", "br"];
        const first = (await it.get(path!)).text;
        const asked = Array.from({ length: 40 }, (_, at) =>
          it.get(path!, { headers: { "Accept-Encoding": codings[at % 4]! } }),
        );
        for (const reply of await Promise.all(asked)) expect(reply.text).toBe(first);
      }
    });

    test("answers are the same, kept or not", async () => {
      await using it = await createTestApi(engine);
      await using without = await createTestApi(engine, { cacheBytes: 0 });
      for (const path of PATHS) {
        for (const coding of ["identity", "gzip", "zstd"]) {
          for (const method of ["GET", "HEAD"]) {
            const headers = { "Accept-Encoding": coding };
            await often(it, path, headers);
            const kept = await it.get(path, { method, headers });
            const fresh = await without.get(path, { method, headers });
            expect(Buffer.from(kept.raw).equals(fresh.raw)).toBe(true);
            const volatile = ["date", "content-length", "transfer-encoding"];
            const fields = ({ headers }: typeof kept) =>
              [...headers].filter(([name]) => !volatile.includes(name));
            expect(fields(kept)).toEqual(fields(fresh));
          }
        }
      }
    });
  });
}

test("what is kept is sent without a question to the store but for its revision", async () => {
  await using it = await createTestApi(SQLITE);
  for (const path of PATHS) {
    await often(it, path);
    const { snapshots, bytesRead } = it.observed;
    const tag = (await it.get(path)).headers.get("etag")!;
    expect((await it.get(path, { headers: { "If-None-Match": tag } })).status).toBe(304);
    expect([it.observed.snapshots, it.observed.bytesRead]).toEqual([snapshots, bytesRead]);
  }
});

test("a large list is kept within the budget, beyond it not; and is sent whole to every reader", async () => {
  const entries = longList(3_000_000);
  for (const [cache, keeps] of [
    [8_000_000, true],
    [2_000_000, false],
  ] as const) {
    await using it = await createTestApi(SQLITE, { books: false, cacheBytes: cache });
    await importBooks(it.store, entries);
    const first = await often(it, "/api/imprint/long-list");
    const { bytesRead } = it.observed;
    const again = await Promise.all([1, 2, 3].map(() => it.get("/api/imprint/long-list")));
    for (const reply of again) expect(Buffer.from(reply.raw).equals(first.raw)).toBe(true);
    expect(it.observed.bytesRead === bytesRead).toBe(keeps);
  }
});

test("each origin gets its own answer, kept or not", async () => {
  await using it = await createTestApi(SQLITE, { cors: "https://a.example,https://b.example" });
  const [path] = PATHS;
  for (const origin of ["https://a.example", "https://b.example", "https://c.example"]) {
    const reply = await often(it, path!, { Origin: origin });
    const allowed = origin === "https://c.example" ? null : origin;
    expect(reply.headers.get("access-control-allow-origin")).toBe(allowed);
  }
});

test("a query is part of what is kept", async () => {
  await using it = await createTestApi(SQLITE);
  await often(it, "/api/imprint/zeta");
  const all = (await it.get("/api/imprint/zeta?x=1")).json.length;
  await often(it, "/api/imprint/zeta?language=spa");
  expect((await it.get("/api/imprint/zeta?language=spa")).json.length).toBeLessThan(all);
  expect((await it.get("/api/imprint/zeta?%6Canguage=spa")).json.length).toBeLessThan(all);
  expect((await it.get("/api/imprint/zeta?language=spa&language=eng")).status).toBe(400);
});
