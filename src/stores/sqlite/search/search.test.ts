/** Searches that are paused between their statements. The contract suite has the rest. */
import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { parseQuery } from "../../../catalog/search/query-parser.ts";
import type { SearchResult } from "../../../catalog/search/search.ts";
import { MAX_SEARCH_ID } from "../../../catalog/search/search-id.ts";
import type { Day } from "../../../onix/date.ts";
import { importBooks } from "../../testing/books.ts";
import { searchBook } from "../../testing/search-books.ts";
import { openSqlite } from "../store.ts";
import { TempFolder } from "../testing/folder.ts";
import { FacetCounter, type FacetRow } from "./facet-counts.ts";
import { FoundBooks } from "./found-books.ts";
import type { IndexSlice } from "./index-slices.ts";
import { matchOf } from "./match-expression.ts";
import { type Search, Searcher, type SearchTask } from "./search.ts";

const REQUEST = { query: parseQuery("sol"), filters: {}, limit: 3 };
const TASKS: readonly SearchTask[] = [
  { kind: "search", request: { ...REQUEST, sort: "relevance" } },
  { kind: "search", request: { ...REQUEST, sort: "newest", limit: 100 } },
  { kind: "search", request: { ...REQUEST, sort: "oldest" } },
  { kind: "search", request: { ...REQUEST, sort: "title" } },
  { kind: "facets", request: REQUEST },
  { kind: "quality", from: undefined },
];
const BOOKS = [
  searchBook(1, { title: "Sol", published: "20200101" }),
  searchBook(2, { title: "Sol y mar" }),
  searchBook(3, { title: "El sol", published: "20210101" }),
  searchBook(4, { title: "Luna", description: "Sin sol" }),
];

/** Runs one step of each search in turn. Returns their results, and how many times they were paused. */
function interleave(searcher: Searcher, searches: readonly Search[]) {
  const results = new Map<Search, unknown>();
  let pauses = 0;
  while (results.size < searches.length) {
    for (const search of searches) {
      const result = results.has(search) ? undefined : searcher.run(search, () => true);
      if (result !== undefined) results.set(search, result);
      else pauses++;
    }
  }
  return { results: searches.map((search) => results.get(search)), pauses };
}

async function withSearcher(run: (searcher: Searcher, importMore: () => Promise<string>) => Promise<void>) {
  using folder = new TempFolder();
  const store = openSqlite(folder.catalog, { create: true });
  await importBooks(store, BOOKS);
  try {
    using db = new Database(folder.catalog, { readonly: true });
    using searcher = new Searcher(db);
    await run(searcher, () => importBooks(store, [searchBook(5, { title: "Sol" })]));
  } finally {
    await store.close();
  }
}

test("searches that run in turns find what each of them finds alone", () =>
  withSearcher(async (searcher) => {
    const alone = TASKS.map((task) => searcher.run({ task }, () => false));
    const { results, pauses } = interleave(
      searcher,
      TASKS.map((task) => ({ task })),
    );
    expect(results).toEqual(alone);
    expect(pauses).toBeGreaterThan(TASKS.length);
  }));

test("counting the books from a day on is paused, too", () =>
  withSearcher(async (searcher) => {
    const task: SearchTask = { kind: "quality", from: "20200101" as Day };
    const { results, pauses } = interleave(searcher, [{ task }]);
    expect(pauses).toBeGreaterThan(0);
    expect(results).toEqual([searcher.run({ task }, () => false)]);
    expect(results).toMatchObject([{ all: { books: 2 } }]);
  }));

test("a search begins again when the catalog has changed while it was paused", () =>
  withSearcher(async (searcher, importMore) => {
    const search: Search = { task: TASKS[0]! };
    expect(searcher.run(search, () => true)).toBeUndefined();
    const revision = await importMore();
    expect(searcher.run(search, () => false)).toMatchObject({
      revision,
      total: 5,
    } satisfies Partial<SearchResult>);
  }));

test("the beginning of a word is looked for only where books have the other words", async () => {
  const preconditionOf = (text: string) => matchOf({ query: parseQuery(text), filters: {} }).precondition;
  expect(["sol lun*", "sol luna", "lun*"].map(preconditionOf)).toEqual(['"sol"', undefined, undefined]);
  using folder = new TempFolder();
  const store = openSqlite(folder.catalog, { create: true });
  await importBooks(store, BOOKS);
  using db = new Database(folder.catalog, { readonly: true });
  const books = new FoundBooks(db);
  const all: IndexSlice = { first: 0n, last: MAX_SEARCH_ID, books: BOOKS.length };
  const found = (precondition: string) => {
    const match = { words: '"sol"', precondition, facts: [] };
    return [books.ids(match, all, 9, "ASC").length, books.count(match, all, 9)];
  };
  expect(['"luna"', '"marte"'].map(found)).toEqual([
    [4, 4],
    [0, 0],
  ]);
  await store.close();
});

const ROW: FacetRow = { id: "1", year: 2026, imprint: "zeta", price: " ·a·20 ·e·eur·15 ·e·usd·1·5 " };
const BATCH_ROWS = 1000;

test.each([
  [99_999, 99_999, false],
  [100_000, 100_000, false],
  [100_001, 100_000, true],
  [250_000, 100_000, true],
])("of %d books, %d are counted", (books, counted, hasMore) => {
  const counter = new FacetCounter({ facets: ["imprint", "price", "year"], filters: {} });
  for (let left = books; left > 0 && counter.missing > 0; ) {
    const rows = Array<FacetRow>(Math.min(left, counter.missing, BATCH_ROWS)).fill(ROW);
    counter.count(rows);
    left -= rows.length;
  }
  const facet = (...values: string[]) => ({
    counted,
    hasMore,
    distinct: values.length,
    values: values.map((value) => ({ value, books: counted })),
  });
  expect(counter.counted).toEqual({ counted, hasMore });
  expect(counter.facets).toEqual([
    ["imprint", facet("zeta")],
    ["price", facet("EUR 15", "USD 1.5")],
    ["year", facet("2026")],
  ]);
});
