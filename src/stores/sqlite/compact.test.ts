import { Database } from "bun:sqlite";
import { afterEach, expect, test } from "bun:test";
import { statSync } from "node:fs";
import type { Store } from "../../catalog/store.ts";
import { SnapshotExpired, StoreError } from "../../catalog/store-errors.ts";
import { waitFor } from "../../lib/testing/wait-for.ts";
import { book, books, collect, importBooks, isbn } from "../testing/books.ts";
import { searchBook } from "../testing/search-books.ts";
import { compactSqlite, packedPages } from "./compact.ts";
import { logBytes } from "./log/log-keeper.ts";
import { openSqlite } from "./store.ts";
import { TempFolder } from "./testing/folder.ts";

const BOOKS = 1000;

const cleanups: (() => void | Promise<void>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

/** Creates a catalog of which every second book was removed. */
async function createCatalog(snapshotHoldMs = 1_000_000): Promise<{ path: string; store: Store }> {
  const folder = new TempFolder();
  const store = openSqlite(folder.catalog, { create: true, snapshotHoldMs });
  cleanups.push(
    () => folder[Symbol.dispose](),
    () => store.close(),
  );
  await importBooks(store, books(1, BOOKS, { imprint: "A", title: "x".repeat(3000) }));
  const removed = Array.from({ length: BOOKS / 2 }, (_, index) => isbn(2 * index + 1));
  await importBooks(store, [], removed);
  return { path: folder.catalog, store };
}

/** Returns what must not change: the page size, the format, and all records. */
async function contentOf(path: string, store: Store) {
  const db = new Database(path, { readonly: true });
  const pragma = (name: string) => db.query(`PRAGMA ${name}`).get();
  const format = ["page_size", "user_version", "application_id", "journal_mode", "auto_vacuum"].map(pragma);
  const integrity = pragma("integrity_check");
  db.close();
  const snapshot = await store.snapshot();
  const entries = await collect(snapshot.entries());
  snapshot.close();
  return { format, integrity, revision: await store.revision(), entries };
}

test("gives the space of removed records back, and changes nothing else", async () => {
  const { path, store } = await createCatalog();
  const before = await contentOf(path, store);
  const sizeBefore = statSync(path).size;
  const compaction = await compactSqlite(path);
  const sizeAfter = statSync(path).size;
  expect(compaction).toEqual({
    bytesBefore: sizeBefore,
    bytesAfter: sizeAfter,
    isCompacted: true,
    isHeldByReaders: false,
  });
  expect(sizeAfter).toBeLessThan(0.6 * sizeBefore);
  expect(logBytes(path)).toBe(0);
  expect(await contentOf(path, store)).toEqual(before);
  await importBooks(store, [book(1)]);
  expect(await store.record(isbn(1))).toBeDefined();
});

test("removes the words of corrections that no book has any more", async () => {
  const { path, store } = await createCatalog();
  await importBooks(store, [
    searchBook(1, { title: "Almendro", contributors: ["Borges"], imprint: "Catedra" }),
    searchBook(3, { title: "Olvido" }),
    searchBook(5, { title: "Ultima" }),
  ]);
  await importBooks(store, [], [isbn(3), isbn(5)]);
  await compactSqlite(path);
  using db = new Database(path, { readonly: true });
  const words = db.query<{ word: string }, []>("SELECT word FROM word ORDER BY word").all();
  // The last word keeps its id from being used again.
  expect(words.map(({ word }) => word).filter((word) => !word.startsWith("x"))).toEqual([
    "almendro",
    "borges",
    "catedra",
    "ultima",
  ]);
});

test("leaves a file with little to gain as it is", async () => {
  const { path } = await createCatalog();
  await compactSqlite(path);
  const { mtimeMs, size } = statSync(path);
  expect(await compactSqlite(path)).toEqual({
    bytesBefore: size,
    bytesAfter: size,
    isCompacted: false,
    isHeldByReaders: false,
  });
  expect(statSync(path).mtimeMs).toBe(mtimeMs);
});

test("does not disturb a list in its hold time, which ends after it", async () => {
  const { path, store } = await createCatalog(2000);
  const snapshot = await store.snapshot();
  const { revision } = snapshot;
  const compaction = await compactSqlite(path, { readersTimeoutMs: 0 });
  expect(compaction).toMatchObject({ isCompacted: true, isHeldByReaders: true });
  expect(await collect(snapshot.isbns())).toHaveLength(BOOKS / 2);
  // The compaction supersedes the state, although its records are the same. Otherwise this list would hold the log.
  await waitFor("the snapshot has ended", () => {
    try {
      return snapshot.hasImprint("a") === undefined;
    } catch (error) {
      return error instanceof SnapshotExpired;
    }
  });
  const later = await store.snapshot();
  expect(later.revision).toBe(revision);
  later.close();
});

test("waits for a running import, and gives up after the timeout", async () => {
  const { path, store } = await createCatalog();
  const transaction = await store.beginImport();
  const size = statSync(path).size;
  expect(await compactSqlite(path, { importLockTimeoutMs: 50 }).catch((error) => error)).toEqual(
    new StoreError(`An import into ${path} is running; compact the catalog when it has ended.`),
  );
  expect(statSync(path).size).toBe(size);
  const compaction = compactSqlite(path);
  await Bun.sleep(50);
  await transaction.abort();
  expect((await compaction).isCompacted).toBe(true);
});

/** Returns the pages of a table with rows of these sizes after VACUUM. */
function pagesAfterVacuum(sizes: readonly number[], pageBytes: number): number {
  const db = new Database(":memory:");
  db.run(`PRAGMA page_size = ${pageBytes}`);
  db.run("CREATE TABLE body (id INTEGER PRIMARY KEY, body BLOB)");
  const insert = db.prepare("INSERT INTO body (body) VALUES (zeroblob(?))");
  for (const size of sizes) insert.run(size - 12);
  insert.finalize();
  db.run("VACUUM");
  const { pages } = db
    .query<{ pages: number }, []>("SELECT pageno AS pages FROM dbstat('main', 1) WHERE name = 'body'")
    .get()!;
  db.close();
  return pages;
}

test.each([4096, 8192, 16_384])("returns the pages that VACUUM writes, in pages of %d bytes", (pageBytes) => {
  const cases = [
    Array(3000).fill(500),
    Array(3000).fill(2800),
    Array(500).fill(30_000),
    Array.from({ length: 3000 }, (_, index) => 300 + ((index * 7919) % 9000)),
  ];
  for (const sizes of cases) {
    const pages = pagesAfterVacuum(sizes, pageBytes);
    const estimate = packedPages(sizes, pageBytes);
    expect(Math.abs(estimate - pages) / pages).toBeLessThan(0.02);
  }
});
