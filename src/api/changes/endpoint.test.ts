import { describe, expect, test } from "bun:test";
import type { Isbn13 } from "../../onix/isbn.ts";
import { importBooks } from "../../stores/testing/books.ts";
import { DATABASE_ENGINES, ENGINES, SQLITE } from "../../stores/testing/engines.ts";
import { createTestApi, importTestBooks, type TestApi } from "../testing/api.ts";
import { BOOKS, entryOf } from "../testing/books.ts";
import { sharedApi } from "../testing/shared-api.ts";

interface Change {
  readonly isbn: string;
  readonly change: string;
  readonly at: string;
  readonly record?: unknown;
  readonly summary?: unknown;
}

interface ChangesPage {
  readonly changes: readonly Change[];
  readonly next: string;
  readonly more: boolean;
}

type Api = Pick<TestApi, "get">;

async function getPage(api: Api, since?: string, query = ""): Promise<ChangesPage> {
  const parameters = [since === undefined ? "" : `since=${since}`, query].filter(Boolean).join("&");
  const response = await api.get(`/api/changes?${parameters}`);
  expect([response.status, response.headers.get("content-type")]).toEqual([200, "application/json"]);
  return response.json;
}

/** Follows the changes to their end. Calls back between two pages. */
async function follow(api: Api, since?: string, query = "", between = async (_page: number) => {}) {
  const changes: Change[] = [];
  let cursor = since;
  for (let page = 0; ; page++) {
    const { more, next, changes: listed } = await getPage(api, cursor, query);
    changes.push(...listed);
    cursor = next;
    if (!more) return { changes, next };
    expect(listed.length).toBeGreaterThan(0);
    await between(page);
  }
}

const kinds = (changes: readonly Change[]) => changes.map(({ isbn, change }) => `${isbn} ${change}`);
const [first, second, third, ...others] = BOOKS;
const renamed = (book: (typeof BOOKS)[number], title = "New") => entryOf({ ...book, title });
const allIsbns = BOOKS.map(({ isbn }) => isbn).sort();

for (const engine of ENGINES) {
  describe(`GET /api/changes (${engine.name})`, () => {
    const api = sharedApi(() => createTestApi(engine));

    test.each([1, 5, 12, 1000])(
      "lists the whole catalog in pages of %d, and ends with a cursor",
      async (limit) => {
        const { changes, next } = await follow(api, undefined, `limit=${limit}`);
        expect(kinds(changes)).toEqual(allIsbns.map((isbn) => `${isbn} added`));
        expect(await getPage(api, next)).toEqual({ changes: [], next, more: false });
      },
    );

    test.each(["record", "summary"] as const)(
      "has the bytes of each %s inline, in any coding",
      async (view) => {
        for (const coding of ["identity", "gzip", "br", "zstd"]) {
          const path = `/api/changes?view=${view}&limit=5`;
          const response = await api.get(path, { headers: { "Accept-Encoding": coding } });
          expect(response.json.changes).toHaveLength(5);
          for (const { isbn } of response.json.changes as Change[]) {
            const book = await api.get(`/api/isbn/${isbn}?view=${view}`);
            expect(response.text).toContain(`"${view}":${book.text}}`);
          }
        }
      },
    );

    test("has neither record nor summary without view", async () => {
      for (const change of (await getPage(api)).changes) {
        expect(Object.keys(change)).toEqual(["isbn", "change", "at"]);
      }
    });

    test("returns 401 without a token, and the headers of GET for HEAD", async () => {
      expect((await api.get("/api/changes", { token: null })).status).toBe(401);
      const [get, head] = [await api.get("/api/changes"), await api.get("/api/changes", { method: "HEAD" })];
      expect(head.raw).toHaveLength(0);
      for (const name of ["etag", "content-type", "cache-control"])
        expect(head.headers.get(name)).toBe(get.headers.get(name));
    });

    test("leaves no snapshot open, and reports no error", () => {
      expect([api.observed.openSnapshots, api.errors]).toEqual([0, []]);
    });
  });

  test(`lists what imports have done since the cursor (${engine.name})`, async () => {
    await using api = await createTestApi(engine);
    const { next } = await follow(api);
    await importBooks(api.store, [renamed(first!)], [second!.isbn as Isbn13]);
    await importBooks(api.store, [renamed(third!)]);
    const expected = [`${first!.isbn} updated`, `${second!.isbn} deleted`, `${third!.isbn} updated`];
    for (const limit of [1, 2, 3, 100])
      expect(kinds((await follow(api, next, `limit=${limit}`)).changes)).toEqual(expected);
    const later = await follow(api, next);
    await importBooks(api.store, [entryOf(second!), renamed(third!, "Newer")]);
    // The order is that of ISBNs within an import.
    expect(kinds((await follow(api, later.next)).changes)).toEqual([
      `${second!.isbn} added`,
      `${third!.isbn} updated`,
    ]);
    // A load never lists what is gone before it begins.
    await importBooks(api.store, [], [second!.isbn as Isbn13]);
    expect(kinds((await follow(api)).changes).sort()).toEqual(
      allIsbns.filter((isbn) => isbn !== second!.isbn).map((isbn) => `${isbn} added`),
    );
  });

  test(`has a member for the book but in deletions, which stand anywhere (${engine.name})`, async () => {
    await using api = await createTestApi(engine);
    const { next } = await follow(api);
    const removed = others.filter((_, index) => index % 2 === 0);
    const changed = others.filter((_, index) => index % 2 === 1).map((book) => renamed(book));
    await importBooks(
      api.store,
      changed,
      removed.map(({ isbn }) => isbn as Isbn13),
    );
    for (const limit of [1, 3, 100]) {
      const { changes } = await follow(api, next, `view=record&limit=${limit}`);
      expect(changes.map(({ isbn }) => isbn)).toEqual(others.map(({ isbn }) => isbn).sort());
      for (const { isbn, change, record } of changes) {
        const isRemoved = removed.some((book) => book.isbn === isbn);
        expect([change, record === undefined]).toEqual([isRemoved ? "deleted" : "updated", isRemoved]);
        if (!isRemoved) expect(record).toEqual((await api.get(`/api/isbn/${isbn}`)).json);
      }
    }
    await importBooks(
      api.store,
      [],
      changed.map(({ isbn }) => isbn),
    );
    const onlyDeletions = await follow(api, next, "view=summary");
    expect(new Set(onlyDeletions.changes.map(({ change }) => change))).toEqual(new Set(["deleted"]));
  });

  test(`loads the catalog while imports change it (${engine.name})`, async () => {
    await using api = await createTestApi(engine);
    const mirror = new Map<string, unknown>();
    const { changes } = await follow(api, undefined, "limit=2&view=record", async (page) => {
      if (page === 0) await importBooks(api.store, [renamed(first!)], [second!.isbn as Isbn13]);
      if (page === 1) await importBooks(api.store, [entryOf(second!)], [first!.isbn as Isbn13]);
      if (page === 2) await importBooks(api.store, [renamed(third!)]);
    });
    for (const { isbn, change, record } of changes) {
      if (change === "deleted") mirror.delete(isbn);
      else mirror.set(isbn, record);
    }
    const skus: string[] = (await api.get("/api/skus")).json;
    expect([...mirror.keys()].sort()).toEqual(skus);
    for (const isbn of skus) expect(mirror.get(isbn)).toEqual((await api.get(`/api/isbn/${isbn}`)).json);
  });

  test(`returns 304 until an import changes records, and not after one that restores them (${engine.name})`, async () => {
    await using api = await createTestApi(engine);
    const { next } = await follow(api);
    const poll = (etag: string) =>
      api.get(`/api/changes?since=${next}`, { headers: { "If-None-Match": etag } });
    const etag = (await poll("")).headers.get("etag")!;
    // Several times, so that a response cache would have it.
    for (let count = 0; count < 4; count++) {
      expect([(await poll(etag)).status, (await poll("")).json.changes]).toEqual([304, []]);
    }
    await importBooks(api.store, [{ ...entryOf(first!), reference: "other" }]);
    expect((await poll(etag)).status).toBe(304);
    const revision = await api.store.revision();
    await importBooks(api.store, [renamed(first!)]);
    await importBooks(api.store, [entryOf(first!)]);
    expect(await api.store.revision()).toBe(revision);
    const changed = await poll(etag);
    expect([changed.status, kinds(changed.json.changes)]).toEqual([200, [`${first!.isbn} updated`]]);
    expect(changed.headers.get("etag")).not.toBe(etag);
  });

  test(`begins with an empty catalog (${engine.name})`, async () => {
    await using api = await createTestApi(engine, { books: false });
    const { changes, next } = await follow(api);
    expect(changes).toEqual([]);
    await importBooks(api.store, [entryOf(first!)]);
    expect(kinds((await follow(api, next)).changes)).toEqual([`${first!.isbn} added`]);
  });
}

for (const engine of DATABASE_ENGINES) {
  test(`returns 410 for a cursor of another catalog, and of an import that was lost (${engine.name})`, async () => {
    await using api = await createTestApi(engine);
    await using other = await createTestApi(engine, { books: false });
    // Not a copy of the same catalog.
    await importTestBooks(other.store);
    const { next } = await follow(other);
    const response = await api.get(`/api/changes?since=${next}`);
    expect([response.status, response.json.message]).toEqual([410, "Gone"]);
    expect(response.json.detail).toContain("without since");
    expect(response.headers.get("cache-control")).toBe("no-store");
    const empty = await createTestApi(engine, { books: false });
    expect((await empty.get(`/api/changes?since=${next}`)).status).toBe(410);
    await empty[Symbol.asyncDispose]();
    expect([api.observed.openSnapshots, api.errors]).toEqual([0, []]);
  });

  test(`returns 410 for a cursor whose page left out what a lost import had moved (${engine.name})`, async () => {
    const testStore = await engine.createStore(importTestBooks);
    await using api = await createTestApi({ ...engine, createStore: async () => testStore });
    const start = await getPage(api, undefined, "limit=1");
    // The third book moves to the end, and the next page goes past its old place.
    const [, , moved] = [...BOOKS].sort((a, b) => (a.isbn < b.isbn ? -1 : 1));
    await importBooks(api.store, [renamed(moved!)]);
    const page = await getPage(api, start.next, "limit=5");
    expect(page.changes.map(({ isbn }) => isbn)).not.toContain(moved!.isbn);
    // A failover to a server that never had the last import.
    await testStore.runSql("DELETE FROM change_run WHERE number = 2");
    expect((await api.get(`/api/changes?since=${page.next}`)).status).toBe(410);
    expect((await api.get(`/api/changes?since=${start.next}&limit=1`)).status).toBe(200);
  });

  test(`returns 410 once deletions after the cursor are forgotten (${engine.name})`, async () => {
    const testStore = await engine.createStore(importTestBooks);
    await using api = await createTestApi({ ...engine, createStore: async () => testStore });
    const { next } = await follow(api);
    await importBooks(api.store, [], [first!.isbn as Isbn13]);
    const later = await follow(api, next);
    await testStore.runSql("UPDATE change_run SET at = '2020-01-01T00:00:00.000Z'");
    expect((await api.get(`/api/changes?since=${next}`)).status).toBe(200);
    await importBooks(api.store, [renamed(second!)]);
    const response = await api.get(`/api/changes?since=${next}`);
    expect([response.status, response.json.detail]).toEqual([410, expect.stringContaining("Deletions")]);
    expect(kinds((await follow(api, later.next)).changes)).toEqual([`${second!.isbn} updated`]);
    expect((await follow(api)).changes).toHaveLength(BOOKS.length - 1);
  });
}

test("a damaged record breaks the response off, and is never left out", async () => {
  const testStore = await SQLITE.createStore(importTestBooks);
  await using api = await createTestApi({ ...SQLITE, createStore: async () => testStore });
  await testStore.overwriteBody(third!.isbn as Isbn13, new TextEncoder().encode("{}"));
  expect((await api.get("/api/changes?view=record")).status).toBe(500);
  expect((await api.get("/api/changes?view=summary")).status).toBe(200);
  // The record is lost, but its change is there.
  await testStore.runSql(`DELETE FROM record WHERE isbn = ${third!.isbn}`);
  expect((await api.get("/api/changes?view=summary")).status).toBe(500);
  expect(api.observed.openSnapshots).toBe(0);
});
