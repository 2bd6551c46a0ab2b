import { describe, expect, test } from "bun:test";
import { generateKeyPairSync, randomBytes } from "node:crypto";
import {
  CLAIMS,
  expectVerdicts,
  generateKeyPair,
  isOpensslMissing,
  keyErrorOf,
  keysFromDocument,
  publicJwk,
  publicPem,
  selfSignedCertificate,
  setUpAuthTests,
  signToken,
  signWith,
} from "../testing/signed-tokens.ts";
import type { KeySource } from "./key-source.ts";

setUpAuthTests();

const ec = generateKeyPair("ES256");
const rsa = generateKeyPair("RS256");
const ed = generateKeyPair("EdDSA");
const ecJwk = publicJwk(ec.publicKey);
const rsaJwk = publicJwk(rsa.publicKey);
const otherJwk = publicJwk(generateKeyPair("ES256").publicKey);
const ecToken = (header = {}) =>
  signToken({ alg: "ES256", ...header }, CLAIMS, signWith("ES256", ec.privateKey));
const rsaOf = (modulusLength: number) => generateKeyPairSync("rsa", { modulusLength }).publicKey;

const errorMessage = (document: string | object) => keyErrorOf(keysFromDocument(document));

describe("a PEM", () => {
  test.each([
    ["RS256", rsa],
    ["PS256", rsa],
    ["ES256", ec],
    ["EdDSA", ed],
  ] as const)("verifies %s, whatever kid the token names", async (alg, pair) => {
    const accepted = [{ alg }, { alg, kid: "any" }].map((header) =>
      signToken(header, CLAIMS, signWith(alg, pair.privateKey)),
    );
    await expectVerdicts({ accepted }, await keysFromDocument(`\n${publicPem(pair.publicKey)}\n`));
  });

  test("may be PKCS #1", async () => {
    const keys = await keysFromDocument(rsa.publicKey.export({ type: "pkcs1", format: "pem" }).toString());
    const token = signToken({ alg: "RS256" }, CLAIMS, signWith("RS256", rsa.privateKey));
    await expectVerdicts({ accepted: [token] }, keys);
  });

  const certificateTitle = "may be a certificate, but not a chain (skipped where openssl is not installed)";
  test.skipIf(isOpensslMissing)(certificateTitle, async () => {
    const { privateKey, cert } = selfSignedCertificate();
    const token = signToken({ alg: "ES256" }, CLAIMS, signWith("ES256", privateKey));
    await expectVerdicts({ accepted: [token] }, await keysFromDocument(cert));
    expect(await errorMessage(cert + cert)).toContain("several PEM blocks");
  });

  const pem = publicPem(ec.publicKey);
  const pkcs8 = { type: "pkcs8", format: "pem" } as const;
  const certificate = "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----";
  const p384 = generateKeyPairSync("ec", { namedCurve: "P-384" }).publicKey;
  const encrypted = { ...pkcs8, cipher: "aes-256-cbc", passphrase: "x" };

  test.each([
    ["it has a private key as PKCS #8", rsa.privateKey.export(pkcs8), "private key"],
    ["it has a private key as PKCS #1", rsa.privateKey.export({ ...pkcs8, type: "pkcs1" }), "private key"],
    ["it has a private key as SEC 1", ec.privateKey.export({ ...pkcs8, type: "sec1" }), "private key"],
    ["it has an encrypted private key", rsa.privateKey.export(encrypted), "private key"],
    ["it has both keys", publicPem(rsa.publicKey) + rsa.privateKey.export(pkcs8), "private key"],
    ["it is damaged", pem.replace(/M[A-Z]/, "AA"), "cannot be read"],
    ["it is cut off", pem.slice(0, 60), "cannot be read"],
    ["it is a certificate without content", certificate, "cannot be read"],
    ...["", "hello", "ssh-ed25519 AAAA", "[]", "<xml/>"].map((text) => [`it is ${text}`, text, "neither"]),
    ["its curve is not supported", publicPem(p384), "is not for RS256, PS256, ES256, EdDSA"],
  ])("is rejected when %s", async (_, document, reason) => {
    expect(await errorMessage(String(document))).toContain(String(reason));
  });
});

describe("RSA", () => {
  test.each([512, 1024, 1920])("with %d bits is rejected, alone or in a set", async (bits) => {
    const key = rsaOf(bits);
    expect(await errorMessage(publicPem(key))).toContain(`${bits} bits`);
    expect(await errorMessage({ keys: [ecJwk, { ...publicJwk(key), kid: "weak" }] })).toContain('"weak"');
  });

  test("is measured without leading zeros of its modulus", async () => {
    const jwk = publicJwk(rsaOf(1024));
    const n = Buffer.concat([Buffer.alloc(128), Buffer.from(String(jwk.n), "base64url")]);
    expect(await errorMessage({ ...jwk, n: n.toString("base64url") })).toContain("1024 bits");
  });

  test("with the ROCA weakness is rejected", async () => {
    expect(await errorMessage({ ...rsaJwk, n: rocaModulus() })).toContain("ROCA");
  });

  test.each([
    ...["AQ", "AA", "", "Ag", "BA"].map((e) => [{ e }, "exponent"] as const),
    [{ n: undefined }, "bits"],
    [{ n: 5 }, "bits"],
  ])("with %j is rejected", async (change, reason) => {
    expect(await errorMessage({ ...rsaJwk, ...change })).toContain(reason);
  });
});

describe("a JWK", () => {
  test.each([
    [{ use: "enc" }, "use"],
    ...[["encrypt"], ["sign"], [], "verify"].map((key_ops) => [{ key_ops }, "key_ops"] as const),
    ...["ES512", "RS256", "HS256", "none"].map((alg) => [{ alg }, "alg"] as const),
    ...["P-384", "secp256k1"].map((crv) => [{ crv }, "crv"] as const),
    ...["OKP", "AKP", 5].map((kty) => [{ kty }, "kty"] as const),
    ...["AAAA", 5].map((x) => [{ x }, "not a valid public key"] as const),
    ...[ecJwk.x, undefined].map((y) => [{ y }, "not a valid public key"] as const),
  ])("with %j is rejected with the reason", async (change, reason) => {
    expect(await errorMessage({ ...ecJwk, ...change })).toContain(reason);
  });

  test.each([{ use: "sig" }, { key_ops: ["verify"] }, { key_ops: ["sign", "verify"] }, { alg: "ES256" }])(
    "may declare its use: %j",
    async (extra) =>
      expectVerdicts({ accepted: [ecToken()] }, await keysFromDocument({ ...ecJwk, ...extra })),
  );

  test("that is symmetric is rejected with the reason, and is not quoted", async () => {
    const k = randomBytes(32).toString("base64url");
    const symmetric = [{}, { alg: "HS256", kid: "s" }, { use: "enc" }].map((more) => ({
      kty: "oct",
      k,
      ...more,
    }));
    for (const jwk of [...symmetric, { ...ecJwk, k }]) {
      for (const document of [jwk, { keys: [jwk] }, { keys: [ecJwk, jwk] }]) {
        const message = await errorMessage(document);
        expect(message).toMatch(/symmetric.*COLOPHON_JWT_SECRET/);
        expect(message).not.toContain(k);
      }
    }
  });

  test("that is private is rejected with the reason, and is not quoted", async () => {
    for (const { privateKey } of [rsa, ec, ed]) {
      const jwk = privateKey.export({ format: "jwk" });
      for (const document of [jwk, { keys: [jwk] }, { keys: [ecJwk, { ...jwk, use: "enc" }] }]) {
        const message = await errorMessage(document);
        expect(message).toContain("private");
        expect(message).not.toContain(String(jwk.d));
      }
    }
  });
});

describe("a JWKS", () => {
  const unsupported = [{ kty: "EC", crv: "P-521" }, { ...ecJwk, use: "enc", kid: "e" }, { kty: "new" }];
  const others = [...unsupported, null, 5, "x", [], {}];
  const named = (jwk: object, kid: string) => ({ ...jwk, kid });

  test.each([
    ["skips keys that are not supported", [...others, ecJwk], [{}], []],
    [
      "selects the key by kid, and tries all keys for a token without kid",
      [named(otherJwk, "1"), named(ecJwk, "2")],
      [{ kid: "2" }, {}],
      [{ kid: "1" }, { kid: "3" }],
    ],
    [
      "may have two keys with the same kid",
      [named(otherJwk, "same"), named(ecJwk, "same")],
      [{ kid: "same" }],
      [],
    ],
  ])("%s", async (_, set, accepted, rejected) => {
    const keys: KeySource = await keysFromDocument({ keys: set });
    await expectVerdicts({ accepted: accepted.map(ecToken), rejected: rejected.map(ecToken) }, keys);
  });

  test.each([
    [{ keys: others }, "has no key for RS256, PS256, ES256, EdDSA"],
    [{ keys: [] }, "has no key"],
    ['{"keys":[', "not well-formed"],
    [{ keys: {} }, "not an array"],
    [{}, "kty"],
  ])("is rejected when it is %j", async (document, reason) => {
    expect(await errorMessage(document)).toContain(reason);
  });
});

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
