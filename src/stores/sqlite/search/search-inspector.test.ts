import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { importBooks, isbn } from "../../testing/books.ts";
import { faultsOf } from "../../testing/engines.ts";
import { searchBook } from "../../testing/search-books.ts";
import { copySqlite } from "../backup.ts";
import { compactSqlite } from "../compact.ts";
import { inspectSqlite } from "../inspection.ts";
import { openSqlite } from "../store.ts";
import { createSqlite, TempFolder } from "../testing/folder.ts";

const createCatalog = (path: string) =>
  createSqlite(
    path,
    Array.from({ length: 30 }, (_, index) => searchBook(index + 1, { title: `Libro número ${index}` })),
  );

async function findingsAfter(path: string, sql: string): Promise<string[]> {
  using db = new Database(path);
  db.run(sql);
  const faults = await faultsOf({ inspect: () => inspectSqlite(path) });
  return faults.map((fault) => `${fault.isbn ?? ""} ${fault.text}`.trim());
}

/** The first book is the one in 200 whose words are looked up. */
const FIRST = `(SELECT search_id FROM book_search WHERE isbn = ${isbn(1)})`;

test.each([
  ["a lost row", `DELETE FROM book_search WHERE isbn = ${isbn(3)}`, 3],
  [
    "a row at another place",
    `UPDATE book_search SET search_id = search_id + 1000 WHERE isbn = ${isbn(3)}`,
    3,
  ],
])("verify finds %s, and the words that no book has", async (_, sql, number) => {
  using folder = new TempFolder();
  await createCatalog(folder.catalog);
  const findings = await findingsAfter(folder.catalog, sql);
  expect(findings[0]).toMatch(/^the search index has [123] books that the catalog does not have$/);
  expect(findings.slice(1)).toEqual([`${isbn(number)} it is missing in the search index`]);
});

test("verify finds a book without words, one with other words, and one that lacks something else", async () => {
  using folder = new TempFolder();
  await createCatalog(folder.catalog);
  expect(await findingsAfter(folder.catalog, "SELECT 1")).toEqual([]);
  expect(
    await findingsAfter(folder.catalog, `UPDATE book_search SET lacks = lacks + 1 WHERE isbn = ${isbn(3)}`),
  ).toEqual([`${isbn(3)} its entry in the search index is not that of the record`]);
  await findingsAfter(folder.catalog, `UPDATE book_search SET lacks = lacks - 1 WHERE isbn = ${isbn(3)}`);
  expect(
    await findingsAfter(
      folder.catalog,
      `DELETE FROM book_index WHERE rowid = ${FIRST};
       INSERT INTO book_index (rowid, title) VALUES (${FIRST}, 'other')`,
    ),
  ).toEqual([`${isbn(1)} it is missing in the search index`]);
  expect(await findingsAfter(folder.catalog, `DELETE FROM book_index WHERE rowid = ${FIRST}`)).toEqual([
    "the search index has 1 books that the catalog does not have",
    `${isbn(1)} it is missing in the search index`,
  ]);
});

test("a backup and a compacted catalog have the search index", async () => {
  using folder = new TempFolder();
  await createCatalog(folder.catalog);
  const store = openSqlite(folder.catalog, { searchLimits: { timeoutMs: 60_000 } });
  await importBooks(
    store,
    [],
    Array.from({ length: 20 }, (_, index) => isbn(index + 1)),
  );
  await store.close();
  await compactSqlite(folder.catalog);
  copySqlite(folder.catalog, `${folder.catalog}.backup`).publish();
  for (const path of [folder.catalog, `${folder.catalog}.backup`]) {
    expect(await findingsAfter(path, "SELECT 1")).toEqual([]);
    const copy = openSqlite(path, { searchLimits: { timeoutMs: 60_000 } });
    expect((await copy.search({ filters: {}, sort: "newest", limit: 100 })).keys).toHaveLength(10);
    await copy.close();
  }
});
