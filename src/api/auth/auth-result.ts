import type { Caller } from "../../catalog/token-registry.ts";
import type { Awaitable } from "../../lib/awaitable.ts";

export type AuthResult =
  | { readonly ok: true; readonly caller: Caller }
  /** The `WWW-Authenticate` value of the 401 response. */
  | { readonly ok: false; readonly challenge: string }
  /** No token can be verified at the moment: the response is 503. */
  | { readonly ok: false; readonly challenge: undefined };

export interface Authenticator {
  /** Decides by the `Authorization` header alone. Returns synchronously for a token that is cached as verified. */
  authenticate(authorization: string | null): Awaitable<AuthResult>;
}
