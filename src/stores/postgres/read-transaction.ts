import type { DatabaseAddress } from "./connection.ts";
import type { DedicatedConnection, DedicatedConnections } from "./dedicated-connections.ts";
import { toStoreError } from "./errors.ts";

export type QueryValue = string | number | null | readonly string[];

/** The state of the catalog that a transaction reads. An import that changes a record increments the generation. */
export interface CatalogVersion {
  readonly generation: string;
  readonly revision: string;
}

export interface ReadTransactionOptions {
  readonly connections: DedicatedConnections;
  readonly address: DatabaseAddress;
  readonly onEnd: (transaction: ReadTransaction) => void;
}

/** A read transaction on a connection of its own, shared by snapshots of the same state. */
export class ReadTransaction {
  readonly generation: string;
  readonly revision: string;
  readonly #connection: DedicatedConnection;
  readonly #connections: DedicatedConnections;
  readonly #address: DatabaseAddress;
  readonly #onEnd: (transaction: ReadTransaction) => void;
  #readers = 0;
  #cursors = 0;
  #error: unknown;
  #hasEnded = false;

  private constructor(
    connection: DedicatedConnection,
    version: CatalogVersion,
    { connections, address, onEnd }: ReadTransactionOptions,
  ) {
    this.#connection = connection;
    this.generation = version.generation;
    this.revision = version.revision;
    this.#connections = connections;
    this.#address = address;
    this.#onEnd = onEnd;
  }

  static async open(options: ReadTransactionOptions): Promise<ReadTransaction> {
    try {
      const { connection, begun } = await options.connections.acquire(beginReadOnly);
      return new ReadTransaction(connection, begun, options);
    } catch (error) {
      throw toStoreError(error, String(options.address));
    }
  }

  get readers(): number {
    return this.#readers;
  }

  addReader(): void {
    this.#readers++;
  }

  /** Removes a reader. The last one ends the transaction, after the queries in flight. */
  removeReader(): void {
    this.#readers--;
    if (this.#readers === 0) this.end();
  }

  async query<Row>(text: string, values: readonly QueryValue[] = []): Promise<Row[]> {
    if (this.#error !== undefined) throw this.#error;
    if (this.#hasEnded) throw new Error("The snapshot is closed");
    try {
      return await this.#connection.query<Row[]>(text, values);
    } catch (error) {
      // Any error ends the transaction. A snapshot must not continue in another one, which has another state.
      this.#error ??= toStoreError(error, String(this.#address));
      this.end();
      throw this.#error;
    }
  }

  nextCursorName(): string {
    return `list_${++this.#cursors}`;
  }

  /** Ends the transaction. Lists that are still being read fail. */
  end(): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#onEnd(this);
    if (this.#error !== undefined) {
      this.#connection.close();
      return;
    }
    this.#connection.query("ROLLBACK").then(
      () => this.#connections.release(this.#connection),
      () => this.#connection.close(),
    );
  }
}

/** BEGIN alone fixes no state; the first SELECT does. Both are sent in one round trip. */
async function beginReadOnly(connection: DedicatedConnection): Promise<CatalogVersion> {
  const [, [version]] = await connection.query<[unknown, [CatalogVersion]]>(
    "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SELECT generation, revision FROM colophon.catalog",
  );
  return version;
}
