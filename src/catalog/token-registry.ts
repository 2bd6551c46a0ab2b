import type { Awaitable } from "../lib/awaitable.ts";

/** A token that `colophon token` has issued. The token itself is never stored. */
export interface IssuedToken {
  /** The `jti` claim. */
  readonly id: string;
  /** The `sub` claim. */
  readonly name: string;
  /** ISO 8601, as are the two that follow. */
  readonly issued: string;
  readonly expires: string;
  readonly revoked: string | undefined;
}

/** Identifies the client of a request in logs and rate limits: the `jti` and `sub` claims of its token. */
export interface Caller {
  readonly id: string | undefined;
  readonly name: string | undefined;
}

/** The issued tokens, and which of them are revoked. */
export interface TokenRegistry {
  /** Throws when the id is in the registry already. */
  add(token: IssuedToken): Awaitable<void>;
  /** Returns the tokens, newest first. */
  list(): Awaitable<readonly IssuedToken[]>;
  /** Returns false when no token has this id. A second revocation keeps the time of the first. */
  revoke(id: string, at: string): Awaitable<boolean>;
  /**
   * Sees what another process has revoked, without delay. Every authenticated request needs the result; requests of one
   * event-loop tick may share it.
   */
  isRevoked(id: string): Awaitable<boolean>;
}
