import type { InspectedEntry, Inspection, SpellingCount } from "../../catalog/inspection.ts";
import { DatabaseAddress, Pool } from "./connection.ts";
import { DedicatedConnections } from "./dedicated-connections.ts";
import { requireCurrentSchema, schemaVersion } from "./migrate.ts";
import { keysetPages } from "./pages.ts";
import { ReadTransaction } from "./read-transaction.ts";
import { ENTRY_COLUMNS, type EntryRow, uncheckedEntry } from "./rows.ts";

const SPELLINGS = 1000;

/** One state of a catalog on a server, for a look at all of it. The server looks after its own files. */
export async function inspectPostgres(url: string): Promise<Inspection> {
  const place = new DatabaseAddress(url);
  const pool = new Pool(place, 1);
  try {
    requireCurrentSchema(await pool.query(schemaVersion), String(place));
  } finally {
    await pool.close();
  }
  const lines = new DedicatedConnections(place, 0);
  const snapshot = await ReadTransaction.open({ lines, place, ended: () => {} });
  snapshot.join();
  try {
    const [catalog] = await snapshot.ask<{ records: string }>("SELECT records FROM colophon.catalog", []);
    return new PostgresInspection(snapshot, Number(catalog!.records));
  } catch (error) {
    snapshot.leave();
    throw error;
  }
}

class PostgresInspection implements Inspection {
  readonly revision: string;
  readonly records: number;
  readonly #snapshot: ReadTransaction;

  constructor(snapshot: ReadTransaction, records: number) {
    this.#snapshot = snapshot;
    this.revision = snapshot.revision;
    this.records = records;
  }

  async *faults(): AsyncGenerator<readonly string[], void> {}

  async *entries(): AsyncGenerator<readonly InspectedEntry[], void> {
    const pages = keysetPages<EntryRow>((sql, values) => this.#snapshot.ask(sql, values), {
      columns: ENTRY_COLUMNS,
      weight: "size + octet_length(origin)",
      where: "isbn > $3::bigint",
      order: "isbn",
      start: ["-1"],
      next: ({ isbn }) => [isbn],
      fixed: [],
    });
    for await (const page of pages) yield page.map(keptOf);
  }

  async *spellings(): AsyncGenerator<readonly SpellingCount[], void> {
    const sql = `SELECT spelling, slug, name, records FROM colophon.imprint WHERE spelling > $1
      ORDER BY spelling LIMIT ${SPELLINGS}`;
    for (let last = ""; ; ) {
      const rows = await this.#snapshot.ask<SpellingRow>(sql, [last]);
      if (rows.length === 0) return;
      last = rows.at(-1)!.spelling;
      yield rows.map(({ slug, name, records }) => ({ slug, name, records: Number(records) }));
    }
  }

  async close(): Promise<void> {
    this.#snapshot.leave();
  }
}

interface SpellingRow {
  readonly spelling: string;
  readonly slug: string;
  readonly name: string;
  readonly records: string;
}

/** The size is kept beside the body, for lists to be cut by: it must be true, too. */
function keptOf(row: EntryRow): InspectedEntry {
  const fault = row.body.length === row.size ? undefined : `of ${row.size} bytes it has ${row.body.length}`;
  return { entry: uncheckedEntry(row), fault };
}
