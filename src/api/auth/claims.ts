/** Reads the registered claims of a verified payload and checks them (RFC 7519 §4.1). */
import { parseJsonObject } from "./signature.ts";

export interface Claims {
  /** Seconds since 1970. */
  readonly exp: number;
  /** Seconds since 1970. */
  readonly nbf: number | undefined;
  readonly jti: string | undefined;
  readonly sub: string | undefined;
}

/** Compared exactly. A value that is not set here may be anything in the token. */
export interface ExpectedClaims {
  readonly issuer?: string | undefined;
  readonly audience?: string | undefined;
}

/** Tolerates clocks that differ. */
const LEEWAY_SECONDS = 30;

/** Returns undefined for claims that are never acceptable, whatever the time. */
export function parseClaims(payload: Uint8Array, expected: ExpectedClaims): Claims | undefined {
  const claims = parseJsonObject(payload);
  if (!claims) return undefined;
  const { exp, nbf, jti, sub, iss, aud } = claims;
  // JSON can express 1e400. It parses as Infinity, and the token would never expire.
  if (!isFiniteNumber(exp)) return undefined;
  if (nbf !== undefined && !isFiniteNumber(nbf)) return undefined;
  // The token registry has only text ids, so a token with any other `jti` could not be revoked.
  if (jti !== undefined && typeof jti !== "string") return undefined;
  if (expected.issuer !== undefined && iss !== expected.issuer) return undefined;
  if (expected.audience !== undefined && aud !== expected.audience) {
    if (!Array.isArray(aud) || !aud.includes(expected.audience)) return undefined;
  }
  return { exp, nbf, jti, sub: typeof sub === "string" ? sub : undefined };
}

/** The period includes `nbf` and excludes `exp`. */
export function isWithinValidity(claims: Claims, nowMs: number): boolean {
  const now = nowMs / 1000;
  return (
    now < claims.exp + LEEWAY_SECONDS && (claims.nbf === undefined || now >= claims.nbf - LEEWAY_SECONDS)
  );
}

function isFiniteNumber(value: unknown): value is number {
  return Number.isFinite(value);
}
