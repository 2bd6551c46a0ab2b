/** The address of a PostgreSQL server, and the timeout for every query. */
import { SQL } from "bun";
import { withTimeout } from "../../lib/awaitable.ts";
import { ServerUnreachable } from "./errors.ts";
import { requireTlsSettings } from "./tls.ts";

/** Short enough that a client learns within two seconds that the database is down. */
export const QUERY_TIMEOUT_MS = 1500;
/** A write must not be mistaken for lost: its commit may have to wait for synchronous standbys. */
export const WRITE_TIMEOUT_MS = 60_000;

/** A start-up parameter that a server accepts from everyone, and that poolers do not pass on. */
const MARK_PARAMETER = "colophon.session";

/** The URL of a database. As text it has no password. */
export class DatabaseAddress {
  readonly markParameter = MARK_PARAMETER;
  readonly #url: URL;
  #isShared: boolean;

  /** Throws `StoreError` when the URL has an unknown setting for TLS. */
  constructor(url: string) {
    this.#url = new URL(url);
    // `prepare=false` declares a pooler that shares sessions. Colophon also finds out by itself.
    this.#isShared = this.#url.searchParams.get("prepare") === "false";
    this.#url.searchParams.delete("prepare");
    requireTlsSettings(this.#url);
  }

  /** Is true when a pooler may give the server's sessions to several clients. */
  get isShared(): boolean {
    return this.#isShared;
  }

  /** A pooler does not become a server: this holds until the process ends. */
  setShared(): void {
    this.#isShared = true;
  }

  /**
   * Connects without named statements. Bun's client numbers those of each connection, P0, P1 and so on, so that clients
   * that share a session confuse them. It sends an unnamed statement, its values and the Sync together; no pooler can
   * send them to different sessions.
   */
  connect(maxConnections: number, onClose?: () => void): SQL {
    return this.#connect({ max: maxConnections, prepare: false, onClose });
  }

  /**
   * Opens one connection that uses named statements. The mark becomes a setting of the server's session. Each statement
   * is planned once: otherwise the server would plan some again for each page of a list, a third of its work.
   */
  connectMarked(mark: string, onClose: () => void): SQL {
    const parameters = { [MARK_PARAMETER]: mark, plan_cache_mode: "force_generic_plan" };
    return this.#connect({ max: 1, prepare: true, onClose, parameters });
  }

  #connect({ max, prepare, onClose, parameters }: ConnectOptions): SQL {
    const database = decodeURIComponent(this.#url.pathname.slice(1));
    return new SQL(this.#url, {
      max,
      prepare,
      connectionTimeout: QUERY_TIMEOUT_MS / 1000,
      // Operators see the name in `pg_stat_activity`.
      connection: { application_name: "colophon", ...parameters },
      ...(onClose && { onclose: onClose }),
      // Without it, PGDATABASE would take precedence over the URL.
      ...(database !== "" && { database }),
    });
  }

  toString(): string {
    // As the driver does.
    const host = this.#url.host || process.env.PGHOST || "localhost";
    return `${host}${this.#url.pathname}`;
  }
}

interface ConnectOptions {
  readonly max: number;
  readonly prepare: boolean;
  readonly onClose?: (() => void) | undefined;
  readonly parameters?: Readonly<Record<string, string>>;
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
