/** Public keys out of the text of a PEM, a JWK or a JWKS. */
import { createPublicKey, X509Certificate } from "node:crypto";
import { importJWK, type JWK } from "jose";
import { weaknessOfPoint } from "./ed25519.ts";
import { type KeySet, PUBLIC_ALGORITHMS, type PublicAlgorithm, type VerificationKey } from "./key-set.ts";
import { KeyError } from "../errors.ts";
import { weaknessOfRsa } from "./rsa.ts";

/** `from` is what messages call the text: a file or an address. */
export async function readPublicKeys(text: string, from: string): Promise<KeySet> {
  const trimmed = text.replace(/^\uFEFF/, "").trim();
  if (trimmed.startsWith("{")) return fromJson(trimmed, from);
  if (trimmed.includes("-----BEGIN ")) return [await fromPem(trimmed, from)];
  throw new KeyError(`${from} has neither a PEM public key nor a JWK nor a JWKS`);
}

/** A key that is whole, but not one that verifies tokens here: in a JWKS it is passed over. */
class NotForUs extends Error {}

async function fromPem(pem: string, from: string): Promise<VerificationKey> {
  const labels = [...pem.matchAll(/-----BEGIN ([A-Z0-9 ]+)-----/g)].map((match) => match[1] ?? "");
  if (labels.some((label) => label.includes("PRIVATE KEY"))) {
    throw new KeyError(`${from} has a private key: put only the public one there`);
  }
  // Of a chain of certificates only the first may sign: taking all would let its authority in.
  if (labels.length > 1) throw new KeyError(`${from} has several PEM blocks: put several keys into a JWKS`);
  let jwk: JWK;
  try {
    const key = labels[0] === "CERTIFICATE" ? new X509Certificate(pem).publicKey : createPublicKey(pem);
    jwk = key.export({ format: "jwk" }) as JWK;
  } catch {
    throw new KeyError(`${from} has a PEM ${labels[0] ?? "block"} that cannot be read as a public key`);
  }
  return onlyKey(jwk, from);
}

async function fromJson(json: string, from: string): Promise<KeySet> {
  let document: unknown;
  try {
    document = JSON.parse(json);
  } catch {
    throw new KeyError(`${from} is not well-formed JSON`);
  }
  const { keys } = document as { keys?: unknown };
  if (keys === undefined) return [await onlyKey(document as JWK, from)];
  if (!Array.isArray(keys)) throw new KeyError(`${from} has a "keys" member that is not an array`);

  const usable: VerificationKey[] = [];
  const passedOver: string[] = [];
  for (const jwk of keys) {
    try {
      usable.push(await verificationKey(jwk, from));
    } catch (error) {
      // RFC 7517, 5: keys of a set that are not understood, or not supported, should be ignored.
      if (!(error instanceof NotForUs)) throw error;
      passedOver.push(error.message);
    }
  }
  if (usable.length === 0) {
    const why = passedOver.length > 0 ? `: ${passedOver.join("; ")}` : "";
    throw new KeyError(`${from} has no key for ${PUBLIC_ALGORITHMS.join(", ")}${why}`);
  }
  return usable;
}

async function onlyKey(jwk: JWK, from: string): Promise<VerificationKey> {
  try {
    return await verificationKey(jwk, from);
  } catch (error) {
    if (error instanceof NotForUs) throw new KeyError(`${from} cannot be used: ${error.message}`);
    throw error;
  }
}

async function verificationKey(jwk: unknown, from: string): Promise<VerificationKey> {
  if (!isJwk(jwk)) throw new NotForUs(`a key has no "kty"`);
  const called = typeof jwk.kid === "string" ? `the key ${JSON.stringify(jwk.kid)}` : "the key";
  // What anyone can read in a published file must not be what tokens are made with.
  if (jwk.kty === "oct" || "k" in jwk) {
    throw new KeyError(`${from}: ${called} is symmetric: set a shared secret in COLOPHON_JWT_SECRET instead`);
  }
  if (["d", "p", "q", "dp", "dq", "qi", "oth", "priv"].some((member) => member in jwk)) {
    throw new KeyError(`${from}: ${called} is private: put only the public one there`);
  }
  if (jwk.use !== undefined && jwk.use !== "sig")
    throw new NotForUs(`${called} is not for signatures ("use")`);
  if (jwk.key_ops !== undefined && !(Array.isArray(jwk.key_ops) && jwk.key_ops.includes("verify"))) {
    throw new NotForUs(`${called} is not for verifying ("key_ops")`);
  }
  const algorithms = algorithmsOf(jwk).filter((algorithm) => jwk.alg === undefined || jwk.alg === algorithm);
  if (algorithms.length === 0) {
    throw new NotForUs(`${called} is not for ${PUBLIC_ALGORITHMS.join(", ")} ("kty", "crv", "alg")`);
  }
  const weakness = weaknessOf(jwk);
  if (weakness) throw new KeyError(`${from}: ${called} is refused: ${weakness}`);
  const uses = new Map<string, CryptoKey>();
  for (const algorithm of algorithms)
    uses.set(algorithm, await imported(jwk, algorithm, `${from}: ${called}`));
  return { kid: typeof jwk.kid === "string" ? jwk.kid : undefined, uses };
}

/** Why signatures by this key would prove nothing; undefined when they do. */
function weaknessOf(jwk: JWK): string | undefined {
  if (jwk.kty === "RSA") return weaknessOfRsa(wholeNumber(jwk.n), wholeNumber(jwk.e));
  if (jwk.kty === "OKP" && typeof jwk.x === "string") return weaknessOfPoint(Buffer.from(jwk.x, "base64url"));
  return undefined;
}

/** What a key can be for, by its kind alone. */
function algorithmsOf(jwk: JWK): readonly PublicAlgorithm[] {
  if (jwk.kty === "RSA") return ["RS256", "PS256"];
  if (jwk.kty === "EC" && jwk.crv === "P-256") return ["ES256"];
  if (jwk.kty === "OKP" && jwk.crv === "Ed25519") return ["EdDSA"];
  return [];
}

async function imported(jwk: JWK, algorithm: PublicAlgorithm, called: string): Promise<CryptoKey> {
  const { kty, n, e, crv, x, y } = jwk;
  const bare = Object.fromEntries(
    Object.entries({ kty, n, e, crv, x, y }).filter(([, value]) => value !== undefined),
  );
  try {
    // An object with `kty` other than "oct" becomes a CryptoKey, never bytes.
    return (await importJWK(bare as JWK, algorithm)) as CryptoKey;
  } catch {
    throw new KeyError(`${called} is not a valid public key`);
  }
}

function isJwk(value: unknown): value is JWK & { readonly kty: string } {
  return typeof value === "object" && value !== null && typeof (value as { kty?: unknown }).kty === "string";
}

function wholeNumber(base64url: unknown): bigint {
  const hex = typeof base64url === "string" ? Buffer.from(base64url, "base64url").toString("hex") : "";
  return BigInt(`0x0${hex}`);
}
