/** A database file and the log of another one: each case damages the new file, or mixes both, if nothing is done. */
import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { copyFileSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { StoreError } from "../../../catalog/store-errors.ts";
import { anyRun } from "../../../catalog/testing/import-runs.ts";
import { books, collect, importBooks } from "../../testing/books.ts";
import { inspectSqlite } from "../inspection.ts";
import { openSqlite } from "../store.ts";
import { startChild } from "../testing/child-process.ts";
import { TempFolder } from "../testing/folder.ts";

const NEW_BOOKS = 300;

/** Creates a closed catalog, to be moved over another one. */
async function createCatalog(path: string, bookCount = NEW_BOOKS): Promise<string> {
  const store = openSqlite(path, { create: true });
  await importBooks(store, books(1, bookCount, { imprint: "New" }));
  await store.close();
  return path;
}

/** Creates a catalog whose last import is only in its log, and kills its process. */
async function createCatalogWithLog(path: string): Promise<void> {
  const store = openSqlite(path, { create: true });
  await importBooks(store, books(1, 50, { imprint: "Old" }));
  await store.close();
  using child = startChild("import-on-demand", path);
  const reader = new Database(path, { readonly: true });
  child.send("7");
  expect(await child.nextLine()).toBe("uncommitted");
  reader.run("BEGIN");
  reader.prepare("SELECT revision FROM catalog").all();
  child.send("");
  expect(await child.nextLine()).toBe("committed");
  await child.kill();
  reader.close();
  expect(statSync(`${path}-wal`).size).toBeGreaterThan(0);
}

async function recordsOf(path: string): Promise<number> {
  const store = openSqlite(path);
  const { records } = await store.stats();
  await store.close();
  return records;
}

/** Checks SQLite's structures, and that every record matches its etag. */
async function expectIntact(path: string): Promise<void> {
  const inspection = inspectSqlite(path);
  for await (const faults of inspection.faults()) expect(faults).toEqual([]);
  await inspection.close();
  const store = openSqlite(path);
  const snapshot = await store.snapshot();
  expect(await collect(snapshot.entries())).toHaveLength((await store.stats()).records);
  snapshot.close();
  await store.close();
}

test("the log of a crashed process is not applied to a catalog that is moved over its own", async () => {
  using folder = new TempFolder();
  await createCatalogWithLog(folder.catalog);
  renameSync(await createCatalog(join(folder.path, "new.db")), folder.catalog);
  expect(await recordsOf(folder.catalog)).toBe(NEW_BOOKS);
  await expectIntact(folder.catalog);
  expect(statSync(`${folder.catalog}-wal.replaced`).size).toBeGreaterThan(0);
});

test("a reader refuses a catalog beside the log of another one, and says what removes it", async () => {
  using folder = new TempFolder();
  await createCatalogWithLog(folder.catalog);
  renameSync(await createCatalog(join(folder.path, "new.db")), folder.catalog);
  const open = () => openSqlite(folder.catalog, { readonly: true });
  expect(open).toThrow(StoreError);
  expect(open).toThrow(/was replaced, and .+-wal beside it belongs to the old file; .+"colophon stats"/);
  expect(await recordsOf(folder.catalog)).toBe(NEW_BOOKS);
  await open().close();
});

test("a process that has the old catalog open keeps its log, and shares none with the new one", async () => {
  using folder = new TempFolder();
  const old = openSqlite(folder.catalog, { create: true });
  await importBooks(old, books(1, 50, { imprint: "Old" }));
  renameSync(await createCatalog(join(folder.path, "new.db")), folder.catalog);
  using child = startChild("import-on-demand", folder.catalog);
  child.send("7");
  expect(await child.nextLine()).toBe("uncommitted");
  child.send("");
  expect(await child.nextLine()).toBe("committed");
  expect((await old.stats()).records).toBe(50);
  // Nothing that needs a new connection reads another file than the open one.
  expect(() => old.snapshot()).toThrow(/was replaced or removed while it was in use/);
  await old.close();
  await child.kill();
  expect(await recordsOf(folder.catalog)).toBe(1000);
  await expectIntact(folder.catalog);
});

test("an import into a catalog that is replaced before its commit fails, and changes neither", async () => {
  using folder = new TempFolder();
  for (const importOnly of [true, false]) {
    await createCatalog(folder.catalog, 10);
    const store = openSqlite(folder.catalog, { importOnly });
    const transaction = await store.beginImport();
    await transaction.put(books(1, 20, { imprint: "Lost" }), 1);
    renameSync(await createCatalog(join(folder.path, "new.db")), folder.catalog);
    await expect(transaction.commit(transaction.revision, anyRun())).rejects.toThrow(
      /was replaced or removed while it was in use/,
    );
    await store.close();
    expect(await recordsOf(folder.catalog)).toBe(NEW_BOOKS);
    await expectIntact(folder.catalog);
  }
});

test("the leftovers of a deleted catalog do not get into a new one", async () => {
  using folder = new TempFolder();
  await createCatalogWithLog(folder.catalog);
  for (const isRecorded of [true, false]) {
    if (!isRecorded) {
      await createCatalogWithLog(folder.catalog);
      // As an older version would have left it.
      rmSync(`${folder.catalog}-owner`);
    }
    rmSync(folder.catalog);
    const store = openSqlite(folder.catalog, { create: true });
    expect((await store.stats()).records).toBe(0);
    await importBooks(store, books(1, 20, { imprint: "New" }));
    await store.close();
    await expectIntact(folder.catalog);
    for (const name of readdirSync(folder.path)) rmSync(join(folder.path, name));
  }
});

test("the rollback journal of a killed first import does not empty a catalog that is moved over it", async () => {
  using folder = new TempFolder();
  using child = startChild(
    "import-and-hang",
    folder.catalog,
    JSON.stringify({ create: true, importOnly: true }),
  );
  expect(await child.nextLine()).toBe("in the middle");
  await child.kill();
  expect(statSync(`${folder.catalog}-journal`).size).toBeGreaterThan(0);
  renameSync(await createCatalog(join(folder.path, "new.db")), folder.catalog);
  expect(await recordsOf(folder.catalog)).toBe(NEW_BOOKS);
  await expectIntact(folder.catalog);
});

test("a catalog that is copied or moved together with its log keeps what is in the log", async () => {
  using folder = new TempFolder();
  await createCatalogWithLog(folder.catalog);
  const names = readdirSync(folder.path);
  for (const [target, transfer] of [
    ["copy", copyFileSync],
    ["moved", renameSync],
  ] as const) {
    mkdirSync(join(folder.path, target));
    for (const name of names) transfer(join(folder.path, name), join(folder.path, target, name));
    expect(await recordsOf(join(folder.path, target, "catalog.db"))).toBe(1000);
  }
  expect(existsSync(join(folder.path, "copy/catalog.db-wal.replaced"))).toBe(false);
});

test("processes that find the log of another catalog at once remove it once, and use one log", async () => {
  using folder = new TempFolder();
  await createCatalogWithLog(folder.catalog);
  renameSync(await createCatalog(join(folder.path, "new.db"), 0), folder.catalog);
  const children = Array.from({ length: 6 }, () => startChild("import-on-demand", folder.catalog));
  try {
    for (const child of children) {
      child.send("7");
      expect(await child.nextLine()).toBe("uncommitted");
      child.send("");
      expect(await child.nextLine()).toBe("committed");
    }
  } finally {
    for (const child of children) await child.kill();
  }
  expect(await recordsOf(folder.catalog)).toBe(1000);
  await expectIntact(folder.catalog);
});
