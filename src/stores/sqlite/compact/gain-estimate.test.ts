import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { packedPages } from "./gain-estimate.ts";

/** Returns the pages of a table with rows of these sizes after VACUUM. */
function pagesAfterVacuum(sizes: readonly number[], pageBytes: number): number {
  const db = new Database(":memory:");
  db.run(`PRAGMA page_size = ${pageBytes}`);
  db.run("CREATE TABLE body (id INTEGER PRIMARY KEY, body BLOB)");
  const insert = db.prepare("INSERT INTO body (body) VALUES (zeroblob(?))");
  for (const size of sizes) insert.run(size - 12);
  insert.finalize();
  db.run("VACUUM");
  const { pages } = db
    .query<{ pages: number }, []>("SELECT pageno AS pages FROM dbstat('main', 1) WHERE name = 'body'")
    .get()!;
  db.close();
  return pages;
}

test.each([4096, 8192, 16_384])("returns the pages that VACUUM writes, in pages of %d bytes", (pageBytes) => {
  const cases = [
    Array(3000).fill(500),
    Array(3000).fill(2800),
    Array(500).fill(30_000),
    Array.from({ length: 3000 }, (_, index) => 300 + ((index * 7919) % 9000)),
  ];
  for (const sizes of cases) {
    const pages = pagesAfterVacuum(sizes, pageBytes);
    const estimate = packedPages(sizes, pageBytes);
    expect(Math.abs(estimate - pages) / pages).toBeLessThan(0.02);
  }
});
