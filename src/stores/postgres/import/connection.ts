import type { ReservedSQL, SQL } from "bun";
import { StoreError } from "../../../catalog/store-error.ts";
import { type DatabaseAddress, withTimeout } from "../connection.ts";
import { codeOf, toStoreError } from "../errors.ts";
import * as say from "./statements.ts";

export interface CatalogRow {
  readonly revision: string;
  readonly records: string;
}

/**
 * The two connections of an import. One writes, a task after the other, and what it does is one transaction. The
 * other sees the catalog as it was before: as there is one import at a time, it stays so. What an import has not
 * spoken of is read there, while the last batch is still being written.
 */
export class ImportConnection {
  readonly catalog: CatalogRow;
  readonly #place: DatabaseAddress;
  readonly #pools: readonly SQL[];
  readonly #writing: ReservedSQL;
  readonly #reading: ReservedSQL;
  #work: Promise<unknown> = Promise.resolve();
  #failure: unknown;
  #ended = false;

  private constructor(
    place: DatabaseAddress,
    pools: readonly SQL[],
    writing: ReservedSQL,
    reading: ReservedSQL,
    catalog: CatalogRow,
  ) {
    this.#place = place;
    this.#pools = pools;
    this.#writing = writing;
    this.#reading = reading;
    this.catalog = catalog;
  }

  /** Waits for an import that is under way. */
  static async begin(place: DatabaseAddress, patience: number): Promise<ImportConnection> {
    const pools = [place.connect(1), place.connect(1)] as const;
    try {
      const writing = await withTimeout(pools[0].reserve(), place);
      await writing.unsafe(`${say.BEGIN}; SET LOCAL lock_timeout = ${Math.max(1, patience)}`);
      const [catalog] = await writing.unsafe<[CatalogRow]>(say.LOCK);
      await writing.unsafe(say.PREPARE);
      const reading = await withTimeout(pools[1].reserve(), place);
      await reading.unsafe(say.BEGIN_READING);
      return new ImportConnection(place, pools, writing, reading, catalog);
    } catch (error) {
      await closeAll(pools);
      // 55P03: lock_timeout.
      if (codeOf(error) !== "55P03") throw toStoreError(error, String(place));
      throw new StoreError(
        `Another import into ${place} is running; start this one again when it has ended.`,
      );
    }
  }

  get hasEnded(): boolean {
    return this.#ended;
  }

  /** Everything that is to be done so far has been done, or has failed. */
  get settled(): Promise<void> {
    return this.#work.then(() => {});
  }

  mustGoOn(): void {
    if (this.#failure !== undefined) throw this.#failure;
    if (this.#ended) throw new Error("The import has ended");
  }

  /** Behind whatever is under way. A failure is met by every later call as well. */
  async do<T>(task: (connection: ReservedSQL) => Promise<T>): Promise<T> {
    const mine = this.#work.then(() => {
      if (this.#failure !== undefined) throw this.#failure;
      return task(this.#writing);
    });
    this.#work = mine.catch((error) => this.#fail(error));
    try {
      return await mine;
    } catch {
      throw this.#failure;
    }
  }

  async askBefore<Row>(text: string, values: readonly string[]): Promise<Row[]> {
    try {
      return await this.#reading.unsafe<Row[]>(text, [...values]);
    } catch (error) {
      this.#fail(error);
      throw this.#failure;
    }
  }

  async commit(): Promise<void> {
    const { command } = await this.do((connection) => connection.unsafe("COMMIT"));
    // PostgreSQL answers so when the transaction had failed before.
    if (command !== "COMMIT") throw new Error("The import was rolled back");
  }

  /** What need not succeed, once the import stands. */
  async afterwards(statement: string): Promise<void> {
    await this.#writing.unsafe(statement).catch(() => {});
  }

  /** `stop` ends what keeps the connection. */
  async rollback(stop: () => Promise<void>): Promise<void> {
    this.#ended = true;
    await this.#work;
    // A connection that is lost has taken the transaction with it.
    await stop().catch(() => {});
    await this.#writing.unsafe("ROLLBACK").catch(() => {});
  }

  async close(): Promise<void> {
    this.#ended = true;
    await closeAll(this.#pools);
  }

  #fail(error: unknown): void {
    this.#failure ??= toStoreError(error, String(this.#place));
  }
}

async function closeAll(pools: readonly SQL[]): Promise<void> {
  for (const pool of pools) await pool.close({ timeout: 0 }).catch(() => {});
}
