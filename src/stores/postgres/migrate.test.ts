import { expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { etagOf } from "../../catalog/entry.ts";
import { StartedImport } from "../../catalog/import-run.ts";
import { parseQuery } from "../../catalog/search/query-parser.ts";
import { FIRST_UNDATED_ID, searchIdOf } from "../../catalog/search/search-id.ts";
import { book, books, importBooks, isbn, readSnapshot } from "../testing/books.ts";
import { searchBook } from "../testing/search-books.ts";
import { MIGRATIONS } from "./schema.ts";
import { migratePostgres, openPostgres } from "./store.ts";
import { createDatabase } from "./testing/database.ts";
import { queryValue, runStatements } from "./testing/sql.ts";
import { errorOf, openTestStore } from "./testing/test-store.ts";

const LATEST_VERSION = MIGRATIONS.length;

test("the migrations are the numbered files, in order", async () => {
  const files = readdirSync(join(import.meta.dir, "migrations"))
    .filter((file) => file.endsWith(".sql"))
    .sort();
  const named = MIGRATIONS.map(({ version, name }) => `${String(version).padStart(4, "0")}-${name}.sql`);
  expect(named).toEqual(files);
  for (const [index, { sql }] of MIGRATIONS.entries()) {
    expect(sql).toBe(await Bun.file(join(import.meta.dir, "migrations", files[index]!)).text());
  }
});

test("concurrent migrations all succeed, and apply each file once", async () => {
  await using database = await createDatabase();
  const outcomes = await Promise.all(Array.from({ length: 8 }, () => migratePostgres(database.url)));
  expect(outcomes.every(({ to }) => to === LATEST_VERSION)).toBe(true);
  expect(await queryValue(database.url, "SELECT count(*) FROM colophon.migration")).toBe(
    String(LATEST_VERSION),
  );
  expect(await migratePostgres(database.url)).toEqual({ from: LATEST_VERSION, to: LATEST_VERSION });
});

test("concurrent imports into an empty database both succeed", async () => {
  await using database = await createDatabase();
  const stores = [1, 2].map(() => openPostgres(database.url, { create: true }));
  await Promise.all(stores.map((store, index) => importBooks(store, [book(index)])));
  expect((await stores[0]!.stats()).records).toBe(2);
  for (const store of stores) await store.close();
});

/** Makes schema version 7 from the current one. */
const REMOVE_HISTORY = [
  "DROP TABLE IF EXISTS colophon.book_count",
  "ALTER TABLE IF EXISTS colophon.search DROP COLUMN lacks, DROP COLUMN prices",
  "DROP TABLE IF EXISTS colophon.import_feed",
  `ALTER TABLE IF EXISTS colophon.import_run DROP COLUMN number, DROP COLUMN duration_ms, DROP COLUMN revision_before,
    DROP COLUMN revision_after, DROP COLUMN feeds, DROP COLUMN complaints, DROP COLUMN complaint_groups,
    DROP COLUMN complaint_list, DROP CONSTRAINT import_run_place, ADD PRIMARY KEY (place)`,
  "DROP INDEX IF EXISTS colophon.import_run_applied",
  "ALTER TABLE colophon.change_run DROP COLUMN import_number",
  "ALTER TABLE colophon.record DROP COLUMN feed, DROP COLUMN added_feed, DROP COLUMN blocks",
  "DELETE FROM colophon.migration WHERE version > 7",
];

test("a migration keeps the runs of imports, and a change leads to its import", async () => {
  await using database = await createDatabase();
  const store = openPostgres(database.url, { create: true });
  await importBooks(store, [book(1), book(2)]);
  await store.recordFailedImport(new StartedImport().failed("refused"));
  await importBooks(store, [book(2, { title: "x" })]);
  await importBooks(store, [book(3)]);
  const runs = await store.importHistory.list(undefined, 10);
  await store.close();
  // Before, changes were counted apart from imports, and places when they ended. The first run is no longer there.
  await runStatements(
    database.url,
    ...REMOVE_HISTORY,
    "UPDATE colophon.change_run SET number = number - 1 WHERE number = 3",
    "UPDATE colophon.change_run SET number = number - 1 WHERE number = 4",
    "UPDATE colophon.record SET changed = changed - 1 WHERE changed > 1",
    "UPDATE colophon.record SET added = added - 1 WHERE added > 1",
    "DELETE FROM colophon.import_run WHERE place = (SELECT min(place) FROM colophon.import_run)",
  );
  await migratePostgres(database.url);
  const migrated = openPostgres(database.url);
  const kept = await migrated.importHistory.list(undefined, 10);
  expect(kept.map(({ id, outcome, message }) => ({ id, outcome, message }))).toEqual(
    runs.slice(0, 3).map(({ id, outcome, message }) => ({ id, outcome, message })),
  );
  for (const { started, ended, durationMs } of kept)
    expect(durationMs).toBe(Date.parse(ended) - Date.parse(started));
  const origins = await Promise.all([1, 2, 3].map((number) => migrated.importHistory.originOf(isbn(number))));
  const [third, , second] = kept.map(({ number }) => number);
  expect(origins.map((origin) => [origin!.added.number, origin!.changed?.number])).toEqual([
    [undefined, undefined],
    [undefined, kept[1]!.number],
    [third, undefined],
  ]);
  expect(second).toBeLessThan(third!);
  await importBooks(migrated, [book(1, { title: "y" })]);
  const { changed } = (await migrated.importHistory.originOf(isbn(1)))!;
  expect(changed).toMatchObject({ blocks: ["title"] });
  expect(changed!.number).toBeGreaterThan(third!);
  await migrated.close();
});

/** Makes schema version 5 from the current one. */
const REMOVE_CHANGES = [
  ...REMOVE_HISTORY,
  "DROP TABLE IF EXISTS colophon.search",
  "DROP TABLE colophon.change_run, colophon.deletion",
  "ALTER TABLE colophon.record DROP COLUMN changed, DROP COLUMN added",
  "ALTER TABLE colophon.catalog DROP COLUMN forgotten_change",
  "DELETE FROM colophon.migration WHERE version > 5",
];

test("a migration gives all records one change, with an id of its own", async () => {
  await using database = await createDatabase();
  const store = openPostgres(database.url, { create: true });
  await importBooks(store, books(1, 50));
  await importBooks(store, [book(7, { title: "x" })], [isbn(8)]);
  const { imported } = await store.stats();
  await store.close();
  await runStatements(database.url, ...REMOVE_CHANGES);
  expect(await migratePostgres(database.url)).toEqual({ from: 5, to: LATEST_VERSION });
  const migrated = openPostgres(database.url);
  const read = () =>
    readSnapshot(migrated, async (snapshot) => [...(await snapshot.changes(BEGINNING, 0, 1000))]);
  const changes = await read();
  expect(changes).toHaveLength(49);
  for (const change of changes) expect(change).toMatchObject({ number: 1, added: 1, at: imported });
  // That change stands for both imports: which of them has added a book is not known.
  const origin = await migrated.importHistory.originOf(isbn(1));
  expect([origin!.added.number, origin!.changed]).toEqual([undefined, undefined]);
  const { newest } = await readSnapshot(migrated, async (snapshot) => snapshot.history(0));
  expect(newest.id).toMatch(/^[0-9a-f]{16}$/);
  await importBooks(migrated, [book(9, { title: "y" })], [isbn(10)]);
  expect((await read()).slice(-2)).toMatchObject([
    { number: expect.any(Number), isbn: isbn(9), added: 1 },
    { number: expect.any(Number), isbn: isbn(10), added: undefined },
  ]);
  await migrated.close();
});

const BEGINNING = { number: 0, isbn: undefined };

test("an older schema is migrated with its records", async () => {
  await using database = await createDatabase();
  await migratePostgres(database.url);
  // The state of schema version 1.
  await runStatements(
    database.url,
    ...REMOVE_CHANGES,
    "DROP TABLE colophon.token, colophon.sender, colophon.import_run, colophon.summary",
    "ALTER TABLE colophon.record DROP COLUMN sender",
    "CREATE INDEX record_by_reference ON colophon.record (left(reference, 256), isbn)",
    "DELETE FROM colophon.migration WHERE version > 1",
    `INSERT INTO colophon.record VALUES (${isbn(1)}, 2, NULL, '${etagOf(Buffer.from("{}"))}', NULL, NULL, '{}', 'r', '{}', '{}')`,
    "UPDATE colophon.catalog SET records = 7",
    "GRANT SELECT ON colophon.record TO PUBLIC",
  );
  const store = openPostgres(database.url);
  expect(await errorOf(() => store.stats())).toMatch(/^StoreError: .*older Colophon; run "colophon migrate"/);
  expect(await errorOf(() => store.beginImport())).toContain("older Colophon");
  expect(await migratePostgres(database.url)).toEqual({ from: 1, to: LATEST_VERSION });
  expect((await store.stats()).records).toBe(7);
  expect(await store.tokens.list()).toEqual([]);
  expect((await store.record(isbn(1)))?.body).toEqual(Buffer.from("{}"));
  const grant = "SELECT count(*)::integer FROM information_schema.role_table_grants WHERE grantee = 'PUBLIC'";
  expect(
    await queryValue(
      database.url,
      `${grant} AND table_name IN ('sender', 'import_run', 'import_feed', 'summary', 'search', 'change_run', 'deletion')`,
    ),
  ).toBe(7);
  const transaction = await store.beginImport();
  expect(await transaction.entries([isbn(1)])).toMatchObject([{ sender: undefined, reference: "r" }]);
  expect(await transaction.byReferences("", ["r"])).toEqual([[]]);
  await transaction.abort();
  await store.close();
});

test("a migration makes the summaries of all records but damaged ones", async () => {
  await using database = await createDatabase();
  const store = openPostgres(database.url, { create: true });
  await importBooks(store, books(1, 1000, { title: "x".repeat(1000) }));
  const summaries = `SELECT md5(string_agg(isbn::text || size::text || etag || body::text, ',' ORDER BY isbn))
    FROM colophon.summary WHERE isbn <> ${isbn(7)}`;
  const expected = await queryValue(database.url, summaries);
  // The state of schema version 4.
  await runStatements(
    database.url,
    ...REMOVE_CHANGES,
    "DROP TABLE colophon.summary",
    "DELETE FROM colophon.migration WHERE version > 4",
    `UPDATE colophon.record SET body = 'damaged' WHERE isbn = ${isbn(7)}`,
  );
  expect(await migratePostgres(database.url)).toEqual({ from: 4, to: LATEST_VERSION });
  expect(await queryValue(database.url, summaries)).toBe(expected);
  expect(await queryValue(database.url, "SELECT count(*) FROM colophon.summary")).toBe("999");
  expect(await errorOf(() => store.record(isbn(7), "summary"))).toContain("is damaged");
  await store.close();
});

test("a migration indexes all records but damaged ones for searches", async () => {
  await using database = await createDatabase();
  const store = openPostgres(database.url, { create: true });
  await importBooks(store, [
    ...books(1, 500, { title: "Título ".repeat(100) }),
    searchBook(501, { title: "Año nuevo", published: "20240229", contributors: ["Zoë"] }),
  ]);
  const rows = `SELECT md5(string_agg(search::text, ',' ORDER BY id)) FROM colophon.search
    WHERE id % 20000000000 <> ${searchIdOf(isbn(7), undefined) - FIRST_UNDATED_ID}`;
  const expected = await queryValue(database.url, rows);
  const before = MIGRATIONS.find(({ name }) => name === "search")!;
  const version = MIGRATIONS.find(({ name }) => name === "quality")!.version;
  await runStatements(
    database.url,
    "DROP TABLE colophon.search, colophon.book_count",
    before.sql,
    `DELETE FROM colophon.migration WHERE version >= ${version}`,
    `UPDATE colophon.record SET body = 'damaged' WHERE isbn = ${isbn(7)}`,
  );
  expect(await migratePostgres(database.url)).toEqual({ from: version - 1, to: LATEST_VERSION });
  expect(await queryValue(database.url, rows)).toBe(expected);
  expect(await queryValue(database.url, "SELECT count(*) FROM colophon.search")).toBe("500");
  expect((await store.quality()).all).toMatchObject({ books: 500, lacks: { cover: 500 } });
  const { keys } = await store.search({
    query: parseQuery("ano zoe"),
    filters: {},
    sort: "newest",
    limit: 9,
  });
  expect(keys.map((key) => key.isbn)).toEqual([isbn(501)]);
  await store.close();
});

test("a failed migration leaves the schema unchanged", async () => {
  await using database = await createDatabase();
  await migratePostgres(database.url);
  // The table that the second migration creates exists already.
  await runStatements(database.url, "DELETE FROM colophon.migration WHERE version > 1");
  expect(await errorOf(() => migratePostgres(database.url))).toContain("already exists");
  expect(await queryValue(database.url, "SELECT max(version) FROM colophon.migration")).toBe(1);
});

test("a database of a newer Colophon is rejected by every call", async () => {
  await using testStore = await openTestStore({ create: true });
  await runStatements(testStore.database.url, "INSERT INTO colophon.migration VALUES (99, 'of the future')");
  const store = testStore.reopen();
  const newer =
    /^StoreError: .*newer Colophon \(format 99, this version reads up to \d+\); update Colophon\.$/;
  expect(await errorOf(() => store.record(isbn(1)))).toMatch(newer);
  expect(await errorOf(() => store.snapshot())).toMatch(newer);
  expect(await errorOf(() => store.stats())).toMatch(newer);
  expect(await errorOf(() => store.tokens.isRevoked("x"))).toMatch(newer);
  expect(await errorOf(() => testStore.reopen({ create: true }).beginImport())).toMatch(newer);
  expect(await errorOf(() => migratePostgres(testStore.database.url))).toMatch(newer);
});

test("only an import or a migration creates a catalog in an empty database", async () => {
  await using database = await createDatabase();
  const store = openPostgres(database.url);
  const none = /^StoreError: There is no catalog at .*; run "colophon migrate"/;
  for (const act of [
    () => store.stats(),
    () => store.revision(),
    () => store.snapshot(),
    () => store.beginImport(),
  ]) {
    expect(await errorOf(act)).toMatch(none);
  }
  expect(await errorOf(() => store.record(isbn(1)))).toMatch(none);
  expect(await errorOf(() => store.tokens.list())).toMatch(none);
  expect(await queryValue(database.url, "SELECT to_regnamespace('colophon')::text")).toBeNull();
  // The store that was open before can use the new catalog.
  await migratePostgres(database.url);
  expect((await store.stats()).records).toBe(0);
  await store.close();
});

test("a database with another encoding than UTF-8 is rejected and not changed", async () => {
  await using other = await createDatabase({ encoding: "SQL_ASCII" });
  expect(await errorOf(() => migratePostgres(other.url))).toMatch(/StoreError: .*SQL_ASCII.*ENCODING 'UTF8'/);
  expect(await queryValue(other.url, "SELECT to_regnamespace('colophon')::text")).toBeNull();
});
