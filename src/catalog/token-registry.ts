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

/** A revoked token that was not issued here, such as one of an identity provider. Only its `jti` is known. */
export interface ForeignToken {
  readonly id: string;
  readonly name: undefined;
  readonly issued: undefined;
  readonly expires: undefined;
  /** ISO 8601 */
  readonly revoked: string;
}

/** Identifies the client of a request in logs and rate limits: the `jti` and `sub` claims of its token. */
export interface Caller {
  readonly id: string | undefined;
  readonly name: string | undefined;
}

/** The issued tokens, and the revoked ones, whoever has issued them. */
export interface TokenRegistry {
  /** Throws when the id is in the registry already. */
  add(token: IssuedToken): Awaitable<void>;
  /** Returns the tokens, newest first. A foreign token counts from its revocation. */
  list(): Awaitable<readonly (IssuedToken | ForeignToken)[]>;
  /**
   * Revokes the tokens with this id. Returns whether one was issued here. A second revocation keeps the time of the
   * first.
   */
  revoke(id: string, at: string): Awaitable<boolean>;
  /**
   * Sees what another process has revoked, without delay. Every authenticated request needs the result; requests of one
   * event-loop tick may share it.
   */
  isRevoked(id: string): Awaitable<boolean>;
}
