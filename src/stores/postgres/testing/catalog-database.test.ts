import { expect, test } from "bun:test";
import { SQL } from "bun";
import { books, importBooks } from "../../testing/books.ts";
import { migratePostgres, openPostgres } from "../store.ts";
import { borrowCatalogDatabase, createCatalogDatabase, SCHEMA_DIGEST } from "./catalog-database.ts";
import { createDatabase, isServerGiven } from "./database.ts";

import { queryValue, runStatements } from "./sql.ts";

/** Returns all rows, and the next numbers of the sequences. */
async function contentOf(url: string): Promise<readonly unknown[]> {
  const sql = new SQL(url, { max: 1 });
  try {
    const relations = await sql.unsafe<{ name: string }[]>(
      "SELECT relname AS name FROM pg_class WHERE relnamespace = 'colophon'::regnamespace AND relkind IN ('r', 'S') ORDER BY 1",
    );
    const content: unknown[] = [];
    for (const { name } of relations) content.push([name, ...(await sql.unsafe(`TABLE colophon.${name}`))]);
    return content;
  } finally {
    await sql.close({ timeout: 0 });
  }
}

/** The records that the planner expects. Autovacuum may have counted none, where a new table leaves it unknown. */
function expectedRecords(url: string): Promise<unknown> {
  return queryValue(url, "SELECT reltuples FROM pg_class WHERE oid = 'colophon.record'::regclass");
}

/** More records than a table from which rows are deleted one by one. */
const MANY_BOOKS = books(1, 300);

async function useCatalog(url: string, entries: typeof MANY_BOOKS): Promise<void> {
  const store = openPostgres(url);
  await importBooks(store, entries);
  await store.tokens.add({
    id: "a",
    name: "A",
    issued: "2026-01-01",
    expires: "2026-01-02",
    revoked: undefined,
  });
  await store.close();
  await runStatements(url, "ANALYZE");
}

test.skipIf(isServerGiven())("returns a used database in the state of a migrated one", async () => {
  await using migrated = await createDatabase();
  await migratePostgres(migrated.url);
  const expected = await contentOf(migrated.url);
  const names = new Set<string>();
  for (const entries of [books(1, 3), MANY_BOOKS, []]) {
    await using database = await borrowCatalogDatabase();
    names.add(database.name);
    expect(await contentOf(database.url)).toEqual(expected);
    expect(await expectedRecords(database.url)).toBeLessThanOrEqual(0);
    await useCatalog(database.url, entries);
    expect(await contentOf(database.url)).not.toEqual(expected);
  }
  expect(names.size).toBe(1);
});

test.skipIf(isServerGiven())("does not return a database whose schema was changed", async () => {
  await using pristine = await createCatalogDatabase();
  const digest = await queryValue(pristine.url, SCHEMA_DIGEST);
  for (const change of [
    "DROP INDEX colophon.search_by_words",
    "ALTER TABLE colophon.record ADD COLUMN more INTEGER",
    "ALTER TABLE colophon.record ALTER COLUMN reference DROP NOT NULL",
    "GRANT SELECT ON colophon.record TO PUBLIC",
    "ALTER SCHEMA colophon RENAME TO other",
  ]) {
    let name: string;
    {
      await using database = await borrowCatalogDatabase();
      name = database.name;
      await runStatements(database.url, change);
    }
    await using next = await borrowCatalogDatabase();
    expect([change, next.name]).not.toEqual([change, name]);
    expect(await queryValue(next.url, "SELECT count(*)::integer FROM colophon.record")).toBe(0);
  }
  expect(await queryValue(pristine.url, SCHEMA_DIGEST)).toBe(digest);
});
