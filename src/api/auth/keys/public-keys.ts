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
import { findWeakness } from "./weak-keys.ts";

/** The document is valid, but none of its keys can be used here. */
export class NoUsableKey extends KeyError {}

/** `source` names the file or URL of the document in messages. */
export async function parsePublicKeys(document: string, source: string): Promise<KeySet> {
  const text = document.replace(/^\uFEFF/, "").trim();
  if (text.startsWith("{")) return parseJson(text, source);
  if (text.includes("-----BEGIN ")) return [await parsePem(text, source)];
  throw new KeyError(`${source} has neither a PEM public key nor a JWK nor a JWKS`);
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
    throw new KeyError(`${source} is not well-formed JSON`);
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
