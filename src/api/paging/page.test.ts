/** Pages of lists, as a client reads them: by following `Link`. */

import { describe, expect, spyOn, test } from "bun:test";
import type { PagedList } from "../../catalog/selection.ts";
import type { Store } from "../../catalog/store.ts";
import { wrapStore } from "../../catalog/wrap-store.ts";
import type { Day } from "../../onix/date.ts";
import type { Isbn13 } from "../../onix/isbn.ts";
import { importBooks } from "../../stores/testing/books.ts";
import { ENGINES, SQLITE } from "../../stores/testing/engines.ts";
import { createTestApi, type GetOptions, nextPath, type TestApp } from "../testing/api.ts";
import { BOOKS, entryOf, TODAY } from "../testing/books.ts";
import { readPages, sharedApi, withQuery } from "../testing/shared-api.ts";
import { ListTotals } from "./page.ts";

const LISTS = [
  "/api/skus",
  "/api/news",
  "/api/news?date=20200101",
  "/api/news?date=20260715&view=summary",
  "/api/imprint/peninsula-imaginaria",
  "/api/imprint/Pen%C3%ADnsula%20Imaginaria?language=SPA",
  "/api/imprint/peninsula-imaginaria?language=eng&view=summary",
  "/api/imprint/10-18?view=record",
];

const withLimit = (path: string, limit: number) => withQuery(path, `limit=${limit}`);

/** Reads all pages of a list. Checks what every page has. */
async function itemsOfPages(
  api: TestApp,
  path: string,
  limit: number,
  options: GetOptions = {},
  between: (page: number) => unknown = () => {},
): Promise<unknown[]> {
  const items: unknown[] = [];
  let page = 0;
  for await (const { headers, json } of readPages(api, withLimit(path, limit), options)) {
    expect(headers.get("x-total-count")).toMatch(/^[0-9]+$/);
    expect(json.length).toBeLessThanOrEqual(limit);
    if (headers.has("link")) expect(json).toHaveLength(limit);
    items.push(...json);
    await between(page++);
  }
  return items;
}

for (const engine of ENGINES) {
  describe(`pages (${engine.name})`, () => {
    const api = sharedApi(() => createTestApi(engine));

    test.each(LISTS)("of %s are the whole list, in any size and encoding", async (path) => {
      const whole = (await api.get(path)).json;
      expect(whole.length).toBeGreaterThan(0);
      for (const [limit, coding] of [
        [1, "identity"],
        [2, "gzip"],
        [whole.length, "zstd"],
        [1000, "br"],
      ] as const) {
        expect(await itemsOfPages(api, path, limit, { headers: { "Accept-Encoding": coding } })).toEqual(
          whole,
        );
      }
      const first = await api.get(withLimit(path, 1));
      expect(first.headers.get("x-total-count")).toBe(String(whole.length));
    });

    test("have no Link and no X-Total-Count without limit", async () => {
      for (const path of LISTS) {
        const { headers } = await api.get(path);
        expect([headers.has("link"), headers.has("x-total-count")]).toEqual([false, false]);
      }
    });

    test("of an empty list are empty, with the total 0", async () => {
      for (const path of ["/api/imprint/10-18?language=cat", "/api/news?date=20990101"]) {
        const response = await api.get(withLimit(path, 5));
        expect([response.text, response.headers.get("x-total-count")]).toEqual(["[]", "0"]);
        expect(response.headers.has("link")).toBe(false);
      }
      expect((await api.get("/api/imprint/nobody?limit=1")).json.message).toBe("Imprint not found");
    });

    test("have an ETag that gives 304, and HEAD has the headers of GET", async () => {
      for (const path of LISTS.map((list) => withLimit(list, 1))) {
        const response = await api.get(path);
        const etag = response.headers.get("etag")!;
        const unchanged = await api.get(path, { headers: { "If-None-Match": etag } });
        expect([path, unchanged.status]).toEqual([path, 304]);
        const head = await api.get(path, { method: "HEAD" });
        for (const name of ["link", "x-total-count", "etag", "content-type"])
          expect([path, name, head.headers.get(name)]).toEqual([path, name, response.headers.get(name)]);
        expect(head.raw).toHaveLength(0);
      }
    });

    test("are not mixed up by the response cache", async () => {
      const paths = ["/api/skus?limit=1", "/api/skus?limit=2", "/api/skus"];
      const second = nextPath(paths[1]!, await api.get(paths[1]!))!;
      const expected = [1, 2, BOOKS.length, 2];
      for (let count = 0; count < 4; count++) {
        const found = [];
        for (const path of [...paths, second]) found.push((await api.get(path)).json.length);
        expect(found).toEqual(expected);
      }
      const [first, next] = [(await api.get(paths[1]!)).json, (await api.get(second)).json];
      expect(first).not.toEqual(next);
      expect((await api.get(paths[1]!)).headers.get("link")).toBe(
        (await (await api.withOptions({ cacheBytes: 0 })).get(paths[1]!)).headers.get("link"),
      );
    });

    test("are 400 with a cursor that is not of this list, and take one with another limit or view", async () => {
      const cursorOf = async (path: string) =>
        new URLSearchParams(nextPath(path, await api.get(path))!.split("?")[1]).get("cursor")!;
      const skus = await cursorOf("/api/skus?limit=1");
      const spanish = await cursorOf("/api/imprint/peninsula-imaginaria?language=spa&limit=1");
      const news = await cursorOf("/api/news?date=20200101&limit=1");
      for (const path of [
        `/api/imprint/peninsula-imaginaria?limit=1&cursor=${skus}`,
        `/api/imprint/peninsula-imaginaria?limit=1&cursor=${spanish}`,
        `/api/imprint/10-18?language=spa&limit=1&cursor=${spanish}`,
        `/api/news?limit=1&cursor=${news}`,
        `/api/news?date=20200102&limit=1&cursor=${news}`,
        `/api/skus?limit=1&cursor=${skus}A`,
        `/api/skus?limit=1&cursor=`,
        `/api/skus?limit=1&cursor=%ff`,
        `/api/skus?limit=1&cursor=${"A".repeat(20_000)}`,
      ]) {
        const response = await api.get(path);
        expect([path, response.status]).toEqual([path, 400]);
        expect(response.json.detail).toContain("cursor");
      }
      const path = `/api/imprint/PENINSULA%20IMAGINARIA?language=SPA&view=summary&limit=3&cursor=${spanish}`;
      expect((await api.get(path)).status).toBe(200);
    });

    test("leave no snapshot open, and report no error", () => {
      expect(api.observed.openSnapshots).toBe(0);
      expect(api.errors).toEqual([]);
    });
  });

  test(`an import between two pages repeats and skips no book that stays (${engine.name})`, async () => {
    for (const path of ["/api/skus", "/api/news?date=20200101", "/api/imprint/peninsula-imaginaria"]) {
      await using api = await createTestApi(engine);
      const whole = (await api.get(path)).json.map(isbnOf);
      const [first, ...others] = whole as string[];
      const read = await itemsOfPages(api, path, 1, {}, async (page) => {
        if (page > 0) return;
        // The cursor is the key of the first book, which goes; the others change and stay.
        const changed = BOOKS.filter(({ isbn }) => isbn !== first).map((book) => ({ ...book, title: "New" }));
        await importBooks(api.store, changed.map(entryOf), [first as Isbn13]);
      });
      expect(read.map(isbnOf)).toEqual([first!, ...others]);
      const total = (await api.get(withLimit(path, 1))).headers.get("x-total-count");
      expect(total).toBe(String(others.length));
    }
  });
}

const isbnOf = (item: unknown) =>
  typeof item === "string" ? item : (item as { RecordReference: string }).RecordReference;

test("all pages of the news have the window of the first page, also after midnight", async () => {
  await using api = await createTestApi(SQLITE);
  const whole = (await api.get("/api/news")).json;
  let today = TODAY;
  const later = await api.withOptions({ today: () => today });
  const read = await itemsOfPages(later, "/api/news", 1, {}, () => {
    today = "20261201" as Day;
  });
  expect(read).toEqual(whole);
  expect((await later.get("/api/news")).json).not.toEqual(whole);
});

/** Returns a store that counts lists in another way, and for which no responses are cached. */
function withTotal(store: Store, total: (count: () => unknown) => unknown): Store {
  const counting = wrapStore(store, (method, name) =>
    name === "snapshot.total" ? (list) => total(() => method(list)) : method,
  );
  return { ...counting, lookupTransaction: undefined };
}

test("a total that takes too long to count is left out", async () => {
  await using api = await createTestApi(SQLITE);
  const slow = await api.withOptions({ store: withTotal(api.store, () => undefined) });
  const response = await slow.get("/api/skus?limit=2");
  expect([response.status, response.headers.has("x-total-count")]).toEqual([200, false]);
  expect(response.headers.has("link")).toBe(true);
});

test("a page without a total is not cached, and has another ETag than one with it", async () => {
  await using api = await createTestApi(SQLITE);
  let isSlow = true;
  const counting = withTotal(api.store, (count) => (isSlow ? undefined : count()));
  const { lookupTransaction } = api.store;
  const first = await api.withOptions({ store: { ...counting, lookupTransaction } as Store });
  const get = () => first.get("/api/skus?limit=2");
  const [without] = [await get(), await get(), await get()];
  isSlow = false;
  // Another limit, for which the total is counted again.
  using now = spyOn(performance, "now");
  const later = performance.now() + 120_000;
  now.mockImplementation(() => later);
  const response = await get();
  expect(response.headers.get("x-total-count")).toBe(String(BOOKS.length));
  expect(response.headers.get("etag")).not.toBe(without.headers.get("etag"));
});

test("a list is counted once for a state of the catalog", async () => {
  await using api = await createTestApi(SQLITE);
  let counted = 0;
  const counting = await api.withOptions({
    store: withTotal(api.store, (count) => {
      counted++;
      return count();
    }),
  });
  const whole = (await api.get("/api/news?date=20200101")).json;
  expect(await itemsOfPages(counting, "/api/news?date=20200101", 1)).toEqual(whole);
  expect(counted).toBe(1);
  await importBooks(api.store, [], [BOOKS[0]!.isbn as Isbn13]);
  const response = await counting.get("/api/news?date=20200101&limit=1");
  expect([counted, response.headers.get("x-total-count")]).toEqual([2, String(whole.length - 1)]);
});

const LIST: PagedList = { kind: "imprint", slug: "a", language: "spa" };

/** Returns a snapshot whose lists have these lengths, one for each time that they are counted. */
function snapshotWith(revision: string, ...totals: (number | undefined)[]) {
  return { revision, total: () => totals.shift() };
}

test("returns a total again without counting, until the revision changes", async () => {
  const totals = new ListTotals();
  const first = snapshotWith("1", 5, 6);
  expect([await totals.of(first, LIST), await totals.of(first, LIST)]).toEqual([5, 5]);
  expect(await totals.of(first, { ...LIST, language: "eng" })).toBe(6);
  expect(await totals.of(snapshotWith("2", 7), LIST)).toBe(7);
});

test("counts a list that took too long again after a minute", async () => {
  let nowMs = 0;
  const totals = new ListTotals(() => nowMs);
  const snapshot = snapshotWith("1", undefined, 9);
  expect(await totals.of(snapshot, LIST)).toBeUndefined();
  nowMs = 59_999;
  expect(await totals.of(snapshot, LIST)).toBeUndefined();
  nowMs = 60_000;
  expect([await totals.of(snapshot, LIST), await totals.of(snapshot, LIST)]).toEqual([9, 9]);
});

test("forgets lists before it has more than a thousand", async () => {
  const totals = new ListTotals();
  let counted = 0;
  const snapshot = { revision: "1", total: () => ++counted };
  for (let list = 0; list < 3000; list++) await totals.of(snapshot, { kind: "imprint", slug: String(list) });
  expect(counted).toBe(3000);
  await totals.of(snapshot, { kind: "imprint", slug: "0" });
  expect(counted).toBe(3001);
});
