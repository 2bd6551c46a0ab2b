import type { Database, Statement } from "bun:sqlite";
import { existsSync } from "node:fs";
import type { InspectedEntry, Inspection, SpellingCount } from "../../catalog/inspection.ts";
import { openFile } from "./connection.ts";
import { ENTRY_COLUMNS, type EntryRow, isbnOf, uncheckedEntry } from "./rows.ts";
import { CATALOG, TOKENS } from "./schema.ts";

/** KiB. Everything is read once. */
const CACHE = 8 * 1024;
const BATCH = 200;

/** Opens a catalog's file for a look at all of it; nothing is written. Throws `StoreRefused` as opening a store does. */
export function inspectSqlite(path: string): Inspection {
  const db = openFile(path, CATALOG, { create: false, readonly: true }, CACHE);
  try {
    db.run("BEGIN");
    using catalog = db.prepare<{ revision: string; records: number }, []>(
      "SELECT revision, records FROM catalog",
    );
    return new SqliteInspection(path, db, catalog.get()!);
  } catch (error) {
    db.close();
    throw error;
  }
}

type Row = Omit<EntryRow, "body"> & { readonly id: number };

class SqliteInspection implements Inspection {
  readonly revision: string;
  readonly records: number;
  readonly #path: string;
  readonly #db: Database;

  constructor(path: string, db: Database, { revision, records }: { revision: string; records: number }) {
    this.#path = path;
    this.#db = db;
    this.revision = revision;
    this.records = records;
  }

  /** SQLite's own check, which also holds every index against its table; and that of the ledger of tokens. */
  *faults(): Generator<readonly string[], void> {
    yield integrityFaults(this.#db, "");
    const tokens = `${this.#path}.tokens`;
    if (!existsSync(tokens)) return;
    try {
      const ledger = openFile(tokens, TOKENS, { create: false, readonly: true }, CACHE);
      try {
        yield integrityFaults(ledger, "the ledger of tokens: ");
      } finally {
        ledger.close();
      }
    } catch (error) {
      yield [`the ledger of tokens: ${(error as Error).message}`];
    }
  }

  /** In the order in which they stand in the file; each body on its own, so that one page of noise is not all. */
  *entries(): Generator<readonly InspectedEntry[], void> {
    const columns = ENTRY_COLUMNS.replace(", body", "");
    using rows = this.#db.prepare<Row, [number]>(
      `SELECT id, ${columns} FROM record WHERE id > ? ORDER BY id LIMIT ${BATCH}`,
    );
    using body = this.#db.prepare<{ body: Uint8Array }, [number]>("SELECT body FROM body WHERE id = ?");
    for (let last = Number.MIN_SAFE_INTEGER; ; ) {
      const batch = attempt(() => rows.all(last));
      if ("unreadable" in batch) return yield [{ isbn: undefined, ...batch }];
      const end = batch.value.at(-1);
      if (end === undefined) return;
      last = end.id;
      yield batch.value.map((row) => keptOf(row, body));
    }
  }

  *spellings(): Generator<readonly SpellingCount[], void> {
    using rows = this.#db.prepare<SpellingCount, []>("SELECT slug, name, records FROM imprint");
    for (const row of rows.iterate()) yield [row];
  }

  async close(): Promise<void> {
    this.#db.close();
  }
}

function keptOf(row: Row, body: Statement<{ body: Uint8Array }, [number]>): InspectedEntry {
  const read = attempt(() => uncheckedEntry({ ...row, body: body.get(row.id)?.body ?? NOTHING }));
  return "unreadable" in read ? { isbn: isbnOf(row.isbn), ...read } : { entry: read.value };
}

const NOTHING = new Uint8Array(0);

function attempt<T>(read: () => T): { readonly value: T } | { readonly unreadable: string } {
  try {
    return { value: read() };
  } catch (error) {
    return { unreadable: (error as Error).message };
  }
}

function integrityFaults(db: Database, whose: string): readonly string[] {
  const said = attempt(() => {
    using check = db.prepare<{ integrity_check: string }, []>("PRAGMA integrity_check");
    return check.all().map((row) => row.integrity_check);
  });
  const faults = "unreadable" in said ? [said.unreadable] : said.value.filter((line) => line !== "ok");
  return faults.flatMap((line) => line.split("\n")).map((line) => `${whose}SQLite says: ${line}`);
}
