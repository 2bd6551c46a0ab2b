/** Test helpers that sign arbitrary tokens with node:crypto, so that jose is not tested against itself. */
import { afterAll, describe, expect, test } from "bun:test";
import { constants, createHmac, generateKeyPairSync, type KeyObject, randomBytes, sign } from "node:crypto";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Awaitable } from "../../../lib/awaitable.ts";
import { isProgramMissing } from "../../../lib/testing/requirements.ts";
import { createAuthenticator } from "../authenticator.ts";
import { type Algorithm, KeyError, type KeySource } from "../keys/key-source.ts";
import { openKeySource } from "../keys/open-key-source.ts";

export const ALGORITHMS: readonly Algorithm[] = ["HS256", "RS256", "PS256", "ES256", "EdDSA"];

const folder = join(tmpdir(), `colophon-auth-${process.pid}`);
let files = 0;

/** Every test file that uses these helpers calls this first. It removes the scratch files at the end. */
export function setUpAuthTests(): void {
  // The search for RSA primes takes an unpredictable time.
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
}

/** Returns a new path. Creates the file only when `content` is given. */
export function scratchFile(name: string, content?: string): string {
  mkdirSync(folder, { recursive: true });
  const path = join(folder, `${files++}-${name}`);
  if (content !== undefined) writeFileSync(path, content);
  return path;
}

/** Opens the document as the file that COLOPHON_JWT_KEYS names. */
export function keysFromDocument(document: string | object): Promise<KeySource> {
  return openKeySource({
    keys: scratchFile("keys", typeof document === "string" ? document : JSON.stringify(document)),
  });
}

/** Returns the message of the error, which is one line. */
export async function keyErrorOf(keys: Promise<unknown>): Promise<string> {
  const error = await keys.catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(KeyError);
  const { message } = error as KeyError;
  expect(message).not.toContain("\n");
  return message;
}

export type SignFunction = (input: string) => Buffer;

export interface TokenSigner {
  readonly algorithm: Algorithm;
  /** Verifies the tokens of this signer. */
  readonly keys: KeySource;
  /** Undefined for HS256. */
  readonly publicKey: KeyObject | undefined;
  readonly sign: SignFunction;
  /** Returns a correctly signed token. Header and payload are used as they are, or as JSON when they are objects. */
  token(header: unknown, payload: unknown): string;
}

export function encodePart(value: unknown): string {
  const bytes = typeof value === "string" || value instanceof Uint8Array ? value : JSON.stringify(value);
  return Buffer.from(bytes as string).toString("base64url");
}

export function signToken(header: unknown, payload: unknown, sign: SignFunction): string {
  const input = `${encodePart(header)}.${encodePart(payload)}`;
  return `${input}.${sign(input).toString("base64url")}`;
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

export const isOpensslMissing = isProgramMissing("openssl");

/** Makes a certificate for `localhost` with an ES256 key. Needs the openssl command. */
export function selfSignedCertificate(): { privateKey: KeyObject; key: string; cert: string } {
  const { privateKey } = generateKeyPair("ES256");
  const key = privateKey.export({ type: "pkcs8", format: "pem" }).toString();
  const options = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost", "-days", "2"];
  const openssl = Bun.spawnSync(["openssl", "req", "-x509", "-key", "/dev/stdin", ...options], {
    stdin: Buffer.from(key),
  });
  return { privateKey, key, cert: openssl.stdout.toString() };
}

/** Public keys become a JWKS with one key of `kid` "ours" that does not declare its algorithm. */
export async function createTokenSigner(algorithm: Algorithm): Promise<TokenSigner> {
  if (algorithm === "HS256") {
    const secret = randomBytes(32);
    const keys = await openKeySource({ secret: `base64url:${secret.toString("base64url")}` });
    return tokenSigner(algorithm, keys, undefined, signWithHmac(secret));
  }
  const { publicKey, privateKey } = generateKeyPair(algorithm);
  const keys = await keysFromDocument({ keys: [{ ...publicJwk(publicKey), kid: "ours", use: "sig" }] });
  return tokenSigner(algorithm, keys, publicKey, signWith(algorithm, privateKey));
}

function tokenSigner(
  algorithm: Algorithm,
  keys: KeySource,
  publicKey: KeyObject | undefined,
  sign: SignFunction,
): TokenSigner {
  return { algorithm, keys, publicKey, sign, token: (header, payload) => signToken(header, payload, sign) };
}

/** Returns one signer per algorithm. */
export function createTokenSigners(): Promise<TokenSigner[]> {
  return Promise.all(ALGORITHMS.map(createTokenSigner));
}

/** The time of the tests in milliseconds, and claims that are valid then. */
export const NOW = Date.UTC(2026, 0, 1);
export const CLAIMS = { sub: "Bookshop", exp: NOW / 1000 + 3600 };

export async function isAccepted(token: string, keys: KeySource, nowMs = NOW): Promise<boolean> {
  const authenticator = createAuthenticator({ keys, tokens: { isRevoked: () => false }, now: () => nowMs });
  return (await authenticator.authenticate(`Bearer ${token}`)).ok;
}

/** A token, with the keys that verify it when they are not those of the signer. */
type Attempt = string | readonly [token: string, keys: KeySource];

interface Verdicts {
  readonly accepted?: readonly Attempt[];
  readonly rejected?: readonly Attempt[];
}

/** Fails with the beginning of each token that has another verdict. */
export async function expectVerdicts(verdicts: Verdicts, keys: KeySource): Promise<void> {
  const wrong: string[] = [];
  for (const verdict of ["accepted", "rejected"] as const) {
    for (const attempt of verdicts[verdict] ?? []) {
      const [token, otherKeys = keys] = typeof attempt === "string" ? [attempt] : attempt;
      if ((await isAccepted(token, otherKeys)) !== (verdict === "accepted"))
        wrong.push(`not ${verdict}: ${token.slice(0, 300)}`);
    }
  }
  expect(wrong).toEqual([]);
}

interface SignerContext extends TokenSigner {
  readonly alg: Algorithm;
  /** A valid token of the signer, and its three parts. */
  readonly valid: string;
  readonly head: string;
  readonly payload: string;
  readonly signature: string;
  /** Returns a signed token with the algorithm and more header parameters. */
  own(header?: object, payload?: unknown): string;
  /** Returns the token with the two parts, signed. */
  signed(input: string): string;
}

/** Checks each row for each signer: a title, and the tokens that the signer's keys must accept or reject. */
export function testTokens(
  signers: readonly TokenSigner[],
  rows: Readonly<Record<string, (signer: SignerContext) => Awaitable<Verdicts>>>,
): void {
  for (const signer of signers) {
    const { algorithm: alg } = signer;
    const own = (header: object = {}, payload: unknown = CLAIMS) => signer.token({ alg, ...header }, payload);
    const signed = (input: string) => `${input}.${signer.sign(input).toString("base64url")}`;
    const valid = own({ typ: "JWT" });
    const [head = "", payload = "", signature = ""] = valid.split(".");
    const context = { ...signer, alg, valid, head, payload, signature, own, signed };
    describe(alg, () => {
      for (const [title, row] of Object.entries(rows))
        test(title, async () => expectVerdicts(await row(context), signer.keys));
    });
  }
}
