import { Database } from "bun:sqlite";
import { expect } from "bun:test";
import { statSync } from "node:fs";
import { StoreError } from "../../catalog/store-errors.ts";
import { anyRun } from "../../catalog/testing/import-runs.ts";
import { testsWith } from "../../lib/testing/tests-with.ts";
import {
  book,
  books,
  collect,
  EMPTY_REVISION,
  importBooks,
  isbn,
  isbnOfBody,
  titleOfBody,
} from "../testing/books.ts";
import { openSqlite } from "./store.ts";
import { runChild, startChild } from "./testing/child-process.ts";
import { TempFolder } from "./testing/folder.ts";

const test = testsWith(() => new TempFolder());

test("processes that start at once create one catalog, and all import into it", async (folder) => {
  const outputs = await Promise.all(
    Array.from({ length: 6 }, (_, number) => runChild("add-one", folder.catalog, String(number))),
  );
  expect(outputs).toEqual(Array(6).fill("done\n"));
  const store = openSqlite(folder.catalog);
  const snapshot = await store.snapshot();
  expect(await collect(snapshot.isbns())).toEqual([0, 1, 2, 3, 4, 5].map(isbn));
  snapshot.close();
  expect(await store.stats()).toMatchObject({ records: 6, imprints: 1 });
  expect(store.tokens.list()).toHaveLength(6);
  await store.close();
});

test("several stores in one process use one catalog", async (folder) => {
  const stores = Array.from({ length: 8 }, () => openSqlite(folder.catalog, { create: true }));
  await importBooks(stores[0]!, [book(1)]);
  for (const store of stores) expect(store.record(isbn(1))).toBeDefined();
  for (const store of stores) await store.close();
});

test("an import that times out reports that another one is running", async (folder) => {
  const store = openSqlite(folder.catalog, { create: true, importLockTimeoutMs: 50 });
  const transaction = await store.beginImport();
  await expect(store.beginImport()).rejects.toThrow("Another import into");
  await expect(store.beginImport()).rejects.toBeInstanceOf(StoreError);
  await transaction.commit("1".repeat(32), anyRun());
  await (await store.beginImport()).abort();
  await store.close();
});

test("a second first import waits for the first, which has locked the file", async (folder) => {
  const options = { create: true, importOnly: true };
  const [store, other] = [openSqlite(folder.catalog, options), openSqlite(folder.catalog, options)];
  const first = await store.beginImport();
  await first.put([book(1)], 1);
  const second = other.beginImport();
  await first.commit("1".repeat(32), anyRun());
  const transaction = await second;
  expect(transaction.revision).toBe("1".repeat(32));
  await transaction.abort();
  await store.close();
  await other.close();
});

test("an import that waits when its store is closed never starts", async (folder) => {
  const busy = openSqlite(folder.catalog, { create: true });
  const transaction = await busy.beginImport();
  const store = openSqlite(folder.catalog);
  const waiting = store.beginImport();
  await store.close();
  await transaction.abort();
  await expect(waiting).rejects.toThrow("closed");
  await importBooks(busy, [book(1)]);
  await busy.close();
});

test("a list stays consistent while another process imports", async (folder) => {
  const store = openSqlite(folder.catalog, { create: true });
  await importBooks(store, books(1, 1000, { imprint: "A", title: "0".repeat(300) }));
  using importer = startChild("import-on-demand", folder.catalog);
  for (let round = 1; round <= 5; round++) {
    const before = store.revision();
    const snapshot = await store.snapshot();
    const bodies: Uint8Array[] = [];
    for await (const batch of snapshot.bodies({ kind: "imprint", slug: "a" })) {
      bodies.push(...batch);
      if (bodies.length > batch.length) continue;
      importer.send(String(round));
      expect(await importer.nextLine()).toBe("uncommitted");
      expect(store.revision()).toBe(before);
      importer.send("commit");
      expect(await importer.nextLine()).toBe("committed");
      expect(store.revision()).not.toBe(before);
    }
    expect(bodies.map(isbnOfBody)).toEqual(books(1, 1000).map((entry) => entry.isbn));
    expect(new Set(bodies.map(titleOfBody))).toEqual(new Set([String(round - 1).repeat(300)]));
    expect(titleOfBody((await store.record(isbn(1000)))!.body)).toBe(String(round).repeat(300));
    snapshot.close();
  }
  await store.close();
});

test("killing a process during an import leaves the previous state, and no lock", async (folder) => {
  const store = openSqlite(folder.catalog, { create: true });
  await importBooks(store, books(1, 50, { imprint: "A", title: "old" }));
  const before = await store.stats();
  const sizeBefore = statSync(`${folder.catalog}-wal`).size;
  using importer = startChild("import-and-hang", folder.catalog, "{}");
  expect(await importer.nextLine()).toBe("in the middle");
  // Much of the import is on the disk already, but it is not committed.
  expect(statSync(`${folder.catalog}-wal`).size).toBeGreaterThan(sizeBefore + 10_000_000);
  await importer.kill();

  const fresh = openSqlite(folder.catalog);
  for (const each of [store, fresh]) {
    expect(await each.stats()).toEqual(before);
    expect(titleOfBody((await each.record(isbn(1)))!.body)).toBe("old");
    const snapshot = await each.snapshot();
    expect(await collect(snapshot.isbns())).toHaveLength(50);
    snapshot.close();
  }
  await fresh.close();
  await importBooks(store, [book(51, { imprint: "A" })]);
  expect(await store.stats()).toMatchObject({ records: 51 });
  await store.close();
  const db = new Database(folder.catalog, { readonly: true });
  expect(db.prepare("PRAGMA integrity_check").all()).toEqual([{ integrity_check: "ok" }]);
  db.close();
});

test("a killed first import is undone when opened for writing, and reported when opened for reading", async (folder) => {
  using importer = startChild("import-and-hang", folder.catalog, '{ "create": true, "importOnly": true }');
  expect(await importer.nextLine()).toBe("in the middle");
  await importer.kill();
  expect(() => openSqlite(folder.catalog, { readonly: true })).toThrow(StoreError);
  expect(() => openSqlite(folder.catalog, { readonly: true })).toThrow("open it once for writing");
  const store = openSqlite(folder.catalog);
  expect(await store.stats()).toMatchObject({ records: 0, revision: EMPTY_REVISION });
  await store.close();
  await openSqlite(folder.catalog, { readonly: true }).close();
});

test("killing a process after its commit leaves the complete catalog", async (folder) => {
  using importer = startChild("import-on-demand", folder.catalog);
  importer.send("7");
  await importer.nextLine();
  importer.send("commit");
  expect(await importer.nextLine()).toBe("committed");
  await importer.kill();
  const store = openSqlite(folder.catalog);
  expect(await store.stats()).toMatchObject({ records: 1000, imprints: 1 });
  expect(store.revision()).not.toBe(EMPTY_REVISION);
  await store.close();
});

test("the write-ahead log is truncated after a snapshot with unfinished lists is closed", async (folder) => {
  const store = openSqlite(folder.catalog, { create: true });
  const logBytes = () => statSync(`${folder.catalog}-wal`).size;
  await importBooks(store, books(1, 2000, { imprint: "A", title: "x".repeat(300) }));
  expect(logBytes()).toBe(0);
  const snapshot = await store.snapshot();
  const lists = [snapshot.bodies({ kind: "imprint", slug: "a" }), snapshot.isbns(), snapshot.entries()];
  for (const list of lists) (list as Generator).next();
  await importBooks(store, books(1, 2000, { imprint: "A", title: "y".repeat(300) }));
  expect(logBytes()).toBeGreaterThan(0);
  snapshot.close();
  await importBooks(store, [book(1, { imprint: "A", title: "z" })]);
  expect(logBytes()).toBe(0);
  await store.close();
});
