/**
 * What looks like a token and is something else, for every algorithm: encrypted for our key by anyone who has
 * its public half, one within another, detached, compressed, or told apart by how a header is spelled.
 */
import { expect, test } from "bun:test";
import { createSecretKey, randomBytes } from "node:crypto";
import { deflateRawSync } from "node:zlib";
import { CompactEncrypt } from "jose";
import { MAX_TOKEN_CHARS } from "./compact-jws.ts";
import { openKeySource } from "./keys/key-source.ts";
import {
  CLAIMS,
  createTokenSigner,
  createTokenSigners,
  describeEachAlgorithm,
  encodePart,
  generateKeyPair,
  isAccepted,
  keysFromDocument,
  publicJwk,
  setUpAuthTests,
  signToken,
  signWith,
  type TokenSigner,
} from "./testing/signed-tokens.ts";

setUpAuthTests();

const forges = await createTokenSigners();

/** How a JWE is encrypted to a key of this kind: with what anyone may know. */
const ENCRYPTION = { RS256: "RSA-OAEP-256", PS256: "RSA-OAEP", ES256: "ECDH-ES" } as const;

async function encryptedFor(
  { algorithm, publicKey }: TokenSigner,
  plaintext: string,
): Promise<string | undefined> {
  if (!publicKey || !(algorithm in ENCRYPTION)) return undefined;
  const alg = ENCRYPTION[algorithm as keyof typeof ENCRYPTION];
  const header = { alg, enc: "A256GCM", kid: "ours", typ: "JWT", cty: "JWT" };
  return new CompactEncrypt(Buffer.from(plaintext)).setProtectedHeader(header).encrypt(publicKey);
}

describeEachAlgorithm(
  forges,
  ({
    signer: forge,
    alg,
    keys,
    good,
    head,
    payload,
    signature,
    expectRejected: refuses,
    expectAccepted: admits,
  }) => {
    test("refuses a JWE, of claims or of a good token, and its parts taken for a JWS", async () => {
      const jwes = [await encryptedFor(forge, JSON.stringify(CLAIMS)), await encryptedFor(forge, good)];
      for (const jwe of jwes) {
        // HS256 and EdDSA have no JWE of their own key here; the shared secret's is in algorithm-confusion.test.ts.
        if (jwe === undefined) continue;
        const [header = "", key = "", iv = "", text = "", tag = ""] = jwe.split(".");
        await refuses(jwe);
        await refuses(`${header}.${text}.${tag}`);
        await refuses(`${header}.${key}.${iv}`);
        await refuses(`${head}.${text}.${tag}`);
      }
      await refuses(`${head}.${payload}.${signature}..`);
      await refuses(forge.token({ alg: "dir", enc: "A256GCM" }, CLAIMS));
    });

    test("refuses a good token within a signed one (RFC 7519, 5.2)", async () => {
      for (const header of [{ alg, cty: "JWT" }, { alg, typ: "JWT", cty: "jwt" }, { alg }]) {
        await refuses(forge.token(header, good));
        await refuses(forge.token(header, JSON.stringify(good)));
        await refuses(forge.token(header, { jwt: good }));
      }
      await refuses(`${encodePart(good)}.${payload}.${signature}`);
    });

    test("refuses a detached or a compressed payload", async () => {
      await refuses(`${head}..${signature}`);
      await refuses(`${head}..${forge.sign(`${head}.`).toString("base64url")}`);
      const deflated = deflateRawSync(JSON.stringify(CLAIMS));
      await refuses(forge.token({ alg, zip: "DEF" }, deflated));
      await refuses(forge.token({ alg }, deflated));
    });

    test("reads names and values as JSON does, however they are escaped", async () => {
      const escaped = (text: string) =>
        [...text].map((each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, "0")}`).join("");
      await admits(forge.token(`{"${escaped("alg")}":"${escaped(alg)}"}`, CLAIMS));
      for (const name of ["crit", "jwk", "jku", "x5u", "x5c"]) {
        await refuses(forge.token(`{"alg":"${alg}","${escaped(name)}":[]}`, CLAIMS));
        await refuses(forge.token(`{"alg":"${alg}","${name}":[],"${name}":null}`, CLAIMS));
      }
      await refuses(forge.token(`{"alg":"${alg}","${escaped("b64")}":false}`, CLAIMS));
      await refuses(forge.token(`{"alg":"${alg}","alg":"${escaped("none")}"}`, CLAIMS));
      await refuses(forge.token({ alg }, `{"exp":${CLAIMS.exp},"${escaped("exp")}":1}`));
      await refuses(forge.token({ alg }, `{"exp":${CLAIMS.exp},"nbf":1,"nbf":"1"}`));
      // Names are compared as they are: RFC 7515, 4 knows no case.
      await refuses(forge.token({ ALG: alg }, CLAIMS));
      await refuses(forge.token(`{"alg":"${alg}","alg ":"x"}`.replace('"alg"', '"Alg"'), CLAIMS));
    });

    test("refuses UTF-7, UTF-16 and UTF-32, in both parts", async () => {
      const header = JSON.stringify({ alg });
      const claims = JSON.stringify(CLAIMS);
      const utf32 = (text: string) =>
        Buffer.concat([...text].map((each) => Buffer.from([each.charCodeAt(0), 0, 0, 0])));
      for (const encode of [
        (text: string) => Buffer.from(text, "utf16le"),
        (text: string) => Buffer.from(text, "utf16le").swap16(),
        utf32,
        (text: string) => Buffer.from(text.replaceAll('"', "+ACI-").replaceAll("{", "+AHs-")),
        (text: string) => Buffer.from(`\u0000${text}`),
      ]) {
        await refuses(forge.token(encode(header), CLAIMS));
        await refuses(forge.token({ alg }, encode(claims)));
      }
    });

    test("stands a kid as long as a token can be, and one that stands twice", async () => {
      const longest = "k".repeat(Math.floor((MAX_TOKEN_CHARS - good.length) * 0.7));
      const takesAnyName = alg === "HS256";
      expect(await isAccepted(forge.token({ alg, kid: longest }, CLAIMS), keys)).toBe(takesAnyName);
      await refuses(forge.token({ alg, kid: "k".repeat(MAX_TOKEN_CHARS) }, CLAIMS));
      const twice = (first: string, last: string) =>
        isAccepted(forge.token(`{"alg":"${alg}","kid":"${first}","kid":"${last}"}`, CLAIMS), keys);
      expect(await twice("other", "ours")).toBe(true);
      expect(await twice("ours", "other")).toBe(takesAnyName);
    });

    test("refuses its own token when its key is gone from the set, or is under another name", async () => {
      if (!forge.publicKey) return await refuses((await createTokenSigner(alg)).token({ alg }, CLAIMS));
      const jwk = publicJwk(forge.publicKey);
      const other = publicJwk(generateKeyPair(alg).publicKey);
      const named = forge.token({ alg, kid: "ours" }, CLAIMS);
      expect(await isAccepted(named, await keysFromDocument({ keys: [{ ...other, kid: "ours" }] }))).toBe(
        false,
      );
      expect(await isAccepted(named, await keysFromDocument({ keys: [{ ...jwk, kid: "Ours" }] }))).toBe(
        false,
      );
      expect(await isAccepted(named, await keysFromDocument({ keys: [{ ...jwk, kid: "ours" }] }))).toBe(true);
    });
  },
);

test("no key signs for another kind: every signature under every key", async () => {
  for (const signer of forges) {
    for (const { algorithm: alg, keys } of forges) {
      if (signer.algorithm === alg) continue;
      for (const header of [{ alg }, { alg, kid: "ours" }, { alg: signer.algorithm, kid: "ours" }]) {
        expect(await isAccepted(signer.token(header, CLAIMS), keys)).toBe(false);
      }
    }
  }
});

test("a set with keys of every kind takes each by its own algorithm alone", async () => {
  const kinds = ["RS256", "ES256", "EdDSA"] as const;
  const pairs = new Map(kinds.map((kind) => [kind, generateKeyPair(kind)]));
  const set = kinds.map((kind) => ({ ...publicJwk(pairs.get(kind)!.publicKey), kid: "same" }));
  const keys = await keysFromDocument({ keys: set });
  for (const kind of kinds) {
    const signer = signWith(kind, pairs.get(kind)!.privateKey);
    for (const alg of kinds) {
      expect(await isAccepted(signToken({ alg, kid: "same" }, CLAIMS, signer), keys)).toBe(alg === kind);
    }
  }
});

test("HS256 with a key that is public, by any spelling, is never set up", async () => {
  const secret = createSecretKey(randomBytes(32)).export({ format: "jwk" });
  for (const document of [secret, { keys: [secret] }, { keys: [{ ...secret, kty: "RSA" }] }]) {
    await expect(keysFromDocument(document)).rejects.toThrow();
  }
  const keys = await openKeySource({ secret: "s".repeat(32) });
  const [only] = keys.current();
  expect([...only!.keysByAlgorithm.keys()]).toEqual(["HS256"]);
});
