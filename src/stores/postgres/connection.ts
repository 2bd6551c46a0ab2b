/** The way to the server: bounded pools of connections, and an end to every wait. */
import { SQL } from "bun";
import { ServerUnreachable, toStoreError } from "./errors.ts";

/** Milliseconds. A reader is told within two seconds that the database is gone. */
export const QUERY_TIMEOUT_MS = 1500;
/** For what is written and must not be taken for lost: it may have to wait until standbys have it. */
export const WRITE_TIMEOUT_MS = 60_000;

/** Where a catalog is. What is shown of it has no password. */
export class DatabaseAddress {
  readonly #url: URL;
  readonly #prepare: boolean;

  constructor(url: string) {
    this.#url = new URL(url);
    // For a pooler that deals out transactions and does not know prepared statements: PgBouncer before 1.21.
    this.#prepare = this.#url.searchParams.get("prepare") !== "false";
    this.#url.searchParams.delete("prepare");
  }

  connect(max: number): SQL {
    const database = decodeURIComponent(this.#url.pathname.slice(1));
    return new SQL(this.#url, {
      max,
      prepare: this.#prepare,
      connectionTimeout: QUERY_TIMEOUT_MS / 1000,
      // How the operator knows us in `pg_stat_activity`. Nothing else: poolers refuse what they do not know.
      connection: { application_name: "colophon" },
      // Named here as PGDATABASE would else come before the URL.
      ...(database !== "" && { database }),
    });
  }

  toString(): string {
    return `${this.#url.host}${this.#url.pathname}`;
  }
}

/**
 * A pool that is replaced when it does not answer. A connection may have died without a word (a cable, a NAT, a
 * machine that was switched off), and nothing but silence tells. What is under way in the old pool may still end.
 */
export class Pool {
  readonly #place: DatabaseAddress;
  readonly #max: number;
  #sql: SQL;
  #closed = false;

  constructor(place: DatabaseAddress, max: number) {
    this.#place = place;
    this.#max = max;
    this.#sql = place.connect(max);
  }

  async query<T>(question: (sql: SQL) => Promise<T>, patience = QUERY_TIMEOUT_MS): Promise<T> {
    if (this.#closed) throw new Error("The store is closed");
    const sql = this.#sql;
    try {
      return await withTimeout(question(sql), this.#place, patience);
    } catch (error) {
      if (error instanceof QueryTimeout) this.#replace(sql);
      throw toStoreError(error, String(this.#place));
    }
  }

  #replace(silent: SQL): void {
    if (silent !== this.#sql || this.#closed) return;
    this.#sql = this.#place.connect(this.#max);
    silent.close({ timeout: QUERY_TIMEOUT_MS / 1000 }).catch(() => {});
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#sql.close({ timeout: 0 }).catch(() => {});
  }
}

/** No answer in time. */
export class QueryTimeout extends ServerUnreachable {}

export async function withTimeout<T>(
  answer: Promise<T>,
  place: DatabaseAddress,
  patience = QUERY_TIMEOUT_MS,
): Promise<T> {
  const { promise: silence, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new QueryTimeout(String(place), "no answer in time")), patience);
  try {
    return await Promise.race([answer, silence]);
  } finally {
    clearTimeout(timer);
  }
}
