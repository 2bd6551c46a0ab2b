import type { Awaitable } from "../../lib/awaitable.ts";

/** Who a request comes from, as far as its token says: `jti` and `sub`, for the log. */
export interface Caller {
  readonly id: string | undefined;
  readonly name: string | undefined;
}

/** What the gate says of a request: come in, or the value of `WWW-Authenticate` to be sent back. */
export type AuthResult =
  | { readonly ok: true; readonly caller: Caller }
  | { readonly ok: false; readonly challenge: string };

/** Decides from the `Authorization` header alone. A token that was verified before is answered for at once. */
export interface Authenticator {
  authenticate(authorization: string | null): Awaitable<AuthResult>;
}
