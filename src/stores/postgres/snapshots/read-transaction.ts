import { type DatabaseAddress, QueryTimeout } from "../connection.ts";
import { alteredSchema, toStoreError } from "../errors.ts";
import { Sessions } from "../session/pool.ts";
import { MAX_WAIT_TIMEOUTS, QueryQueue } from "../session/query-queue.ts";
import type { QueryValue, Session } from "../session/session.ts";
import { type CatalogVersion, type Result, type Statement, VERSION_ONLY } from "../session/statement.ts";

interface ReadTransactionOptions {
  readonly sessions: Sessions;
  readonly address: DatabaseAddress;
  readonly onEnd: (transaction: ReadTransaction) => void;
}

/** A read transaction on a session of its own, shared by snapshots of the same state. */
export class ReadTransaction {
  readonly version: CatalogVersion;
  readonly beganAtMs = performance.now();
  readonly #session: Session;
  readonly #sessions: Sessions;
  readonly #address: DatabaseAddress;
  readonly #queue: QueryQueue;
  readonly #onEnd: (transaction: ReadTransaction) => void;
  #readers = 0;
  #error: unknown;
  #hasEnded = false;

  private constructor(
    session: Session,
    version: CatalogVersion,
    { sessions, address, onEnd }: ReadTransactionOptions,
  ) {
    this.#session = session;
    this.version = version;
    this.#sessions = sessions;
    this.#address = address;
    this.#queue = new QueryQueue(1, String(address), MAX_WAIT_TIMEOUTS * address.queryTimeoutMs);
    this.#onEnd = onEnd;
  }

  /** Begins a transaction on a connection of its own, which ends with it. */
  static async open(address: DatabaseAddress): Promise<ReadTransaction> {
    const sessions = new Sessions(address, 0);
    try {
      return await ReadTransaction.begin(await sessions.acquire(), { sessions, address, onEnd: () => {} });
    } catch (error) {
      throw toStoreError(error, String(address));
    }
  }

  /** Begins a transaction on the session, and discards the session when that fails. */
  static async begin(session: Session, options: ReadTransactionOptions): Promise<ReadTransaction> {
    try {
      const version = await beginReadOnly(session, String(options.address));
      return new ReadTransaction(session, version, options);
    } catch (error) {
      options.sessions.discard(session);
      throw error;
    }
  }

  get readers(): number {
    return this.#readers;
  }

  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  addReader(): void {
    this.#readers++;
  }

  /** Removes a reader. The last one ends the transaction, after the queries in flight. */
  removeReader(): void {
    this.#readers--;
    if (this.#readers === 0) this.end();
  }

  async query<Row>(statement: Statement, values: readonly QueryValue[] = []): Promise<Row[]> {
    return (await this.execute<Row>(statement, values)).rows;
  }

  async execute<Row>(statement: Statement, values: readonly QueryValue[] = []): Promise<Result<Row>> {
    return await this.#queue.run(async () => {
      if (this.#error !== undefined) throw this.#error;
      if (this.#hasEnded) throw new Error("The snapshot is closed");
      try {
        return await this.#session.execute<Row>(statement, values);
      } catch (error) {
        // Any error ends the transaction: what comes after it would read another state.
        this.#error ??= toStoreError(error, String(this.#address));
        if (error instanceof QueryTimeout) this.#queue.rejectWaiting(this.#error);
        this.end();
        throw this.#error;
      }
    });
  }

  end(): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#onEnd(this);
    if (this.#error !== undefined) {
      this.#sessions.discard(this.#session);
      return;
    }
    this.#queue
      .run(() => this.#session.run((sql) => sql.unsafe("ROLLBACK")))
      .then(
        () => this.#sessions.release(this.#session),
        () => this.#sessions.discard(this.#session),
      );
  }
}

/** BEGIN alone fixes no state; the first SELECT does. Both are sent without waiting in between. */
async function beginReadOnly(session: Session, address: string): Promise<CatalogVersion> {
  const begin = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY";
  const [, { version }] = await Promise.all([
    session.run((sql) => sql.unsafe(begin)),
    session.execute(VERSION_ONLY, []),
  ]);
  if (!version) throw alteredSchema(address, "colophon.catalog has no row");
  return version;
}
