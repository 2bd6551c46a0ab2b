/** Translates errors of PostgreSQL and of Bun's client into messages for operators. */
import { StoreError } from "../../catalog/store-error.ts";

/** Codes of Bun's client for a lost connection. */
const CONNECTION_LOST = /^ERR_POSTGRES_(CONNECTION|.*TIMEOUT|TLS)/;

/** Returns the SQLSTATE (PostgreSQL manual, appendix A) or the client's code. Is empty when there is none. */
export function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return "";
  const { errno, code } = error as { errno?: unknown; code?: unknown };
  return typeof errno === "string" ? errno : String(code ?? "");
}

/** The server did not respond, or closed the connection. */
export class ServerUnreachable extends StoreError {
  constructor(address: string, cause: string) {
    super(`PostgreSQL at ${address} does not respond (${cause}); start the server, or correct the URL.`);
  }
}

export function noCatalog(address: string): StoreError {
  return new StoreError(
    `There is no catalog at ${address}; run "colophon migrate", or import a feed, with a role that may write.`,
  );
}

/** Translates an error. One that an operator cannot fix is returned unchanged. */
export function toStoreError(error: unknown, address: string): unknown {
  if (error instanceof StoreError) return error;
  const code = codeOf(error);
  const cause = error instanceof Error ? error.message : "";
  // Class 57P: the server is starting up or shutting down, or an administrator has ended the session.
  // Class 08: connection exceptions.
  if (CONNECTION_LOST.test(code) || code.startsWith("57P") || code.startsWith("08")) {
    return new ServerUnreachable(address, cause);
  }
  // 53300: too many connections.
  if (code === "53300") {
    return new StoreError(
      `PostgreSQL at ${address} has no connection left (${cause}); raise max_connections, or close other clients.`,
    );
  }
  // 3D000: undefined database.
  if (code === "3D000") {
    return new StoreError(`PostgreSQL at ${address} has no such database; create it, or name another.`);
  }
  // Class 28: invalid authorization.
  if (code.startsWith("28") || code.startsWith("ERR_POSTGRES_AUTH")) {
    return new StoreError(
      `PostgreSQL at ${address} rejects this user (${cause}); correct the user or the password in the URL.`,
    );
  }
  // 25006: read-only transaction.
  if (code === "25006") {
    return new StoreError(`PostgreSQL at ${address} is a standby or read-only; name the primary to write.`);
  }
  // 42501: insufficient privilege.
  if (code === "42501") {
    return new StoreError(
      `The role used at ${address} lacks a privilege (${cause}); grant it as described in docs/postgres.md.`,
    );
  }
  // 42P01: undefined table; 3F000: undefined schema.
  if (code === "42P01" || code === "3F000") return noCatalog(address);
  return error;
}
