/** The address of a PostgreSQL server with its TLS settings, and the timeout for every query. */

import { readFileSync } from "node:fs";
import { SQL } from "bun";
import { StoreError } from "../../catalog/store-errors.ts";
import { withTimeout } from "../../lib/awaitable.ts";
import { errorMessage } from "../../lib/error-message.ts";
import { ServerUnreachable } from "./errors.ts";

/** For commands. A person waits longer for a busy server than a client of the service. */
export const COMMAND_TIMEOUT_MS = 10_000;
/** Short enough that a client learns within two seconds that the database is down. */
export const SERVICE_TIMEOUT_MS = 1500;
/** A write must not be mistaken for lost: its commit may have to wait for synchronous standbys. */
export const WRITE_TIMEOUT_MS = 60_000;

/** A start-up parameter that a server accepts from everyone, and that poolers do not pass on. */
export const MARK_PARAMETER = "colophon.session";

/** The URL of a database. As text it has no password. */
export class DatabaseAddress {
  readonly #url: URL;
  #isShared: boolean;

  /** Throws `StoreError` when the URL has an unknown setting for TLS. Queries have `queryTimeoutMs` unless they say otherwise. */
  constructor(
    url: string,
    readonly queryTimeoutMs = COMMAND_TIMEOUT_MS,
  ) {
    this.#url = new URL(url);
    // `prepare=false` declares a pooler that shares sessions. Colophon also finds out by itself.
    this.#isShared = this.#url.searchParams.get("prepare") === "false";
    this.#url.searchParams.delete("prepare");
    requireTlsSettings(this.#url);
  }

  /** True when a pooler may give the server's sessions to several clients. */
  get isShared(): boolean {
    return this.#isShared;
  }

  /** A pooler does not become a server: this holds until the process ends. */
  setShared(): void {
    this.#isShared = true;
  }

  /**
   * Opens one connection without named statements. Bun's client numbers those of each connection, P0, P1 and so on, so that clients
   * that share a session confuse them. It sends an unnamed statement, its values and the Sync together; no pooler can
   * send them to different sessions.
   */
  connect(onClose?: () => void): SQL {
    return this.#connect({ prepare: false, onClose });
  }

  /**
   * Opens one connection that uses named statements. The mark becomes a setting of the server's session. Each statement
   * is planned once: otherwise the server would plan some again for each page of a list, a third of its work.
   */
  connectMarked(mark: string, onClose: () => void): SQL {
    const parameters = { [MARK_PARAMETER]: mark, plan_cache_mode: "force_generic_plan" };
    return this.#connect({ prepare: true, onClose, parameters });
  }

  #connect({ prepare, onClose, parameters }: ConnectOptions): SQL {
    const database = decodeURIComponent(this.#url.pathname.slice(1));
    return new SQL(this.#url, {
      max: 1,
      prepare,
      connectionTimeout: this.queryTimeoutMs / 1000,
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
  readonly prepare: boolean;
  readonly onClose?: (() => void) | undefined;
  readonly parameters?: Readonly<Record<string, string>>;
}

/** Does not wait: a connection may be dead. */
export function closeAtOnce(sql: SQL): void {
  sql.close({ timeout: 0 }).catch(() => {});
}

export class QueryTimeout extends ServerUnreachable {}

/** Rejects with `QueryTimeout` when the result is late. */
export function withQueryTimeout<T>(
  result: Promise<T>,
  address: DatabaseAddress,
  timeoutMs = address.queryTimeoutMs,
): Promise<T> {
  return withTimeout(result, timeoutMs, () => new QueryTimeout(String(address), "timeout"));
}

/** The names and values are those of PostgreSQL's own clients. Bun's client applies them. */
const SSL_MODES = ["disable", "allow", "prefer", "require", "verify-ca", "verify-full"];

/** Throws `StoreError` for a setting that Bun's client would reject late, or ignore. */
function requireTlsSettings(url: URL): void {
  const mode = url.searchParams.get("sslmode");
  if (mode !== null && !SSL_MODES.includes(mode)) {
    throw new StoreError(`There is no sslmode "${mode}"; in the URL, use one of ${SSL_MODES.join(", ")}.`);
  }
  const file = url.searchParams.get("sslrootcert");
  if (file === null) return;
  if (mode === null || mode === "disable") {
    throw new StoreError(
      `sslrootcert has no effect without TLS; add sslmode=verify-full to the URL, or remove sslrootcert.`,
    );
  }
  try {
    readFileSync(file);
  } catch (error) {
    throw new StoreError(
      `The file of sslrootcert cannot be read (${errorMessage(error)}); correct its path in the URL.`,
    );
  }
}
