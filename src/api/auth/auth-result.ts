import type { Caller } from "../../catalog/token-registry.ts";
import type { Awaitable } from "../../lib/awaitable.ts";

/** The caller of an accepted request, or the `WWW-Authenticate` value of the 401 response. */
export type AuthResult =
  | { readonly ok: true; readonly caller: Caller }
  | { readonly ok: false; readonly challenge: string };

export interface Authenticator {
  /** Decides by the `Authorization` header alone. Returns synchronously for a token that is cached as verified. */
  authenticate(authorization: string | null): Awaitable<AuthResult>;
}
