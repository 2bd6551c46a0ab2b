import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { StoreRefused } from "../../catalog/store-refused.ts";
import { all, book, bring, isbn } from "../contract/books.ts";
import { CATALOG, INDEXES } from "./format.ts";
import { openSqlite } from "./store.ts";
import { Folder } from "./testing.ts";

/** The file as a Colophon that knew only the first `version` steps has left it. */
function older(path: string, version: number): void {
  const db = new Database(path);
  for (const sql of CATALOG.migrations.slice(0, version)) db.run(sql);
  db.run(`PRAGMA application_id = ${CATALOG.application}`);
  db.run(`PRAGMA user_version = ${version}`);
  const { body, etag } = book(1, { imprint: "A" });
  db.run("INSERT INTO record VALUES (1, 9780000000001, 'a', 'A', '', 20240101, 'ref-1', ?, '{}')", [etag]);
  db.run("INSERT INTO body VALUES (1, ?)", [body]);
  db.run("INSERT INTO imprint VALUES ('a', 'A', 1)");
  db.run("UPDATE catalog SET records = 1, revision = ?", [etag]);
  db.close(true);
}

test("a catalog of every older format is brought up to date when it is opened for writing", async () => {
  for (let version = 2; version < CATALOG.migrations.length; version++) {
    using folder = new Folder();
    older(folder.catalog, version);
    expect(() => openSqlite(folder.catalog, { readonly: true })).toThrow(StoreRefused);
    const store = openSqlite(folder.catalog);
    expect((await store.record(isbn(1)))?.etag).toBe(book(1, { imprint: "A" }).etag);
    await bring(store, [book(2, { imprint: "A" })]);
    const view = await store.view();
    expect(await all(view.bodies({ by: "imprint", slug: "a" }))).toHaveLength(2);
    view.close();
    await store.close();
    await openSqlite(folder.catalog, { readonly: true }).close();
  }
});

/** Else each body of a list would cost a look into the table of records, only for its checksum. */
test("lists take what they check bodies by from the index that finds them", async () => {
  using folder = new Folder();
  await openSqlite(folder.catalog, { create: true }).close();
  const db = new Database(folder.catalog);
  const plan = (where: string) => {
    const sql = `EXPLAIN QUERY PLAN SELECT isbn, body, etag FROM record LEFT JOIN body USING (id) WHERE ${where}`;
    return db.prepare<{ detail: string }, []>(sql).all()[0]!.detail;
  };
  expect(plan("imprint = 'a' ORDER BY isbn")).toContain("COVERING INDEX record_by_imprint");
  expect(plan("imprint = 'a' AND instr(languages, 'b') > 0 ORDER BY isbn")).toContain("COVERING INDEX");
  expect(plan("published BETWEEN 1 AND 2 ORDER BY published DESC, isbn")).toContain(
    "COVERING INDEX record_by_day",
  );
  const names = db.prepare<{ name: string }, []>(
    "SELECT name FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL",
  );
  expect(
    names
      .all()
      .map(({ name }) => name)
      .sort(),
  ).toEqual([...INDEXES.names].sort());
  db.close();
});
