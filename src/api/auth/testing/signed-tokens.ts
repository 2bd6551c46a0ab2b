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
export function setUpAuthTests(): void {
  // Making an RSA key takes as long as it takes to meet two primes.
  setDefaultTimeout(60_000);
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
}

/** The path of a file that goes when the tests have run. */
export function scratchFile(name: string, content?: string): string {
  mkdirSync(folder, { recursive: true });
  const path = join(folder, `${files++}-${name}`);
  if (content !== undefined) writeFileSync(path, content);
  return path;
}

/** The keys that COLOPHON_JWT_KEYS would give if it named a file with this text. */
export function keysFromDocument(document: string | object): Promise<KeySource> {
  return openKeySource({
    keys: scratchFile("keys", typeof document === "string" ? document : JSON.stringify(document)),
  });
}

export type SignFunction = (input: string) => Buffer;

export interface TokenSigner {
  readonly algorithm: Algorithm;
  readonly keys: KeySource;
  /** Undefined for HS256. */
  readonly publicKey: KeyObject | undefined;
  readonly sign: SignFunction;
  /** A token with this header and payload, as they are or as JSON, rightly signed. */
  token(header: unknown, payload: unknown): string;
}

export function encodePart(value: unknown): string {
  const bytes = typeof value === "string" || value instanceof Uint8Array ? value : JSON.stringify(value);
  return Buffer.from(bytes as string).toString("base64url");
}

export function signToken(header: unknown, payload: unknown, signer: SignFunction): string {
  const input = `${encodePart(header)}.${encodePart(payload)}`;
  return `${input}.${signer(input).toString("base64url")}`;
}

export function signWithHmac(secret: string | Uint8Array, hash = "sha256"): SignFunction {
  return (input) => createHmac(hash, secret).update(input).digest();
}

export function signWith(algorithm: Algorithm, key: KeyObject): SignFunction {
  switch (algorithm) {
    case "HS256":
      return signWithHmac(key.export());
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

export function generateKeyPair(algorithm: Algorithm): { publicKey: KeyObject; privateKey: KeyObject } {
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
export async function createTokenSigner(algorithm: Algorithm): Promise<TokenSigner> {
  if (algorithm === "HS256") {
    const secret = randomBytes(32);
    const keys = await openKeySource({ secret: `base64url:${secret.toString("base64url")}` });
    return forge(algorithm, keys, undefined, signWithHmac(secret));
  }
  const { publicKey, privateKey } = generateKeyPair(algorithm);
  const keys = await keysFromDocument({ keys: [{ ...publicJwk(publicKey), kid: "ours", use: "sig" }] });
  return forge(algorithm, keys, publicKey, signWith(algorithm, privateKey));
}

function forge(
  algorithm: Algorithm,
  keys: KeySource,
  publicKey: KeyObject | undefined,
  sign: SignFunction,
): TokenSigner {
  return { algorithm, keys, publicKey, sign, token: (header, payload) => signToken(header, payload, sign) };
}

/** The time of these tests, and claims that hold then. */
export const NOW = Date.UTC(2026, 0, 1);
export const CLAIMS = { sub: "Bookshop", exp: NOW / 1000 + 3600 };

export async function isAccepted(token: string, keys: KeySource): Promise<boolean> {
  const gate = createAuthenticator({ keys, tokens: { isRevoked: () => false }, now: () => NOW });
  return (await gate.authenticate(`Bearer ${token}`)).ok;
}

/** One for each algorithm. */
export function createTokenSigners(): Promise<TokenSigner[]> {
  return Promise.all(ALGORITHMS.map(createTokenSigner));
}

/** A forge with a good token of its own, and the gate that it is tried at. */
export interface SignerContext {
  readonly signer: TokenSigner;
  readonly alg: Algorithm;
  readonly keys: KeySource;
  readonly good: string;
  /** Its parts. */
  readonly head: string;
  readonly payload: string;
  readonly signature: string;
  /** `given`: at a gate with other keys. */
  expectRejected(token: string, given?: KeySource): Promise<void>;
  expectAccepted(token: string): Promise<void>;
}

/** The same suite for each algorithm. */
export function describeEachAlgorithm(
  forges: readonly TokenSigner[],
  suite: (workbench: SignerContext) => void,
): void {
  for (const forge of forges) {
    const { algorithm: alg, keys } = forge;
    const good = forge.token({ alg, typ: "JWT" }, CLAIMS);
    const [head = "", payload = "", signature = ""] = good.split(".");
    const workbench: SignerContext = {
      signer: forge,
      alg,
      keys,
      good,
      head,
      payload,
      signature,
      expectRejected: async (token, given = keys) => expect(await isAccepted(token, given)).toBe(false),
      expectAccepted: async (token) => expect(await isAccepted(token, keys)).toBe(true),
    };
    describe(alg, () => suite(workbench));
  }
}
