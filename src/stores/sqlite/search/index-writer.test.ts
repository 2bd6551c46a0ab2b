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
  for (let id = 1; id <= BOOKS; id++) writer.add({ ...searchBook(id, {}), search });
  writer.flush();
  using indexed = db.prepare<{ books: number }, []>("SELECT count(*) AS books FROM book_index_docsize");
  expect(indexed.get()!.books).toBe(BOOKS);
  for (let id = 1; id <= BOOKS; id++) writer.remove(searchBook(id, {}).isbn, undefined);
  expect(indexed.get()!.books).toBeLessThan(BOOKS);
  writer.flush();
  expect(indexed.get()!.books).toBe(0);
});

test("the index of words keeps its size when all words change again and again", async () => {
  using folder = new TempFolder();
  await openSqlite(folder.catalog, { create: true }).close();
  using db = new Database(folder.catalog);
  const bytes: number[] = [];
  for (let night = 0; night < 7; night++) {
    db.run("BEGIN");
    using writer = new SearchIndexWriter(db);
    for (let id = 1; id <= 60; id++) {
      const words = Array.from({ length: 400 }, (_, n) => `w${(night * 31 + id * 17 + n * n) % 99_991}`);
      const book = searchBook(id, { description: words.join(" ") });
      writer.update(book, book.published);
    }
    writer.flush();
    db.run("COMMIT");
    const size = db.query<{ bytes: number }, []>("SELECT sum(length(block)) AS bytes FROM book_index_data");
    bytes.push(size.get()!.bytes);
  }
  expect(Math.max(...bytes)).toBeLessThan(3 * bytes[0]!);
});

test("FTS5 finds in the bytes of a document the words of its texts, at the same places", async () => {
  using folder = new TempFolder();
  await openSqlite(folder.catalog, { create: true }).close();
  using db = new Database(folder.catalog);
  const book = searchBook(1, {
    title: "Straße, 日本語 & Œuvre",
    contributors: ["Flann O’Brien"],
    description: "Война и мир",
    subjects: [["93", "FBC"]],
  });
  const document = searchDocumentOfEntry(book);
  using writer = new SearchIndexWriter(db);
  writer.add({ ...book, search: document });
  writer.flush();
  const { sql } = db.query("SELECT sql FROM sqlite_schema WHERE name = 'book_index'").get() as {
    sql: string;
  };
  db.run(sql.replace("book_index", "text_index"));
  const { description, title, contributor, rest, filter, marks } = document;
  const texts = [description, title, contributor, rest, filter + marks];
  db.run(
    "INSERT INTO text_index (rowid, description, title, contributor, rest, filter) VALUES (1, ?, ?, ?, ?, ?)",
    texts,
  );
  const [ofBytes, ofTexts] = ["book_index", "text_index"].map((table) => {
    db.run(`CREATE VIRTUAL TABLE ${table}_terms USING fts5vocab(${table}, instance)`);
    return db.query(`SELECT term, col, offset FROM ${table}_terms ORDER BY 1, 2, 3`).all();
  });
  expect(ofBytes).toEqual(ofTexts!);
  expect(ofBytes!.length).toBeGreaterThan(20);
});
