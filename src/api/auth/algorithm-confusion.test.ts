/** The algorithm comes from the key, never from the token (RFC 8725, 3.1). */
import { describe, expect, test } from "bun:test";
import { createHash, randomBytes } from "node:crypto";
import type { Algorithm } from "./keys/key-set.ts";
import { openKeySource } from "./keys/key-source.ts";
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

const forges = await createTokenSigners();

describeEachAlgorithm(forges, ({ signer: forge, alg, keys, payload, signature, expectRejected: refuses }) => {
  test.each(["none", "None", "NONE", "nOnE", "", "none ", " none"])(
    "refuses the algorithm %j, with and without a signature",
    async (none) => {
      const input = `${encodePart({ alg: none })}.${payload}`;
      await refuses(`${input}.`);
      await refuses(`${input}`);
      await refuses(`${input}.${signature}`);
      await refuses(`${input}.${forge.sign(input).toString("base64url")}`);
    },
  );

  test("refuses its own signature under every other algorithm's name", async () => {
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
    for (const name of others) if (name !== alg) await refuses(forge.token({ alg: name }, CLAIMS));
    for (const name of [null, 1, [alg], { alg }, undefined])
      await refuses(forge.token({ alg: name }, CLAIMS));
  });

  test("signs nothing with its public half: HS256 over the PEM, the JWK or the modulus", async () => {
    if (!forge.publicKey) return expect(keys.signingKey).toBeDefined();
    expect(keys.signingKey).toBeUndefined();
    const pem = publicPem(forge.publicKey);
    const jwk = publicJwk(forge.publicKey);
    const der = forge.publicKey.export({ type: "spki", format: "der" });
    const secrets = [pem, pem.trim(), pem.replaceAll("\n", ""), der, JSON.stringify(jwk), "", "ours"];
    for (const member of [jwk.n, jwk.x])
      if (typeof member === "string") secrets.push(member, Buffer.from(member, "base64url"));
    for (const given of [keys, await keysFromDocument(pem), await keysFromDocument(jwk)]) {
      for (const secret of secrets) {
        await refuses(signToken({ alg: "HS256" }, CLAIMS, signWithHmac(secret)), given);
        await refuses(signToken({ alg: "HS256", kid: "ours" }, CLAIMS, signWithHmac(secret)), given);
      }
    }
  });
});

describe("an RSA key", () => {
  const { publicKey, privateKey } = generateKeyPair("RS256");
  const token = (alg: Algorithm) => signToken({ alg }, CLAIMS, signWith(alg, privateKey));

  test("that names no algorithm is for RS256 and PS256", async () => {
    for (const document of [publicPem(publicKey), publicJwk(publicKey)]) {
      const keys = await keysFromDocument(document);
      expect([await isAccepted(token("RS256"), keys), await isAccepted(token("PS256"), keys)]).toEqual([
        true,
        true,
      ]);
    }
  });

  test.each(["RS256", "PS256"] as const)("that names %s is for that alone", async (alg) => {
    const keys = await keysFromDocument({ ...publicJwk(publicKey), alg });
    expect(await isAccepted(token("RS256"), keys)).toBe(alg === "RS256");
    expect(await isAccepted(token("PS256"), keys)).toBe(alg === "PS256");
  });
});

test("a JWE of the shared secret is refused", async () => {
  const secret = randomBytes(32);
  const keys = await openKeySource({ secret: `base64url:${secret.toString("base64url")}` });
  const { EncryptJWT } = await import("jose");
  const jwe = await new EncryptJWT(CLAIMS).setProtectedHeader({ alg: "dir", enc: "A256GCM" }).encrypt(secret);
  expect(jwe.split(".")).toHaveLength(5);
  expect(await isAccepted(jwe, keys)).toBe(false);
});

test("a secret is not met by its hash, its text form or a hash of the wrong kind", async () => {
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
