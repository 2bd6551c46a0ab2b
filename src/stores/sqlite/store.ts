/** The embedded store: a SQLite file, with the token registry in a second file. Several processes can have it open. */

import { resolve } from "node:path";
import type { ImportDetails } from "../../catalog/history/import-details.ts";
import type { ImportHistory } from "../../catalog/history/import-history.ts";
import type { ImportRun } from "../../catalog/import-run.ts";
import type { CatalogQuality } from "../../catalog/quality/catalog-quality.ts";
import type { SearchQuery } from "../../catalog/search/query.ts";
import type {
  Correction,
  FacetRequest,
  Facets,
  SearchClient,
  SearchRequest,
  SearchResult,
} from "../../catalog/search/search.ts";
import type {
  ImportPreview,
  ImportTransaction,
  LookupTransaction,
  Snapshot,
  Stats,
  Store,
  StoredRecord,
  View,
} from "../../catalog/store.ts";
import { StoreError } from "../../catalog/store-errors.ts";
import type { StoreLoad } from "../../catalog/store-load.ts";
import type { SubjectStore } from "../../catalog/subjects/subject-labels.ts";
import type { TokenRegistry } from "../../catalog/token-registry.ts";
import type { KeepUndo } from "../../catalog/undo/undo-step.ts";
import type { Day } from "../../onix/date.ts";
import type { Isbn13 } from "../../onix/isbn.ts";
import { Preview } from "../preview/preview.ts";
import { SqliteCatalogReader } from "./catalog-reader.ts";
import { freeBytesAt } from "./disk-space.ts";
import {
  readAppliedFeeds,
  readImport,
  readImports,
  readLastImports,
  readOrigin,
  recordImportRun,
} from "./history/import-runs.ts";
import { readLatest } from "./history/undo-log.ts";
import { beginImport } from "./import/connection.ts";
import { bytesOf, logBytes } from "./log/log-keeper.ts";
import { readSubjectDigests, readSubjects, replaceSubjects } from "./lookups/subjects.ts";
import { CatalogPath, type FollowOptions } from "./replacement/catalog-path.ts";

export interface SqliteOptions extends FollowOptions {
  /** How long an import waits for another one. Default: 60 seconds. */
  readonly importLockTimeoutMs?: number;
}

/** Throws `StoreError` when the file has a problem that an operator must solve. */
export function openSqlite(path: string, options: SqliteOptions = {}): Store {
  return new SqliteStore(resolve(path), options);
}

class SqliteStore implements Store {
  readonly #path: string;
  readonly #options: SqliteOptions;
  readonly #catalogs: CatalogPath;
  readonly #importLockTimeoutMs: number;
  /** The imprints that were last counted. */
  #imprints = { revision: "", count: 0 };

  constructor(path: string, options: SqliteOptions) {
    this.#path = path;
    this.#options = options;
    this.#importLockTimeoutMs = options.importLockTimeoutMs ?? 60_000;
    this.#catalogs = new CatalogPath(path, options);
  }

  revision(): string {
    return this.#catalogs.current().connection.revision();
  }

  readonly lookupTransaction: LookupTransaction = {
    begin: () => {
      const revision = this.#catalogs.current().connection.begin();
      this.#catalogs.hold();
      return revision;
    },
    lastImportId: () => this.#catalogs.current().connection.lastImportId(),
    subjectsVersion: () => this.#catalogs.current().connection.subjectsVersion(),
    end: () => this.#catalogs.endLookups(),
  };

  record(isbn: Isbn13, view: View = "record"): StoredRecord | undefined {
    return this.#catalogs.current().connection.record(isbn, view);
  }

  snapshot(): Snapshot {
    return this.#catalogs.current().snapshots.open();
  }

  async search(request: SearchRequest, client?: SearchClient): Promise<SearchResult> {
    return await this.#catalogs.current().searches.run({ kind: "search", request }, client);
  }

  async correct(query: SearchQuery, client?: SearchClient): Promise<Correction> {
    return await this.#catalogs.current().searches.run({ kind: "correct", query }, client);
  }

  async facets(request: FacetRequest, client?: SearchClient): Promise<Facets> {
    return await this.#catalogs.current().searches.run({ kind: "facets", request }, client);
  }

  async quality(from?: Day, client?: SearchClient): Promise<CatalogQuality> {
    return await this.#catalogs.current().searches.run({ kind: "quality", from }, client);
  }

  load(): StoreLoad {
    const { openCatalog } = this.#catalogs;
    if (openCatalog === undefined) return { openLists: 0 };
    return {
      ...openCatalog.snapshots.load,
      fileBytes: bytesOf(this.#path),
      logBytes: logBytes(this.#path),
      freePageBytes: openCatalog.freePageBytes(),
      diskFreeBytes: freeBytesAt(this.#path),
    };
  }

  stats(): Stats {
    const { db } = this.#catalogs.current().connection;
    using row = db.prepare<CatalogRow, [string]>(STATS);
    const { imported, imprints, ...catalog } = row.get(this.#imprints.revision)!;
    if (imprints !== null) this.#imprints = { revision: catalog.revision, count: imprints };
    const { count } = this.#imprints;
    return { ...catalog, imprints: count, imported: imported ?? undefined, ...readLastImports(db) };
  }

  readonly tokens: TokenRegistry = {
    add: (token) => this.#catalogs.current().tokens.add(token),
    list: () => this.#catalogs.current().tokens.list(),
    revoke: (id, at) => this.#catalogs.current().tokens.revoke(id, at),
    isRevoked: (id) => this.#catalogs.current().tokens.isRevoked(id),
  };

  async beginImport(keepUndo?: KeepUndo): Promise<ImportTransaction> {
    if (this.#catalogs.current().file.access !== "write") {
      throw new StoreError(`${this.#path} is open for reading only; open it for writing to import into it.`);
    }
    const catalog = this.#catalogs.current();
    const transaction = await beginImport({
      file: catalog.file,
      mayLockFile: this.#options.importOnly ?? false,
      timeoutMs: this.#importLockTimeoutMs,
      keepUndo,
      onEnd: (ended) => {
        catalog.imports.delete(ended);
        this.lookupTransaction.end();
      },
    });
    catalog.imports.add(transaction);
    if (!catalog.isClosed) return transaction;
    await transaction.abort();
    throw new Error("The store is closed");
  }

  async recordFailedImport(run: ImportRun, details?: ImportDetails): Promise<void> {
    const { file, isClosed } = this.#catalogs.current();
    if (this.#options.readonly || isClosed) throw new StoreError(`${this.#path} is not open for writing.`);
    await recordImportRun(file, run, details);
  }

  appliedFeeds(sha256s: readonly string[]): ReadonlyMap<string, number> {
    return readAppliedFeeds(this.#catalogs.current().connection.db, sha256s);
  }

  readonly importHistory: ImportHistory = {
    list: (before, limit, filter) =>
      readImports(this.#catalogs.current().connection.db, before, limit, filter),
    get: (number) => readImport(this.#catalogs.current().connection.db, number),
    latest: () => readLatest(this.#catalogs.current().connection.db),
    originOf: (isbn) => readOrigin(this.#catalogs.current().connection.db, isbn),
  };

  readonly subjects: SubjectStore = {
    digests: () => readSubjectDigests(this.#catalogs.current().connection.db),
    read: (language) => readSubjects(this.#catalogs.current().connection.db, language),
    replace: async (language, subjects) => {
      const { file, isClosed } = this.#catalogs.current();
      if (file.access !== "write" || isClosed) throw new StoreError(`${this.#path} is not open for writing.`);
      await replaceSubjects(file, this.#importLockTimeoutMs, language, subjects);
    },
  };

  async beginPreview(): Promise<ImportPreview> {
    const catalog = this.#catalogs.current();
    if (catalog.isClosed) throw new Error("The store is closed");
    const preview = new Preview(new SqliteCatalogReader(catalog.file), (ended) =>
      catalog.imports.delete(ended),
    );
    catalog.imports.add(preview);
    return preview;
  }

  close(): Promise<void> {
    return this.#catalogs.close();
  }
}

interface CatalogRow extends Pick<Stats, "revision" | "records"> {
  readonly imported: string | null;
  /** Null when the revision is the given one. */
  readonly imprints: number | null;
}

/**
 * The figures of a catalog. Metrics read them every few seconds, and counting 20,000 imprints takes 5 ms. The number of
 * imprints changes with the revision only, so it is counted once for each.
 */
const STATS = `SELECT revision, records, imported,
    CASE WHEN revision = ? THEN NULL ELSE (SELECT count(DISTINCT slug) FROM imprint) END AS imprints
  FROM catalog`;
