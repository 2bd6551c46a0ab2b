/** The write-ahead log is truncated after the last reader of an older state has left or expired. */
import { Database } from "bun:sqlite";
import { afterEach, expect, test } from "bun:test";
import { rmSync, statSync } from "node:fs";
import type { Entry, Store } from "../../../catalog/store.ts";
import { waitFor } from "../../../lib/testing/wait-for.ts";
import { type BookFields, book, books, collect, importBooks } from "../../testing/books.ts";
import { identityOf } from "../replacement/side-files.ts";
import { CATALOG } from "../schema.ts";
import { openSqlite } from "../store.ts";
import { TempFolder } from "../testing/folder.ts";
import { LogKeeper, logBytes, MAX_IDLE_LOG_BYTES } from "./log-keeper.ts";

/** Enough pages for a log over the limit. */
const BOOKS = 2500;
const LOOK_MS = 20;

const cleanups: (() => void | Promise<void>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

async function createCatalog(): Promise<{ path: string; store: Store }> {
  const folder = new TempFolder();
  const store = openSqlite(folder.catalog, { create: true });
  cleanups.push(
    () => folder[Symbol.dispose](),
    () => store.close(),
  );
  await importBooks(store, [book(1, { imprint: "A" })]);
  return { path: folder.catalog, store };
}

/** Begins to read the state of now, as another process does. */
function beginToRead(path: string): Disposable {
  const db = new Database(path, { readonly: true });
  db.run("BEGIN");
  db.query("SELECT revision FROM catalog").get();
  return { [Symbol.dispose]: () => db.close() };
}

function importState(store: Store, state: number): Promise<unknown> {
  return importBooks(store, books(1, BOOKS, { imprint: "A", title: String(state).repeat(7000) }));
}

function keepLog(path: string): LogKeeper {
  const identity = identityOf(path)!;
  const keeper = new LogKeeper({ path, access: "write", identity, log: identityOf(`${path}-wal`) }, LOOK_MS);
  cleanups.push(() => keeper.stop());
  return keeper;
}

test("truncates the log when a reader of another process has left", async () => {
  const { path, store } = await createCatalog();
  const reader = beginToRead(path);
  await importState(store, 1);
  expect(logBytes(path)).toBeGreaterThan(MAX_IDLE_LOG_BYTES);
  keepLog(path);
  await Bun.sleep(5 * LOOK_MS);
  expect(logBytes(path)).toBeGreaterThan(MAX_IDLE_LOG_BYTES);
  reader[Symbol.dispose]();
  await waitFor("the log is truncated", () => logBytes(path) === 0);
});

test("truncates the log under an open list of the current state, which goes on", async () => {
  const { path, store } = await createCatalog();
  const reader = beginToRead(path);
  await importState(store, 1);
  // This one began while the log could not be moved into the file, so it reads the log.
  const current = await store.snapshot();
  const list = (current.bodies({ kind: "imprint", slug: "a" }) as Iterable<readonly Uint8Array[]>)[
    Symbol.iterator
  ]();
  let bytes = sizeOf(list.next().value!);
  expect(logBytes(path)).toBeGreaterThan(MAX_IDLE_LOG_BYTES);
  keepLog(path);
  reader[Symbol.dispose]();
  await waitFor("the log is truncated", () => logBytes(path) === 0);
  expect(store.load?.().openLists).toBe(1);
  for (let step = list.next(); !step.done; step = list.next()) bytes += sizeOf(step.value);
  expect(bytes).toBe(sizeOf(await collect(current.bodies({ kind: "imprint", slug: "a" }))));
  current.close();
});

test("leaves the log alone during an import, which can commit", async () => {
  const { path, store } = await createCatalog();
  const snapshot = await store.snapshot();
  await importState(store, 1);
  keepLog(path);
  const transaction = await store.beginImport();
  snapshot.close();
  await transaction.put(books(1, BOOKS, { imprint: "B", title: "2".repeat(7000) }), 1);
  await Bun.sleep(5 * LOOK_MS);
  await transaction.abort();
  await waitFor("the log is truncated", () => logBytes(path) === 0);
  await importState(store, 3);
  expect(store.load?.().logBytes).toBe(0);
});

test("does not fail when the file is removed, and never opens another file under its path", async () => {
  const { path, store } = await createCatalog();
  const snapshot = await store.snapshot();
  await importState(store, 1);
  keepLog(path);
  rmSync(path);
  await Bun.write(path, "not a database");
  snapshot.close();
  await Bun.sleep(10 * LOOK_MS);
  expect(logBytes(path)).toBeGreaterThan(MAX_IDLE_LOG_BYTES);
  expect(await Bun.file(path).text()).toBe("not a database");
});

function sizeOf(bodies: readonly Uint8Array[]): number {
  return bodies.reduce((sum, body) => sum + body.byteLength, 0);
}

const FIELDS: BookFields = { imprint: "A", languages: ["spa"], published: "20240101", sender: "s" };
/** A frame of the log has the page and a header of 24 bytes. */
const FRAME_BYTES = CATALOG.pageSize + 24;
const CHANGED = 100;

/** Imports 1,000 books of 3 kB, then every tenth with a change. Returns the pages that the change has written. */
async function pagesWritten(change: (number: number) => Entry): Promise<number> {
  using folder = new TempFolder();
  const store = openSqlite(folder.catalog, { create: true });
  const title = "x".repeat(3000);
  const all = Array.from({ length: 10 * CHANGED }, (_, number) => book(number, { ...FIELDS, title }));
  await importBooks(store, all);
  // A reader of the old state keeps the log from being truncated.
  const snapshot = await store.snapshot();
  await importBooks(
    store,
    Array.from({ length: CHANGED }, (_, index) => change(index * 10)),
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
