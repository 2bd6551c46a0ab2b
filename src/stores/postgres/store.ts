/** A catalog on a PostgreSQL server. Any number of processes, on any number of machines, may read it. */
import { DamagedRecord, isIntact } from "../../catalog/damaged-record.ts";
import type { ImportTransaction, Stats, Store, StoredRecord } from "../../catalog/store.ts";
import type { Isbn13 } from "../../onix/isbn.ts";
import { DatabaseAddress, Pool } from "./connection.ts";
import { PostgresImportTransaction } from "./import/transaction.ts";
import { LookupBatcher } from "./lookup-batcher.ts";
import { type MigrationResult, migrate, requireCurrentSchema, schemaVersion } from "./migrate.ts";
import { arrayOfIsbns, isbnOf } from "./rows.ts";
import type { PostgresSnapshot } from "./snapshot.ts";
import { SnapshotPool } from "./snapshot-pool.ts";
import { PostgresTokenRegistry } from "./tokens.ts";

export interface PostgresOptions {
  /** Lets an import make the schema, or bring it up to date. */
  readonly create?: boolean;
  /** How long an import waits for another one, in milliseconds. */
  readonly importLockTimeoutMs?: number;
}

/** Connections for what is one question: records, tokens, the state. They are opened when they are needed. */
const CONNECTIONS = 4;
/** Queries of records that are under way at a time. */
const FLIGHTS = 3;

/** Connects with the first question. Whatever is asked fails with `StoreRefused` where a person must act. */
export function openPostgres(url: string, options: PostgresOptions = {}): Store {
  return new PostgresStore(new DatabaseAddress(url), options);
}

/** What `colophon migrate` does; an import does it by itself. */
export function migratePostgres(url: string): Promise<MigrationResult> {
  return migrate(new DatabaseAddress(url));
}

class PostgresStore implements Store {
  readonly tokens: PostgresTokenRegistry;
  readonly #place: DatabaseAddress;
  readonly #create: boolean;
  readonly #patience: number;
  readonly #questions: Pool;
  readonly #views: SnapshotPool;
  readonly #records: LookupBatcher<StoredRecord>;
  readonly #loads = new Set<PostgresImportTransaction>();
  #known = false;
  #closed = false;

  constructor(
    place: DatabaseAddress,
    { create = false, importLockTimeoutMs: patience = 60_000 }: PostgresOptions,
  ) {
    this.#place = place;
    this.#create = create;
    this.#patience = patience;
    this.#questions = new Pool(place, CONNECTIONS);
    this.#views = new SnapshotPool(place, async () => (await this.#state()).generation);
    this.#records = new LookupBatcher(FLIGHTS, (isbns) => this.#recordsOf(isbns));
    this.tokens = new PostgresTokenRegistry(this.#questions, () => this.#ready());
  }

  async revision(): Promise<string> {
    return (await this.#state()).revision;
  }

  /** Checked here and not where records are gathered: a damaged one is no failure of those asked for with it. */
  async record(isbn: Isbn13): Promise<StoredRecord | undefined> {
    const record = await this.#records.get(isbn);
    if (record && !isIntact(record)) throw new DamagedRecord(isbn);
    return record;
  }

  async snapshot(): Promise<PostgresSnapshot> {
    await this.#ready();
    return await this.#views.open();
  }

  async stats(): Promise<Stats> {
    await this.#ready();
    const [row] = await this.#ask<StatsRow>(
      `SELECT revision, records, imported, (SELECT count(DISTINCT slug) FROM colophon.imprint) AS imprints
       FROM colophon.catalog`,
    );
    const { revision, records, imported, imprints } = row!;
    return {
      revision,
      records: Number(records),
      imprints: Number(imprints),
      imported: imported ?? undefined,
    };
  }

  async beginImport(): Promise<ImportTransaction> {
    if (this.#create) await migrate(this.#place);
    else await this.#ready();
    const load = await PostgresImportTransaction.begin(this.#place, this.#patience, (ended) =>
      this.#loads.delete(ended),
    );
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
    await this.#questions.close();
  }

  async #recordsOf(isbns: readonly string[]): Promise<ReadonlyMap<string, StoredRecord>> {
    if (!this.#known) await this.#ready();
    // A lookup that is alone has a plan of its own: it is a third faster than an array of one.
    const rows =
      isbns.length === 1
        ? await this.#ask<RecordRow>("SELECT isbn, etag, body FROM colophon.record WHERE isbn = $1::bigint", [
            isbns[0]!,
          ])
        : await this.#ask<RecordRow>(
            "SELECT isbn, etag, body FROM colophon.record WHERE isbn = ANY ($1::bigint[])",
            [arrayOfIsbns(isbns)],
          );
    return new Map(rows.map(({ isbn, etag, body }) => [isbnOf(isbn), { etag, body }]));
  }

  async #state(): Promise<{ generation: string; revision: string }> {
    await this.#ready();
    const sql = "SELECT generation, revision FROM colophon.catalog WHERE id = $1";
    return (await this.#ask<{ generation: string; revision: string }>(sql, [1]))[0]!;
  }

  #ask<Row>(text: string, values: readonly string[] | readonly number[] = []): Promise<Row[]> {
    return this.#questions.query((sql) => sql.unsafe<Row[]>(text, [...values]));
  }

  /** Once it is known that this program can read the schema, it is not asked again. */
  async #ready(): Promise<void> {
    if (this.#known) return;
    requireCurrentSchema(await this.#questions.query(schemaVersion), String(this.#place));
    this.#known = true;
  }
}

interface RecordRow extends StoredRecord {
  readonly isbn: string;
}

interface StatsRow {
  readonly revision: string;
  readonly records: string;
  readonly imprints: string;
  readonly imported: string | null;
}
