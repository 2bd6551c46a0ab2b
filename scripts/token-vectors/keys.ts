/** The test keys of the vectors. They are public, and protect nothing. */
import { createPrivateKey, createPublicKey, generateKeyPairSync, randomBytes } from "node:crypto";

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
  const { kid, ...material } = key;
  const publicKey = createPublicKey(createPrivateKey({ key: material as never, format: "jwk" }));
  return { ...publicKey.export({ format: "jwk" }), kid };
}

export function publicPem(key: Jwk): string {
  const { kid: _, ...material } = key;
  const publicKey = createPublicKey(createPrivateKey({ key: material as never, format: "jwk" }));
  return publicKey.export({ type: "spki", format: "pem" }).toString();
}
