import { expect, test } from "bun:test";
import type { Fault } from "../../catalog/verify/verify.ts";
import type { MigrationPlan } from "../format.ts";
import { book, books, importBooks, isbn } from "../testing/books.ts";
import { faultsOf } from "../testing/engines.ts";
import { withSteps } from "../testing/next-format.ts";
import { inspectPostgres } from "./inspection.ts";
import { CATALOG } from "./schema.ts";
import { createPostgres, migratePostgres, openPostgres } from "./store.ts";
import { createDatabase } from "./testing/database.ts";
import { queryValue, runStatements } from "./testing/sql.ts";
import { errorOf, openTestStore, type PostgresTestStore } from "./testing/test-store.ts";

const CREATED = { label: "catalog", from: 0, to: 1 };
const ADD_TABLE = "CREATE TABLE colophon.page (isbn BIGINT PRIMARY KEY, pages INTEGER NOT NULL)";

/** The records of the books have no identifiers, which is not meant here. */
async function faults(url: string): Promise<Fault[]> {
  const found = await faultsOf({ inspect: () => inspectPostgres(url) });
  return found.filter(({ text }) => !text.endsWith("but in the record undefined"));
}

/** Expects that nothing but a migration uses the catalog. */
async function expectRefused({ reopen, database }: PostgresTestStore, message: RegExp): Promise<void> {
  const store = reopen();
  for (const act of [
    () => store.record(isbn(1)),
    () => store.snapshot(),
    () => store.stats(),
    () => store.tokens.isRevoked("x"),
    () => store.beginImport(),
    () => store.beginPreview(),
    () => store.importHistory.list(undefined, 1),
    () => reopen({ create: true }).beginImport(),
    () => inspectPostgres(database.url),
    () => createPostgres(database.url),
  ]) {
    expect(await errorOf(act)).toMatch(message);
  }
}

test("a catalog of an older format is refused and not changed, and the message names the command", async () => {
  await using testStore = await openTestStore();
  using _ = withSteps(CATALOG, ADD_TABLE);
  await expectRefused(
    testStore,
    /^StoreError: The catalog at .* was made by an older Colophon \(format 1, this version needs 2\); run "colophon migrate" once/,
  );
  expect(await queryValue(testStore.database.url, "SELECT number FROM colophon.catalog_format")).toBe(1);
});

test("migratePostgres announces the space, applies each step once, and keeps all records", async () => {
  await using testStore = await openTestStore();
  const { url } = testStore.database;
  await importBooks(testStore.store, books(1, 3));
  await runStatements(url, "GRANT SELECT ON colophon.record TO PUBLIC");
  {
    using _ = withSteps(CATALOG, ADD_TABLE);
    const plans: MigrationPlan[] = [];
    const migration = { label: "catalog", from: 1, to: 2 };
    expect(await migratePostgres(url, (plan) => plans.push(plan))).toEqual([migration]);
    expect(plans).toEqual([
      {
        ...migration,
        subject: expect.stringMatching(/^The catalog at /),
        neededBytes: expect.any(Number),
        freeBytes: undefined,
      },
    ]);
    expect(plans[0]!.neededBytes).toBeGreaterThan(100_000);
    expect(await migratePostgres(url)).toEqual([]);
  }
  // Another version has one more step, which needs a program.
  using _ = withSteps(CATALOG, ADD_TABLE, async (sql) => {
    await sql.unsafe("INSERT INTO colophon.page SELECT isbn, size FROM colophon.record");
  });
  expect(await migratePostgres(url)).toEqual([{ label: "catalog", from: 2, to: 3 }]);
  expect(await queryValue(url, "SELECT count(*)::integer FROM colophon.page")).toBe(3);
  // Roles that may read the records may read the new table.
  expect(
    await queryValue(
      url,
      "SELECT string_agg(table_name, ' ') FROM information_schema.role_table_grants WHERE grantee = 'PUBLIC' AND table_schema = 'colophon' AND table_name <> 'record'",
    ),
  ).toBe("page");
  const store = testStore.reopen();
  await importBooks(store, [book(1, { title: "x" }), book(4)]);
  expect((await store.stats()).records).toBe(4);
  expect(await faults(url)).toEqual([]);
});

test("a migrated catalog is refused by the version before", async () => {
  await using testStore = await openTestStore();
  {
    using _ = withSteps(CATALOG, ADD_TABLE);
    await migratePostgres(testStore.database.url);
  }
  const newer =
    /^StoreError: .* was made by a newer Colophon \(format 2, this version reads up to 1\); update Colophon\.$/;
  await expectRefused(testStore, newer);
  expect(await errorOf(() => migratePostgres(testStore.database.url))).toMatch(newer);
});

test("a step that fails leaves the catalog as it was", async () => {
  await using testStore = await openTestStore();
  const { url } = testStore.database;
  await importBooks(testStore.store, books(1, 3));
  using _ = withSteps(CATALOG, "DELETE FROM colophon.record", "CREATE TABLE colophon.record (isbn BIGINT)");
  expect(await errorOf(() => migratePostgres(url))).toContain("already exists");
  expect(await queryValue(url, "SELECT number FROM colophon.catalog_format")).toBe(1);
  expect(await queryValue(url, "SELECT count(*)::integer FROM colophon.record")).toBe(3);
});

test("a catalog of an unreleased version is refused, also by a migration", async () => {
  const unreleased =
    /^StoreError: The catalog at .* was made by an unreleased version of Colophon; import its feeds into another database\.$/;
  for (const changes of [
    // Versions before 1.0.0 had one of these tables.
    [
      "DROP TABLE colophon.catalog_format",
      "CREATE TABLE colophon.migration (version INTEGER PRIMARY KEY, name TEXT NOT NULL)",
    ],
    ["ALTER TABLE colophon.catalog_format RENAME TO format"],
  ]) {
    await using testStore = await openTestStore();
    await runStatements(testStore.database.url, ...changes);
    await expectRefused(testStore, unreleased);
    expect(await errorOf(() => migratePostgres(testStore.database.url))).toMatch(unreleased);
  }
});

test("concurrent migrations all succeed, and apply each step once", async () => {
  await using database = await createDatabase();
  const migrateAtOnce = () => Promise.all(Array.from({ length: 8 }, () => migratePostgres(database.url)));
  expect((await migrateAtOnce()).flat()).toContainEqual(CREATED);
  using _ = withSteps(CATALOG, ADD_TABLE);
  expect((await migrateAtOnce()).flat()).toContainEqual({ label: "catalog", from: 1, to: 2 });
  expect(await queryValue(database.url, "SELECT number FROM colophon.catalog_format")).toBe(2);
});

test("concurrent imports into an empty database both succeed", async () => {
  await using database = await createDatabase();
  const stores = [1, 2].map(() => openPostgres(database.url, { create: true }));
  await Promise.all(stores.map((store, index) => importBooks(store, [book(index)])));
  expect((await stores[0]!.stats()).records).toBe(2);
  for (const store of stores) await store.close();
});

test("only an import or a migration creates a catalog in an empty database", async () => {
  await using database = await createDatabase();
  const store = openPostgres(database.url);
  const none = /^StoreError: There is no catalog at .*; create one with "colophon init"/;
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
