import { expect, test } from "bun:test";
import { readFileSync, rmSync, statSync } from "node:fs";
import type { Fault } from "../../catalog/verify/verify.ts";
import type { MigrationPlan } from "../format.ts";
import { book, books, importBooks, isbn } from "../testing/books.ts";
import { faultsOf } from "../testing/engines.ts";
import { withSteps } from "../testing/next-format.ts";
import { copySqlite } from "./backup.ts";
import { compactSqlite } from "./compact.ts";
import { inspectSqlite } from "./inspection.ts";
import { migrateSqlite } from "./migrate.ts";
import { CATALOG, TOKENS } from "./schema.ts";
import { openSqlite } from "./store.ts";
import { runSql, TempFolder } from "./testing/folder.ts";

const TOKEN = { id: "a", name: "A", issued: "2026", expires: "2027", revoked: undefined };
const ADD_COLUMN = "ALTER TABLE body ADD COLUMN pages INTEGER NOT NULL DEFAULT 0";

/** Makes a catalog of three books, with a token. */
async function createCatalog(): Promise<TempFolder> {
  const folder = new TempFolder();
  const store = openSqlite(folder.catalog, { create: true });
  await importBooks(store, books(1, 3));
  store.tokens.add(TOKEN);
  await store.close();
  return folder;
}

/** The records of the books have no identifiers, which is not meant here. */
async function faults(path: string): Promise<Fault[]> {
  const found = await faultsOf({ inspect: () => inspectSqlite(path) });
  return found.filter(({ text }) => !text.endsWith("but in the record undefined"));
}

/** Expects that nothing opens the catalog, or changes a byte of it. */
async function expectRefused(path: string, message: string | RegExp): Promise<void> {
  const bytes = readFileSync(path);
  for (const options of [{}, { create: true }, { readonly: true }, { importOnly: true }]) {
    expect(() => openSqlite(path, options)).toThrow(message);
  }
  expect(() => inspectSqlite(path)).toThrow(message);
  expect(() => copySqlite(path, `${path}.copy`)).toThrow(message);
  await expect(compactSqlite(path)).rejects.toThrow(message);
  expect(readFileSync(path).equals(bytes)).toBe(true);
}

test("a catalog of an older format is refused and not changed, and the message names the command", async () => {
  using folder = await createCatalog();
  using _ = withSteps(CATALOG, ADD_COLUMN);
  await expectRefused(
    folder.catalog,
    `${folder.catalog} was made by an older Colophon (format 1, this version needs 2); run "colophon migrate" once`,
  );
});

test("migrateSqlite announces the space, applies each step once, and keeps all records", async () => {
  using folder = await createCatalog();
  {
    using _ = withSteps(CATALOG, ADD_COLUMN);
    const plans: MigrationPlan[] = [];
    const migration = { label: "catalog", from: 1, to: 2 };
    const bytes = statSync(folder.catalog).size;
    expect(migrateSqlite(folder.catalog, (plan) => plans.push(plan))).toEqual([migration]);
    expect(plans).toEqual([
      {
        ...migration,
        subject: folder.catalog,
        neededBytes: expect.any(Number),
        freeBytes: expect.any(Number),
      },
    ]);
    expect(plans[0]!.neededBytes).toBeGreaterThan(2 * bytes);
    expect(statSync(folder.catalog).size).toBeGreaterThan(0);
    expect(migrateSqlite(folder.catalog)).toEqual([]);
  }
  // Another version has one more step, which needs a program.
  using _ = withSteps(CATALOG, ADD_COLUMN, (db) => db.run("UPDATE body SET pages = length(body)"));
  expect(migrateSqlite(folder.catalog)).toEqual([{ label: "catalog", from: 2, to: 3 }]);
  expect(runSql(folder.catalog, "SELECT count(*) AS books FROM body WHERE pages > 0")).toEqual([
    { books: 3 },
  ]);
  expect(await faults(folder.catalog)).toEqual([]);
  const store = openSqlite(folder.catalog);
  await importBooks(store, [book(1, { title: "x" }), book(4)]);
  expect((await store.stats()).records).toBe(4);
  expect(store.record(isbn(2))).toBeDefined();
  await store.close();
  expect(await faults(folder.catalog)).toEqual([]);
});

test("a migrated catalog is refused by the version before", async () => {
  using folder = await createCatalog();
  {
    using _ = withSteps(CATALOG, ADD_COLUMN);
    migrateSqlite(folder.catalog);
  }
  const message = "was made by a newer Colophon (format 2, this version reads up to 1); update Colophon.";
  await expectRefused(folder.catalog, message);
  expect(() => migrateSqlite(folder.catalog)).toThrow(message);
});

test("a step that fails leaves the catalog as it was", async () => {
  using folder = await createCatalog();
  using _ = withSteps(CATALOG, "DELETE FROM record", "CREATE TABLE record (id INTEGER)");
  expect(() => migrateSqlite(folder.catalog)).toThrow("record already exists");
  expect(runSql(folder.catalog, "PRAGMA user_version")).toEqual([{ user_version: 1 }]);
  expect(runSql(folder.catalog, "SELECT count(*) AS records FROM record")).toEqual([{ records: 3 }]);
});

test("a catalog of an unreleased version is refused and not changed, also by a migration", async () => {
  const message = "was made by an unreleased version of Colophon; import its feeds into a new catalog.";
  for (const change of [
    // The application ids before version 1.0.0: the format of the first one was 13, that of the other one 1.
    "PRAGMA application_id = 1131365217",
    "PRAGMA application_id = 1131375683",
  ]) {
    using folder = await createCatalog();
    runSql(folder.catalog, change);
    runSql(folder.catalog, "PRAGMA wal_checkpoint(TRUNCATE)");
    await expectRefused(folder.catalog, `${folder.catalog} ${message}`);
    expect(() => migrateSqlite(folder.catalog)).toThrow(message);
  }
});

test("tokens outlive their catalog", async () => {
  using folder = await createCatalog();
  for (const suffix of ["", "-wal", "-shm", "-owner"]) rmSync(folder.catalog + suffix, { force: true });
  const store = openSqlite(folder.catalog, { create: true, registry: "required" });
  expect(store.tokens.list()).toEqual([TOKEN]);
  await store.close();
});

test("the token registry has a format of its own, and is migrated with the catalog", async () => {
  using folder = await createCatalog();
  using _ = withSteps(TOKENS, "ALTER TABLE token ADD COLUMN scope TEXT");
  const store = openSqlite(folder.catalog);
  expect(() => store.tokens.list()).toThrow(
    `${folder.catalog}.tokens was made by an older Colophon (format 1, this version needs 2); run "colophon migrate"`,
  );
  await store.close();
  expect(migrateSqlite(folder.catalog)).toEqual([{ label: "token registry", from: 1, to: 2 }]);
  const migrated = openSqlite(folder.catalog, { registry: "required" });
  expect(migrated.tokens.list()).toEqual([TOKEN]);
  await migrated.close();
});

test("a token registry of an unreleased version is refused, because its revocations would be lost", async () => {
  for (const change of ["PRAGMA application_id = 1131369583", "PRAGMA application_id = 1131375700"]) {
    using folder = await createCatalog();
    runSql(`${folder.catalog}.tokens`, change);
    const message =
      /\.tokens was made by an unreleased version of Colophon; without it, revoked tokens would be valid again: set a new secret/;
    expect(() => openSqlite(folder.catalog, { registry: "required" })).toThrow(message);
    expect(() => migrateSqlite(folder.catalog)).toThrow(message);
  }
});

test("migrateSqlite creates a catalog where there is none", async () => {
  using folder = new TempFolder();
  expect(migrateSqlite(folder.catalog)).toEqual([{ label: "catalog", from: 0, to: 1 }]);
  expect(await faults(folder.catalog)).toEqual([]);
  expect(migrateSqlite(folder.catalog)).toEqual([]);
});
