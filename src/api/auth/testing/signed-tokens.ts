/** For tests: signs whatever it is given, with node:crypto, so that jose is not judged by jose. */
import { afterAll, describe, expect, setDefaultTimeout } from "bun:test";
import { constants, createHmac, generateKeyPairSync, type KeyObject, randomBytes, sign } from "node:crypto";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createAuthenticator } from "../authenticator.ts";
import type { Algorithm } from "../keys/key-set.ts";
import { type KeySource, openKeySource } from "../keys/key-source.ts";

export const ALGORITHMS: readonly Algorithm[] = ["HS256", "RS256", "PS256", "ES256", "EdDSA"];

const folder = join(tmpdir(), `colophon-auth-${process.pid}`);
let files = 0;

/** To be called at the top of each file of tests that uses any of this. */
export function useForge(): void {
  // Making an RSA key takes as long as it takes to meet two primes.
  setDefaultTimeout(60_000);
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
}

/** The path of a file that goes when the tests have run. */
export function scratch(name: string, content?: string): string {
  mkdirSync(folder, { recursive: true });
  const path = join(folder, `${files++}-${name}`);
  if (content !== undefined) writeFileSync(path, content);
  return path;
}

/** The keys that COLOPHON_JWT_KEYS would give if it named a file with this text. */
export function keysOf(document: string | object): Promise<KeySource> {
  return openKeySource({
    keys: scratch("keys", typeof document === "string" ? document : JSON.stringify(document)),
  });
}

export type Signer = (input: string) => Buffer;

export interface Forge {
  readonly algorithm: Algorithm;
  readonly keys: KeySource;
  /** Undefined for HS256. */
  readonly publicKey: KeyObject | undefined;
  readonly sign: Signer;
  /** A token with this header and payload, as they are or as JSON, rightly signed. */
  token(header: unknown, payload: unknown): string;
}

export function part(value: unknown): string {
  const bytes = typeof value === "string" || value instanceof Uint8Array ? value : JSON.stringify(value);
  return Buffer.from(bytes as string).toString("base64url");
}

export function signed(header: unknown, payload: unknown, signer: Signer): string {
  const input = `${part(header)}.${part(payload)}`;
  return `${input}.${signer(input).toString("base64url")}`;
}

export function hmacSigner(secret: string | Uint8Array, hash = "sha256"): Signer {
  return (input) => createHmac(hash, secret).update(input).digest();
}

export function signerOf(algorithm: Algorithm, key: KeyObject): Signer {
  switch (algorithm) {
    case "HS256":
      return hmacSigner(key.export());
    case "RS256":
      return (input) => sign("sha256", Buffer.from(input), key);
    case "PS256":
      return (input) =>
        sign("sha256", Buffer.from(input), { key, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: 32 });
    case "ES256":
      return (input) => sign("sha256", Buffer.from(input), { key, dsaEncoding: "ieee-p1363" });
    case "EdDSA":
      return (input) => sign(null, Buffer.from(input), key);
  }
}

export function keyPair(algorithm: Algorithm): { publicKey: KeyObject; privateKey: KeyObject } {
  if (algorithm === "ES256") return generateKeyPairSync("ec", { namedCurve: "P-256" });
  if (algorithm === "EdDSA") return generateKeyPairSync("ed25519");
  return generateKeyPairSync("rsa", { modulusLength: 2048 });
}

export function publicJwk(key: KeyObject): Record<string, unknown> {
  return { ...key.export({ format: "jwk" }) };
}

export function publicPem(key: KeyObject): string {
  return key.export({ type: "spki", format: "pem" }).toString();
}

/** For public keys: a JWKS with one key, `kid` "ours", that does not say its algorithm. */
export async function openForge(algorithm: Algorithm): Promise<Forge> {
  if (algorithm === "HS256") {
    const secret = randomBytes(32);
    const keys = await openKeySource({ secret: `base64url:${secret.toString("base64url")}` });
    return forge(algorithm, keys, undefined, hmacSigner(secret));
  }
  const { publicKey, privateKey } = keyPair(algorithm);
  const keys = await keysOf({ keys: [{ ...publicJwk(publicKey), kid: "ours", use: "sig" }] });
  return forge(algorithm, keys, publicKey, signerOf(algorithm, privateKey));
}

function forge(algorithm: Algorithm, keys: KeySource, publicKey: KeyObject | undefined, sign: Signer): Forge {
  return { algorithm, keys, publicKey, sign, token: (header, payload) => signed(header, payload, sign) };
}

/** The time of these tests, and claims that hold then. */
export const NOW = Date.UTC(2026, 0, 1);
export const CLAIMS = { sub: "Bookshop", exp: NOW / 1000 + 3600 };

export async function isAdmitted(token: string, keys: KeySource): Promise<boolean> {
  const gate = createAuthenticator({ keys, tokens: { isRevoked: () => false }, now: () => NOW });
  return (await gate.authenticate(`Bearer ${token}`)).ok;
}

/** One for each algorithm. */
export function openForges(): Promise<Forge[]> {
  return Promise.all(ALGORITHMS.map(openForge));
}

/** A forge with a good token of its own, and the gate that it is tried at. */
export interface Workbench {
  readonly forge: Forge;
  readonly alg: Algorithm;
  readonly keys: KeySource;
  readonly good: string;
  /** Its parts. */
  readonly head: string;
  readonly payload: string;
  readonly signature: string;
  /** `given`: at a gate with other keys. */
  refuses(token: string, given?: KeySource): Promise<void>;
  admits(token: string): Promise<void>;
}

/** The same suite for each algorithm. */
export function describeEach(forges: readonly Forge[], suite: (workbench: Workbench) => void): void {
  for (const forge of forges) {
    const { algorithm: alg, keys } = forge;
    const good = forge.token({ alg, typ: "JWT" }, CLAIMS);
    const [head = "", payload = "", signature = ""] = good.split(".");
    const workbench: Workbench = {
      forge,
      alg,
      keys,
      good,
      head,
      payload,
      signature,
      refuses: async (token, given = keys) => expect(await isAdmitted(token, given)).toBe(false),
      admits: async (token) => expect(await isAdmitted(token, keys)).toBe(true),
    };
    describe(alg, () => suite(workbench));
  }
}
