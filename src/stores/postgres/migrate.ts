/** Applies the migrations that a database lacks. */
import type { SQL } from "bun";
import { StoreError } from "../../catalog/store-errors.ts";
import type { DatabaseAddress } from "./connection.ts";
import { codeOf, noCatalog, toStoreError } from "./errors.ts";
import { MIGRATIONS } from "./schema.ts";
import { createSearchIndexes } from "./search/index-rows.ts";
import { Pool } from "./session/pool.ts";
import type { Session } from "./session/session.ts";
import { statement } from "./session/statement.ts";

const LATEST_VERSION = MIGRATIONS.length;

/** The key of the advisory lock: "Colophon" in ASCII, as far as it fits. */
const MIGRATION_LOCK = "4858089397";

const VERSION = "SELECT coalesce(max(version), 0)::integer AS version FROM colophon.migration";
const CHECKED_VERSION = statement(VERSION);

/** Returns the version of the schema; 0 when there is none. */
export async function schemaVersion(session: Session): Promise<number> {
  try {
    const { rows } = await session.execute<{ version: number }>(CHECKED_VERSION, []);
    return rows[0]!.version;
  } catch (error) {
    // 42P01: undefined table; 3F000: undefined schema.
    if (/^(42P01|3F000)$/.test(codeOf(error))) return 0;
    throw error;
  }
}

/** Throws `StoreError` when the schema is missing, older or newer than this program's. */
export function requireCurrentSchema(version: number, address: string): void {
  if (version === LATEST_VERSION) return;
  if (version > LATEST_VERSION) {
    throw new StoreError(
      `The catalog at ${address} was made by a newer Colophon (format ${version}, this version reads up to ${LATEST_VERSION}); update Colophon.`,
    );
  }
  if (version === 0) throw noCatalog(address);
  throw new StoreError(
    `The catalog at ${address} was made by an older Colophon; run "colophon migrate" once to bring it up to date.`,
  );
}

export interface MigrationResult {
  readonly from: number;
  readonly to: number;
}

/**
 * Migrates the schema. When two processes start at once, the second waits for the first and finds the work done.
 * `completesIndexes` creates the indexes that an import has removed and, as it failed, not made again.
 */
export async function migrate(address: DatabaseAddress, completesIndexes = false): Promise<MigrationResult> {
  const name = String(address);
  const pool = new Pool(address, 1);
  const sql = address.connect(1);
  try {
    const from = await pool.withSession(schemaVersion);
    if (from > LATEST_VERSION) requireCurrentSchema(from, name);
    // READ COMMITTED, whatever the default, shows the work of the process that held the lock.
    if (from < LATEST_VERSION) {
      await sql.begin("ISOLATION LEVEL READ COMMITTED", (transaction) => apply(transaction, name));
    } else if (completesIndexes) {
      await sql.begin(createSearchIndexes);
    }
    return { from, to: LATEST_VERSION };
  } catch (error) {
    throw toStoreError(error, name);
  } finally {
    await pool.close();
    await sql.close({ timeout: 0 });
  }
}

async function apply(sql: SQL, address: string): Promise<void> {
  await sql.unsafe("SET LOCAL statement_timeout = 0");
  await sql.unsafe(`SELECT pg_advisory_xact_lock(${MIGRATION_LOCK})`);
  const [{ server_encoding: encoding }] =
    await sql.unsafe<[{ server_encoding: string }]>("SHOW server_encoding");
  if (encoding !== "UTF8") {
    throw new StoreError(
      `The database at ${address} stores text as ${encoding}; create one with ENCODING 'UTF8' for the catalog.`,
    );
  }
  const [{ found }] = await sql.unsafe<[{ found: string | null }]>(
    "SELECT to_regclass('colophon.migration')::text AS found",
  );
  if (found === null) {
    await sql.unsafe(`CREATE SCHEMA IF NOT EXISTS colophon;
      CREATE TABLE colophon.migration (version INTEGER PRIMARY KEY, name TEXT NOT NULL)`);
  }
  const [{ version }] = await sql.unsafe<[{ version: number }]>(VERSION);
  for (const migration of MIGRATIONS.slice(version)) {
    await sql.unsafe(migration.sql);
    await migration.program?.(sql);
    const values = [migration.version, migration.name];
    await sql.unsafe("INSERT INTO colophon.migration VALUES ($1, $2)", values);
  }
}
