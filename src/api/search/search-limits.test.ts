/** Searches beyond the limits, and searches while the catalog changes. */
import { describe, expect, test } from "bun:test";
import type { Facets, SearchResult } from "../../catalog/search/search.ts";
import type { Store } from "../../catalog/store.ts";
import { SearchTooBroad, SearchUnavailable } from "../../catalog/store-errors.ts";
import { wrapStore } from "../../catalog/wrap-store.ts";
import type { Isbn13 } from "../../onix/isbn.ts";
import { importBooks } from "../../stores/testing/books.ts";
import { SQLITE } from "../../stores/testing/engines.ts";
import { createTestApi } from "../testing/api.ts";
import { BOOKS, entryOf } from "../testing/books.ts";

const PATHS = ["/api/search?q=la", "/api/facets", "/api/quality"];

/** Returns a store that does something around each search. */
function withSearch(
  store: Store,
  search: (search: () => Promise<SearchResult>) => Promise<SearchResult>,
): Store {
  return wrapStore(store, (method, name) =>
    /^(search|facets|quality)$/.test(name) ? (request) => search(() => method(request)) : method,
  );
}

describe("a search beyond the limits", () => {
  test.each([
    ["busy", "Too many searches"],
    ["timeout", "longer than 2 seconds"],
  ] as const)("is 503 with Retry-After and a detail of its own: %s", async (reason, detail) => {
    await using api = await createTestApi(SQLITE);
    const store = withSearch(api.store, () => Promise.reject(new SearchUnavailable(reason)));
    const refusing = await api.withOptions({ store });
    for (const path of PATHS) {
      for (const method of ["GET", "HEAD"]) {
        const { status, headers } = await refusing.get(path, { method, token: api.token });
        expect([path, status, headers.get("retry-after")]).toEqual([path, 503, "1"]);
      }
      const { json } = await refusing.get(path, { token: api.token });
      expect([json.message, json.detail]).toEqual(["Service Unavailable", expect.stringContaining(detail)]);
    }
    // The service works as it should: nothing is logged as a failure.
    expect(refusing.errors).toEqual([]);
    expect((await refusing.get(`/api/isbn/${BOOKS[0]!.isbn}`, { token: api.token })).status).toBe(200);
  });

  test("has facets of the newest 100,000 books, and says that there are more", async () => {
    await using api = await createTestApi(SQLITE);
    const store = withSearch(api.store, async (search) => {
      const facets = (await search()) as unknown as Facets;
      return { ...facets, counted: 100_000, hasMore: true } as never;
    });
    const broad = await api.withOptions({ store });
    const { status, json } = await broad.get("/api/facets", { token: api.token });
    expect([status, json.total, json.counted]).toEqual([200, "100000+", 100_000]);
  });

  test("is 400 when it finds too many books to sort them by title", async () => {
    await using api = await createTestApi(SQLITE);
    const store = withSearch(api.store, () => Promise.reject(new SearchTooBroad()));
    const broad = await api.withOptions({ store });
    const { status, json } = await broad.get("/api/search?sort=title&language=spa", { token: api.token });
    expect([status, json.message, json.code, json.detail]).toEqual([
      400,
      "Bad Request",
      "too-many-to-sort",
      expect.stringContaining("10000"),
    ]);
    expect(broad.errors).toEqual([]);
  });

  test("that fails for another reason is 503 and reported, and never an empty list", async () => {
    await using api = await createTestApi(SQLITE);
    const failure = new Error("SQLITE_IOERR: secret of the disk");
    const failing = await api.withOptions({ store: withSearch(api.store, () => Promise.reject(failure)) });
    for (const path of PATHS) {
      const { status, headers, text } = await failing.get(path, { token: api.token });
      expect([path, status, headers.get("retry-after")]).toEqual([path, 503, "5"]);
      expect(text).not.toContain("secret");
    }
    expect(failing.errors.map(({ error }) => error)).toEqual(PATHS.map(() => failure));
    expect(failing.errors.map(({ request }) => request.route)).toEqual([
      "searchBooks",
      "getFacets",
      "getQuality",
    ]);
  });
});

describe("a search while the catalog changes", () => {
  const [first, second] = [BOOKS[0]!, BOOKS[1]!];

  test("is repeated when an import ends between the search and the snapshot", async () => {
    await using api = await createTestApi(SQLITE);
    let searches = 0;
    const store = withSearch(api.store, async (search) => {
      const result = await search();
      if (++searches <= 2) await importBooks(api.store, [entryOf({ ...first, title: `La mar ${searches}` })]);
      return result;
    });
    const app = await api.withOptions({ store });
    const response = await app.get("/api/search?q=mar", { token: api.token });
    expect([response.json.length, response.json[0].title, searches]).toEqual([1, "La mar 2", 3]);
    const expected = await api.get("/api/search?q=mar");
    expect(response.headers.get("etag")).toBe(expected.headers.get("etag"));
  });

  test("leaves out books that are gone when imports end all the time, and its page is not cached", async () => {
    await using api = await createTestApi(SQLITE);
    let searches = 0;
    const store = withSearch(api.store, async (search) => {
      const result = await search();
      const title = `La mar ${++searches}`;
      await importBooks(api.store, [entryOf({ ...first, title })], [second.isbn as Isbn13]);
      return { ...result, keys: [{ isbn: second.isbn as Isbn13 }, { isbn: first.isbn as Isbn13 }] };
    });
    const app = await api.withOptions({ store });
    const etags = new Set<string>();
    for (let count = 1; count <= 4; count++) {
      const response = await app.get("/api/search?q=la", { token: api.token });
      expect(searches).toBe(3 * count);
      expect(response.json.map(({ isbn }: { isbn: string }) => isbn)).toEqual([first.isbn]);
      etags.add(response.headers.get("etag")!);
    }
    expect(etags.size).toBe(4);
  });

  test("of a state that has passed is not cached for the state before and after it", async () => {
    await using api = await createTestApi(SQLITE);
    let isChanging = true;
    const passing = { isbn: "9789999927123", title: "La de paso" };
    const store = withSearch(api.store, async (search) => {
      if (!isChanging) return search();
      await importBooks(api.store, [entryOf(passing)]);
      const result = await search();
      await importBooks(api.store, [], [passing.isbn as Isbn13]);
      return result;
    });
    const app = await api.withOptions({ store });
    const total = async () => (await app.get("/api/facets?q=la", { token: api.token })).json.total;
    for (let count = 0; count < 4; count++) expect(await total()).toBe(2);
    isChanging = false;
    expect(await total()).toBe(1);
  });
});
