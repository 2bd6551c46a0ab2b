import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import type { Entry } from "../../../catalog/store.ts";
import { books, importBooks } from "../../testing/books.ts";
import { searchBook } from "../../testing/search-books.ts";
import { compactSqlite } from "../compact.ts";
import { openSqlite } from "../store.ts";
import { TempFolder } from "../testing/folder.ts";

/** More than a batch of `index-writer.ts`. */
const MANY = 4500;

function segmentsOf(path: string): readonly number[] {
  using db = new Database(path, { readonly: true });
  return ["book_index", "book_facts"].map((index) => {
    const sql = `SELECT count(DISTINCT segid) AS segments FROM ${index}_idx`;
    return db.query<{ segments: number }, []>(sql).get()!.segments;
  });
}

function settingsOf(path: string): unknown {
  using db = new Database(path, { readonly: true });
  return db.query("SELECT k, v FROM book_index_config WHERE k <> 'crisismerge' ORDER BY k").all();
}

/** Books whose word and availability no other book has. */
function ownBooks(from: number, to: number): Entry[] {
  return Array.from({ length: to - from }, (_, index) =>
    searchBook(from + index, { title: `Sol${from + index}`, availability: "20" }),
  );
}

test("an import that at least doubles the catalog leaves one segment, and a smaller one adds to them", async () => {
  using folder = new TempFolder();
  const store = openSqlite(folder.catalog, { create: true });
  const settings = settingsOf(folder.catalog);
  await importBooks(store, ownBooks(0, MANY));
  expect(segmentsOf(folder.catalog)).toEqual([1, 1]);
  expect(settingsOf(folder.catalog)).toEqual(settings);
  await importBooks(store, ownBooks(MANY, MANY + 10));
  await importBooks(store, ownBooks(MANY + 10, MANY + 20));
  expect(segmentsOf(folder.catalog)).toEqual([3, 3]);
  await importBooks(store, ownBooks(2 * MANY, 4 * MANY));
  expect(segmentsOf(folder.catalog)).toEqual([1, 1]);
  await store.close();
}, 30_000);

test("compacting leaves one segment", async () => {
  using folder = new TempFolder();
  const store = openSqlite(folder.catalog, { create: true });
  await importBooks(store, books(1, 1000, { title: "x".repeat(3000) }));
  await importBooks(store, ownBooks(2000, 2010));
  await importBooks(
    store,
    [],
    books(1, 500).map(({ isbn }) => isbn),
  );
  expect(segmentsOf(folder.catalog)[0]).toBeGreaterThan(1);
  const { isCompacted } = await compactSqlite(folder.catalog);
  expect(isCompacted).toBe(true);
  expect(segmentsOf(folder.catalog)).toEqual([1, 1]);
  await store.close();
});
