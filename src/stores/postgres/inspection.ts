import type { InspectedEntry, Inspection, SpellingCount } from "../../catalog/verify/inspection.ts";
import { DatabaseAddress } from "./connection.ts";
import { requireCurrentSchema, schemaVersion } from "./migrate.ts";
import { ALL_ENTRIES, keysetPages } from "./pages.ts";
import { ReadTransaction } from "./read-transaction.ts";
import { type EntryRow, uncheckedEntryFromRow } from "./rows.ts";
import { Pool } from "./session/pool.ts";
import { Sessions } from "./session/sessions.ts";
import { statement } from "./session/statement.ts";

const PAGE_SPELLINGS = 1000;
const RECORDS = statement("SELECT records FROM colophon.catalog");
const SPELLINGS = statement(`SELECT spelling, slug, name, records FROM colophon.imprint WHERE spelling > $1
  ORDER BY spelling LIMIT ${PAGE_SPELLINGS}`);

/** Opens a catalog for inspection. Throws `StoreError`. */
export async function inspectPostgres(url: string): Promise<Inspection> {
  const address = new DatabaseAddress(url);
  const pool = new Pool(address, 1);
  try {
    requireCurrentSchema(await pool.withSession(schemaVersion), String(address));
  } finally {
    await pool.close();
  }
  const sessions = new Sessions(address, 0);
  const transaction = await ReadTransaction.open({ sessions, address, onEnd: () => {} });
  transaction.addReader();
  try {
    const [catalog] = await transaction.query<{ records: string }>(RECORDS);
    return new PostgresInspection(transaction, Number(catalog!.records));
  } catch (error) {
    transaction.removeReader();
    throw error;
  }
}

class PostgresInspection implements Inspection {
  readonly revision: string;
  readonly records: number;
  readonly #transaction: ReadTransaction;

  constructor(transaction: ReadTransaction, records: number) {
    this.#transaction = transaction;
    this.revision = transaction.version.revision;
    this.records = records;
  }

  /** Yields nothing: the server has its own checks (data checksums, amcheck). */
  async *faults(): AsyncGenerator<readonly string[], void> {}

  async *entries(): AsyncGenerator<readonly InspectedEntry[], void> {
    const pages = keysetPages((sql, values) => this.#transaction.query(statement(sql), values), ALL_ENTRIES);
    for await (const page of pages) yield page.map(inspectEntry);
  }

  async *spellings(): AsyncGenerator<readonly SpellingCount[], void> {
    for (let last = ""; ; ) {
      const rows = await this.#transaction.query<SpellingRow>(SPELLINGS, [last]);
      if (rows.length === 0) return;
      last = rows.at(-1)!.spelling;
      yield rows.map(({ slug, name, records }) => ({ slug, name, records: Number(records) }));
    }
  }

  async close(): Promise<void> {
    this.#transaction.removeReader();
  }
}

interface SpellingRow {
  /** The primary key: a digest of slug and name. */
  readonly spelling: string;
  readonly slug: string;
  readonly name: string;
  readonly records: string;
}

/** Also checks the stored size, which lists are cut into pages by, and that the sender exists. */
function inspectEntry(row: EntryRow): InspectedEntry {
  const { size, body } = row;
  const hasSender = row.sender_id === null || row.sender !== null;
  const senderFault = hasSender ? undefined : "its sender is not in the store";
  const fault = body.length === size ? senderFault : `it has ${body.length} bytes instead of ${size}`;
  return { entry: uncheckedEntryFromRow(row), fault };
}
