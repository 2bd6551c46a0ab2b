import { type DatabaseAddress, QueryTimeout } from "../connection.ts";
import { toStoreError } from "../errors.ts";
import { MAX_WAIT_TIMEOUTS, QueryQueue } from "./query-queue.ts";
import { type QueryValue, Session } from "./session.ts";
import type { Result, Statement } from "./statement.ts";

/** Sessions for single statements, each a transaction of its own. */
export class Pool {
  readonly #address: DatabaseAddress;
  readonly #sessions: Sessions;
  readonly #queue: QueryQueue;
  readonly #ready: () => Promise<void>;
  #isClosed = false;

  /** `ready` is called before each statement. It rejects when the schema is not the current one. */
  constructor(address: DatabaseAddress, maxConnections: number, ready = async () => {}) {
    this.#address = address;
    this.#ready = ready;
    this.#sessions = new Sessions(address, maxConnections);
    this.#queue = new QueryQueue(maxConnections, String(address), MAX_WAIT_TIMEOUTS * address.queryTimeoutMs);
  }

  get connections(): number {
    return this.#sessions.count;
  }

  async query<Row>(statement: Statement, values: readonly QueryValue[] = []): Promise<Row[]> {
    return (await this.execute<Row>(statement, values)).rows;
  }

  async execute<Row>(
    statement: Statement,
    values: readonly QueryValue[] = [],
    timeoutMs?: number,
  ): Promise<Result<Row>> {
    await this.#ready();
    return await this.withSession((session) => session.execute<Row>(statement, values, timeoutMs));
  }

  /** Runs a task on a session that nothing else uses meanwhile. Throws `StoreError` when an operator must act. */
  async withSession<T>(task: (session: Session) => Promise<T>): Promise<T> {
    if (this.#isClosed) throw new Error("The store is closed");
    return await this.#queue.run(() => this.#run(task));
  }

  async #run<T>(task: (session: Session) => Promise<T>): Promise<T> {
    let session: Session | undefined;
    try {
      session = await this.#sessions.acquire();
      const result = await task(session);
      this.#sessions.release(session);
      return result;
    } catch (error) {
      if (session) this.#sessions.discard(session);
      const storeError = toStoreError(error, String(this.#address));
      if (error instanceof QueryTimeout) this.#discardUnresponsive(storeError);
      throw storeError;
    }
  }

  /**
   * A connection can die unnoticed (an unplugged cable, a NAT table, a machine without power), and only the timeout
   * reveals it. The idle connections are then most likely dead too.
   */
  #discardUnresponsive(error: unknown): void {
    this.#sessions.closeIdle();
    this.#queue.rejectWaiting(error);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#sessions.close();
  }
}

/**
 * Opens sessions on demand and keeps some of them for their next use. They do not come from a pool of Bun's client: that
 * opens all of its connections when a few are requested at once, and does not tell which one a query uses.
 */
export class Sessions {
  readonly #address: DatabaseAddress;
  readonly #maxIdle: number;
  readonly #idle: Session[] = [];
  #acquired = 0;
  #isClosed = false;

  constructor(address: DatabaseAddress, maxIdle: number) {
    this.#address = address;
    this.#maxIdle = maxIdle;
  }

  /** The number of open connections. */
  get count(): number {
    return this.#acquired + this.#idle.length;
  }

  /** Returns an idle session or a new one. The caller releases or discards it. */
  async acquire(): Promise<Session> {
    if (this.#isClosed) throw new Error("The store is closed");
    for (let idle = this.#idle.pop(); idle; idle = this.#idle.pop()) {
      if (idle.isUsable) {
        this.#acquired++;
        return idle;
      }
      idle.close();
    }
    this.#acquired++;
    try {
      return await Session.open(this.#address);
    } catch (error) {
      this.#acquired--;
      throw error;
    }
  }

  release(session: Session): void {
    this.#acquired--;
    if (this.#isClosed || !session.isUsable || this.#idle.length >= this.#maxIdle) session.close();
    else this.#idle.push(session);
  }

  /** Closes a session that may not be usable any more. */
  discard(session: Session): void {
    this.#acquired--;
    session.close();
  }

  closeIdle(): void {
    for (const session of this.#idle.splice(0)) session.close();
  }

  /** Closes idle sessions now, and the others when they are released. */
  close(): void {
    this.#isClosed = true;
    this.closeIdle();
  }
}
