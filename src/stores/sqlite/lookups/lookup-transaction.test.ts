import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { anyRun } from "../../../catalog/testing/import-runs.ts";
import { book, collect, importBooks, isbn, titleOfBody } from "../../testing/books.ts";
import { openSqlite } from "../store.ts";
import { TempFolder } from "../testing/folder.ts";

test("lookups within a transaction read its state, and the latest state after it", async () => {
  using folder = new TempFolder();
  const store = openSqlite(folder.catalog, { create: true });
  const importer = openSqlite(folder.catalog);
  const title = async () => titleOfBody((await store.record(isbn(1)))!.body);
  await importBooks(store, [book(1, { title: "old" })]);
  const lookups = store.lookupTransaction!;

  const before = lookups.begin();
  expect(before).toBe(await store.revision());
  await importBooks(importer, [book(1, { title: "new" })]);
  expect(await title()).toBe("old");
  lookups.end();
  expect(await title()).toBe("new");

  const after = lookups.begin();
  expect(after).not.toBe(before);
  await importBooks(importer, [book(1, { title: "newer" })]);
  expect(await title()).toBe("new");
  // A second begin replaces the open transaction.
  expect(lookups.begin()).not.toBe(after);
  expect(await title()).toBe("newer");
  lookups.end();
  lookups.end();
  await importer.close();
  await store.close();
});

test("reading the revision opens no transaction", async () => {
  using folder = new TempFolder();
  const store = openSqlite(folder.catalog, { create: true });
  const importer = openSqlite(folder.catalog);
  await importBooks(store, [book(1, { title: "old" })]);
  const before = store.revision();
  await importBooks(importer, [book(1, { title: "new" })]);
  expect(store.revision()).not.toBe(before);
  expect(titleOfBody((await store.record(isbn(1)))!.body)).toBe("new");
  await importer.close();
  await store.close();
});

test("lookups within a transaction read its state, before and after an import between them", async () => {
  using folder = new TempFolder();
  const store = openSqlite(folder.catalog, { create: true });
  const importer = openSqlite(folder.catalog);
  await importBooks(store, [book(1, { title: "old" }), book(2)]);
  const lookups = store.lookupTransaction!;
  const title = async (number: number) => titleOfBody((await store.record(isbn(number)))!.body);
  lookups.begin();
  expect(await title(1)).toBe("old");
  await importBooks(importer, [book(1, { title: "new" })], [isbn(2)]);
  expect(await title(1)).toBe("old");
  expect(await title(2)).toBe("");
  // The state with the same revision, and other ids.
  await importBooks(importer, [book(2), book(1, { title: "old" })]);
  lookups.begin();
  await importBooks(importer, [], [isbn(2)]);
  await importBooks(importer, [book(2)]);
  expect(await title(2)).toBe("");
  lookups.end();
  expect(await title(2)).toBe("");
  await importer.close();
  await store.close();
});

test("finds a book that was removed and added again as it was, by one import or by two", async () => {
  using folder = new TempFolder();
  const store = openSqlite(folder.catalog, { create: true });
  const one = book(1, { title: "one" });
  const revision = await importBooks(store, [one, book(2)]);
  const requireBook = async () => {
    expect(store.revision()).toBe(revision);
    expect(titleOfBody((await store.record(isbn(1)))!.body)).toBe("one");
    const snapshot = await store.snapshot();
    expect(await collect(snapshot.bodies({ kind: "isbns", isbns: [isbn(1)] }))).toHaveLength(1);
    snapshot.close();
  };
  await requireBook();
  // The book has another id afterwards: ids are not used again while a greater one is in use.
  const transaction = await store.beginImport();
  await transaction.remove([isbn(1)], 1);
  await transaction.put([one], 2);
  await transaction.commit(revision, anyRun());
  await requireBook();
  await importBooks(store, [book(3)], [isbn(1)]);
  await importBooks(store, [one], [isbn(3)]);
  await requireBook();
  await store.close();
});

test("a lookup and a snapshot do not search the index for a book that was found before", async () => {
  using folder = new TempFolder();
  const store = openSqlite(folder.catalog, { create: true });
  await importBooks(store, [book(1), book(2)]);
  expect(store.record(isbn(1))).toBeDefined();
  using other = new Database(folder.catalog);
  // No import does that, so the ids stay known.
  other.run("UPDATE record SET isbn = isbn + 1000");
  expect(store.record(isbn(1))).toBeDefined();
  expect(store.record(isbn(2))).toBeUndefined();
  const snapshot = await store.snapshot();
  expect(await snapshot.missing([isbn(1), isbn(2)])).toEqual([isbn(2)]);
  snapshot.close();
  await store.close();
});

test("lookups read the latest state after a transaction that could not begin", async () => {
  using folder = new TempFolder();
  const store = openSqlite(folder.catalog, { create: true });
  const importer = openSqlite(folder.catalog);
  await importBooks(store, [book(1, { title: "old" })]);
  const title = async () => titleOfBody((await store.record(isbn(1)))!.body);
  expect(await title()).toBe("old");
  using other = new Database(folder.catalog);
  other.run("ALTER TABLE catalog RENAME TO hidden");
  expect(() => store.lookupTransaction!.begin()).toThrow("no such table: catalog");
  other.run("ALTER TABLE hidden RENAME TO catalog");
  await importBooks(importer, [book(1, { title: "new" })]);
  expect(await title()).toBe("new");
  await importer.close();
  await store.close();
});

test("a snapshot reads its own state by ISBN, in lookup transactions of the same state and of others", async () => {
  using folder = new TempFolder();
  const store = openSqlite(folder.catalog, { create: true });
  const importer = openSqlite(folder.catalog);
  await importBooks(store, [book(1, { title: "old" }), book(2)]);
  const lookups = store.lookupTransaction!;
  const isbns = [isbn(2), isbn(1), isbn(3)];
  lookups.begin();
  const snapshot = await store.snapshot();
  const read = async () => ({
    missing: await snapshot.missing(isbns),
    titles: (await collect(snapshot.bodies({ kind: "isbns", isbns }))).map(titleOfBody),
  });
  const expected = { missing: [isbn(3)], titles: ["", "old"] };
  expect(await read()).toEqual(expected);
  await importBooks(importer, [book(1, { title: "new" }), book(3)], [isbn(2)]);
  expect(await read()).toEqual(expected);
  lookups.begin();
  expect(await read()).toEqual(expected);
  lookups.end();
  expect(await read()).toEqual(expected);
  snapshot.close();
  await importer.close();
  await store.close();
});
