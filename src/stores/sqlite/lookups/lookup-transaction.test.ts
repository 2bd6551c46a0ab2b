import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import type { Entry } from "../../../catalog/store.ts";
import { anyRun } from "../../../catalog/testing/import-runs.ts";
import { book, collect, importBooks, isbn, titleOfBody } from "../../testing/books.ts";
import { openSqlite } from "../store.ts";
import { TempFolder } from "../testing/folder.ts";

/** Opens a catalog with books twice: for lookups, and for imports beside them. */
async function openTwice(...books: readonly Entry[]) {
  const folder = new TempFolder();
  const store = openSqlite(folder.catalog, { create: true });
  const importer = openSqlite(folder.catalog);
  await importBooks(store, books);
  return {
    folder,
    store,
    importer,
    lookups: store.lookupTransaction!,
    title: async (number = 1) => titleOfBody((await store.record(isbn(number)))!.body),
    async [Symbol.asyncDispose]() {
      await importer.close();
      await store.close();
      folder[Symbol.dispose]();
    },
  };
}

test("lookups within a transaction read its state, and the latest state after it", async () => {
  await using catalog = await openTwice(book(1, { title: "old" }));
  const { store, importer, lookups, title } = catalog;

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
});

test("reading the revision opens no transaction", async () => {
  await using catalog = await openTwice(book(1, { title: "old" }));
  const { store, importer, title } = catalog;
  const before = store.revision();
  await importBooks(importer, [book(1, { title: "new" })]);
  expect(store.revision()).not.toBe(before);
  expect(await title()).toBe("new");
});

test("lookups within a transaction read its state, before and after an import between them", async () => {
  await using catalog = await openTwice(book(1, { title: "old" }), book(2));
  const { importer, lookups, title } = catalog;
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
  await using catalog = await openTwice(book(1, { title: "old" }));
  const { folder, importer, lookups, title } = catalog;
  expect(await title()).toBe("old");
  using other = new Database(folder.catalog);
  other.run("ALTER TABLE catalog RENAME TO hidden");
  expect(() => lookups.begin()).toThrow("no such table: catalog");
  other.run("ALTER TABLE hidden RENAME TO catalog");
  await importBooks(importer, [book(1, { title: "new" })]);
  expect(await title()).toBe("new");
});

test("a snapshot reads its own state by ISBN, in lookup transactions of the same state and of others", async () => {
  await using catalog = await openTwice(book(1, { title: "old" }), book(2));
  const { store, importer, lookups } = catalog;
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
});
