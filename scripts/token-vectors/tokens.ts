/** What the vectors are made of: test keys, which are public and protect nothing, and tokens that jose would refuse to make. */
import {
  constants,
  createHmac,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
  sign,
} from "node:crypto";

export const ALGORITHMS = ["HS256", "RS256", "PS256", "ES256", "EdDSA"] as const;
export type Algorithm = (typeof ALGORITHMS)[number];

export type Jwk = Readonly<Record<string, unknown>>;
/** A private JWK per algorithm, or the secret of HS256. */
export type TestKeys = Readonly<Record<Algorithm, Jwk>>;

export const kidOf = (algorithm: Algorithm) => `test-key-do-not-use-${algorithm}`;

export function makeTestKeys(): TestKeys {
  const jwk = (algorithm: Algorithm): Jwk => {
    const kid = kidOf(algorithm);
    if (algorithm === "HS256") return { kty: "oct", k: randomBytes(32).toString("base64url"), kid };
    const pair =
      algorithm === "ES256"
        ? generateKeyPairSync("ec", { namedCurve: "P-256" })
        : algorithm === "EdDSA"
          ? generateKeyPairSync("ed25519")
          : generateKeyPairSync("rsa", { modulusLength: 2048 });
    return { ...pair.privateKey.export({ format: "jwk" }), kid };
  };
  return Object.fromEntries(ALGORITHMS.map((algorithm) => [algorithm, jwk(algorithm)])) as TestKeys;
}

export function publicJwk(key: Jwk): Jwk {
  return { ...createPublicKey(privateKeyOf(key)).export({ format: "jwk" }), kid: key.kid };
}

export function publicPem(key: Jwk): string {
  return createPublicKey(privateKeyOf(key)).export({ type: "spki", format: "pem" }).toString();
}

function privateKeyOf({ kid: _, ...material }: Jwk): KeyObject {
  return createPrivateKey({ key: material as never, format: "jwk" });
}

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

export function encodePart(value: unknown): string {
  const bytes = typeof value === "string" || value instanceof Uint8Array ? value : JSON.stringify(value);
  return Buffer.from(bytes as string).toString("base64url");
}

/** Header and payload are used as they are, or as JSON when they are objects. */
export function signAnything(key: Jwk, algorithm: Algorithm, header: unknown, payload: unknown): string {
  const input = `${encodePart(header)}.${encodePart(payload)}`;
  return `${input}.${signInput(key, algorithm, input).toString("base64url")}`;
}

export function signInput(key: Jwk, algorithm: Algorithm, input: string): Buffer {
  if (algorithm === "HS256") return hmac(Buffer.from(String(key.k), "base64url"), input);
  const privateKey = privateKeyOf(key);
  const data = Buffer.from(input);
  switch (algorithm) {
    case "RS256":
      return sign("sha256", data, privateKey);
    case "PS256":
      return sign("sha256", data, {
        key: privateKey,
        padding: constants.RSA_PKCS1_PSS_PADDING,
        saltLength: 32,
      });
    case "ES256":
      return sign("sha256", data, { key: privateKey, dsaEncoding: "ieee-p1363" });
    case "EdDSA":
      return sign(null, data, privateKey);
  }
}

export function hmac(secret: string | Uint8Array, input: string, hash = "sha256"): Buffer {
  return createHmac(hash, secret).update(input).digest();
}

/** ECDSA as ASN.1, which RFC 7518 §3.4 does not allow. */
export function derSignature(key: Jwk, input: string): Buffer {
  return sign("sha256", Buffer.from(input), privateKeyOf(key));
}
