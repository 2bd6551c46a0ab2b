/**
 * A store for a service that runs for months: it follows the path of its catalog. SQLite goes on reading a file that
 * was moved or deleted, so a service would serve an old catalog for ever. Once a second, this store compares the open
 * files with those under their paths. While there is no usable file, all members throw `StoreError`.
 */

import { resolve } from "node:path";
import type { ImportDetails } from "../../../catalog/history/import-details.ts";
import type { ImportHistory } from "../../../catalog/history/import-history.ts";
import type { ImportRun } from "../../../catalog/import-run.ts";
import type { CatalogQuality } from "../../../catalog/quality/catalog-quality.ts";
import type { FacetRequest, Facets, SearchRequest, SearchResult } from "../../../catalog/search/search.ts";
import type {
  ImportPreview,
  ImportTransaction,
  LookupTransaction,
  Snapshot,
  Stats,
  Store,
  StoredRecord,
  View,
} from "../../../catalog/store.ts";
import { StoreError } from "../../../catalog/store-error.ts";
import type { StoreLoad } from "../../../catalog/store-load.ts";
import type { TokenRegistry } from "../../../catalog/token-registry.ts";
import type { Isbn13 } from "../../../onix/isbn.ts";
import { isInPlace } from "../connection.ts";
import { type SqliteOptions, SqliteStore } from "../store.ts";
import { identityOf } from "./file-identity.ts";
import { hasExpectedSize, OverwriteDetector } from "./overwrite-detector.ts";

/** Tells that the catalog cannot be served for a reason, or that it is served again. */
export type CatalogChange =
  | { readonly state: "lost"; readonly reason: string }
  | { readonly state: "opened"; readonly path: string };

export interface FollowingOptions extends SqliteOptions {
  readonly onChange?: ((change: CatalogChange) => void) | undefined;
  readonly checkIntervalMs?: number;
}

const CHECK_INTERVAL_MS = 1000;
/** The checks within which every process that serves an overwritten file has noticed it, and has closed the file. */
const CHECKS_TO_CLOSE = 3;

/** Throws `StoreError` as `openSqlite` does. */
export function openFollowingSqlite(path: string, options: FollowingOptions = {}): Store {
  return new FollowingStore(resolve(path), options);
}

class FollowingStore implements Store {
  readonly #path: string;
  readonly #options: FollowingOptions;
  readonly #checkIntervalMs: number;
  readonly #timer: Timer;
  #store: SqliteStore | undefined;
  #overwrites: OverwriteDetector;
  /** Is undefined unless the file was overwritten in place. */
  #reopenAtMs: number | undefined;
  /** Why the catalog cannot be served. */
  #problem: StoreError | undefined;
  /** The registry that was in use stays required, also by a catalog that does not know of it. */
  #hadRegistry = false;
  #isInTransaction = false;
  /** A check waits for the end of the transaction. */
  #isCheckDue = false;
  #isClosed = false;

  constructor(path: string, options: FollowingOptions) {
    this.#path = path;
    this.#options = options;
    this.#checkIntervalMs = options.checkIntervalMs ?? CHECK_INTERVAL_MS;
    this.#store = new SqliteStore(path, { ...options, registry: options.registry ?? "required" });
    this.#overwrites = detectorOf(this.#store);
    this.#timer = setInterval(() => this.#check(), this.#checkIntervalMs).unref();
  }

  readonly lookupTransaction: LookupTransaction = {
    begin: () => {
      const revision = this.#open().lookupTransaction.begin();
      this.#isInTransaction = true;
      return revision;
    },
    lastImportId: () => this.#open().lookupTransaction.lastImportId(),
    end: () => {
      this.#isInTransaction = false;
      this.#store?.lookupTransaction.end();
      if (!this.#isCheckDue) return;
      this.#isCheckDue = false;
      setImmediate(() => this.#check());
    },
  };

  readonly tokens: TokenRegistry = {
    add: (token) => this.#open().tokens.add(token),
    list: () => this.#open().tokens.list(),
    revoke: (id, at) => this.#open().tokens.revoke(id, at),
    isRevoked: (id) => this.#open().tokens.isRevoked(id),
  };

  revision(): string {
    return this.#open().revision();
  }

  record(isbn: Isbn13, view?: View): StoredRecord | undefined {
    return this.#open().record(isbn, view);
  }

  snapshot(): Snapshot {
    return this.#open().snapshot();
  }

  async search(request: SearchRequest): Promise<SearchResult> {
    return await this.#open().search(request);
  }

  async facets(request: FacetRequest): Promise<Facets> {
    return await this.#open().facets(request);
  }

  async quality(): Promise<CatalogQuality> {
    return await this.#open().quality();
  }

  load(): StoreLoad {
    return this.#store?.load() ?? { openLists: 0 };
  }

  stats(): Stats {
    return this.#open().stats();
  }

  async beginImport(): Promise<ImportTransaction> {
    return await this.#open().beginImport();
  }

  async recordFailedImport(run: ImportRun, details?: ImportDetails): Promise<void> {
    await this.#open().recordFailedImport(run, details);
  }

  appliedFeeds(sha256s: readonly string[]): ReadonlyMap<string, number> {
    return this.#open().appliedFeeds(sha256s);
  }

  readonly importHistory: ImportHistory = {
    list: (before, limit) => this.#open().importHistory.list(before, limit),
    get: (number) => this.#open().importHistory.get(number),
    originOf: (isbn) => this.#open().importHistory.originOf(isbn),
  };

  async beginPreview(): Promise<ImportPreview> {
    return await this.#open().beginPreview();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#timer);
    await this.#store?.close();
  }

  #open(): SqliteStore {
    if (this.#problem) throw this.#problem;
    return this.#store!;
  }

  #check(): void {
    if (this.#isClosed) return;
    // The lookups of an event-loop tick read one state (`api/freshness.ts`), so the store changes after the tick.
    if (this.#isInTransaction) this.#isCheckDue = true;
    else if (this.#store === undefined) this.#reopen();
    else if (!isInPlace(this.#store.file)) {
      this.#lose(
        this.#store,
        identityOf(this.#path) === undefined ? missing(this.#path) : replaced(this.#path),
      );
    } else if (this.#wasOverwritten()) {
      this.#reopenAtMs = performance.now() + CHECKS_TO_CLOSE * this.#checkIntervalMs;
      this.#lose(this.#store, overwritten(this.#path));
    } else this.#checkRegistry(this.#store);
  }

  #lose(store: SqliteStore, reason: StoreError): void {
    this.#store = undefined;
    this.#hadRegistry ||= store.tokens.isOpen;
    this.#report(reason);
    // A file must be closed before another one under its path is opened: both share the names of their logs.
    const closed = this.#reopenAtMs === undefined ? store.leave() : store.close();
    void closed.then(
      () => this.#check(),
      (error) => this.#report(error),
    );
  }

  #wasOverwritten(): boolean {
    try {
      return this.#overwrites.wasOverwritten();
    } catch {
      // The requests meet the same error, and report it.
      return false;
    }
  }

  #checkRegistry(store: SqliteStore): void {
    try {
      store.tokens.closeReplacedFile();
      store.tokens.check();
      store.noteRegistry();
      this.#resume();
    } catch (error) {
      this.#report(error);
    }
  }

  #reopen(): void {
    if (identityOf(this.#path) === undefined) {
      this.#report(missing(this.#path));
      return;
    }
    if (performance.now() < (this.#reopenAtMs ?? 0)) return;
    try {
      const fixed = { create: false, registry: "required" } as const;
      this.#store = new SqliteStore(this.#path, { ...this.#options, ...fixed });
      this.#overwrites = detectorOf(this.#store);
      if (this.#reopenAtMs !== undefined && !hasExpectedSize(this.#store.file)) {
        this.#lose(this.#store, overwritten(this.#path));
        return;
      }
      this.#reopenAtMs = undefined;
      if (this.#hadRegistry) this.#store.tokens.require();
      this.#checkRegistry(this.#store);
    } catch (error) {
      this.#report(error);
    }
  }

  #resume(): void {
    if (this.#problem === undefined) return;
    this.#problem = undefined;
    this.#options.onChange?.({ state: "opened", path: this.#path });
  }

  /** Reports a problem once. */
  #report(error: unknown): void {
    const problem = error instanceof StoreError ? error : new StoreError((error as Error).message);
    if (problem.message === this.#problem?.message) return;
    this.#problem = problem;
    this.#options.onChange?.({ state: "lost", reason: problem.message });
  }
}

function missing(path: string): StoreError {
  return new StoreError(`The catalog ${path} was moved or deleted; put a catalog there, and it is served.`);
}

function replaced(path: string): StoreError {
  return new StoreError(`The catalog ${path} was replaced; the new file is being opened.`);
}

function overwritten(path: string): StoreError {
  return new StoreError(
    `The catalog ${path} was overwritten while it was in use; it is opened again when all processes have closed it. Use mv instead of cp.`,
  );
}

function detectorOf(store: SqliteStore): OverwriteDetector {
  const detector = new OverwriteDetector(store.file, () => store.knownContent());
  // The first look is what later ones are compared with.
  detector.wasOverwritten();
  return detector;
}
