/** Databases of older versions of the schema, as `scripts/format-fixture.ts` has kept them. */
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseQuery } from "../../catalog/search/query-parser.ts";
import { type Fault, verify } from "../../catalog/verify/verify.ts";
import type { Isbn13 } from "../../onix/isbn.ts";
import { book, collect, importBooks } from "../testing/books.ts";
import { inspectPostgres } from "./inspection.ts";
import { MIGRATIONS } from "./schema.ts";
import { migratePostgres, openPostgres } from "./store.ts";
import { createDatabase } from "./testing/database.ts";
import { runStatements } from "./testing/sql.ts";

/** Earlier versions were not kept. */
const FIRST_VERSION = 7;
const LATEST_VERSION = MIGRATIONS.length;

function statementsOf(version: number): string {
  const file = join(import.meta.dir, "testing/old-versions", `version-${version}.sql.gz`);
  return new TextDecoder().decode(Bun.gunzipSync(readFileSync(file)));
}

async function faults(url: string): Promise<Fault[]> {
  const inspection = await inspectPostgres(url);
  const found: Fault[] = [];
  for await (const fault of verify(inspection)) found.push(fault);
  await inspection.close();
  return found;
}

for (let version = FIRST_VERSION; version <= LATEST_VERSION; version++) {
  test(`a database of version ${version} is migrated, intact, and can be imported into`, async () => {
    await using database = await createDatabase();
    await runStatements(database.url, statementsOf(version));
    expect(await migratePostgres(database.url)).toEqual({ from: version, to: LATEST_VERSION });
    expect(await faults(database.url)).toEqual([]);
    const store = openPostgres(database.url);
    await importBooks(store, [book(1, { imprint: "PENINSULA", slug: "peninsula" })]);
    expect((await store.stats()).records).toBe(4);
    const snapshot = await store.snapshot();
    expect(await collect(snapshot.bodies({ kind: "imprint", slug: "peninsula" }))).toHaveLength(3);
    snapshot.close();
    expect(await store.record("9788400000004" as Isbn13)).toBeDefined();
    const query = parseQuery("9788400000004");
    expect(await store.search({ query, filters: {}, sort: "newest", limit: 10 })).toMatchObject({ total: 1 });
    await store.close();
  });
}
