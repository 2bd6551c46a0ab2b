import { type ImportSteps, SNAPSHOT_HOLD_MS } from "../../catalog/store.ts";
import { connect, type DatabaseFile, moveLogIntoFile, openDatabase } from "./connection.ts";
import { isBusy } from "./errors.ts";
import type { AccessOptions } from "./file-access.ts";
import { LogKeeper } from "./log/log-keeper.ts";
import { LookupConnection } from "./lookups/lookup-connection.ts";
import { RecordIds } from "./lookups/record-ids.ts";
import type { KnownContent } from "./replacement/overwrite-detector.ts";
import { CATALOG } from "./schema.ts";
import { type SearchThreadOptions, SearchThreads } from "./search/search-threads.ts";
import { SnapshotPool } from "./snapshots/snapshot-pool.ts";
import { SqliteTokenRegistry } from "./tokens.ts";

export interface CatalogOptions {
  /** Creates the file and its folder when they do not exist. */
  readonly create?: boolean;
  readonly readonly?: boolean;
  /** See `AccessOptions`. */
  readonly onReadonly?: AccessOptions["onReadonly"];
  /**
   * Opens the store for one import and nothing else. If the catalog is empty and in use by nobody, the import locks
   * the file until its end and takes half the time.
   */
  readonly importOnly?: boolean;
  /** How long a snapshot can be read whatever imports do. Default: SNAPSHOT_HOLD_MS. */
  readonly snapshotHoldMs?: number;
  /** Tests set other ones. */
  readonly searchLimits?: Partial<SearchThreadOptions>;
  /** Truncates the write-ahead log when a reader that held it has left. One process per file is enough. */
  readonly truncatesLog?: boolean;
  /** See `RegistryMode`. When omitted, a missing registry has no tokens. */
  readonly registry?: RegistryMode | undefined;
}

/**
 * `required` refuses a catalog that had a token registry, and has it no longer. `new` creates an empty registry
 * instead.
 */
type RegistryMode = "required" | "new";

/**
 * For lookups of single records: as much as the processor's own cache holds. A page that is read into memory which the
 * processor has to fetch first costs 2 µs more. Popular records are in the response cache, and ids in `RecordIds`.
 */
const CACHE_KIB = 1024;
/** For a connection that changes one row. */
const NOTE_CACHE_KIB = 256;

/** A file that is open, with all that reads it: a store that follows its path has one after the other. */
export class OpenCatalog {
  readonly file: DatabaseFile;
  readonly tokens: SqliteTokenRegistry;
  readonly snapshots: SnapshotPool;
  readonly searches: SearchThreads;
  /** The imports and previews that run. Closing the file discards them. */
  readonly imports = new Set<Pick<ImportSteps, "abort">>();
  readonly #isWritable: boolean;
  readonly #logKeeper: LogKeeper | undefined;
  readonly #recordIds = new RecordIds();
  #connection: LookupConnection | undefined;
  #isRegistryNoted = false;
  #isClosed = false;

  /** Throws `StoreError` when the file has a problem that an operator must solve. */
  constructor(path: string, options: CatalogOptions) {
    const { create = false, readonly = false, importOnly = false, onReadonly } = options;
    const { db, file } = openDatabase(path, CATALOG, { create, readonly, onReadonly }, CACHE_KIB);
    if (importOnly) db.close(true);
    else this.#connection = new LookupConnection(db, this.#recordIds);
    // The last connection removes the log when it is closed.
    this.file = importOnly ? { ...file, log: undefined } : file;
    this.#isWritable = file.access === "write" && !importOnly;
    this.snapshots = new SnapshotPool({
      file: this.file,
      dataVersion: () => this.connection.dataVersion(),
      recordIds: this.#recordIds,
      holdMs: options.snapshotHoldMs ?? SNAPSHOT_HOLD_MS,
    });
    this.searches = new SearchThreads(this.file, options.searchLimits);
    this.#logKeeper = options.truncatesLog && this.#isWritable ? new LogKeeper(this.file) : undefined;
    this.tokens = new SqliteTokenRegistry(`${path}.tokens`, {
      readonly: file.access !== "write",
      onOpen: () => this.noteRegistry(),
    });
    try {
      if (options.registry !== undefined) this.#prepareRegistry(options.registry);
    } catch (error) {
      void this.close();
      throw error;
    }
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Opened on the first lookup when the store was opened for an import only. */
  get connection(): LookupConnection {
    if (this.#connection === undefined) {
      if (this.#isClosed) throw new Error("The store is closed");
      this.#connection = new LookupConnection(connect(this.file, CACHE_KIB), this.#recordIds);
    }
    return this.#connection;
  }

  /** Does nothing when no lookup transaction is open. */
  endLookups(): void {
    this.#connection?.end();
  }

  /** Undefined when the store was opened for an import only. */
  freePageBytes(): number | undefined {
    const sql = "SELECT freelist_count * page_size AS bytes FROM pragma_freelist_count, pragma_page_size";
    using row = this.#connection?.db.prepare<{ bytes: number }, []>(sql);
    return row?.get()?.bytes;
  }

  /** Returns what the connection for lookups knows of the file. */
  knownContent(): KnownContent {
    const dataVersion = this.connection.dataVersion();
    using schema = this.connection.db.prepare<{ schema_version: number }, []>("PRAGMA schema_version");
    const schemaVersion = schema.get()!.schema_version;
    return { dataVersion, revision: this.connection.revision(), schemaVersion };
  }

  /**
   * Notes in the catalog that it has a token registry. During an import this is not possible; then a later call or the
   * next start does it.
   */
  noteRegistry(): void {
    if (this.#isRegistryNoted || !this.#isWritable || !this.tokens.isOpen) return;
    try {
      using db = connect(this.file, NOTE_CACHE_KIB, 0);
      db.run("UPDATE catalog SET has_registry = 1 WHERE has_registry = 0");
      this.#isRegistryNoted = true;
    } catch (error) {
      if (!isBusy(error)) throw error;
    }
  }

  /** Closes a file that was moved or deleted. A moved file then has all changes. */
  async leave(): Promise<void> {
    this.endLookups();
    this.snapshots.close("the file of the catalog was replaced or removed");
    if (this.#connection) moveLogIntoFile(this.#connection.db);
    await this.close();
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    for (const running of [...this.imports]) await running.abort();
    this.#logKeeper?.stop();
    this.snapshots.close();
    await this.searches.close();
    this.tokens.close();
    this.#connection?.close();
  }

  #prepareRegistry(mode: RegistryMode): void {
    const sql = "SELECT has_registry FROM catalog";
    using row = this.connection.db.prepare<{ has_registry: number }, []>(sql);
    this.#isRegistryNoted = row.get()!.has_registry === 1;
    if (mode === "new") this.tokens.create();
    else if (this.#isRegistryNoted) this.tokens.require();
    this.tokens.check();
    this.noteRegistry();
  }
}
