import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { books, importBooks } from "../testing/books.ts";
import { openSqlite } from "./store.ts";
import { TempFolder } from "./testing/folder.ts";

/** Otherwise each scrape of the metrics would read the whole table of imprints, in the process that serves requests. */
test("stats counts the imprints once for each revision", async () => {
  using folder = new TempFolder();
  const store = openSqlite(folder.catalog, { create: true });
  await importBooks(store, [...books(1, 2, { imprint: "A" }), ...books(3, 4, { imprint: "B" })]);
  const before = await store.stats();
  expect(before.imprints).toBe(2);
  const db = new Database(folder.catalog);
  db.run("DELETE FROM imprint WHERE slug = 'a'");
  db.close();
  expect(await store.stats()).toEqual(before);
  await importBooks(store, books(5, 5, { imprint: "C" }));
  expect(await store.stats()).toMatchObject({ records: 5, imprints: 2 });
  await store.close();
});
