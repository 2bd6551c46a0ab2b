import type { ReservedSQL, SQL } from "bun";
import { StoreError } from "../../../catalog/store-error.ts";
import { type DatabaseAddress, withQueryTimeout } from "../connection.ts";
import { codeOf, toStoreError } from "../errors.ts";
import * as statements from "./statements.ts";

export interface CatalogRow {
  readonly revision: string;
  readonly records: string;
}

export type QueryValues = readonly (string | number | readonly string[])[];

/** Runs a query on one of the two connections. */
export type RunQuery = <Row>(text: string, values: QueryValues) => Promise<Row[]>;

/**
 * The two connections of an import. The writing one runs its tasks one after the other, in one transaction. The reading
 * one sees the catalog as it was before the import, as only one import runs at a time. It reads the records that the
 * import has not changed, while the last batch is still being written.
 */
export class ImportConnection {
  readonly catalog: CatalogRow;
  readonly #address: DatabaseAddress;
  readonly #pools: readonly SQL[];
  readonly #writing: ReservedSQL;
  readonly #reading: ReservedSQL;
  #lastTask: Promise<unknown> = Promise.resolve();
  #error: unknown;
  #hasEnded = false;

  private constructor(
    address: DatabaseAddress,
    pools: readonly SQL[],
    writing: ReservedSQL,
    reading: ReservedSQL,
    catalog: CatalogRow,
  ) {
    this.#address = address;
    this.#pools = pools;
    this.#writing = writing;
    this.#reading = reading;
    this.catalog = catalog;
  }

  /** Begins both transactions. Waits for another import up to the timeout. */
  static async begin(address: DatabaseAddress, lockTimeoutMs: number): Promise<ImportConnection> {
    const pools = [address.connect(1), address.connect(1)] as const;
    try {
      const writing = await withQueryTimeout(pools[0].reserve(), address);
      await writing.unsafe(`${statements.BEGIN}; SET LOCAL lock_timeout = ${Math.max(1, lockTimeoutMs)}`);
      const [catalog] = await writing.unsafe<[CatalogRow]>(statements.LOCK);
      await writing.unsafe(statements.CREATE_TABLES);
      const reading = await withQueryTimeout(pools[1].reserve(), address);
      await reading.unsafe(statements.BEGIN_READING);
      return new ImportConnection(address, pools, writing, reading, catalog);
    } catch (error) {
      await closeAll(pools);
      // 55P03: the lock_timeout has expired.
      if (codeOf(error) !== "55P03") throw toStoreError(error, String(address));
      throw new StoreError(
        `Another import into ${address} is running; start this one again when it has ended.`,
      );
    }
  }

  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  /** Resolves when the tasks so far have succeeded or failed. */
  get idle(): Promise<void> {
    return this.#lastTask.then(() => {});
  }

  /** Throws when the import has failed or ended. */
  requireOpen(): void {
    if (this.#error !== undefined) throw this.#error;
    if (this.#hasEnded) throw new Error("The import has ended");
  }

  /** Runs a task on the writing connection, after the tasks so far. An error also fails every later call. */
  async run<T>(task: (connection: ReservedSQL) => Promise<T>): Promise<T> {
    const result = this.#lastTask.then(() => {
      if (this.#error !== undefined) throw this.#error;
      return task(this.#writing);
    });
    this.#lastTask = result.catch((error) => this.#fail(error));
    try {
      return await result;
    } catch {
      throw this.#error;
    }
  }

  /** Queries the catalog as it was before the import. */
  async queryBefore<Row>(text: string, values: QueryValues): Promise<Row[]> {
    try {
      return await this.#reading.unsafe<Row[]>(text, [...values]);
    } catch (error) {
      this.#fail(error);
      throw this.#error;
    }
  }

  async commit(): Promise<void> {
    const { command } = await this.run((connection) => connection.unsafe("COMMIT"));
    // PostgreSQL responds with ROLLBACK when a statement of the transaction has failed.
    if (command !== "COMMIT") throw new Error("The import was rolled back");
  }

  /** Runs a statement after the commit. Its failure is ignored. */
  async runAfterCommit(statement: string): Promise<void> {
    await this.#writing.unsafe(statement).catch(() => {});
  }

  /** Rolls back. `abortCopy` ends a COPY that occupies the connection. */
  async rollback(abortCopy: () => Promise<void>): Promise<void> {
    this.#hasEnded = true;
    await this.#lastTask;
    // If the connection is lost, the server has rolled back already.
    await abortCopy().catch(() => {});
    await this.#writing.unsafe("ROLLBACK").catch(() => {});
  }

  async close(): Promise<void> {
    this.#hasEnded = true;
    await closeAll(this.#pools);
  }

  #fail(error: unknown): void {
    this.#error ??= toStoreError(error, String(this.#address));
  }
}

async function closeAll(pools: readonly SQL[]): Promise<void> {
  for (const pool of pools) await pool.close({ timeout: 0 }).catch(() => {});
}
