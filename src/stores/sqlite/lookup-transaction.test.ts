import { expect, test } from "bun:test";
import { book, bring, isbn, titleOf } from "../contract/books.ts";
import { openSqlite } from "./store.ts";
import { Folder } from "./testing.ts";

test("lookups within a transaction read its state, and the latest state after it", async () => {
  using folder = new Folder();
  const store = openSqlite(folder.catalog, { create: true });
  const importer = openSqlite(folder.catalog);
  const title = async () => titleOf((await store.record(isbn(1)))!.body);
  await bring(store, [book(1, { title: "old" })]);
  const lookups = store.lookupTransaction!;

  const before = lookups.begin();
  expect(before).toBe(await store.revision());
  await bring(importer, [book(1, { title: "new" })]);
  expect(await title()).toBe("old");
  lookups.end();
  expect(await title()).toBe("new");

  const after = lookups.begin();
  expect(after).not.toBe(before);
  await bring(importer, [book(1, { title: "newer" })]);
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
  using folder = new Folder();
  const store = openSqlite(folder.catalog, { create: true });
  const importer = openSqlite(folder.catalog);
  await bring(store, [book(1, { title: "old" })]);
  const before = store.revision();
  await bring(importer, [book(1, { title: "new" })]);
  expect(store.revision()).not.toBe(before);
  expect(titleOf((await store.record(isbn(1)))!.body)).toBe("new");
  await importer.close();
  await store.close();
});
