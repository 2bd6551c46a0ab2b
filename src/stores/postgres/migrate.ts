/** Creates the schema of a catalog, or brings it up to date. Nothing else changes its format. */
import type { SQL } from "bun";
import { StoreError } from "../../catalog/store-errors.ts";
import {
  formatNumber,
  isOutdated,
  type Migration,
  type OnPlan,
  requireCurrent,
  UNRELEASED,
} from "../format.ts";
import type { DatabaseAddress } from "./connection.ts";
import { codeOf, noCatalog, toStoreError } from "./errors.ts";
import { CATALOG } from "./schema.ts";
import { createSearchIndexes } from "./search/index-rows.ts";
import { Pool } from "./session/pool.ts";
import type { Session } from "./session/session.ts";
import { statement } from "./session/statement.ts";

/** The key of the advisory lock: "Colophon" in ASCII, as far as it fits. */
const MIGRATION_LOCK = "4858089397";

const FORMAT = "SELECT number FROM colophon.catalog_format";
const CHECKED_FORMAT = statement(FORMAT);
/** The tables of formats before version 1.0.0. */
const UNRELEASED_TABLE = statement(
  "SELECT 1 AS one FROM pg_class WHERE oid IN (to_regclass('colophon.migration'), to_regclass('colophon.format'))",
);

/** How many times its size a catalog needs while a step rebuilds all tables: for the new ones, and in the server's log. */
const REBUILD_FACTOR = 2;
const SIZE = `SELECT coalesce(sum(pg_total_relation_size(oid)), 0)::float8 AS bytes FROM pg_class
  WHERE relnamespace = 'colophon'::regnamespace AND relkind = 'r'`;

/** Reads the format of the catalog. Returns undefined when there is no catalog. */
export async function storedFormat(session: Session): Promise<number | undefined> {
  try {
    const { rows } = await session.execute<{ number: number }>(CHECKED_FORMAT, []);
    return rows[0]?.number ?? UNRELEASED;
  } catch (error) {
    // 42P01: undefined table; 3F000: undefined schema.
    if (!/^(42P01|3F000)$/.test(codeOf(error))) throw error;
    const { rows } = await session.execute(UNRELEASED_TABLE, []);
    return rows.length === 0 ? undefined : UNRELEASED;
  }
}

/** Throws `StoreError` unless the catalog exists and has the current format. */
export function requireCurrentFormat(
  stored: number | undefined,
  address: DatabaseAddress,
): asserts stored is number {
  if (stored === undefined) throw noCatalog(String(address));
  requireCurrent(subjectOf(address), stored, CATALOG);
}

/**
 * Creates the catalog where there is none, and returns whether it did. Throws `StoreError` when there is one of another
 * format.
 */
export async function createCatalog(address: DatabaseAddress): Promise<boolean> {
  const before = await readFormat(address);
  if (before === undefined) await inTransaction(address, (sql) => createTables(sql, address));
  requireCurrentFormat(before ?? (await readFormat(address)), address);
  return before === undefined;
}

/**
 * Creates the catalog, or migrates it, all or nothing. Returns what was done. Also creates the indexes of searches that an
 * import has removed and, as it failed, not made again.
 */
export async function migrate(
  address: DatabaseAddress,
  onPlan: OnPlan = () => {},
): Promise<readonly Migration[]> {
  const migration = { label: CATALOG.label, to: formatNumber(CATALOG) };
  const stored = await readFormat(address);
  if (stored === undefined) {
    await createCatalog(address);
    return [{ ...migration, from: 0 }];
  }
  if (!isOutdated(subjectOf(address), stored, CATALOG)) {
    await inTransaction(address, createSearchIndexes);
    return [];
  }
  await inTransaction(address, async (sql) => {
    const [{ bytes }] = await sql.unsafe<[{ bytes: number }]>(SIZE);
    const plan = { ...migration, from: stored, subject: subjectOf(address) };
    onPlan({ ...plan, neededBytes: REBUILD_FACTOR * bytes, freeBytes: undefined });
    await applySteps(sql, address);
  });
  return [{ ...migration, from: stored }];
}

async function createTables(sql: SQL, address: DatabaseAddress): Promise<void> {
  await lock(sql);
  const [{ server_encoding: encoding }] =
    await sql.unsafe<[{ server_encoding: string }]>("SHOW server_encoding");
  if (encoding !== "UTF8") {
    throw new StoreError(
      `The database at ${address} stores text as ${encoding}; create one with ENCODING 'UTF8' for the catalog.`,
    );
  }
  const [{ found }] = await sql.unsafe<[{ found: string | null }]>(
    "SELECT to_regclass('colophon.catalog_format')::text AS found",
  );
  if (found !== null) return;
  await sql.unsafe(`CREATE SCHEMA IF NOT EXISTS colophon; ${CATALOG.schema}`);
  await sql.unsafe("INSERT INTO colophon.catalog_format VALUES ($1::integer)", [formatNumber(CATALOG)]);
}

/** Applies the steps that the catalog lacks. When two processes migrate at once, the second finds the work done. */
async function applySteps(sql: SQL, address: DatabaseAddress): Promise<void> {
  await lock(sql);
  const [{ number: stored }] = await sql.unsafe<[{ number: number }]>(FORMAT);
  if (!isOutdated(subjectOf(address), stored, CATALOG)) return;
  // A running import ends before its records are changed.
  await sql.unsafe("SELECT revision FROM colophon.catalog FOR UPDATE");
  const [{ tables }] = await sql.unsafe<[{ tables: string }]>(TABLES);
  for (const step of CATALOG.steps.slice(stored - 1)) {
    if (typeof step === "string") await sql.unsafe(step);
    else await step(sql);
  }
  await sql.unsafe(grantNewTables(tables));
  await sql.unsafe("UPDATE colophon.catalog_format SET number = $1::integer", [formatNumber(CATALOG)]);
}

const TABLES = `SELECT array_agg(oid)::text AS tables FROM pg_class
  WHERE relnamespace = 'colophon'::regnamespace AND relkind = 'r'`;

/** Returns a statement by which whoever may read or write the records may do the same with tables that are not in a list. */
const grantNewTables = (tables: string) => `DO $$
  DECLARE
    statement TEXT;
  BEGIN
    FOR statement IN
      SELECT format('GRANT %s ON %s TO %s', privilege_type, added.oid::regclass,
        CASE grantee WHEN 0 THEN 'PUBLIC' ELSE quote_ident(pg_get_userbyid(grantee)) END)
      FROM pg_class AS added, pg_class AS record, aclexplode(record.relacl)
      WHERE added.relnamespace = 'colophon'::regnamespace AND added.relkind = 'r'
        AND added.oid <> ALL ('${tables}'::oid[]) AND record.oid = 'colophon.record'::regclass
        AND privilege_type IN ('SELECT', 'INSERT', 'UPDATE', 'DELETE')
    LOOP
      EXECUTE statement;
    END LOOP;
  END
  $$`;

function subjectOf(address: DatabaseAddress): string {
  return `The catalog at ${address}`;
}

/** A process that migrates waits for another one. */
async function lock(sql: SQL): Promise<void> {
  await sql.unsafe("SET LOCAL statement_timeout = 0");
  await sql.unsafe(`SELECT pg_advisory_xact_lock(${MIGRATION_LOCK})`);
}

/** Reads the format on a connection of its own. */
export async function readFormat(address: DatabaseAddress): Promise<number | undefined> {
  const pool = new Pool(address, 1);
  try {
    return await pool.withSession(storedFormat);
  } catch (error) {
    throw toStoreError(error, String(address));
  } finally {
    await pool.close();
  }
}

/** READ COMMITTED, whatever the default, shows the work of the process that held the lock. */
async function inTransaction(address: DatabaseAddress, work: (sql: SQL) => Promise<void>): Promise<void> {
  const sql = address.connect();
  try {
    await sql.begin("ISOLATION LEVEL READ COMMITTED", work);
  } catch (error) {
    throw toStoreError(error, String(address));
  } finally {
    await sql.close({ timeout: 0 });
  }
}
