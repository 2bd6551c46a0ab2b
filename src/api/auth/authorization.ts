/** Reads the value of the `Authorization` header. */

/** RFC 6750, 2.1: 1*SP and a b64token. The scheme's name is case-insensitive (RFC 9110, 11.1). */
const CREDENTIALS = /^bearer +([A-Za-z0-9._~+/-]+=*)$/i;
/** The scheme's name ends where the characters of a token (RFC 9110, 5.6.2) end. */
const BEARER = /^bearer(?![\w!#$%&'*+.^`|~-])/i;
const BEARER_ALONE = /^bearer *$/i;

export type Credentials =
  /** Nothing that a bearer token was meant by. */
  | { readonly kind: "none" }
  /** A bearer token was meant, and what stands there cannot be one. */
  | { readonly kind: "malformed" }
  | { readonly kind: "token"; readonly token: string };

const NONE: Credentials = { kind: "none" };
const MALFORMED: Credentials = { kind: "malformed" };

export function readCredentials(authorization: string): Credentials {
  const match = CREDENTIALS.exec(authorization);
  if (match) return { kind: "token", token: match[1] ?? "" };
  return BEARER.test(authorization) && !BEARER_ALONE.test(authorization) ? MALFORMED : NONE;
}
