import type { Awaitable } from "../lib/awaitable.ts";

/** A token that `colophon token` has issued. The token itself is never kept. */
export interface IssuedToken {
  /** The `jti` claim. */
  readonly id: string;
  /** The `sub` claim. */
  readonly name: string;
  /** ISO 8601. */
  readonly issued: string;
  readonly expires: string;
  readonly revoked: string | undefined;
}

/** The book in which issued tokens stand, and are struck out. */
export interface TokenRegistry {
  add(token: IssuedToken): Awaitable<void>;
  /** Newest first. */
  list(): Awaitable<readonly IssuedToken[]>;
  /** False when no such token was issued. Revoking twice keeps the first time. */
  revoke(id: string, at: string): Awaitable<boolean>;
  /** Asked on every request: an embedded store answers at once, and sees what another process has revoked. */
  isRevoked(id: string): Awaitable<boolean>;
}
