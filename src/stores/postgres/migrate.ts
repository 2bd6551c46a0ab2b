/** Brings a database to this program's schema. */
import type { SQL } from "bun";
import { StoreError } from "../../catalog/store-error.ts";
import { type DatabaseAddress, withTimeout } from "./connection.ts";
import { codeOf, toStoreError } from "./errors.ts";
import { MIGRATIONS } from "./schema.ts";

const KNOWN = MIGRATIONS.length;

/** Any number that nobody else uses: "Colophon" in ASCII, as far as it fits. */
const LOCK = "4858089397";

/** Of the schema that is there; 0 when there is none. */
export async function schemaVersion(sql: SQL): Promise<number> {
  try {
    const [row] = await sql.unsafe<[{ version: number }]>(
      "SELECT coalesce(max(version), 0)::integer AS version FROM colophon.migration",
    );
    return row.version;
  } catch (error) {
    // 42P01: no such table; 3F000: no such schema.
    if (/^(42P01|3F000)$/.test(codeOf(error))) return 0;
    throw error;
  }
}

/** Throws `StoreRefused` unless this program can read what is there. */
export function requireCurrentSchema(version: number, place: string): void {
  if (version > KNOWN) {
    throw new StoreError(
      `The catalog at ${place} was made by a newer Colophon (format ${version}, this one knows ${KNOWN}); update Colophon.`,
    );
  }
  if (version === KNOWN) return;
  throw new StoreError(
    version === 0
      ? `There is no catalog at ${place}; run "colophon migrate", or import a feed, with a role that may write.`
      : `The catalog at ${place} was made by an older Colophon; run "colophon migrate" once, which brings it up to date.`,
  );
}

export interface MigrationResult {
  readonly from: number;
  readonly to: number;
}

/** Of two that start at once one does it, and the other waits and finds it done. */
export async function migrate(place: DatabaseAddress): Promise<MigrationResult> {
  const name = String(place);
  const sql = place.connect(1);
  try {
    const from = await withTimeout(schemaVersion(sql), place);
    if (from > KNOWN) requireCurrentSchema(from, name);
    // READ COMMITTED, whatever the default: who has waited for another must see what that one did.
    if (from < KNOWN)
      await sql.begin("ISOLATION LEVEL READ COMMITTED", (transaction) => apply(transaction, name));
    return { from, to: KNOWN };
  } catch (error) {
    throw toStoreError(error, name);
  } finally {
    await sql.close({ timeout: 0 });
  }
}

async function apply(sql: SQL, place: string): Promise<void> {
  await sql.unsafe("SET LOCAL statement_timeout = 0");
  await sql.unsafe(`SELECT pg_advisory_xact_lock(${LOCK})`);
  const [{ server_encoding: encoding }] =
    await sql.unsafe<[{ server_encoding: string }]>("SHOW server_encoding");
  if (encoding !== "UTF8") {
    throw new StoreError(
      `The database at ${place} keeps text as ${encoding}; create one with ENCODING 'UTF8' for the catalog.`,
    );
  }
  const [{ found }] = await sql.unsafe<[{ found: string | null }]>(
    "SELECT to_regclass('colophon.migration')::text AS found",
  );
  if (found === null) {
    await sql.unsafe(`CREATE SCHEMA IF NOT EXISTS colophon;
      CREATE TABLE colophon.migration (version INTEGER PRIMARY KEY, name TEXT NOT NULL)`);
  }
  const version = await schemaVersion(sql);
  for (const step of MIGRATIONS.slice(version)) {
    await sql.unsafe(step.sql);
    await sql.unsafe("INSERT INTO colophon.migration VALUES ($1, $2)", [step.version, step.name]);
  }
}
