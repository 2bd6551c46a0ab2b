/** Connections to a PostgreSQL server: a bounded pool, and a timeout for every query. */
import { SQL } from "bun";
import { withTimeout } from "../../lib/timeout.ts";
import { ServerUnreachable, toStoreError } from "./errors.ts";

/** Short enough that a client learns within two seconds that the database is down. */
export const QUERY_TIMEOUT_MS = 1500;
/** A write must not be mistaken for lost: its commit may have to wait for synchronous standbys. */
export const WRITE_TIMEOUT_MS = 60_000;

/** The URL of a database. As text it has no password. */
export class DatabaseAddress {
  readonly #url: URL;
  readonly #prepare: boolean;

  constructor(url: string) {
    this.#url = new URL(url);
    // `prepare=false` is for poolers in transaction mode without prepared statements, such as PgBouncer before 1.21.
    this.#prepare = this.#url.searchParams.get("prepare") !== "false";
    this.#url.searchParams.delete("prepare");
  }

  connect(maxConnections: number): SQL {
    const database = decodeURIComponent(this.#url.pathname.slice(1));
    return new SQL(this.#url, {
      max: maxConnections,
      prepare: this.#prepare,
      connectionTimeout: QUERY_TIMEOUT_MS / 1000,
      // Operators see it in `pg_stat_activity`. Other parameters are not set, because poolers reject unknown ones.
      connection: { application_name: "colophon" },
      // Without it, PGDATABASE would take precedence over the URL.
      ...(database !== "" && { database }),
    });
  }

  toString(): string {
    return `${this.#url.host}${this.#url.pathname}`;
  }
}

/**
 * A connection pool that is replaced after a timeout. A connection can die unnoticed (an unplugged cable, a NAT table,
 * a machine without power), and only the timeout reveals it. Queries in flight on the old pool may still succeed.
 */
export class Pool {
  readonly #address: DatabaseAddress;
  readonly #maxConnections: number;
  #sql: SQL;
  #isClosed = false;

  constructor(address: DatabaseAddress, maxConnections: number) {
    this.#address = address;
    this.#maxConnections = maxConnections;
    this.#sql = address.connect(maxConnections);
  }

  async query<T>(run: (sql: SQL) => Promise<T>, timeoutMs = QUERY_TIMEOUT_MS): Promise<T> {
    if (this.#isClosed) throw new Error("The store is closed");
    const sql = this.#sql;
    try {
      return await withQueryTimeout(run(sql), this.#address, timeoutMs);
    } catch (error) {
      if (error instanceof QueryTimeout) this.#replace(sql);
      throw toStoreError(error, String(this.#address));
    }
  }

  #replace(unresponsive: SQL): void {
    if (unresponsive !== this.#sql || this.#isClosed) return;
    this.#sql = this.#address.connect(this.#maxConnections);
    unresponsive.close({ timeout: QUERY_TIMEOUT_MS / 1000 }).catch(() => {});
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#sql.close({ timeout: 0 }).catch(() => {});
  }
}

export class QueryTimeout extends ServerUnreachable {}

/** Rejects with `QueryTimeout` when the result is late. */
export function withQueryTimeout<T>(
  result: Promise<T>,
  address: DatabaseAddress,
  timeoutMs = QUERY_TIMEOUT_MS,
): Promise<T> {
  return withTimeout(result, timeoutMs, () => new QueryTimeout(String(address), "timeout"));
}
