/**
 * Writes the token vectors: bun scripts/token-vectors/make.ts [--new-keys]
 *
 * The keys stay the same unless new ones are asked for. ECDSA and PSS signatures differ from run to run.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { CompactSign, importJWK } from "jose";
import { rejectedTokens } from "./rejected.ts";
import {
  ALGORITHMS,
  type Algorithm,
  AUDIENCE,
  CLAIMS,
  ISSUER,
  type KeyVector,
  kidOf,
  makeTestKeys,
  NOW_SECONDS,
  publicJwk,
  REVOKED_ID,
  type TestKeys,
  type TokenVector,
  type TokenVectors,
} from "./tokens.ts";

const FILE = join(import.meta.dir, "../../src/api/auth/testing/token-vectors.json");

const ABOUT =
  "Made by scripts/token-vectors/make.ts. The keys are TEST KEYS: they are published here, and must never be used.";

function readOrMakeKeys(): TestKeys {
  if (process.argv.includes("--new-keys") || !existsSync(FILE)) return makeTestKeys();
  return (JSON.parse(readFileSync(FILE, "utf8")) as TokenVectors).keys;
}

/** Returns tokens that must be accepted. jose makes them, as an identity provider would. */
async function acceptedTokens(keys: TestKeys): Promise<TokenVector[]> {
  const vectors: TokenVector[] = [];
  for (const algorithm of ALGORITHMS) {
    const add = async (name: string, header: object, claims: object, more: Partial<TokenVector> = {}) => {
      const token = await jose(keys, algorithm, header, claims);
      vectors.push({ name: `${algorithm}: ${name}`, key: algorithm, verdict: "accepted", token, ...more });
    };
    await add("exp alone", {}, { exp: CLAIMS.exp });
    await add("all registered claims", { typ: "JWT" }, { ...CLAIMS, iat: NOW_SECONDS, nbf: NOW_SECONDS });
    await add("the kid of the key", { kid: kidOf(algorithm) }, CLAIMS);
    await add("the type at+jwt", { typ: "at+jwt" }, CLAIMS);
    await add("the type application/JWT", { typ: "application/JWT" }, CLAIMS);
    await add("expired 29 seconds ago, within the leeway", {}, { ...CLAIMS, exp: NOW_SECONDS - 29 });
    await add("valid in 30 seconds, within the leeway", {}, { ...CLAIMS, nbf: NOW_SECONDS + 30 });
    await add("a fraction in exp", {}, { ...CLAIMS, exp: NOW_SECONDS + 0.5 });
    await add("an unknown header parameter", { unknown: { x: 1 } }, CLAIMS);
    await add("unknown claims, beyond ASCII", {}, { ...CLAIMS, sub: "Librería Ñandú", scope: ["x"] });
    const claims = { ...CLAIMS, iss: ISSUER, aud: AUDIENCE };
    const expected = { issuer: ISSUER, audience: AUDIENCE };
    await add("issuer and audience as required", {}, claims, expected);
    await add("the audience in an array", {}, { ...claims, aud: ["other", AUDIENCE] }, expected);
    await add("an issuer that is not required", {}, { ...CLAIMS, iss: "other" });
  }
  return vectors;
}

async function jose(keys: TestKeys, algorithm: Algorithm, header: object, claims: object): Promise<string> {
  const key = await importJWK(keys[algorithm], algorithm);
  return new CompactSign(new TextEncoder().encode(JSON.stringify(claims)))
    .setProtectedHeader({ alg: algorithm, ...header })
    .sign(key);
}

/** Returns key documents that the service must not start with. */
function rejectedKeys(keys: TestKeys): KeyVector[] {
  const rsa = publicJwk(keys.RS256);
  const ed25519 = publicJwk(keys.EdDSA);
  const ec = publicJwk(keys.ES256);
  const zeros = Buffer.alloc(32).toString("base64url");
  return [
    {
      name: "an RSA key of 1024 bits",
      document: { ...rsa, n: String(rsa.n).slice(0, 171) },
      reason: "minimum",
    },
    { name: "an RSA key with the ROCA weakness", document: { ...rsa, n: rocaModulus() }, reason: "ROCA" },
    { name: "an RSA key with the exponent 1", document: { ...rsa, e: "AQ" }, reason: "exponent" },
    { name: "a private key", document: keys.ES256, reason: "is private" },
    { name: "a private key in a set", document: { keys: [ec, keys.EdDSA] }, reason: "is private" },
    { name: "a symmetric key", document: keys.HS256, reason: "is symmetric" },
    { name: "an Ed25519 point of small order", document: { ...ed25519, x: zeros }, reason: "small order" },
    { name: "a P-256 point off the curve", document: { ...ec, y: zeros }, reason: "not a valid public key" },
    { name: "a key for encryption", document: { ...rsa, use: "enc" }, reason: '"use"' },
    { name: "a key that may not verify", document: { ...rsa, key_ops: ["wrapKey"] }, reason: '"key_ops"' },
    { name: "a key for another algorithm", document: { ...rsa, alg: "RS512" }, reason: '"alg"' },
    { name: "an empty set", document: { keys: [] }, reason: "has no key" },
    { name: "neither JSON nor PEM", document: "ssh-ed25519 AAAA", reason: "neither a PEM" },
  ];
}

/**
 * Returns a number of 2048 bits that is a power of 65537 modulo each small prime, as the moduli of CVE-2017-15361 are.
 */
function rocaModulus(): string {
  const isPrime = (n: number) =>
    n > 2 && Array.from({ length: n - 2 }, (_, i) => i + 2).every((d) => n % d !== 0);
  const primes = Array.from({ length: 165 }, (_, i) => i + 3).filter(isPrime);
  const product = primes.reduce((all, prime) => all * BigInt(prime), 1n);
  const power = Array.from({ length: 12 }).reduce<bigint>((value) => (value * 65537n) % product, 1n);
  // An even factor of the product keeps the number odd when the power is odd.
  const factor = (((1n << 2047n) / product) | 1n) + 1n;
  const modulus = factor * product + (power % 2n === 1n ? power : power + product);
  return Buffer.from(modulus.toString(16), "hex").toString("base64url");
}

const keys = readOrMakeKeys();
const vectors: TokenVectors = {
  about: ABOUT,
  nowSeconds: NOW_SECONDS,
  revokedId: REVOKED_ID,
  keys,
  tokens: [...(await acceptedTokens(keys)), ...(await rejectedTokens(keys))],
  rejectedKeys: rejectedKeys(keys),
};
// One line per vector, so that a difference can be read.
const list = (values: readonly unknown[]) =>
  `[\n${values.map((value) => `    ${JSON.stringify(value)}`).join(",\n")}\n  ]`;
const { tokens, rejectedKeys: badKeys, ...head } = vectors;
const text = `${JSON.stringify(head, null, 2).slice(0, -2)},\n  "tokens": ${list(tokens)},\n  "rejectedKeys": ${list(badKeys)}\n}\n`;
writeFileSync(FILE, text);
console.log(`${tokens.length} tokens and ${badKeys.length} key documents`);
