import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { INDEXES } from "./schema.ts";
import { openSqlite } from "./store.ts";
import { TempFolder } from "./testing/folder.ts";

/** Otherwise each body of a list would cost a read of the record table. */
test("lookups and lists read an index and the bodies, not the record table", async () => {
  using folder = new TempFolder();
  await openSqlite(folder.catalog, { create: true }).close();
  const db = new Database(folder.catalog);
  const plan = (where: string) => {
    const sql = `EXPLAIN QUERY PLAN SELECT isbn, body, etag FROM record LEFT JOIN body USING (id) WHERE ${where}`;
    return db.prepare<{ detail: string }, []>(sql).all()[0]!.detail;
  };
  expect(plan("isbn = 1")).toContain("COVERING INDEX record_by_isbn");
  expect(plan("imprint = 'a' ORDER BY isbn")).toContain("COVERING INDEX record_by_imprint");
  expect(plan("imprint = 'a' AND instr(languages, 'b') > 0 ORDER BY isbn")).toContain("COVERING INDEX");
  expect(plan("published BETWEEN 1 AND 2 ORDER BY published DESC, isbn")).toContain(
    "COVERING INDEX record_by_day",
  );
  const names = db.prepare<{ name: string }, []>(
    "SELECT name FROM sqlite_schema WHERE type = 'index' AND tbl_name IN ('record', 'book_search', 'edition_link') AND sql IS NOT NULL",
  );
  expect(
    names
      .all()
      .map(({ name }) => name)
      .sort(),
  ).toEqual([...INDEXES.names].sort());
  db.close();
});
