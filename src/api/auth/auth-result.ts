import type { Awaitable } from "../../lib/awaitable.ts";

/** Identifies the client of a request in logs and rate limits: the `jti` and `sub` claims of its token. */
export interface Caller {
  readonly id: string | undefined;
  readonly name: string | undefined;
}

/** The caller of an accepted request, or the `WWW-Authenticate` value of the 401 response. */
export type AuthResult =
  | { readonly ok: true; readonly caller: Caller }
  | { readonly ok: false; readonly challenge: string };

export interface Authenticator {
  /** Decides by the `Authorization` header alone. Returns synchronously for a token that is cached as verified. */
  authenticate(authorization: string | null): Awaitable<AuthResult>;
}
