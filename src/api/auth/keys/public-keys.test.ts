import { describe, expect, test } from "bun:test";
import { generateKeyPairSync, randomBytes } from "node:crypto";
import {
  CLAIMS,
  generateKeyPair,
  isAccepted,
  isOpensslMissing,
  keysFromDocument,
  publicJwk,
  publicPem,
  selfSignedCertificate,
  setUpAuthTests,
  signToken,
  signWith,
} from "../testing/signed-tokens.ts";
import { KeyError } from "./key-source.ts";

setUpAuthTests();

const ec = generateKeyPair("ES256");
const rsa = generateKeyPair("RS256");
const ed = generateKeyPair("EdDSA");
const ecJwk = publicJwk(ec.publicKey);
const ecToken = (header = {}) =>
  signToken({ alg: "ES256", ...header }, CLAIMS, signWith("ES256", ec.privateKey));

async function errorMessage(document: string | object): Promise<string> {
  const error = await keysFromDocument(document).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(KeyError);
  const { message } = error as KeyError;
  expect(message).not.toContain("\n");
  return message;
}

describe("a PEM", () => {
  test.each([
    ["RS256", rsa],
    ["PS256", rsa],
    ["ES256", ec],
    ["EdDSA", ed],
  ] as const)("verifies %s, whatever kid the token names", async (alg, pair) => {
    const keys = await keysFromDocument(`\n${publicPem(pair.publicKey)}\n`);
    for (const header of [{ alg }, { alg, kid: "any" }]) {
      expect(await isAccepted(signToken(header, CLAIMS, signWith(alg, pair.privateKey)), keys)).toBe(true);
    }
  });

  test("may be PKCS #1", async () => {
    const keys = await keysFromDocument(rsa.publicKey.export({ type: "pkcs1", format: "pem" }).toString());
    expect(
      await isAccepted(signToken({ alg: "RS256" }, CLAIMS, signWith("RS256", rsa.privateKey)), keys),
    ).toBe(true);
  });

  const certificateTitle = "may be a certificate, but not a chain (skipped where openssl is not installed)";
  test.skipIf(isOpensslMissing)(certificateTitle, async () => {
    const { privateKey, cert } = selfSignedCertificate();
    const keys = await keysFromDocument(cert);
    expect(await isAccepted(signToken({ alg: "ES256" }, CLAIMS, signWith("ES256", privateKey)), keys)).toBe(
      true,
    );
    expect(await errorMessage(cert + cert)).toContain("several PEM blocks");
  });

  test("is rejected when it has a private key, in every format", async () => {
    const forms = [
      rsa.privateKey.export({ type: "pkcs8", format: "pem" }),
      rsa.privateKey.export({ type: "pkcs1", format: "pem" }),
      ec.privateKey.export({ type: "sec1", format: "pem" }),
      rsa.privateKey.export({ type: "pkcs8", format: "pem", cipher: "aes-256-cbc", passphrase: "x" }),
      publicPem(rsa.publicKey) + rsa.privateKey.export({ type: "pkcs8", format: "pem" }),
    ];
    for (const pem of forms) expect(await errorMessage(pem.toString())).toContain("private key");
  });

  test("is rejected when it is damaged or no key", async () => {
    const pem = publicPem(ec.publicKey);
    expect(await errorMessage(pem.replace(/M[A-Z]/, "AA"))).toContain("cannot be read");
    expect(await errorMessage(pem.slice(0, 60))).toContain("cannot be read");
    expect(await errorMessage("-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----")).toContain(
      "cannot be read",
    );
    for (const text of ["", "hello", "ssh-ed25519 AAAA", "[]", "<xml/>"])
      expect(await errorMessage(text)).toContain("neither");
  });

  test("is rejected when its curve is not supported", async () => {
    const { publicKey } = generateKeyPairSync("ec", { namedCurve: "P-384" });
    expect(await errorMessage(publicPem(publicKey))).toContain("is not for RS256, PS256, ES256, EdDSA");
  });
});

describe("RSA", () => {
  test.each([512, 1024, 1920])("with %d bits is rejected, alone or in a set", async (bits) => {
    const { publicKey } = generateKeyPairSync("rsa", { modulusLength: bits });
    expect(await errorMessage(publicPem(publicKey))).toContain(`${bits} bits`);
    expect(await errorMessage({ keys: [ecJwk, { ...publicJwk(publicKey), kid: "weak" }] })).toContain(
      '"weak"',
    );
  });

  test("is measured without leading zeros of its modulus", async () => {
    const { publicKey } = generateKeyPairSync("rsa", { modulusLength: 1024 });
    const jwk = publicJwk(publicKey);
    const n = Buffer.concat([Buffer.alloc(128), Buffer.from(String(jwk.n), "base64url")]).toString(
      "base64url",
    );
    expect(await errorMessage({ ...jwk, n })).toContain("1024 bits");
  });

  test.each(["AQ", "AA", "", "Ag", "BA"])("with the exponent %j is rejected", async (e) => {
    expect(await errorMessage({ ...publicJwk(rsa.publicKey), e })).toContain("exponent");
  });

  test("without a modulus is rejected", async () => {
    expect(await errorMessage({ kty: "RSA", e: "AQAB" })).toContain("bits");
    expect(await errorMessage({ kty: "RSA", e: "AQAB", n: 5 })).toContain("bits");
  });
});

describe("a JWK", () => {
  test.each([
    [{ use: "enc" }, "use"],
    [{ key_ops: ["encrypt"] }, "key_ops"],
    [{ key_ops: ["sign"] }, "key_ops"],
    [{ key_ops: [] }, "key_ops"],
    [{ key_ops: "verify" }, "key_ops"],
    [{ alg: "ES512" }, "alg"],
    [{ alg: "RS256" }, "alg"],
    [{ alg: "HS256" }, "alg"],
    [{ alg: "none" }, "alg"],
    [{ crv: "P-384" }, "crv"],
    [{ crv: "secp256k1" }, "crv"],
    [{ kty: "OKP" }, "kty"],
    [{ kty: "AKP" }, "kty"],
    [{ kty: 5 }, "kty"],
    [{ x: "AAAA" }, "not a valid public key"],
    [{ y: ecJwk.x }, "not a valid public key"],
    [{ y: undefined }, "not a valid public key"],
    [{ x: 5 }, "not a valid public key"],
  ])("with %j is rejected with the reason", async (change, reason) => {
    expect(await errorMessage({ ...ecJwk, ...change })).toContain(reason);
  });

  test("may declare its use", async () => {
    for (const extra of [
      { use: "sig" },
      { key_ops: ["verify"] },
      { key_ops: ["sign", "verify"] },
      { alg: "ES256" },
    ]) {
      expect(await isAccepted(ecToken(), await keysFromDocument({ ...ecJwk, ...extra }))).toBe(true);
    }
  });

  test("that is symmetric is rejected with the reason, and is not quoted", async () => {
    const k = randomBytes(32).toString("base64url");
    for (const jwk of [
      { kty: "oct", k },
      { kty: "oct", k, alg: "HS256", kid: "s" },
      { kty: "oct", k, use: "enc" },
      { ...ecJwk, k },
    ]) {
      const messages = [
        await errorMessage(jwk),
        await errorMessage({ keys: [jwk] }),
        await errorMessage({ keys: [ecJwk, jwk] }),
      ];
      for (const message of messages) {
        expect(message).toContain("symmetric");
        expect(message).toContain("COLOPHON_JWT_SECRET");
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
  test("skips keys that are not supported", async () => {
    const others = [
      { kty: "EC", crv: "P-521" },
      { ...ecJwk, use: "enc", kid: "e" },
      { kty: "new" },
      null,
      5,
      "x",
      [],
      {},
    ];
    expect(await isAccepted(ecToken(), await keysFromDocument({ keys: [...others, ecJwk] }))).toBe(true);
    expect(await errorMessage({ keys: others })).toContain("has no key for RS256, PS256, ES256, EdDSA");
    expect(await errorMessage({ keys: [] })).toContain("has no key");
  });

  test("selects the key by kid, and tries all keys for a token without kid", async () => {
    const other = publicJwk(generateKeyPair("ES256").publicKey);
    const keys = await keysFromDocument({
      keys: [
        { ...other, kid: "1" },
        { ...ecJwk, kid: "2" },
      ],
    });
    expect(await isAccepted(ecToken({ kid: "2" }), keys)).toBe(true);
    expect(await isAccepted(ecToken(), keys)).toBe(true);
    expect(await isAccepted(ecToken({ kid: "1" }), keys)).toBe(false);
    expect(await isAccepted(ecToken({ kid: "3" }), keys)).toBe(false);
  });

  test("may have two keys with the same kid", async () => {
    const other = publicJwk(generateKeyPair("ES256").publicKey);
    const keys = await keysFromDocument({ keys: [other, ecJwk].map((jwk) => ({ ...jwk, kid: "same" })) });
    expect(await isAccepted(ecToken({ kid: "same" }), keys)).toBe(true);
  });

  test("is rejected when it is not well-formed", async () => {
    expect(await errorMessage('{"keys":[')).toContain("not well-formed");
    expect(await errorMessage({ keys: {} })).toContain("not an array");
    expect(await errorMessage({})).toContain("kty");
  });
});
