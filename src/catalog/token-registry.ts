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

/** The issued tokens, and which of them are revoked. */
export interface TokenRegistry {
  /** Throws when the id is in the registry already. */
  add(token: IssuedToken): Awaitable<void>;
  /** Returns the tokens, newest first. */
  list(): Awaitable<readonly IssuedToken[]>;
  /** Returns false when no token has this id. A second revocation keeps the time of the first. */
  revoke(id: string, at: string): Awaitable<boolean>;
  /** Is called for every request. It sees what another process has revoked, without delay. */
  isRevoked(id: string): Awaitable<boolean>;
}
