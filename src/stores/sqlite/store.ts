/** The embedded store: a SQLite file, with the token registry in a second file. Several processes can have it open. */

import { resolve } from "node:path";
import type { ImportDetails } from "../../catalog/history/import-details.ts";
import type { ImportHistory } from "../../catalog/history/import-history.ts";
import type { ImportRun } from "../../catalog/import-run.ts";
import type { CatalogQuality } from "../../catalog/quality/catalog-quality.ts";
import type { FacetRequest, Facets, SearchRequest, SearchResult } from "../../catalog/search/search.ts";
import {
  type ImportPreview,
  type ImportTransaction,
  type LookupTransaction,
  SNAPSHOT_HOLD_MS,
  type Snapshot,
  type Stats,
  type Store,
  type StoredRecord,
  type View,
} from "../../catalog/store.ts";
import { StoreError } from "../../catalog/store-error.ts";
import type { StoreLoad } from "../../catalog/store-load.ts";
import type { Isbn13 } from "../../onix/isbn.ts";
import { Preview } from "../preview/preview.ts";
import { SqliteCatalogReader } from "./catalog-reader.ts";
import { connect, type DatabaseFile, moveLogIntoFile, type OnMigration, openDatabase } from "./connection.ts";
import { isBusy } from "./errors.ts";
import { readImport, readImports, readOrigin } from "./history/import-history.ts";
import { readAppliedFeeds, recordImportRun } from "./history/import-runs.ts";
import { beginImport } from "./import/connection.ts";
import type { SqliteImportTransaction } from "./import/transaction.ts";
import { bytesOf, logBytes } from "./log/log-file.ts";
import { LogKeeper } from "./log/log-keeper.ts";
import { LookupConnection } from "./lookups/lookup-connection.ts";
import { RecordIds } from "./lookups/record-ids.ts";
import type { KnownContent } from "./replacement/overwrite-detector.ts";
import { CATALOG } from "./schema.ts";
import { type SearchThreadOptions, SearchThreads } from "./search/search-threads.ts";
import { SnapshotPool } from "./snapshots/snapshot-pool.ts";
import { StatsReader } from "./stats.ts";
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
  /** How long a snapshot can be read whatever imports do. Default: SNAPSHOT_HOLD_MS. */
  readonly snapshotHoldMs?: number;
  /** Tests set other ones. */
  readonly searchLimits?: Partial<SearchThreadOptions>;
  /** Truncates the write-ahead log when a reader that held it has left. One process per file is enough. */
  readonly truncatesLog?: boolean;
  /** Is called before a catalog of an older format is migrated. */
  readonly onMigration?: OnMigration | undefined;
  /** Refuses a catalog of an older format instead of migrating it. */
  readonly refusesMigration?: boolean | undefined;
  /** See `RegistryMode`. When omitted, a missing registry has no tokens. */
  readonly registry?: RegistryMode | undefined;
}

/**
 * `required` refuses a catalog that had a token registry, and has it no longer. `new` creates an empty registry
 * instead.
 */
export type RegistryMode = "required" | "new";

/**
 * For lookups of single records: as much as the processor's own cache holds. A page that is read into memory which the
 * processor has to fetch first costs 2 µs more. Popular records are in the response cache, and ids in `RecordIds`.
 */
const CACHE_KIB = 1024;
/** For a connection that changes one row. */
const NOTE_CACHE_KIB = 256;

/** Throws `StoreError` when the file has a problem that an operator must solve. */
export function openSqlite(path: string, options: SqliteOptions = {}): Store {
  return new SqliteStore(resolve(path), options);
}

export class SqliteStore implements Store {
  readonly tokens: SqliteTokenRegistry;
  readonly #path: string;
  readonly #file: DatabaseFile;
  readonly #readonly: boolean;
  readonly #importOnly: boolean;
  readonly #importLockTimeoutMs: number;
  readonly #snapshots: SnapshotPool;
  readonly #searches: SearchThreads;
  readonly #logKeeper: LogKeeper | undefined;
  readonly #imports = new Set<SqliteImportTransaction>();
  readonly #previews = new Set<Preview>();
  #connection: LookupConnection | undefined;
  readonly #recordIds = new RecordIds();
  readonly #stats = new StatsReader();
  #isRegistryNoted = false;
  #isClosed = false;

  constructor(path: string, options: SqliteOptions) {
    this.#path = path;
    this.#readonly = options.readonly ?? false;
    this.#importOnly = options.importOnly ?? false;
    this.#importLockTimeoutMs = options.importLockTimeoutMs ?? 60_000;
    const { create = false, onMigration } = options;
    const openOptions = {
      create,
      readonly: this.#readonly,
      onMigration,
      refusesMigration: options.refusesMigration,
    };
    const { db, file } = openDatabase(path, CATALOG, openOptions, CACHE_KIB);
    if (this.#importOnly) db.close(true);
    else this.#connection = new LookupConnection(db, this.#recordIds);
    // The last connection removes the log when it is closed.
    this.#file = this.#importOnly ? { ...file, log: undefined } : file;
    this.#snapshots = new SnapshotPool({
      file: this.#file,
      dataVersion: () => this.#openConnection().dataVersion(),
      recordIds: this.#recordIds,
      holdMs: options.snapshotHoldMs ?? SNAPSHOT_HOLD_MS,
    });
    this.#searches = new SearchThreads(this.#file, options.searchLimits);
    this.#logKeeper = options.truncatesLog ? new LogKeeper(this.#file) : undefined;
    this.tokens = new SqliteTokenRegistry(`${path}.tokens`, {
      readonly: this.#readonly,
      onOpen: () => this.noteRegistry(),
    });
    try {
      if (options.registry !== undefined) this.#prepareRegistry(options.registry);
    } catch (error) {
      void this.close();
      throw error;
    }
  }

  get file(): DatabaseFile {
    return this.#file;
  }

  /** Returns what the connection for lookups knows of the file. */
  knownContent(): KnownContent {
    const connection = this.#openConnection();
    const dataVersion = connection.dataVersion();
    using schema = connection.db.prepare<{ schema_version: number }, []>("PRAGMA schema_version");
    const schemaVersion = schema.get()!.schema_version;
    return { dataVersion, revision: connection.revision(), schemaVersion };
  }

  /**
   * Notes in the catalog that it has a token registry. During an import this is not possible; then a later call or the
   * next start does it.
   */
  noteRegistry(): void {
    if (this.#isRegistryNoted || this.#readonly || this.#importOnly || !this.tokens.isOpen) return;
    try {
      using db = connect(this.#file, NOTE_CACHE_KIB, 0);
      db.run("UPDATE catalog SET has_registry = 1 WHERE has_registry = 0");
      this.#isRegistryNoted = true;
    } catch (error) {
      if (!isBusy(error)) throw error;
    }
  }

  revision(): string {
    return this.#openConnection().revision();
  }

  readonly lookupTransaction: LookupTransaction = {
    begin: () => this.#openConnection().begin(),
    lastImportId: () => this.#openConnection().lastImportId(),
    end: () => this.#connection?.end(),
  };

  record(isbn: Isbn13, view: View = "record"): StoredRecord | undefined {
    return this.#openConnection().record(isbn, view);
  }

  snapshot(): Snapshot {
    return this.#snapshots.open();
  }

  search(request: SearchRequest): Promise<SearchResult> {
    return this.#searches.search(request);
  }

  facets(request: FacetRequest): Promise<Facets> {
    return this.#searches.facets(request);
  }

  quality(): Promise<CatalogQuality> {
    return this.#searches.quality();
  }

  load(): StoreLoad {
    return { ...this.#snapshots.load, fileBytes: bytesOf(this.#path), logBytes: logBytes(this.#path) };
  }

  stats(): Stats {
    return this.#stats.read(this.#openConnection().db);
  }

  async beginImport(): Promise<ImportTransaction> {
    if (this.#readonly) {
      throw new StoreError(`${this.#path} is open for reading only; open it for writing to import into it.`);
    }
    const transaction = await beginImport({
      file: this.#file,
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

  async recordFailedImport(run: ImportRun, details?: ImportDetails): Promise<void> {
    if (this.#readonly || this.#isClosed) throw new StoreError(`${this.#path} is not open for writing.`);
    await recordImportRun(this.#file, run, details);
  }

  appliedFeeds(sha256s: readonly string[]): ReadonlyMap<string, number> {
    return readAppliedFeeds(this.#openConnection().db, sha256s);
  }

  readonly importHistory: ImportHistory = {
    list: (before, limit) => readImports(this.#openConnection().db, before, limit),
    get: (number) => readImport(this.#openConnection().db, number),
    originOf: (isbn) => readOrigin(this.#openConnection().db, isbn),
  };

  async beginPreview(): Promise<ImportPreview> {
    if (this.#isClosed) throw new Error("The store is closed");
    const reader = new SqliteCatalogReader(this.#file);
    const preview = new Preview(reader, (ended) => this.#previews.delete(ended));
    this.#previews.add(preview);
    return preview;
  }

  /** Closes the store of a file that was moved or deleted. A moved file then has all changes. */
  async leave(): Promise<void> {
    this.lookupTransaction.end();
    this.#snapshots.close("the file of the catalog was replaced or removed");
    if (this.#connection) moveLogIntoFile(this.#connection.db);
    await this.close();
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    for (const transaction of [...this.#imports, ...this.#previews]) await transaction.abort();
    this.#logKeeper?.stop();
    this.#snapshots.close();
    await this.#searches.close();
    this.tokens.close();
    this.#connection?.close();
  }

  #prepareRegistry(mode: RegistryMode): void {
    using row = this.#openConnection().db.prepare<{ has_registry: number }, []>(
      "SELECT has_registry FROM catalog",
    );
    this.#isRegistryNoted = row.get()!.has_registry === 1;
    if (mode === "new") this.tokens.create();
    else if (this.#isRegistryNoted) this.tokens.require();
    this.tokens.check();
    this.noteRegistry();
  }

  /** Opens the connection on the first lookup when the store was opened for an import only. */
  #openConnection(): LookupConnection {
    if (this.#connection === undefined) {
      if (this.#isClosed) throw new Error("The store is closed");
      this.#connection = new LookupConnection(connect(this.#file, CACHE_KIB), this.#recordIds);
    }
    return this.#connection;
  }
}
