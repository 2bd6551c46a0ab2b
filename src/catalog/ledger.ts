import type { Maybe } from "./port.ts";

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
export interface Ledger {
  add(token: IssuedToken): Maybe<void>;
  /** Newest first. */
  list(): Maybe<readonly IssuedToken[]>;
  /** False when no such token was issued. Revoking twice keeps the first time. */
  revoke(id: string, at: string): Maybe<boolean>;
  /** Asked on every request: an embedded store answers at once, and sees what another process has revoked. */
  isRevoked(id: string): Maybe<boolean>;
}
