/** The indexes of the table `colophon.search`, beside its primary key. */
import type { SQL } from "bun";
import { type DatabaseAddress, withQueryTimeout } from "../connection.ts";

/**
 * The pending list of the GIN index makes small imports cheap, and every search reads it. So it is small. Autovacuum and
 * ANALYZE empty it.
 */
const INDEXES: Readonly<Record<string, string>> = {
  search_by_words: "USING gin (words) WITH (gin_pending_list_limit = 512)",
  search_by_title: "(title_key, (id % 20000000000))",
  search_by_sample: "(sample)",
};

/** How long the removal of the indexes may wait for searches. */
const LOCK_TIMEOUT_MS = 1000;

const MISSING = `SELECT name FROM unnest($1::text[]) AS name WHERE to_regclass('colophon.' || name) IS NULL`;

/** Creates the indexes that are missing, within a transaction. Readers do not wait for it. */
export async function createSearchIndexes(sql: SQL): Promise<void> {
  const names = Object.keys(INDEXES);
  const missing = await sql.unsafe<{ name: string }[]>(MISSING, [`{${names.join()}}`]);
  if (missing.length === 0) return;
  // Sorting in memory takes a third of the time. The setting ends with the transaction.
  await sql.unsafe("SET LOCAL maintenance_work_mem = '256MB'");
  for (const { name } of missing) {
    await sql.unsafe(`CREATE INDEX ${name} ON colophon.search ${INDEXES[name]}`);
  }
}

/**
 * Removes the indexes of the empty table, in a transaction of its own, so that no search waits longer than for this. The
 * import that fills the table creates them at its end. Without ownership, and when a search holds the table, they stay.
 */
export async function dropSearchIndexes(address: DatabaseAddress): Promise<void> {
  const sql = address.connect(1);
  try {
    const drops = Object.keys(INDEXES).map((name) => `DROP INDEX IF EXISTS colophon.${name};`);
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
