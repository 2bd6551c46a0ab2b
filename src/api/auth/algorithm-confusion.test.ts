/** The algorithm comes from the key, never from the token (RFC 8725 §3.1). */
import { describe, expect, test } from "bun:test";
import { createHash, randomBytes } from "node:crypto";
import type { Algorithm } from "./keys/key-source.ts";
import { openKeySource } from "./keys/open-key-source.ts";
import {
  CLAIMS,
  createTokenSigners,
  describeEachAlgorithm,
  encodePart,
  generateKeyPair,
  isAccepted,
  keysFromDocument,
  publicJwk,
  publicPem,
  setUpAuthTests,
  signToken,
  signWith,
  signWithHmac,
} from "./testing/signed-tokens.ts";

setUpAuthTests();

const signers = await createTokenSigners();

describeEachAlgorithm(signers, ({ signer, alg, keys, payload, signature, expectRejected }) => {
  test.each(["none", "None", "NONE", "nOnE", "", "none ", " none"])(
    "rejects the algorithm %j, with and without a signature",
    async (none) => {
      const input = `${encodePart({ alg: none })}.${payload}`;
      await expectRejected(`${input}.`);
      await expectRejected(`${input}`);
      await expectRejected(`${input}.${signature}`);
      await expectRejected(`${input}.${signer.sign(input).toString("base64url")}`);
    },
  );

  test("rejects its own signature under the name of any other algorithm", async () => {
    const names = [
      "HS256",
      "HS384",
      "HS512",
      "RS256",
      "RS384",
      "RS512",
      "PS256",
      "PS384",
      "PS512",
      "ES256",
      "ES256K",
    ];
    const others = [
      ...names,
      "ES384",
      "ES512",
      "EdDSA",
      "Ed25519",
      "Ed448",
      "dir",
      alg.toLowerCase(),
      `${alg} `,
      `${alg}\0`,
      "constructor",
    ];
    for (const name of others) if (name !== alg) await expectRejected(signer.token({ alg: name }, CLAIMS));
    for (const name of [null, 1, [alg], { alg }, undefined])
      await expectRejected(signer.token({ alg: name }, CLAIMS));
  });

  test("rejects HS256 tokens signed with its public key: PEM, JWK or modulus as the secret", async () => {
    if (!signer.publicKey) return expect(keys.signingKey).toBeDefined();
    expect(keys.signingKey).toBeUndefined();
    const pem = publicPem(signer.publicKey);
    const jwk = publicJwk(signer.publicKey);
    const der = signer.publicKey.export({ type: "spki", format: "der" });
    const secrets = [pem, pem.trim(), pem.replaceAll("\n", ""), der, JSON.stringify(jwk), "", "ours"];
    for (const member of [jwk.n, jwk.x])
      if (typeof member === "string") secrets.push(member, Buffer.from(member, "base64url"));
    for (const otherKeys of [keys, await keysFromDocument(pem), await keysFromDocument(jwk)]) {
      for (const secret of secrets) {
        await expectRejected(signToken({ alg: "HS256" }, CLAIMS, signWithHmac(secret)), otherKeys);
        await expectRejected(
          signToken({ alg: "HS256", kid: "ours" }, CLAIMS, signWithHmac(secret)),
          otherKeys,
        );
      }
    }
  });
});

describe("an RSA key", () => {
  const { publicKey, privateKey } = generateKeyPair("RS256");
  const token = (alg: Algorithm) => signToken({ alg }, CLAIMS, signWith(alg, privateKey));

  test("verifies RS256 and PS256 when it names no algorithm", async () => {
    for (const document of [publicPem(publicKey), publicJwk(publicKey)]) {
      const keys = await keysFromDocument(document);
      expect([await isAccepted(token("RS256"), keys), await isAccepted(token("PS256"), keys)]).toEqual([
        true,
        true,
      ]);
    }
  });

  test.each(["RS256", "PS256"] as const)("verifies %s alone when it names that algorithm", async (alg) => {
    const keys = await keysFromDocument({ ...publicJwk(publicKey), alg });
    expect(await isAccepted(token("RS256"), keys)).toBe(alg === "RS256");
    expect(await isAccepted(token("PS256"), keys)).toBe(alg === "PS256");
  });
});

test("rejects a JWE encrypted with the shared secret", async () => {
  const secret = randomBytes(32);
  const keys = await openKeySource({ secret: `base64url:${secret.toString("base64url")}` });
  const { EncryptJWT } = await import("jose");
  const jwe = await new EncryptJWT(CLAIMS).setProtectedHeader({ alg: "dir", enc: "A256GCM" }).encrypt(secret);
  expect(jwe.split(".")).toHaveLength(5);
  expect(await isAccepted(jwe, keys)).toBe(false);
});

test("rejects the hash of the secret, another encoding of it, and other hash functions", async () => {
  const text = "a shared secret of more than 32 bytes";
  const keys = await openKeySource({ secret: text });
  expect(await isAccepted(signToken({ alg: "HS256" }, CLAIMS, signWithHmac(text)), keys)).toBe(true);
  for (const wrong of [
    createHash("sha256").update(text).digest(),
    Buffer.from(text).toString("base64url"),
    `${text} `,
    `${text}\n`,
  ]) {
    expect(await isAccepted(signToken({ alg: "HS256" }, CLAIMS, signWithHmac(wrong)), keys)).toBe(false);
  }
  for (const hash of ["sha384", "sha512", "sha1"]) {
    expect(await isAccepted(signToken({ alg: "HS256" }, CLAIMS, signWithHmac(text, hash)), keys)).toBe(false);
  }
});
