/** A database file and the log of another one: each case damages the new file, or mixes both, if nothing is done. */

import { Database } from "bun:sqlite";
import { expect } from "bun:test";
import { copyFileSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { StoreError } from "../../../catalog/store-errors.ts";
import { anyRun } from "../../../catalog/testing/import-runs.ts";
import { testsWith } from "../../../lib/testing/tests-with.ts";
import { books, collect, importBooks, readSnapshot } from "../../testing/books.ts";
import { inspectSqlite } from "../inspection.ts";
import { openSqlite } from "../store.ts";
import { type ChildProcess, startChild } from "../testing/child-process.ts";
import { createSqlite, TempFolder } from "../testing/folder.ts";

const test = testsWith(() => new TempFolder());

const NEW_BOOKS = 300;

/** Creates a closed catalog, to be moved over another one. */
const createCatalog = (path: string, bookCount = NEW_BOOKS) =>
  createSqlite(path, books(1, bookCount, { imprint: "New" }));

/** Creates a catalog whose last import is only in its log, and kills its process. */
async function createCatalogWithLog(path: string): Promise<void> {
  await createSqlite(path, books(1, 50, { imprint: "Old" }));
  using child = startChild("import-on-demand", path);
  const reader = new Database(path, { readonly: true });
  await importBy(child, () => {
    reader.run("BEGIN");
    reader.prepare("SELECT revision FROM catalog").all();
  });
  await child.kill();
  reader.close();
  expect(statSync(`${path}-wal`).size).toBeGreaterThan(0);
}

/** Lets a process import books. `beforeCommit` runs between its changes and its commit. */
async function importBy(child: ChildProcess, beforeCommit = () => {}): Promise<void> {
  child.send("7");
  expect(await child.nextLine()).toBe("uncommitted");
  beforeCommit();
  child.send("");
  expect(await child.nextLine()).toBe("committed");
}

/** Moves a new catalog over that of a folder. */
async function replaceCatalog({ path, catalog }: TempFolder, bookCount?: number): Promise<void> {
  renameSync(await createCatalog(join(path, "new.db"), bookCount), catalog);
}

async function recordsOf(path: string): Promise<number> {
  const store = openSqlite(path);
  const { records } = await store.stats();
  await store.close();
  return records;
}

/** Checks SQLite's structures, the number of records, and that every record matches its etag. */
async function expectIntact(path: string, records: number): Promise<void> {
  expect(await recordsOf(path)).toBe(records);
  const inspection = inspectSqlite(path);
  for await (const faults of inspection.faults()) expect(faults).toEqual([]);
  await inspection.close();
  const store = openSqlite(path);
  await readSnapshot(store, async (snapshot) =>
    expect(await collect(snapshot.entries())).toHaveLength(records),
  );
  await store.close();
}

test("the log of a crashed process is not applied to a catalog that is moved over its own", async (folder) => {
  await createCatalogWithLog(folder.catalog);
  await replaceCatalog(folder);
  await expectIntact(folder.catalog, NEW_BOOKS);
  expect(statSync(`${folder.catalog}-wal.replaced`).size).toBeGreaterThan(0);
});

test("a reader refuses a catalog beside the log of another one, and says what removes it", async (folder) => {
  await createCatalogWithLog(folder.catalog);
  await replaceCatalog(folder);
  const open = () => openSqlite(folder.catalog, { readonly: true });
  expect(open).toThrow(StoreError);
  expect(open).toThrow(/was replaced, and .+-wal beside it belongs to the old file; .+"colophon stats"/);
  expect(await recordsOf(folder.catalog)).toBe(NEW_BOOKS);
  await open().close();
});

test("a process that has the old catalog open keeps its log, and shares none with the new one", async (folder) => {
  const old = openSqlite(folder.catalog, { create: true });
  await importBooks(old, books(1, 50, { imprint: "Old" }));
  await replaceCatalog(folder);
  using child = startChild("import-on-demand", folder.catalog);
  await importBy(child);
  expect((await old.stats()).records).toBe(50);
  // Nothing that needs a new connection reads another file than the open one.
  expect(() => old.snapshot()).toThrow(/was replaced or removed while it was in use/);
  await old.close();
  await child.kill();
  await expectIntact(folder.catalog, 1000);
});

test("an import into a catalog that is replaced before its commit fails, and changes neither", async (folder) => {
  for (const importOnly of [true, false]) {
    await createCatalog(folder.catalog, 10);
    const store = openSqlite(folder.catalog, { importOnly });
    const transaction = await store.beginImport();
    await transaction.put(books(1, 20, { imprint: "Lost" }), 1);
    await replaceCatalog(folder);
    await expect(transaction.commit(transaction.revision, anyRun())).rejects.toThrow(
      /was replaced or removed while it was in use/,
    );
    await store.close();
    await expectIntact(folder.catalog, NEW_BOOKS);
  }
});

test("the leftovers of a deleted catalog do not get into a new one", async (folder) => {
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
    await expectIntact(folder.catalog, 20);
    for (const name of readdirSync(folder.path)) rmSync(join(folder.path, name));
  }
});

test("the rollback journal of a killed first import does not empty a catalog that is moved over it", async (folder) => {
  using child = startChild(
    "import-and-hang",
    folder.catalog,
    JSON.stringify({ create: true, importOnly: true }),
  );
  expect(await child.nextLine()).toBe("in the middle");
  await child.kill();
  expect(statSync(`${folder.catalog}-journal`).size).toBeGreaterThan(0);
  await replaceCatalog(folder);
  await expectIntact(folder.catalog, NEW_BOOKS);
});

test("a catalog that is copied or moved together with its log keeps what is in the log", async (folder) => {
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

test("processes that find the log of another catalog at once remove it once, and use one log", async (folder) => {
  await createCatalogWithLog(folder.catalog);
  await replaceCatalog(folder, 0);
  const children = Array.from({ length: 6 }, () => startChild("import-on-demand", folder.catalog));
  try {
    for (const child of children) await importBy(child);
  } finally {
    for (const child of children) await child.kill();
  }
  await expectIntact(folder.catalog, 1000);
});
