import { expect } from "bun:test";
import { copyFileSync } from "node:fs";
import { RevisionSum } from "../../../catalog/revision.ts";
import type { Store } from "../../../catalog/store.ts";
import { anyRun } from "../../../catalog/testing/import-runs.ts";
import { testsWith } from "../../../lib/testing/tests-with.ts";
import { book, books, EMPTY_REVISION, importBooks, isbn, readSnapshot } from "../../testing/books.ts";
import { copySqlite } from "../backup.ts";
import { compactSqlite } from "../compact.ts";
import { openSqlite } from "../store.ts";
import { createSqlite, runSql, TempFolder } from "../testing/folder.ts";

const test = testsWith(() => new TempFolder());

function readAll(store: Store) {
  return readSnapshot(store, async (snapshot) => ({
    history: await snapshot.history(1),
    changes: await snapshot.changes({ number: 0, isbn: undefined }, 0, 10_000),
    imports: await store.importHistory.list(undefined, 10),
    origin: await store.importHistory.originOf(isbn(1)),
  }));
}

test("a backup and a compaction keep the numbers and ids of all changes, and the history of imports", async (folder) => {
  const store = openSqlite(folder.catalog, { create: true });
  await importBooks(store, books(1, 2000, { title: "x".repeat(500) }));
  await importBooks(
    store,
    [book(1, { title: "y" })],
    books(2, 1500).map((each) => each.isbn),
  );
  const expected = await readAll(store);
  expect([expected.history.newest.number, expected.changes.length]).toEqual([2, 2000]);
  expect([expected.imports.length, expected.origin?.changed?.blocks]).toEqual([2, ["title"]]);
  copySqlite(folder.catalog, `${folder.catalog}.copy`).publish();
  expect((await compactSqlite(folder.catalog)).isCompacted).toBe(true);
  expect(await readAll(store)).toEqual(expected);
  await store.close();
  const copy = openSqlite(`${folder.catalog}.copy`);
  expect(await readAll(copy)).toEqual(expected);
  await copy.close();
});

test("an import into an empty catalog has one change per book, also when feeds repeat and delete books", async (folder) => {
  const store = openSqlite(folder.catalog, { create: true });
  // The books of the first import are gone, so the second one begins without indexes.
  await importBooks(store, [book(1), book(2)]);
  await importBooks(store, [], [isbn(1), isbn(2)]);
  const transaction = await store.beginImport();
  await transaction.put(books(2, 5), 1);
  await transaction.remove([isbn(4)], 2);
  await transaction.put([book(5, { title: "x" }), book(6)], 2);
  const revision = new RevisionSum(EMPTY_REVISION);
  for (const entry of [book(2), book(3), book(5, { title: "x" }), book(6)])
    revision.change(undefined, entry.etag);
  await transaction.commit(revision.toString(), anyRun());
  const { changes } = await readAll(store);
  expect(changes.map(({ number, isbn, added }) => [number, Number(isbn.slice(3)), added])).toEqual([
    [2, 1, undefined],
    [3, 2, 3],
    [3, 3, 3],
    [3, 5, 3],
    [3, 6, 3],
  ]);
  await store.close();
});

test("an import of a book repairs what a damaged catalog has lost of its changes", async (folder) => {
  const damages = [
    "DELETE FROM change WHERE isbn = 9780000000002",
    "DELETE FROM body WHERE id = (SELECT id FROM record WHERE isbn = 9780000000002)",
  ];
  await createSqlite(folder.catalog, books(1, 3));
  for (const damage of damages) {
    const path = `${folder.catalog}.${damages.indexOf(damage)}`;
    copyFileSync(folder.catalog, path);
    runSql(path, damage);
    const damaged = openSqlite(path);
    await importBooks(damaged, [book(2, { title: "x" })]);
    await importBooks(damaged, [book(1, { title: "x" })]);
    const { changes } = await readAll(damaged);
    expect(changes.map(({ number, isbn }) => [number, Number(isbn.slice(3))])).toEqual([
      [1, 3],
      [2, 2],
      [3, 1],
    ]);
    await damaged.close();
  }
});
