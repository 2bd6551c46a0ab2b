/** Creates and removes the indexes of the table `colophon.search`, which `schema.sql` has. */
import type { SQL } from "bun";
import { type DatabaseAddress, withQueryTimeout } from "../connection.ts";
import { SEARCH_INDEXES } from "../schema.ts";

/** How long the removal of the indexes may wait for searches. */
const LOCK_TIMEOUT_MS = 1000;

const MISSING = `SELECT name FROM unnest($1::text[]) AS name WHERE to_regclass('colophon.' || name) IS NULL`;

/** Creates the indexes that are missing, within a transaction. Readers do not wait for it. */
export async function createSearchIndexes(sql: SQL): Promise<void> {
  const names = `{${[...SEARCH_INDEXES.keys()].join()}}`;
  const missing = await sql.unsafe<{ name: string }[]>(MISSING, [names]);
  if (missing.length === 0) return;
  // Sorting in memory takes a third of the time. The setting ends with the transaction.
  await sql.unsafe("SET LOCAL maintenance_work_mem = '256MB'");
  for (const { name } of missing) await sql.unsafe(SEARCH_INDEXES.get(name)!);
}

/**
 * Removes the indexes of the empty table, in a transaction of its own, so that no search waits longer than for this. The
 * import that fills the table creates them at its end. Without ownership, and when a search holds the table, they stay.
 */
export async function dropSearchIndexes(address: DatabaseAddress): Promise<void> {
  const sql = address.connect(1);
  try {
    const drops = [...SEARCH_INDEXES.keys()].map((name) => `DROP INDEX IF EXISTS colophon.${name};`);
    await withQueryTimeout(
      sql.unsafe(`SET LOCAL lock_timeout = ${LOCK_TIMEOUT_MS}; ${drops.join(" ")}`),
      address,
      2 * LOCK_TIMEOUT_MS,
    );
  } catch {
    // The import goes on with the indexes, only slower.
  } finally {
    sql.close({ timeout: 0 }).catch(() => {});
  }
}
