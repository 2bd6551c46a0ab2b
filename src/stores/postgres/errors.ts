/** Translates errors of PostgreSQL and of Bun's client into messages for operators. */
import { StoreError, StoreUnreachable } from "../../catalog/store-errors.ts";
import { errorMessage } from "../../lib/error-message.ts";

/** Codes of Bun's client for a lost connection. */
const CONNECTION_LOST = /^ERR_POSTGRES_(CONNECTION|.*TIMEOUT)/;
/** Codes of the TLS library for a certificate that is not accepted. */
const CERTIFICATE_REJECTED =
  /^(UNABLE_TO_|SELF_SIGNED|DEPTH_ZERO|CERT_|ERR_TLS_CERT|HOSTNAME_MISMATCH|INVALID_CA|ERR_POSTGRES_TLS_UPGRADE)/;

/** Returns the SQLSTATE (PostgreSQL manual, appendix A) or the client's code. Is empty when there is none. */
export function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return "";
  const { errno, code } = error as { errno?: unknown; code?: unknown };
  return typeof errno === "string" ? errno : String(code ?? "");
}

/** The server did not respond, or closed the connection. */
export class ServerUnreachable extends StoreUnreachable {
  constructor(address: string, cause: string) {
    super(`PostgreSQL at ${address} does not respond (${cause}); start the server, or correct the URL.`);
  }
}

/** The response was not that of the query, so that nothing of it was used. */
export class WrongResult extends StoreError {
  constructor(address: string) {
    super(
      `PostgreSQL at ${address} gave the result of another query, which was discarded; a pooler or proxy in between shares sessions: add ?prepare=false to the URL.`,
    );
  }
}

export function alteredSchema(address: string, cause: string): StoreError {
  return new StoreError(
    `The schema of the catalog at ${address} was altered (${cause}); restore it from a backup, or import into an empty database.`,
  );
}

export function noCatalog(address: string): StoreError {
  return new StoreError(
    `There is no catalog at ${address}; create one with "colophon init", with a role that may write.`,
  );
}

/** Translates an error. One that an operator cannot fix is returned unchanged. */
export function toStoreError(error: unknown, address: string): unknown {
  if (error instanceof StoreError) return error;
  const code = codeOf(error);
  const cause = errorMessage(error);
  // The text is that of PgBouncer, whose code 08P01 means any violation of the protocol.
  if (/statement pooling/.test(cause)) {
    return new StoreError(
      `The pooler at ${address} allows no transactions (${cause}); set pool_mode = transaction or session there, or connect to the server itself.`,
    );
  }
  if (code === "ERR_POSTGRES_TLS_NOT_AVAILABLE") {
    return new StoreError(
      `PostgreSQL at ${address} does not offer TLS; set ssl = on in its configuration, or sslmode=disable in the URL.`,
    );
  }
  if (CERTIFICATE_REJECTED.test(code)) {
    return new StoreError(
      `The certificate of PostgreSQL at ${address} is rejected (${cause}); name the file of its CA with sslrootcert in the URL, and the host as the certificate does.`,
    );
  }
  // Class 57P: the server is starting up or shutting down, or an administrator has ended the session.
  // Class 08: connection exceptions.
  if (CONNECTION_LOST.test(code) || code.startsWith("57P") || code.startsWith("08")) {
    return new ServerUnreachable(address, cause);
  }
  // 57014: query canceled. 25P03: idle in a transaction for too long. 25P04: the transaction took too long.
  if (/^(57014|25P03|25P04)$/.test(code)) {
    return new StoreError(
      `PostgreSQL at ${address} has ended a query or its transaction (${cause}); raise the timeout of the role, or relieve the server.`,
    );
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
  // 42704, 22023: the server does not know a parameter, or not its value. Those of the URL are the operator's.
  if (/^(42704|22023)$/.test(code) && /\bparameter\b/.test(cause)) {
    return new StoreError(
      `PostgreSQL at ${address} rejects a parameter of the URL (${cause}); correct or remove it.`,
    );
  }
  // Class 42: a table, a column or a type is not that of `schema.sql`; except 42601, a syntax error.
  // 3F000: undefined schema.
  if (/^(42(?!601)|3F)/.test(code)) return alteredSchema(address, cause);
  return error;
}
