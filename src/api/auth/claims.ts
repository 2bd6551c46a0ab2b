/** What a signed payload says, and whether it holds (RFC 7519, 4.1). */
import { readJsonObject } from "./compact-jws.ts";

export interface Claims {
  /** Seconds since 1970. */
  readonly exp: number;
  readonly nbf: number | undefined;
  readonly jti: string | undefined;
  readonly sub: string | undefined;
}

/** Compared exactly; what is not set here is not asked of the token. */
export interface ExpectedClaims {
  readonly issuer?: string | undefined;
  readonly audience?: string | undefined;
}

/** Clocks differ. */
const LEEWAY_SECONDS = 30;

/** Undefined: not claims that we admit anyone with, whatever the time. */
export function readClaims(payload: Uint8Array, expected: ExpectedClaims): Claims | undefined {
  const claims = readJsonObject(payload);
  if (!claims) return undefined;
  const { exp, nbf, jti, sub, iss, aud } = claims;
  // JSON can write 1e400, which is read as Infinity and would never expire.
  if (!isFiniteNumber(exp)) return undefined;
  if (nbf !== undefined && !isFiniteNumber(nbf)) return undefined;
  // By any other type it could not be found in the ledger, and not be revoked.
  if (jti !== undefined && typeof jti !== "string") return undefined;
  if (expected.issuer !== undefined && iss !== expected.issuer) return undefined;
  if (expected.audience !== undefined && aud !== expected.audience) {
    if (!Array.isArray(aud) || !aud.includes(expected.audience)) return undefined;
  }
  return { exp, nbf, jti, sub: typeof sub === "string" ? sub : undefined };
}

/** From `nbf` on, and before `exp`; asked again for every request. */
export function isWithinValidity(claims: Claims, nowMs: number): boolean {
  const now = nowMs / 1000;
  return (
    now < claims.exp + LEEWAY_SECONDS && (claims.nbf === undefined || now >= claims.nbf - LEEWAY_SECONDS)
  );
}

function isFiniteNumber(value: unknown): value is number {
  return Number.isFinite(value);
}
