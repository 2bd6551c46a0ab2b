/** The store on a PostgreSQL server. Any number of processes, on any number of machines, can read it. */

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
  ImportSteps,
  ImportTransaction,
  Stats,
  Store,
  StoredRecord,
  View,
} from "../../catalog/store.ts";
import type { StoreLoad } from "../../catalog/store-load.ts";
import type { SubjectStore } from "../../catalog/subjects/subject-labels.ts";
import type { KeepUndo } from "../../catalog/undo/undo-step.ts";
import type { Day } from "../../onix/date.ts";
import type { Isbn13 } from "../../onix/isbn.ts";
import type { Migration, OnPlan } from "../format.ts";
import { type AppliedFeedRow, appliedFeedsFromRows, type ImportRunRow } from "../history-rows.ts";
import { Preview } from "../preview/preview.ts";
import { PostgresCatalogReader } from "./catalog-reader.ts";
import { COMMAND_TIMEOUT_MS, DatabaseAddress, SERVICE_TIMEOUT_MS } from "./connection.ts";
import { alteredSchema } from "./errors.ts";
import {
  APPLIED_FEEDS,
  addImportRun,
  LAST_RUNS,
  lastImports,
  readImport,
  readImports,
  readOrigin,
} from "./history/import-runs.ts";
import { LATEST } from "./history/undo-log.ts";
import { IMPORT_DEADLINES, type ImportDeadlines } from "./import/session.ts";
import { type ImportSettings, PostgresImportTransaction } from "./import/transaction.ts";
import { createCatalog, migrate, requireCurrentFormat, storedFormat } from "./migrate.ts";
import { RecordLookups } from "./record-lookups.ts";
import { PostgresSearch, type SearchLimits } from "./search/search.ts";
import { Pool } from "./session/pool.ts";
import { type CatalogVersion, statement, VERSION_ONLY } from "./session/statement.ts";
import type { PostgresSnapshot } from "./snapshots/snapshot.ts";
import { SnapshotPool } from "./snapshots/snapshot-pool.ts";
import { subjectStore } from "./subjects.ts";
import { PostgresTokenRegistry } from "./tokens.ts";

export interface PostgresOptions {
  /** Allows an import to create the catalog. */
  readonly create?: boolean;
  /** How long an import waits for another one. Default: 60 seconds. */
  readonly importLockTimeoutMs?: number;
  /** Default: `IMPORT_DEADLINES`. Tests set shorter ones. */
  readonly importDeadlines?: ImportDeadlines;
  /** Called when the response to a commit was lost, and the import was found to be applied. */
  readonly onCommitFound?: () => void;
  /** How long a snapshot holds its state while imports go on. Default: `SNAPSHOT_HOLD_MS`. */
  readonly snapshotHoldMs?: number;
  /** True for a command, whose queries may take longer than those of a service: see `COMMAND_TIMEOUT_MS`. */
  readonly isCommand?: boolean;
  /** How long a query may take. Tests on busy machines set more. */
  readonly queryTimeoutMs?: number;
  /** Tests set other ones. */
  readonly searchLimits?: Partial<SearchLimits>;
}

/** The connections for single queries: lookups, tokens, the revision. They are opened on demand. */
const POOL_CONNECTIONS = 4;
const STATS = statement(`SELECT revision, records, imported,
  (SELECT count(DISTINCT slug) FROM colophon.imprint) AS imprints FROM colophon.catalog`);

/** Connects at the first call of a member. Members reject with `StoreError` when an operator must act. */
export function openPostgres(url: string, options: PostgresOptions = {}): Store {
  const timeoutMs = options.isCommand ? COMMAND_TIMEOUT_MS : SERVICE_TIMEOUT_MS;
  return new PostgresStore(new DatabaseAddress(url, options.queryTimeoutMs ?? timeoutMs), options);
}

/** Creates the catalog where there is none. Rejects with `StoreError` when there is one of another format. */
export function createPostgres(url: string): Promise<boolean> {
  return createCatalog(new DatabaseAddress(url));
}

/** Creates or migrates the catalog, as `colophon migrate` does. */
export function migratePostgres(url: string, onPlan?: OnPlan): Promise<readonly Migration[]> {
  return migrate(new DatabaseAddress(url), onPlan);
}

class PostgresStore implements Store {
  readonly lookupTransaction = undefined;
  readonly tokens: PostgresTokenRegistry;
  readonly subjects: SubjectStore;
  readonly #address: DatabaseAddress;
  readonly #create: boolean;
  readonly #importSettings: ImportSettings;
  readonly #pool: Pool;
  readonly #search: PostgresSearch;
  readonly #snapshots: SnapshotPool;
  readonly #records: RecordLookups;
  /** The imports and previews that run. Closing the store discards them. */
  readonly #imports = new Set<Pick<ImportSteps, "abort">>();
  /** The number of the last import, when it was rolled back: its run in the history gets it. */
  #unusedNumber: number | undefined;
  #isFormatChecked = false;
  #isClosed = false;

  constructor(address: DatabaseAddress, options: PostgresOptions) {
    this.#address = address;
    this.#create = options.create ?? false;
    this.#importSettings = {
      lockTimeoutMs: options.importLockTimeoutMs ?? 60_000,
      deadlines: options.importDeadlines ?? IMPORT_DEADLINES,
      onCommitFound: options.onCommitFound ?? (() => {}),
    };
    this.#pool = new Pool(address, POOL_CONNECTIONS, () => this.#checkFormat());
    this.#search = new PostgresSearch(address, this.#pool, options.searchLimits);
    this.#snapshots = new SnapshotPool({
      address,
      pool: this.#pool,
      currentVersion: () => this.#catalogVersion(),
      holdMs: options.snapshotHoldMs,
    });
    this.#records = new RecordLookups(this.#pool);
    this.tokens = new PostgresTokenRegistry(this.#pool);
    this.subjects = subjectStore(this.#pool);
  }

  async revision(): Promise<string> {
    return (await this.#catalogVersion()).revision;
  }

  async record(isbn: Isbn13, view: View = "record"): Promise<StoredRecord | undefined> {
    return await this.#records.get(isbn, view);
  }

  async snapshot(): Promise<PostgresSnapshot> {
    await this.#checkFormat();
    return await this.#snapshots.open();
  }

  async search(request: SearchRequest, client?: SearchClient): Promise<SearchResult> {
    await this.#checkFormat();
    return await this.#search.search(request, client);
  }

  async correct(query: SearchQuery, client?: SearchClient): Promise<Correction> {
    await this.#checkFormat();
    return await this.#search.correct(query, client);
  }

  async facets(request: FacetRequest, client?: SearchClient): Promise<Facets> {
    await this.#checkFormat();
    return await this.#search.facets(request, client);
  }

  async quality(from?: Day, client?: SearchClient): Promise<CatalogQuality> {
    await this.#checkFormat();
    return await this.#search.quality(from, client);
  }

  async stats(): Promise<Stats> {
    const [row] = await this.#pool.query<StatsRow>(STATS);
    if (!row) throw this.#noCatalogRow();
    return {
      revision: row.revision,
      records: Number(row.records),
      imprints: Number(row.imprints),
      imported: row.imported ?? undefined,
      ...lastImports(await this.#pool.query<ImportRunRow>(statement(LAST_RUNS))),
    };
  }

  load(): StoreLoad {
    return {
      openLists: this.#snapshots.openSnapshots,
      oldestListMs: this.#snapshots.oldestMs,
      poolConnections: this.#pool.connections + this.#snapshots.connections + this.#search.connections,
    };
  }

  async beginImport(keepUndo?: KeepUndo): Promise<ImportTransaction> {
    this.#unusedNumber = undefined;
    if (this.#create && !this.#isFormatChecked) {
      await createCatalog(this.#address);
      this.#isFormatChecked = true;
    } else await this.#checkFormat();
    const transaction = await PostgresImportTransaction.begin(
      this.#address,
      { ...this.#importSettings, keepUndo },
      (ended) => {
        this.#imports.delete(ended);
        this.#unusedNumber = ended.unusedNumber;
      },
    );
    this.#imports.add(transaction);
    if (!this.#isClosed) return transaction;
    await transaction.abort();
    throw new Error("The store is closed");
  }

  async recordFailedImport(run: ImportRun, details?: ImportDetails): Promise<void> {
    await this.#checkFormat();
    const number = this.#unusedNumber;
    this.#unusedNumber = undefined;
    await this.#pool.withSession((session) => session.run((sql) => addImportRun(sql, run, details, number)));
  }

  async appliedFeeds(sha256s: readonly string[]): Promise<ReadonlyMap<string, number>> {
    const rows = await this.#pool.query<AppliedFeedRow>(statement(APPLIED_FEEDS), [sha256s]);
    return appliedFeedsFromRows(rows);
  }

  readonly importHistory: ImportHistory = {
    list: (before, limit, filter) => readImports(this.#pool, before, limit, filter),
    get: (number) => readImport(this.#pool, number),
    latest: async () => (await this.#pool.query<{ state: number }>(statement(LATEST)))[0]?.state ?? 0,
    originOf: (isbn) => readOrigin(this.#pool, isbn),
  };

  async beginPreview(): Promise<ImportPreview> {
    await this.#checkFormat();
    const reader = await PostgresCatalogReader.open(this.#address);
    const preview = new Preview(reader, (ended) => this.#imports.delete(ended));
    this.#imports.add(preview);
    if (!this.#isClosed) return preview;
    await preview.abort();
    throw new Error("The store is closed");
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    for (const running of [...this.#imports]) await running.abort();
    this.#snapshots.close();
    await this.#search.close();
    await this.#pool.close();
  }

  async #catalogVersion(): Promise<CatalogVersion> {
    const { version } = await this.#pool.execute(VERSION_ONLY);
    if (!version) throw this.#noCatalogRow();
    return version;
  }

  #noCatalogRow(): Error {
    return alteredSchema(String(this.#address), "colophon.catalog has no row");
  }

  /** Rejects with `StoreError` unless the catalog has the current format. A success is remembered. */
  async #checkFormat(): Promise<void> {
    if (this.#isFormatChecked) return;
    requireCurrentFormat(await this.#pool.withSession(storedFormat), this.#address);
    this.#isFormatChecked = true;
  }
}

interface StatsRow {
  readonly revision: string;
  readonly records: string;
  readonly imprints: string;
  readonly imported: string | null;
}
