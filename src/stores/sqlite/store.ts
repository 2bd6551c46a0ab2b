/** The embedded store: a SQLite file, and its ledger of tokens beside it. Any number of processes may have it open. */
import type { Database, Statement } from "bun:sqlite";
import { resolve } from "node:path";
import { DamagedRecord, isIntact } from "../../catalog/damaged-record.ts";
import type {
  ImportTransaction,
  LookupTransaction,
  Snapshot,
  Stats,
  Store,
  StoredRecord,
} from "../../catalog/store.ts";
import { StoreError } from "../../catalog/store-error.ts";
import type { Isbn13 } from "../../onix/isbn.ts";
import { connect, openFile } from "./connection.ts";
import { beginImport } from "./import/connection.ts";
import type { SqliteImportTransaction } from "./import/transaction.ts";
import { numberOfIsbn } from "./rows.ts";
import { CATALOG } from "./schema.ts";
import { SnapshotPool } from "./snapshot-pool.ts";
import { SqliteTokenRegistry } from "./tokens.ts";

export interface SqliteOptions {
  /** Makes the file, and its folder, where there is none. */
  readonly create?: boolean;
  readonly readonly?: boolean;
  /**
   * The store is opened for one import and nothing else. Where the catalog is empty, and nobody else has it open,
   * nobody can open it then before the import has ended, and the import takes half the time.
   */
  readonly importOnly?: boolean;
  /** How long an import waits for another one, in milliseconds. */
  readonly importLockTimeoutMs?: number;
}

/** KiB. Single records are looked up through it: the inner pages of a large catalog, and its favourites. */
const CACHE = 16 * 1024;

/** Throws `StoreRefused` when there is something about the file that a person must put right. */
export function openSqlite(path: string, options: SqliteOptions = {}): Store {
  return new SqliteStore(resolve(path), options);
}

class SqliteStore implements Store {
  readonly tokens: SqliteTokenRegistry;
  readonly #path: string;
  readonly #readonly: boolean;
  readonly #patience: number;
  readonly #alone: boolean;
  #main: Main | undefined;
  readonly #views: SnapshotPool;
  readonly #loads = new Set<SqliteImportTransaction>();
  #inLookupTransaction = false;
  #closed = false;

  constructor(path: string, options: SqliteOptions) {
    this.#path = path;
    this.#readonly = options.readonly ?? false;
    this.#patience = options.importLockTimeoutMs ?? 60_000;
    const opening = { create: options.create ?? false, readonly: this.#readonly };
    const db = openFile(path, CATALOG, opening, CACHE);
    this.#alone = options.importOnly ?? false;
    if (this.#alone) db.close(true);
    else this.#main = prepareMain(db);
    this.#views = new SnapshotPool(path, this.#readonly, () => this.#version());
    this.tokens = new SqliteTokenRegistry(`${path}.tokens`, this.#readonly);
  }

  /** Returns SQLite's data_version, which another connection's commit changes. */
  #version(): number {
    // Within a transaction, data_version does not change.
    this.lookupTransaction.end();
    return this.#reading().version.get()!.data_version;
  }

  revision(): string {
    return this.#reading().revision.get()!.revision;
  }

  /** Without it, each lookup takes and releases locks of its own: a third of what a lookup costs. */
  readonly lookupTransaction: LookupTransaction = {
    begin: () => {
      const main = this.#reading();
      this.lookupTransaction.end();
      main.begin.run();
      this.#inLookupTransaction = true;
      return main.revision.get()!.revision;
    },
    end: () => {
      if (!this.#inLookupTransaction) return;
      this.#inLookupTransaction = false;
      // SQLite itself ends a transaction after a disk error.
      if (this.#main?.db.inTransaction) this.#main.end.run();
    },
  };

  record(isbn: Isbn13): StoredRecord | undefined {
    const record = this.#reading().record.get(numberOfIsbn(isbn));
    if (record === null) return undefined;
    if (!isIntact(record)) throw new DamagedRecord(isbn);
    return record;
  }

  snapshot(): Snapshot {
    return this.#views.open();
  }

  stats(): Stats {
    using row = this.#reading().db.prepare<Omit<Stats, "imported"> & { imported: string | null }, []>(
      "SELECT revision, records, imported, (SELECT count(DISTINCT slug) FROM imprint) AS imprints FROM catalog",
    );
    const { imported, ...stats } = row.get()!;
    return { ...stats, imported: imported ?? undefined };
  }

  async beginImport(): Promise<ImportTransaction> {
    if (this.#readonly) {
      throw new StoreError(`${this.#path} is open for reading only; open it for writing to import into it.`);
    }
    const load = await beginImport(this.#path, this.#alone, this.#patience, (ended) => {
      this.#loads.delete(ended);
      this.lookupTransaction.end();
    });
    this.#loads.add(load);
    if (!this.#closed) return load;
    await load.abort();
    throw new Error("The store is closed");
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    for (const load of this.#loads) await load.abort();
    this.#views.close();
    this.tokens.close();
    this.lookupTransaction.end();
    const main = this.#main;
    if (main === undefined) return;
    for (const statement of [main.begin, main.end, main.revision, main.version, main.record])
      statement.finalize();
    main.db.close(true);
  }

  #reading(): Main {
    if (this.#main === undefined) {
      if (this.#closed) throw new Error("The store is closed");
      this.#main = prepareMain(connect(this.#path, this.#readonly, CACHE));
    }
    return this.#main;
  }
}

/** The connection that single records are looked up on, from the first lookup on. */
interface Main {
  readonly db: Database;
  readonly begin: Statement<unknown, []>;
  readonly end: Statement<unknown, []>;
  readonly revision: Statement<{ revision: string }, []>;
  /** Changes with whatever another connection commits. */
  readonly version: Statement<{ data_version: number }, []>;
  readonly record: Statement<StoredRecord, [number]>;
}

function prepareMain(db: Database): Main {
  return {
    db,
    begin: db.prepare("BEGIN"),
    end: db.prepare("ROLLBACK"),
    revision: db.prepare("SELECT revision FROM catalog"),
    version: db.prepare("PRAGMA data_version"),
    record: db.prepare(
      "SELECT body, etag FROM record INDEXED BY record_outline LEFT JOIN body USING (id) WHERE isbn = ?",
    ),
  };
}
