import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { StartedImport } from "../../catalog/import-run.ts";
import { parseQuery } from "../../catalog/search/query-parser.ts";
import type { Store } from "../../catalog/store.ts";
import { StoreError } from "../../catalog/store-errors.ts";
import { anyRun } from "../../catalog/testing/import-runs.ts";
import { type Fault, verify } from "../../catalog/verify/verify.ts";
import type { Day } from "../../onix/date.ts";
import type { Isbn13 } from "../../onix/isbn.ts";
import { book, books, collect, importBooks, isbn } from "../testing/books.ts";
import { searchBook } from "../testing/search-books.ts";
import { copySqlite } from "./backup.ts";
import { inspectSqlite } from "./inspection.ts";
import searchTables from "./migrations/catalog/0010-search.sql" with { type: "text" };
import { CATALOG, INDEXES } from "./schema.ts";
import { openSqlite } from "./store.ts";
import { TempFolder } from "./testing/folder.ts";

/** Writes a catalog of three books that an older Colophon has made. */
function writeOldCatalog(folder: TempFolder, format: number): void {
  const compressed = readFileSync(join(import.meta.dir, "testing/old-formats", `format-${format}.db.gz`));
  writeFileSync(folder.catalog, Bun.gunzipSync(compressed));
}

function runSql(path: string, sql: string): Record<string, unknown>[] {
  using db = new Database(path);
  return db.prepare<Record<string, unknown>, []>(sql).all();
}

async function faults(path: string): Promise<Fault[]> {
  const inspection = inspectSqlite(path);
  const found: Fault[] = [];
  for await (const fault of verify(inspection)) found.push(fault);
  await inspection.close();
  return found;
}

const OLDEST_VERSION = CATALOG.oldestVersion;

for (let format = OLDEST_VERSION; format <= CATALOG.migrations.length; format++) {
  test(`a catalog of format ${format} is migrated when it is opened for writing`, async () => {
    using folder = new TempFolder();
    writeOldCatalog(folder, format);
    if (format < CATALOG.migrations.length) {
      expect(() => openSqlite(folder.catalog, { readonly: true })).toThrow(StoreError);
    }
    const migrations: number[][] = [];
    const store = openSqlite(folder.catalog, { onMigration: (...versions) => migrations.push(versions) });
    const latest = CATALOG.migrations.length;
    expect(migrations).toEqual(format < latest ? [[format, latest]] : []);
    expect(statSync(`${folder.catalog}-wal`).size).toBe(0);
    expect(await faults(folder.catalog)).toEqual([]);
    await importBooks(store, [book(1, { imprint: "PENINSULA", slug: "peninsula" })]);
    const snapshot = await store.snapshot();
    expect(await collect(snapshot.bodies({ kind: "imprint", slug: "peninsula" }))).toHaveLength(3);
    expect(
      await collect(snapshot.bodies({ kind: "imprint", slug: "peninsula", language: "spa" })),
    ).toHaveLength(1);
    expect(await collect(snapshot.bodies({ kind: "date", from: "20260102" as Day }))).toHaveLength(2);
    expect(await collect(snapshot.imprints())).toEqual([
      { slug: "ancla-azul", name: "Ancla Azul" },
      { slug: "peninsula", name: "PENINSULA" },
    ]);
    snapshot.close();
    expect(store.record("9788400000004" as Isbn13)).toBeDefined();
    const query = parseQuery("9788400000004");
    expect(await store.search({ query, filters: {}, sort: "newest", limit: 10 })).toMatchObject({ total: 1 });
    expect(await store.facets({ filters: { imprint: "peninsula" } })).toMatchObject({ counted: 2 });
    await store.close();
    await openSqlite(folder.catalog, { readonly: true }).close();
  });
}

test("a migration makes the summaries of all records but damaged ones", async () => {
  using folder = new TempFolder();
  const run = (sql: string) => runSql(folder.catalog, sql);
  const store = openSqlite(folder.catalog, { create: true });
  await importBooks(store, books(1, 1000));
  await store.close();
  const summaries = `SELECT id, etag, body FROM summary WHERE id <> 7 ORDER BY id`;
  const expected = run(summaries);
  // The state of format 7.
  removeChanges(folder.catalog);
  run("DROP TABLE summary");
  run("PRAGMA user_version = 7");
  run("UPDATE body SET body = x'7b7d' WHERE id = 7");
  const migrated = openSqlite(folder.catalog);
  expect(run(summaries)).toEqual(expected);
  expect(run("SELECT count(*) AS count FROM summary")).toEqual([{ count: 999 }]);
  expect(() => migrated.record(isbn(7), "summary")).toThrow("is damaged");
  await migrated.close();
});

/** Makes a catalog of format 12 from a current one. */
function removeChecksums(path: string): void {
  runSql(path, "DROP INDEX record_by_isbn");
  for (const table of ["body", "summary"]) runSql(path, `ALTER TABLE ${table} DROP COLUMN checksum`);
  runSql(path, "PRAGMA user_version = 12");
}

/** Makes a catalog of format 10 from a current one. */
function removeHistory(path: string): void {
  removeChecksums(path);
  runSql(path, "DROP TABLE book_count");
  runSql(path, "DROP TABLE import_feed");
  runSql(path, "DROP INDEX import_run_applied");
  const columns = ["duration_ms", "revision_before", "revision_after", "feeds"];
  for (const column of [...columns, "complaints", "complaint_groups", "complaint_list"])
    runSql(path, `ALTER TABLE import_run DROP COLUMN ${column}`);
  runSql(path, "ALTER TABLE import_run RENAME COLUMN number TO place");
  runSql(path, "ALTER TABLE change_run DROP COLUMN import_number");
  for (const column of ["feed", "added_feed", "blocks"])
    runSql(path, `ALTER TABLE body DROP COLUMN ${column}`);
  runSql(path, "PRAGMA user_version = 10");
}

test("a migration keeps the runs of imports, and a change leads to its import", async () => {
  using folder = new TempFolder();
  const store = openSqlite(folder.catalog, { create: true });
  await importBooks(store, [book(1), book(2)]);
  await store.recordFailedImport(new StartedImport().failed("refused"));
  await importBooks(store, [book(2, { title: "x" })]);
  await importBooks(store, [book(3)]);
  const runs = await store.importHistory.list(undefined, 10);
  await store.close();
  removeHistory(folder.catalog);
  // Before, changes were counted apart from imports. The run of the first change is no longer there.
  for (const table of ["change", "change_run"])
    runSql(folder.catalog, `UPDATE ${table} SET number = 2 WHERE number = 3`);
  for (const table of ["change", "change_run"])
    runSql(folder.catalog, `UPDATE ${table} SET number = 3 WHERE number = 4`);
  runSql(folder.catalog, "UPDATE change SET added = 3 WHERE added = 4");
  runSql(folder.catalog, "UPDATE body SET changed = changed - 1 WHERE changed > 1");
  runSql(folder.catalog, "DELETE FROM import_run WHERE place = 1");
  const migrated = openSqlite(folder.catalog);
  const kept = await migrated.importHistory.list(undefined, 10);
  expect(kept.map(({ id, number, outcome, message }) => ({ id, number, outcome, message }))).toEqual(
    runs.slice(0, 3).map(({ id, number, outcome, message }) => ({ id, number, outcome, message })),
  );
  for (const { started, ended, durationMs } of kept)
    expect(durationMs).toBe(Date.parse(ended) - Date.parse(started));
  const origins = await Promise.all([1, 2, 3].map((number) => migrated.importHistory.originOf(isbn(number))));
  expect(origins.map((origin) => [origin!.added.number, origin!.changed?.number])).toEqual([
    [undefined, undefined],
    [undefined, 3],
    [4, undefined],
  ]);
  await importBooks(migrated, [book(1, { title: "y" })]);
  expect((await migrated.importHistory.originOf(isbn(1)))!.changed).toMatchObject({
    number: 5,
    blocks: ["title"],
  });
  expect((await faults(folder.catalog)).filter(({ text }) => text.includes("change"))).toEqual([]);
  await migrated.close();
});

/** Makes a catalog of format 8 from a current one. */
function removeChanges(path: string): void {
  removeHistory(path);
  for (const table of ["book_index", "book_search"]) runSql(path, `DROP TABLE ${table}`);
  for (const table of ["change_run", "change", "deletion"]) runSql(path, `DROP TABLE ${table}`);
  runSql(path, "ALTER TABLE body DROP COLUMN changed");
  runSql(path, "ALTER TABLE catalog DROP COLUMN forgotten_change");
  runSql(path, "PRAGMA user_version = 8");
}

test("a migration gives all records one change, with an id of its own", async () => {
  using folder = new TempFolder();
  const store = openSqlite(folder.catalog, { create: true });
  await importBooks(store, books(1, 500));
  await importBooks(store, [book(7, { title: "x" })], [isbn(8)]);
  const { imported } = await store.stats();
  await store.close();
  const ids = new Set<unknown>();
  for (let copy = 0; copy < 2; copy++) {
    removeChanges(folder.catalog);
    const migrated = openSqlite(folder.catalog);
    const snapshot = await migrated.snapshot();
    const changes = await snapshot.changes({ number: 0, isbn: undefined }, 0, 1000);
    ids.add((await snapshot.history(0)).newest.id);
    snapshot.close();
    expect(changes).toHaveLength(499);
    for (const change of changes) expect(change).toMatchObject({ number: 1, added: 1, at: imported });
    // That change stands for both imports: which of them has added a book is not known.
    const origin = await migrated.importHistory.originOf(isbn(1));
    expect([origin!.added.number, origin!.changed]).toEqual([undefined, undefined]);
    expect((await faults(folder.catalog)).filter(({ text }) => text.includes("change"))).toEqual([]);
    await migrated.close();
  }
  expect(ids.size).toBe(2);
});

test("a migration puts all records but damaged ones into the search index", async () => {
  using folder = new TempFolder();
  const run = (sql: string) => runSql(folder.catalog, sql);
  const store = openSqlite(folder.catalog, { create: true });
  await importBooks(
    store,
    Array.from({ length: 300 }, (_, index) =>
      searchBook(index + 1, {
        title: `Libro ${index % 7}`,
        published: index % 3 === 0 ? undefined : "20200101",
      }),
    ),
  );
  const find = async (from: Store, q: string) =>
    (await from.search({ query: parseQuery(q), filters: {}, sort: "relevance", limit: 1000 })).keys;
  const expected = await find(store, "libro 3");
  await store.close();
  const rows = "SELECT * FROM book_search WHERE id <> 7 ORDER BY id";
  const expectedRows = run(rows);
  removeChecksums(folder.catalog);
  // The state of format 11, whose index had other columns.
  for (const table of ["book_index", "book_search", "book_count"]) run(`DROP TABLE ${table}`);
  using db = new Database(folder.catalog);
  db.run(searchTables);
  run("PRAGMA user_version = 11");
  run("UPDATE body SET body = x'7b7d' WHERE id = 7");
  const migrated = openSqlite(folder.catalog);
  expect(run(rows)).toEqual(expectedRows);
  expect(await find(migrated, "libro 3")).toEqual(expected);
  expect(await find(migrated, isbn(7))).toEqual([]);
  const { all, withoutImprint } = await migrated.quality();
  expect(all).toMatchObject({ books: 299, lacks: { title: 0, date: 99 } });
  expect(withoutImprint).toEqual(all);
  expect((await faults(folder.catalog)).map(({ text }) => text)).toEqual([
    "its bytes do not match its checksum",
  ]);
  await migrated.close();
});

test("a migration leaves records without a fast checksum, and their etag reveals damage", async () => {
  using folder = new TempFolder();
  const store = openSqlite(folder.catalog, { create: true });
  await importBooks(store, [book(1), book(2)]);
  await store.close();
  removeChecksums(folder.catalog);
  const migrated = openSqlite(folder.catalog);
  const checksums = "SELECT id, checksum IS NULL AS missing FROM body ORDER BY id";
  expect(runSql(folder.catalog, checksums)).toEqual([
    { id: 1, missing: 1 },
    { id: 2, missing: 1 },
  ]);
  expect(migrated.record(isbn(1))).toMatchObject({ etag: book(1).etag });
  runSql(folder.catalog, "UPDATE body SET body = x'7b7d' WHERE id = 1");
  expect(() => migrated.record(isbn(1))).toThrow("is damaged");
  await importBooks(migrated, [book(2, { title: "x" })]);
  expect(runSql(folder.catalog, checksums)).toContainEqual({ id: 2, missing: 0 });
  await migrated.close();
});

test("records of an older format have no known sender, and no reference matches them", async () => {
  using folder = new TempFolder();
  writeOldCatalog(folder, 3);
  const store = openSqlite(folder.catalog);
  const snapshot = await store.snapshot();
  const entries = await collect(snapshot.entries());
  snapshot.close();
  expect(entries.map(({ sender }) => sender)).toEqual([undefined, undefined, undefined]);
  const { isbn, reference, origin } = entries[0]!;
  expect(JSON.parse(origin)).toMatchObject({ release: "3.0" });
  const transaction = await store.beginImport();
  expect(await transaction.byReferences("", [reference])).toEqual([[]]);
  await transaction.put([{ ...entries[0]!, sender: "a" }], 1);
  expect(await transaction.byReferences("a", [reference])).toEqual([[isbn]]);
  await transaction.commit(transaction.revision, anyRun());
  await store.close();
  expect(await faults(folder.catalog)).toEqual([]);
});

test("a catalog with pages of another size keeps it, and a backup has the current size", async () => {
  using folder = new TempFolder();
  writeOldCatalog(folder, 3);
  await openSqlite(folder.catalog).close();
  const copy = copySqlite(folder.catalog, `${folder.catalog}.backup`);
  copy.publish();
  const pageSize = (path: string) => {
    using db = new Database(path, { readonly: true });
    return db.prepare<{ page_size: number }, []>("PRAGMA page_size").get()!.page_size;
  };
  expect(pageSize(folder.catalog)).toBe(16_384);
  expect(pageSize(`${folder.catalog}.backup`)).toBe(CATALOG.pageSize);
  expect(await faults(`${folder.catalog}.backup`)).toEqual([]);
});

test("a failed migration leaves the catalog as it was", async () => {
  using folder = new TempFolder();
  writeOldCatalog(folder, 3);
  const run = (sql: string) => runSql(folder.catalog, sql);
  // The migration creates a table of this name after it has copied the bodies.
  run("CREATE TABLE new_record (id INTEGER)");
  expect(() => openSqlite(folder.catalog)).toThrow("new_record");
  expect(run("PRAGMA user_version")).toEqual([{ user_version: 3 }]);
  expect(run("SELECT count(etag) AS records FROM record JOIN body USING (id)")).toEqual([{ records: 3 }]);
  run("DROP TABLE new_record");
  await openSqlite(folder.catalog).close();
  expect(await faults(folder.catalog)).toEqual([]);
});

test("a catalog of an unsupported format is rejected and not changed", () => {
  using folder = new TempFolder();
  writeOldCatalog(folder, OLDEST_VERSION - 1);
  const bytes = readFileSync(folder.catalog);
  for (const options of [{}, { readonly: true }]) {
    const open = () => openSqlite(folder.catalog, options);
    expect(open).toThrow(StoreError);
    expect(open).toThrow("(format 1, this version reads 2 and later); import the feeds into a new file");
  }
  expect(readFileSync(folder.catalog).equals(bytes)).toBe(true);
});

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
    "SELECT name FROM sqlite_schema WHERE type = 'index' AND tbl_name IN ('record', 'book_search') AND sql IS NOT NULL",
  );
  expect(
    names
      .all()
      .map(({ name }) => name)
      .sort(),
  ).toEqual([...INDEXES.names].sort());
  db.close();
});
