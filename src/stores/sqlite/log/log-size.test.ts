/** The write-ahead log of an import: a changed record should cost one page. */
import { expect, test } from "bun:test";
import { statSync } from "node:fs";
import type { Entry } from "../../../catalog/store.ts";
import { type BookFields, book, importBooks } from "../../testing/books.ts";
import { CATALOG } from "../schema.ts";
import { openSqlite } from "../store.ts";
import { TempFolder } from "../testing/folder.ts";

const FIELDS: BookFields = { imprint: "A", languages: ["spa"], published: "20240101", sender: "s" };
/** A frame of the log has the page and a header of 24 bytes. */
const FRAME_BYTES = CATALOG.pageSize + 24;
const CHANGED = 100;

/** Imports 5,000 books of 3 kB, then every fiftieth with a change. Returns the pages that the change has written. */
async function pagesWritten(change: (number: number) => Entry): Promise<number> {
  using folder = new TempFolder();
  const store = openSqlite(folder.catalog, { create: true });
  const title = "x".repeat(3000);
  const all = Array.from({ length: 50 * CHANGED }, (_, number) => book(number, { ...FIELDS, title }));
  await importBooks(store, all);
  // A reader of the old state keeps the log from being truncated.
  const snapshot = await store.snapshot();
  await importBooks(
    store,
    Array.from({ length: CHANGED }, (_, index) => change(index * 50)),
  );
  const pages = statSync(`${folder.catalog}-wal`).size / FRAME_BYTES;
  snapshot.close();
  await store.close();
  return pages;
}

test("an import writes one page for each record whose body it changes", async () => {
  const title = "y".repeat(3010);
  const pages = await pagesWritten((number) => book(number, { ...FIELDS, title }));
  expect(pages).toBeGreaterThan(CHANGED);
  // The page of the revision, a few that the change of sizes splits, and the log of changes: ten pages in all.
  expect(pages).toBeLessThan(1.2 * CHANGED);
});

test("an import writes four more pages at most for each record whose publication date it changes", async () => {
  const title = "y".repeat(3010);
  const pages = await pagesWritten((number) => book(number, { ...FIELDS, title, published: "20250101" }));
  expect(pages).toBeLessThan(5 * CHANGED);
});

test("an import writes no page for a record that stays the same", async () => {
  const title = "x".repeat(3000);
  // The pages of the import run, of its place among the applied ones and of its undo, and the header of the log.
  expect(await pagesWritten((number) => book(number, { ...FIELDS, title }))).toBeLessThan(4);
});
