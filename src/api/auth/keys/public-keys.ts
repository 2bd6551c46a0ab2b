/** Parses public keys from a PEM, a JWK or a JWKS, and rejects those that must not be used. */
import { createPublicKey, X509Certificate } from "node:crypto";
import { importJWK, type JWK } from "jose";
import {
  KeyError,
  type KeySet,
  PUBLIC_ALGORITHMS,
  type PublicAlgorithm,
  type VerificationKey,
} from "./key-source.ts";

/** The document is valid, but none of its keys can be used here. */
export class NoUsableKey extends KeyError {}

/** `source` names the file or URL of the document in messages. */
export async function parsePublicKeys(document: string, source: string): Promise<KeySet> {
  const text = document.replace(/^\uFEFF/, "").trim();
  if (text.startsWith("{")) return parseJson(text, source);
  if (text.includes("-----BEGIN ")) return [await parsePem(text, source)];
  throw new KeyError(`${source} has neither a PEM public key nor a JWK nor a JWKS: put one of them there`);
}

/** A valid key that does not verify tokens here. A JWKS may have such keys: they are skipped. */
class UnsupportedKey extends Error {}

async function parsePem(pem: string, source: string): Promise<VerificationKey> {
  const labels = [...pem.matchAll(/-----BEGIN ([A-Z0-9 ]+)-----/g)].map((match) => match[1] ?? "");
  if (labels.some((label) => label.includes("PRIVATE KEY"))) {
    throw new KeyError(`${source} has a private key: put only the public key there`);
  }
  // In a certificate chain only the first certificate is the signer's. Reading all would trust the authority's key too.
  if (labels.length > 1) throw new KeyError(`${source} has several PEM blocks: put several keys into a JWKS`);
  let jwk: JWK;
  try {
    const key = labels[0] === "CERTIFICATE" ? new X509Certificate(pem).publicKey : createPublicKey(pem);
    jwk = key.export({ format: "jwk" }) as JWK;
  } catch {
    throw new KeyError(`${source} has a PEM ${labels[0] ?? "block"} that cannot be read as a public key`);
  }
  return toOnlyKey(jwk, source);
}

async function parseJson(json: string, source: string): Promise<KeySet> {
  let document: unknown;
  try {
    document = JSON.parse(json);
  } catch {
    throw new KeyError(`${source} is not well-formed JSON: put a JWK or a JWKS there`);
  }
  const { keys } = document as { keys?: unknown };
  if (keys === undefined) return [await toOnlyKey(document as JWK, source)];
  if (!Array.isArray(keys)) throw new KeyError(`${source} has a "keys" member that is not an array`);

  const usable: VerificationKey[] = [];
  const skipped: string[] = [];
  for (const jwk of keys) {
    try {
      usable.push(await toVerificationKey(jwk, source));
    } catch (error) {
      // RFC 7517 §5: a receiver should ignore the keys of a set that it does not understand or support.
      if (!(error instanceof UnsupportedKey)) throw error;
      skipped.push(error.message);
    }
  }
  if (usable.length === 0) {
    const reasons = skipped.length > 0 ? `: ${skipped.join("; ")}` : "";
    throw new NoUsableKey(`${source} has no key for ${PUBLIC_ALGORITHMS.join(", ")}${reasons}`);
  }
  return usable;
}

async function toOnlyKey(jwk: JWK, source: string): Promise<VerificationKey> {
  try {
    return await toVerificationKey(jwk, source);
  } catch (error) {
    if (error instanceof UnsupportedKey) throw new KeyError(`${source} cannot be used: ${error.message}`);
    throw error;
  }
}

/** Throws `UnsupportedKey` for a key to skip, and `KeyError` for one that makes the whole document unusable. */
async function toVerificationKey(jwk: unknown, source: string): Promise<VerificationKey> {
  if (!isJwk(jwk)) throw new UnsupportedKey(`a key has no "kty"`);
  const keyName = typeof jwk.kid === "string" ? `the key ${JSON.stringify(jwk.kid)}` : "the key";
  // A published document is no place for a secret: every reader of it could sign tokens.
  if (jwk.kty === "oct" || "k" in jwk) {
    throw new KeyError(
      `${source}: ${keyName} is symmetric: set a shared secret in COLOPHON_JWT_SECRET instead`,
    );
  }
  if (["d", "p", "q", "dp", "dq", "qi", "oth", "priv"].some((member) => member in jwk)) {
    throw new KeyError(`${source}: ${keyName} is private: put only the public key there`);
  }
  if (jwk.use !== undefined && jwk.use !== "sig") {
    throw new UnsupportedKey(`${keyName} is not for signatures ("use")`);
  }
  if (jwk.key_ops !== undefined && !(Array.isArray(jwk.key_ops) && jwk.key_ops.includes("verify"))) {
    throw new UnsupportedKey(`${keyName} is not for verifying ("key_ops")`);
  }
  const algorithms = algorithmsOfType(jwk).filter(
    (algorithm) => jwk.alg === undefined || jwk.alg === algorithm,
  );
  if (algorithms.length === 0) {
    throw new UnsupportedKey(`${keyName} is not for ${PUBLIC_ALGORITHMS.join(", ")} ("kty", "crv", "alg")`);
  }
  const weakness = findWeakness(jwk);
  if (weakness) throw new KeyError(`${source}: ${keyName} is too weak: ${weakness}`);
  const keysByAlgorithm = new Map<string, CryptoKey>();
  for (const algorithm of algorithms) {
    keysByAlgorithm.set(algorithm, await importKey(jwk, algorithm, `${source}: ${keyName}`));
  }
  return { kid: typeof jwk.kid === "string" ? jwk.kid : undefined, keysByAlgorithm };
}

function algorithmsOfType(jwk: JWK): readonly PublicAlgorithm[] {
  if (jwk.kty === "RSA") return ["RS256", "PS256"];
  if (jwk.kty === "EC" && jwk.crv === "P-256") return ["ES256"];
  if (jwk.kty === "OKP" && jwk.crv === "Ed25519") return ["EdDSA"];
  return [];
}

async function importKey(jwk: JWK, algorithm: PublicAlgorithm, keyName: string): Promise<CryptoKey> {
  const { kty, n, e, crv, x, y } = jwk;
  const keyMaterial = Object.fromEntries(
    Object.entries({ kty, n, e, crv, x, y }).filter(([, value]) => value !== undefined),
  );
  try {
    // `importJWK` returns bytes only for the `kty` "oct", which does not get here.
    return (await importJWK(keyMaterial as JWK, algorithm)) as CryptoKey;
  } catch {
    throw new KeyError(`${keyName} is not a valid public key`);
  }
}

function isJwk(value: unknown): value is JWK & { readonly kty: string } {
  return typeof value === "object" && value !== null && typeof (value as { kty?: unknown }).kty === "string";
}

/** RFC 7518 §3.3. */
const MIN_MODULUS_BITS = 2048;

/** Returns why a signature of this key proves nothing (RFC 8725 §3.4), or undefined. The runtime imports such keys. */
function findWeakness(jwk: JWK): string | undefined {
  if (jwk.kty === "RSA") return findRsaWeakness(toBigInt(jwk.n), toBigInt(jwk.e));
  if (jwk.kty === "OKP" && typeof jwk.x === "string") {
    return findEd25519Weakness(Buffer.from(jwk.x, "base64url"));
  }
  return undefined;
}

function findRsaWeakness(modulus: bigint, exponent: bigint): string | undefined {
  const bits = modulus.toString(2).length;
  if (bits < MIN_MODULUS_BITS)
    return `it is an RSA key of ${bits} bits, and the minimum is ${MIN_MODULUS_BITS}`;
  // With the exponent 1 every message is its own signature. RFC 8017 §3.1: odd, and at least 3.
  if (exponent < 3n || exponent % 2n === 0n) return "its RSA exponent is not an odd number of at least 3";
  if (isRoca(modulus)) return "it is an RSA key that can be factored (ROCA, CVE-2017-15361)";
  return undefined;
}

const SMALL_PRIMES = [
  3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59, 61, 67, 71, 73, 79, 83, 89, 97, 101, 103, 107,
  109, 113, 127, 131, 137, 139, 149, 151, 157, 163, 167,
];

/** Modulo each small prime, the primes of the broken generator are powers of 65537, and so is their product. */
function isRoca(modulus: bigint): boolean {
  return SMALL_PRIMES.every((prime) => powersOf65537(prime).has(Number(modulus % BigInt(prime))));
}

function powersOf65537(prime: number): Set<number> {
  const powers = new Set<number>();
  for (let power = 1; !powers.has(power); power = (power * 65537) % prime) powers.add(power);
  return powers;
}

/** RFC 8032 §5.1: the prime of the field that coordinates belong to. */
const FIELD_PRIME = 2n ** 255n - 19n;
/** The y coordinate of two of the four points of order 8. The other two have its negative. */
const ORDER_8_Y = 0x05fc536d880238b13933c6d305acdfd5f098eff289f4c345b027b2c28f95e826n;
/** The y coordinates of all eight points whose order divides 8. */
const SMALL_ORDER_Y = [0n, 1n, FIELD_PRIME - 1n, ORDER_8_Y, FIELD_PRIME - ORDER_8_Y];

/** For a point of small order, signatures can be made without a secret. */
function findEd25519Weakness(publicKey: Uint8Array): string | undefined {
  const littleEndian = [...publicKey].reduceRight((value, byte) => (value << 8n) | BigInt(byte), 0n);
  // The top bit is the sign of x.
  const y = littleEndian & ((1n << 255n) - 1n);
  if (!SMALL_ORDER_Y.includes(y % FIELD_PRIME)) return undefined;
  return "it is an Ed25519 point of small order, for which anyone can sign";
}

function toBigInt(base64url: unknown): bigint {
  const hex = typeof base64url === "string" ? Buffer.from(base64url, "base64url").toString("hex") : "";
  return BigInt(`0x0${hex}`);
}
