import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { searchDocumentOfEntry } from "../../../catalog/entry.ts";
import { searchBook } from "../../testing/search-books.ts";
import { openSqlite } from "../store.ts";
import { TempFolder } from "../testing/folder.ts";
import { SearchIndexWriter } from "./index-writer.ts";

const BOOKS = 4500;

test("writes removals before they are many, so that memory does not grow with them", async () => {
  using folder = new TempFolder();
  await openSqlite(folder.catalog, { create: true }).close();
  using db = new Database(folder.catalog);
  db.run("BEGIN");
  using writer = new SearchIndexWriter(db);
  const search = searchDocumentOfEntry(searchBook(1, { title: "Sol" }));
  for (let id = 1; id <= BOOKS; id++) writer.add(id, { ...searchBook(id, {}), search });
  writer.flush();
  using indexed = db.prepare<{ books: number }, []>("SELECT count(*) AS books FROM book_index_docsize");
  expect(indexed.get()!.books).toBe(BOOKS);
  for (let id = 1; id <= BOOKS; id++) writer.remove(id);
  expect(indexed.get()!.books).toBeLessThan(BOOKS);
  writer.flush();
  expect(indexed.get()!.books).toBe(0);
});
