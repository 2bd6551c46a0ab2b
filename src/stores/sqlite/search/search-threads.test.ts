import { expect, test } from "bun:test";
import { renameSync } from "node:fs";
import { parseQuery } from "../../../catalog/search/query-parser.ts";
import type { SearchRequest } from "../../../catalog/search/search.ts";
import { SearchUnavailable } from "../../../catalog/store-errors.ts";
import { importBooks } from "../../testing/books.ts";
import { searchBook } from "../../testing/search-books.ts";
import { OpenCatalog } from "../open-catalog.ts";
import { openSqlite } from "../store.ts";
import { TempFolder } from "../testing/folder.ts";
import { type SearchThreadOptions, SearchThreads } from "./search-threads.ts";

const REQUEST: SearchRequest = { query: parseQuery("libro"), filters: {}, sort: "relevance", limit: 10 };
const SEARCH = { kind: "search", request: REQUEST } as const;

async function withThreads(
  options: Partial<SearchThreadOptions>,
  run: (threads: SearchThreads, folder: TempFolder) => Promise<void>,
): Promise<void> {
  using folder = new TempFolder();
  const store = openSqlite(folder.catalog, { create: true, searchLimits: { timeoutMs: 60_000 } });
  await importBooks(store, [searchBook(1, { title: "Libro" })]);
  const catalog = new OpenCatalog(folder.catalog, {});
  const threads = new SearchThreads(catalog.file, { timeoutMs: 60_000, ...options });
  try {
    await run(threads, folder);
  } finally {
    await threads.close();
    await catalog.close();
    await store.close();
  }
}

test("searches beyond the queue fail as busy, and the others succeed", () =>
  withThreads({ slots: 1, maxWaitingPerClient: 3, timeoutMs: 60_000 }, async (threads) => {
    const results = await Promise.allSettled(Array.from({ length: 6 }, () => threads.run(SEARCH)));
    const reasons = results.map((result) =>
      result.status === "fulfilled" ? result.value.total : (result.reason as SearchUnavailable).reason,
    );
    // One runs, and three wait for it.
    expect(reasons).toEqual([1, 1, 1, 1, "busy", "busy"]);
    expect((await threads.run(SEARCH)).total).toBe(1);
  }));

test("a search whose time is over fails, and the next one succeeds", () =>
  withThreads({ slots: 1, timeoutMs: 0 }, async (threads) => {
    const error = await threads.run(SEARCH).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(SearchUnavailable);
    expect((error as SearchUnavailable).reason).toBe("timeout");
  }));

test("a thread that does not respond is replaced", () =>
  withThreads({ slots: 1, timeoutMs: 60_000, stuckAfterMs: 0 }, async (threads) => {
    // The timer of this thread fires before another thread has started and replied.
    await expect(threads.run(SEARCH)).rejects.toThrow("does not respond");
    await expect(threads.run({ kind: "facets", request: REQUEST })).rejects.toThrow("does not respond");
  }));

test("a failure of the file fails the search, and the next one opens it again", () =>
  withThreads({ slots: 1 }, async (threads, folder) => {
    renameSync(folder.catalog, `${folder.catalog}.moved`);
    await expect(threads.run(SEARCH)).rejects.toThrow("unable to open database file");
    renameSync(`${folder.catalog}.moved`, folder.catalog);
    expect((await threads.run(SEARCH)).total).toBe(1);
  }));

test("a closed pool refuses searches, and closing waits for the running one", async () => {
  await withThreads({ slots: 1 }, async (threads) => {
    const running = threads.run(SEARCH);
    const waiting = threads.run(SEARCH);
    const closed = threads.close();
    await expect(waiting).rejects.toThrow("closed");
    expect((await running).total).toBe(1);
    await closed;
    await expect(threads.run(SEARCH)).rejects.toThrow("closed");
  });
});

test("a closed store has closed the connections of its threads, so that the log is gone", async () => {
  using folder = new TempFolder();
  const store = openSqlite(folder.catalog, { create: true, searchLimits: { timeoutMs: 60_000 } });
  await importBooks(store, [searchBook(1, { title: "Libro" })]);
  const totals = await Promise.all(
    Array.from({ length: 20 }, async () => (await store.search(REQUEST)).total),
  );
  expect(totals).toEqual(Array(20).fill(1));
  await store.close();
  expect(await Bun.file(`${folder.catalog}-wal`).exists()).toBe(false);
});
