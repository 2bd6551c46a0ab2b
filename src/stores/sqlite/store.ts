/** The embedded store: a SQLite file, with the token registry in a second file. Several processes can have it open. */
import type { Database, Statement } from "bun:sqlite";
import { resolve } from "node:path";
import { DamagedRecord, isIntact } from "../../catalog/damaged-record.ts";
import type { ImportRun } from "../../catalog/import-run.ts";
import type {
  ImportPreview,
  ImportTransaction,
  LookupTransaction,
  Snapshot,
  Stats,
  Store,
  StoredRecord,
} from "../../catalog/store.ts";
import { StoreError } from "../../catalog/store-error.ts";
import type { Isbn13 } from "../../onix/isbn.ts";
import { Preview } from "../preview/preview.ts";
import { SqliteCatalogReader } from "./catalog-reader.ts";
import { connect, type OnMigration, openFile } from "./connection.ts";
import { beginImport } from "./import/connection.ts";
import type { SqliteImportTransaction } from "./import/transaction.ts";
import { readLastImports, recordImportRun } from "./import-runs.ts";
import { isbnToColumn } from "./rows.ts";
import { CATALOG } from "./schema.ts";
import { SnapshotPool } from "./snapshot-pool.ts";
import { SqliteTokenRegistry } from "./tokens.ts";

export interface SqliteOptions {
  /** Creates the file and its folder when they do not exist. */
  readonly create?: boolean;
  readonly readonly?: boolean;
  /**
   * Opens the store for one import and nothing else. If the catalog is empty and in use by nobody, the import locks
   * the file until its end and takes half the time.
   */
  readonly importOnly?: boolean;
  /** How long an import waits for another one. Default: 60 seconds. */
  readonly importLockTimeoutMs?: number;
  /** Is called before a catalog of an older format is migrated. */
  readonly onMigration?: OnMigration | undefined;
}

/** For lookups of single records: holds the inner pages of a large catalog, and the most popular records. */
const CACHE_KIB = 16 * 1024;

/** Throws `StoreError` when the file has a problem that an operator must solve. */
export function openSqlite(path: string, options: SqliteOptions = {}): Store {
  return new SqliteStore(resolve(path), options);
}

class SqliteStore implements Store {
  readonly tokens: SqliteTokenRegistry;
  readonly #path: string;
  readonly #readonly: boolean;
  readonly #importOnly: boolean;
  readonly #importLockTimeoutMs: number;
  readonly #snapshots: SnapshotPool;
  readonly #imports = new Set<SqliteImportTransaction>();
  readonly #previews = new Set<Preview>();
  #connection: LookupConnection | undefined;
  #inLookupTransaction = false;
  #isClosed = false;

  constructor(path: string, options: SqliteOptions) {
    this.#path = path;
    this.#readonly = options.readonly ?? false;
    this.#importOnly = options.importOnly ?? false;
    this.#importLockTimeoutMs = options.importLockTimeoutMs ?? 60_000;
    const { create = false, onMigration } = options;
    const openOptions = { create, readonly: this.#readonly, onMigration };
    const db = openFile(path, CATALOG, openOptions, CACHE_KIB);
    if (this.#importOnly) db.close(true);
    else this.#connection = prepareLookups(db);
    this.#snapshots = new SnapshotPool(path, this.#readonly, () => this.#dataVersion());
    this.tokens = new SqliteTokenRegistry(`${path}.tokens`, this.#readonly);
  }

  revision(): string {
    return this.#openConnection().revision.get()!.revision;
  }

  /** Without it, each lookup takes and releases locks of its own: a third of what a lookup costs. */
  readonly lookupTransaction: LookupTransaction = {
    begin: () => {
      const connection = this.#openConnection();
      this.lookupTransaction.end();
      connection.begin.run();
      this.#inLookupTransaction = true;
      return connection.revision.get()!.revision;
    },
    end: () => {
      if (!this.#inLookupTransaction) return;
      this.#inLookupTransaction = false;
      // SQLite itself ends a transaction after a disk error.
      if (this.#connection?.db.inTransaction) this.#connection.end.run();
    },
  };

  record(isbn: Isbn13): StoredRecord | undefined {
    const record = this.#openConnection().record.get(isbnToColumn(isbn));
    if (record === null) return undefined;
    if (!isIntact(record)) throw new DamagedRecord(isbn);
    return record;
  }

  snapshot(): Snapshot {
    return this.#snapshots.open();
  }

  stats(): Stats {
    const { db } = this.#openConnection();
    using row = db.prepare<CatalogRow, []>(
      "SELECT revision, records, imported, (SELECT count(DISTINCT slug) FROM imprint) AS imprints FROM catalog",
    );
    const { imported, ...stats } = row.get()!;
    return { ...stats, imported: imported ?? undefined, ...readLastImports(db) };
  }

  async beginImport(): Promise<ImportTransaction> {
    if (this.#readonly) {
      throw new StoreError(`${this.#path} is open for reading only; open it for writing to import into it.`);
    }
    const transaction = await beginImport({
      path: this.#path,
      mayLockFile: this.#importOnly,
      timeoutMs: this.#importLockTimeoutMs,
      onEnd: (ended) => {
        this.#imports.delete(ended);
        this.lookupTransaction.end();
      },
    });
    this.#imports.add(transaction);
    if (!this.#isClosed) return transaction;
    await transaction.abort();
    throw new Error("The store is closed");
  }

  async recordFailedImport(run: ImportRun): Promise<void> {
    if (this.#readonly || this.#isClosed) throw new StoreError(`${this.#path} is not open for writing.`);
    await recordImportRun(this.#path, run);
  }

  async beginPreview(): Promise<ImportPreview> {
    if (this.#isClosed) throw new Error("The store is closed");
    const reader = new SqliteCatalogReader(this.#path, this.#readonly);
    const preview = new Preview(reader, (ended) => this.#previews.delete(ended));
    this.#previews.add(preview);
    return preview;
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    for (const transaction of [...this.#imports, ...this.#previews]) await transaction.abort();
    this.#snapshots.close();
    this.tokens.close();
    this.lookupTransaction.end();
    if (this.#connection === undefined) return;
    const { db, begin, end, revision, dataVersion, record } = this.#connection;
    for (const statement of [begin, end, revision, dataVersion, record]) statement.finalize();
    db.close(true);
  }

  #dataVersion(): number {
    // Within a transaction, data_version does not change.
    this.lookupTransaction.end();
    return this.#openConnection().dataVersion.get()!.data_version;
  }

  /** Opens the connection on the first lookup when the store was opened for an import only. */
  #openConnection(): LookupConnection {
    if (this.#connection === undefined) {
      if (this.#isClosed) throw new Error("The store is closed");
      this.#connection = prepareLookups(connect(this.#path, this.#readonly, CACHE_KIB));
    }
    return this.#connection;
  }
}

type CatalogRow = Pick<Stats, "revision" | "records" | "imprints"> & { readonly imported: string | null };

/** The connection that serves lookups of single records. */
interface LookupConnection {
  readonly db: Database;
  readonly begin: Statement<unknown, []>;
  readonly end: Statement<unknown, []>;
  readonly revision: Statement<{ revision: string }, []>;
  /** `PRAGMA data_version` changes with every commit of another connection. */
  readonly dataVersion: Statement<{ data_version: number }, []>;
  readonly record: Statement<StoredRecord, [number]>;
}

function prepareLookups(db: Database): LookupConnection {
  return {
    db,
    begin: db.prepare("BEGIN"),
    end: db.prepare("ROLLBACK"),
    revision: db.prepare("SELECT revision FROM catalog"),
    dataVersion: db.prepare("PRAGMA data_version"),
    record: db.prepare(
      "SELECT body, etag FROM record INDEXED BY record_outline LEFT JOIN body USING (id) WHERE isbn = ?",
    ),
  };
}
