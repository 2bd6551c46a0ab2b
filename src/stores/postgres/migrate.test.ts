import { expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { book, importBooks, isbn } from "../testing/books.ts";
import { MIGRATIONS } from "./schema.ts";
import { migratePostgres, openPostgres } from "./store.ts";
import { createDatabase, queryValue, runStatements } from "./testing/server.ts";
import { errorOf, openTestStore } from "./testing/test-store.ts";

const KNOWN = MIGRATIONS.length;

test("every numbered file is a step, in its order", async () => {
  const files = readdirSync(join(import.meta.dir, "migrations")).sort();
  const named = MIGRATIONS.map(({ version, name }) => `${String(version).padStart(4, "0")}-${name}.sql`);
  expect(named).toEqual(files);
  for (const [at, { sql }] of MIGRATIONS.entries()) {
    expect(sql).toBe(await Bun.file(join(import.meta.dir, "migrations", files[at]!)).text());
  }
});

test("several that start at once: each step is taken once, and all of them succeed", async () => {
  await using place = await createDatabase();
  const outcomes = await Promise.all(Array.from({ length: 8 }, () => migratePostgres(place.url)));
  expect(outcomes.every(({ to }) => to === KNOWN)).toBe(true);
  expect(await queryValue(place.url, "SELECT count(*) FROM colophon.migration")).toBe(String(KNOWN));
  expect(await migratePostgres(place.url)).toEqual({ from: KNOWN, to: KNOWN });
});

test("imports that start at once into an empty database: one makes the schema, both are taken", async () => {
  await using place = await createDatabase();
  const stores = [1, 2].map(() => openPostgres(place.url, { create: true }));
  await Promise.all(stores.map((store, at) => importBooks(store, [book(at)])));
  expect((await stores[0]!.stats()).records).toBe(2);
  for (const store of stores) await store.close();
});

test("a schema that is not up to date is brought so, with what it holds", async () => {
  await using place = await createDatabase();
  await migratePostgres(place.url);
  // As the first version of the schema left it.
  await runStatements(
    place.url,
    "DROP TABLE colophon.token",
    "DELETE FROM colophon.migration WHERE version > 1",
    "UPDATE colophon.catalog SET records = 7",
  );
  const store = openPostgres(place.url);
  expect(await errorOf(() => store.stats())).toMatch(
    /^StoreRefused: .*older Colophon; run "colophon migrate"/,
  );
  expect(await errorOf(() => store.beginImport())).toContain("older Colophon");
  expect(await migratePostgres(place.url)).toEqual({ from: 1, to: KNOWN });
  expect((await store.stats()).records).toBe(7);
  expect(await store.tokens.list()).toEqual([]);
  await store.close();
});

test("a step that fails leaves the schema as it was", async () => {
  await using place = await createDatabase();
  await migratePostgres(place.url);
  // The table that the second step makes is there already.
  await runStatements(place.url, "DELETE FROM colophon.migration WHERE version > 1");
  expect(await errorOf(() => migratePostgres(place.url))).toContain("already exists");
  expect(await queryValue(place.url, "SELECT max(version) FROM colophon.migration")).toBe(1);
});

test("a database that is newer than the program is refused, and says so", async () => {
  await using testStore = await openTestStore({ create: true });
  await runStatements(testStore.database.url, "INSERT INTO colophon.migration VALUES (99, 'of the future')");
  const store = testStore.reopen();
  const newer = /^StoreRefused: .*newer Colophon \(format 99, this one knows \d+\); update Colophon\.$/;
  expect(await errorOf(() => store.record(isbn(1)))).toMatch(newer);
  expect(await errorOf(() => store.snapshot())).toMatch(newer);
  expect(await errorOf(() => store.stats())).toMatch(newer);
  expect(await errorOf(() => store.tokens.isRevoked("x"))).toMatch(newer);
  expect(await errorOf(() => testStore.reopen({ create: true }).beginImport())).toMatch(newer);
  expect(await errorOf(() => migratePostgres(testStore.database.url))).toMatch(newer);
});

test("a database without a catalog: nothing but an import, or a migration, makes one", async () => {
  await using place = await createDatabase();
  const store = openPostgres(place.url);
  const none = /^StoreRefused: There is no catalog at .*; run "colophon migrate"/;
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
  expect(await queryValue(place.url, "SELECT to_regnamespace('colophon')::text")).toBeNull();
  // Once there is one, the same store has it.
  await migratePostgres(place.url);
  expect((await store.stats()).records).toBe(0);
  await store.close();
});

test("text that is not kept as UTF-8 is refused before anything is made", async () => {
  await using other = await createDatabase("SQL_ASCII");
  expect(await errorOf(() => migratePostgres(other.url))).toMatch(
    /StoreRefused: .*SQL_ASCII.*ENCODING 'UTF8'/,
  );
  expect(await queryValue(other.url, "SELECT to_regnamespace('colophon')::text")).toBeNull();
});
