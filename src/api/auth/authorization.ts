/** Parses the value of the `Authorization` header. */
import { MAX_TOKEN_CHARS } from "./compact-jws.ts";

/** RFC 6750 §2.1: 1*SP b64token. The scheme name is case-insensitive (RFC 9110 §11.1). */
const CREDENTIALS = /^bearer +([A-Za-z0-9._~+/-]+=*)$/i;
/** The scheme name ends before the first character that RFC 9110 §5.6.2 does not allow in it. */
const BEARER = /^bearer(?![\w!#$%&'*+.^`|~-])/i;
const BEARER_ALONE = /^bearer *$/i;

export type Credentials =
  /** The header has no bearer token: it is empty, or uses another scheme. */
  | { readonly kind: "none" }
  /** The scheme is Bearer, but the rest cannot be a token. */
  | { readonly kind: "malformed" }
  | { readonly kind: "token"; readonly token: string };

const NONE: Credentials = { kind: "none" };
const MALFORMED: Credentials = { kind: "malformed" };

/** A scheme, some spaces, and the longest token that is accepted. A longer value is not scanned for one. */
const MAX_AUTHORIZATION_CHARS = MAX_TOKEN_CHARS + 256;

export function parseCredentials(authorization: string): Credentials {
  if (authorization.length > MAX_AUTHORIZATION_CHARS) return BEARER.test(authorization) ? MALFORMED : NONE;
  const match = CREDENTIALS.exec(authorization);
  if (match) return { kind: "token", token: match[1] ?? "" };
  return BEARER.test(authorization) && !BEARER_ALONE.test(authorization) ? MALFORMED : NONE;
}
