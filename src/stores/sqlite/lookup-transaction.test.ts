import { expect, test } from "bun:test";
import { book, importBooks, isbn, titleOfBody } from "../testing/books.ts";
import { openSqlite } from "./store.ts";
import { TempFolder } from "./testing/folder.ts";

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
