import type { Algorithm, Jwk, TestKeys } from "./keys.ts";

/** The time at which the verdicts hold: 1 January 2026. */
export const NOW_SECONDS = Date.UTC(2026, 0, 1) / 1000;
export const CLAIMS = { sub: "Bookshop", jti: "4f0c", exp: NOW_SECONDS + 3600 };
export const ISSUER = "https://id.example/";
export const AUDIENCE = "colophon";
export const REVOKED_ID = "revoked";

export interface TokenVector {
  readonly name: string;
  /** The key that is configured. */
  readonly key: Algorithm;
  readonly verdict: "accepted" | "rejected";
  readonly token: string;
  /** The configured issuer and audience. */
  readonly issuer?: string;
  readonly audience?: string;
}

/** A key document that the service must not start with. */
export interface KeyVector {
  readonly name: string;
  readonly document: Jwk | string;
  /** A part of the message. */
  readonly reason: string;
}

export interface TokenVectors {
  readonly about: string;
  readonly nowSeconds: number;
  readonly revokedId: string;
  readonly keys: TestKeys;
  readonly tokens: readonly TokenVector[];
  readonly rejectedKeys: readonly KeyVector[];
}
