/** What PostgreSQL says, in words for the person who runs Colophon. */
import { StoreError } from "../../catalog/store-error.ts";

/** Codes of the client, and SQLSTATEs of the server, Appendix A of PostgreSQL's manual. */
const LOST = /^ERR_POSTGRES_(CONNECTION|.*TIMEOUT|TLS)/;

export function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return "";
  const { errno, code } = error as { errno?: unknown; code?: unknown };
  return typeof errno === "string" ? errno : String(code ?? "");
}

/** The server did not answer, or hung up. */
export class ServerUnreachable extends StoreError {
  constructor(place: string, why: string) {
    super(`PostgreSQL at ${place} does not answer (${why}); start it, or name the one that is there.`);
  }
}

/** What is not for a person to mend stays as it is. */
export function toStoreError(error: unknown, place: string): unknown {
  if (error instanceof StoreError) return error;
  const code = codeOf(error);
  const said = error instanceof Error ? error.message : "";
  // Class 57P: the server is shutting down, starting up, or was told to end this session.
  if (LOST.test(code) || code.startsWith("57P") || code.startsWith("08"))
    return new ServerUnreachable(place, said);
  if (code === "53300") return new StoreError(`PostgreSQL at ${place} has no connection left (${said}).`);
  if (code === "3D000") {
    return new StoreError(`PostgreSQL at ${place} has no such database; create it, or name another.`);
  }
  if (code.startsWith("28") || code.startsWith("ERR_POSTGRES_AUTH")) {
    return new StoreError(`PostgreSQL at ${place} refuses this user (${said}).`);
  }
  if (code === "25006") {
    return new StoreError(`PostgreSQL at ${place} is a standby, or read-only; name the primary to write.`);
  }
  if (code === "42501") {
    return new StoreError(
      `The role that is used at ${place} lacks a right (${said}); docs/postgres.md says which.`,
    );
  }
  if (code === "42P01" || code === "3F000") {
    return new StoreError(
      `There is no catalog at ${place}; run "colophon migrate", or import a feed, with a role that may write.`,
    );
  }
  return error;
}
