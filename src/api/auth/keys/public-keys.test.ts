import { describe, expect, test } from "bun:test";
import { generateKeyPairSync, randomBytes } from "node:crypto";
import { KeyError } from "../errors.ts";
import {
  CLAIMS,
  generateKeyPair,
  isAccepted,
  keysFromDocument,
  publicJwk,
  publicPem,
  setUpAuthTests,
  signToken,
  signWith,
} from "../testing/signed-tokens.ts";

setUpAuthTests();

const ec = generateKeyPair("ES256");
const rsa = generateKeyPair("RS256");
const ed = generateKeyPair("EdDSA");
const ecJwk = publicJwk(ec.publicKey);
const ecToken = (header = {}) =>
  signToken({ alg: "ES256", ...header }, CLAIMS, signWith("ES256", ec.privateKey));

async function refusal(document: string | object): Promise<string> {
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
  ] as const)("with a public key verifies %s, whatever kid the token names", async (alg, pair) => {
    const keys = await keysFromDocument(`\n${publicPem(pair.publicKey)}\n`);
    for (const header of [{ alg }, { alg, kid: "any" }]) {
      expect(await isAccepted(signToken(header, CLAIMS, signWith(alg, pair.privateKey)), keys)).toBe(true);
    }
  });

  test("of PKCS #1 is one too", async () => {
    const keys = await keysFromDocument(rsa.publicKey.export({ type: "pkcs1", format: "pem" }).toString());
    expect(
      await isAccepted(signToken({ alg: "RS256" }, CLAIMS, signWith("RS256", rsa.privateKey)), keys),
    ).toBe(true);
  });

  test("of a certificate gives its key", async () => {
    const { key, certificate } = selfSigned();
    const keys = await keysFromDocument(certificate);
    expect(await isAccepted(signToken({ alg: "ES256" }, CLAIMS, signWith("ES256", key)), keys)).toBe(true);
    expect(await refusal(certificate + certificate)).toContain("several PEM blocks");
  });

  test("with a private key is refused by name, in every form", async () => {
    const forms = [
      rsa.privateKey.export({ type: "pkcs8", format: "pem" }),
      rsa.privateKey.export({ type: "pkcs1", format: "pem" }),
      ec.privateKey.export({ type: "sec1", format: "pem" }),
      rsa.privateKey.export({ type: "pkcs8", format: "pem", cipher: "aes-256-cbc", passphrase: "x" }),
      publicPem(rsa.publicKey) + rsa.privateKey.export({ type: "pkcs8", format: "pem" }),
    ];
    for (const pem of forms) expect(await refusal(pem.toString())).toContain("private key");
  });

  test("that is broken, or no key, is refused", async () => {
    const pem = publicPem(ec.publicKey);
    expect(await refusal(pem.replace(/M[A-Z]/, "AA"))).toContain("cannot be read");
    expect(await refusal(pem.slice(0, 60))).toContain("cannot be read");
    expect(await refusal("-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----")).toContain(
      "cannot be read",
    );
    for (const text of ["", "hello", "ssh-ed25519 AAAA", "[]", "<xml/>"])
      expect(await refusal(text)).toContain("neither");
  });

  test("of a curve that is not ours is refused", async () => {
    const { publicKey } = generateKeyPairSync("ec", { namedCurve: "P-384" });
    expect(await refusal(publicPem(publicKey))).toContain("is not for RS256, PS256, ES256, EdDSA");
  });
});

describe("RSA", () => {
  test.each([512, 1024, 1920])("of %d bits is refused, alone or in a set", async (bits) => {
    const { publicKey } = generateKeyPairSync("rsa", { modulusLength: bits });
    expect(await refusal(publicPem(publicKey))).toContain(`${bits} bits`);
    expect(await refusal({ keys: [ecJwk, { ...publicJwk(publicKey), kid: "weak" }] })).toContain('"weak"');
  });

  test("does not grow by zeros in front of its modulus", async () => {
    const { publicKey } = generateKeyPairSync("rsa", { modulusLength: 1024 });
    const jwk = publicJwk(publicKey);
    const n = Buffer.concat([Buffer.alloc(128), Buffer.from(String(jwk.n), "base64url")]).toString(
      "base64url",
    );
    expect(await refusal({ ...jwk, n })).toContain("1024 bits");
  });

  test.each(["AQ", "AA", "", "Ag", "BA"])("with the exponent %j is refused", async (e) => {
    expect(await refusal({ ...publicJwk(rsa.publicKey), e })).toContain("exponent");
  });

  test("without a modulus is refused", async () => {
    expect(await refusal({ kty: "RSA", e: "AQAB" })).toContain("bits");
    expect(await refusal({ kty: "RSA", e: "AQAB", n: 5 })).toContain("bits");
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
  ])("with %j is refused, and the reason named", async (change, reason) => {
    expect(await refusal({ ...ecJwk, ...change })).toContain(reason);
  });

  test("may say what it is for", async () => {
    for (const extra of [
      { use: "sig" },
      { key_ops: ["verify"] },
      { key_ops: ["sign", "verify"] },
      { alg: "ES256" },
    ]) {
      expect(await isAccepted(ecToken(), await keysFromDocument({ ...ecJwk, ...extra }))).toBe(true);
    }
  });

  test("that is symmetric is refused by name, and never becomes a secret", async () => {
    const k = randomBytes(32).toString("base64url");
    for (const jwk of [
      { kty: "oct", k },
      { kty: "oct", k, alg: "HS256", kid: "s" },
      { kty: "oct", k, use: "enc" },
      { ...ecJwk, k },
    ]) {
      const messages = [
        await refusal(jwk),
        await refusal({ keys: [jwk] }),
        await refusal({ keys: [ecJwk, jwk] }),
      ];
      for (const message of messages) {
        expect(message).toContain("symmetric");
        expect(message).toContain("COLOPHON_JWT_SECRET");
        expect(message).not.toContain(k);
      }
    }
  });

  test("that is private is refused by name, and not quoted", async () => {
    for (const { privateKey } of [rsa, ec, ed]) {
      const jwk = privateKey.export({ format: "jwk" });
      for (const document of [jwk, { keys: [jwk] }, { keys: [ecJwk, { ...jwk, use: "enc" }] }]) {
        const message = await refusal(document);
        expect(message).toContain("private");
        expect(message).not.toContain(String(jwk.d));
      }
    }
  });
});

describe("a JWKS", () => {
  test("passes over keys that are not for us", async () => {
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
    expect(await refusal({ keys: others })).toContain("has no key for RS256, PS256, ES256, EdDSA");
    expect(await refusal({ keys: [] })).toContain("has no key");
  });

  test("finds a key by its kid; a token without one may be of any", async () => {
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

  test("may have one kid for two keys", async () => {
    const other = publicJwk(generateKeyPair("ES256").publicKey);
    const keys = await keysFromDocument({ keys: [other, ecJwk].map((jwk) => ({ ...jwk, kid: "same" })) });
    expect(await isAccepted(ecToken({ kid: "same" }), keys)).toBe(true);
  });

  test("that is not well-formed is refused", async () => {
    expect(await refusal('{"keys":[')).toContain("not well-formed");
    expect(await refusal({ keys: {} })).toContain("not an array");
    expect(await refusal({})).toContain("kty");
  });
});

function selfSigned() {
  const pair = generateKeyPair("ES256");
  const pem = pair.privateKey.export({ type: "pkcs8", format: "pem" }).toString();
  const run = Bun.spawnSync(
    ["openssl", "req", "-x509", "-key", "/dev/stdin", "-subj", "/CN=localhost", "-days", "2"],
    {
      stdin: Buffer.from(pem),
    },
  );
  return { key: pair.privateKey, certificate: run.stdout.toString() };
}
