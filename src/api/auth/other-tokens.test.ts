/**
 * Other objects that look like a token, for every algorithm: JWEs for the public key, nested tokens, detached or
 * compressed payloads, and headers with escapes or in other encodings.
 */
import { expect, test } from "bun:test";
import { createSecretKey, randomBytes } from "node:crypto";
import { deflateRawSync } from "node:zlib";
import { CompactEncrypt } from "jose";
import { openKeySource } from "./keys/open-key-source.ts";
import { MAX_TOKEN_CHARS } from "./signature.ts";
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

const signers = await createTokenSigners();

/** The JWE algorithms that anyone with the public key can use. */
const ENCRYPTION = { RS256: "RSA-OAEP-256", PS256: "RSA-OAEP", ES256: "ECDH-ES" } as const;

async function encryptFor(
  { algorithm, publicKey }: TokenSigner,
  plaintext: string,
): Promise<string | undefined> {
  if (!publicKey || !(algorithm in ENCRYPTION)) return undefined;
  const alg = ENCRYPTION[algorithm as keyof typeof ENCRYPTION];
  const header = { alg, enc: "A256GCM", kid: "ours", typ: "JWT", cty: "JWT" };
  return new CompactEncrypt(Buffer.from(plaintext)).setProtectedHeader(header).encrypt(publicKey);
}

describeEachAlgorithm(
  signers,
  ({ signer, alg, keys, validToken, head, payload, signature, expectRejected, expectAccepted }) => {
    test("rejects a JWE of claims or of a valid token, and its parts as a JWS", async () => {
      const jwes = [await encryptFor(signer, JSON.stringify(CLAIMS)), await encryptFor(signer, validToken)];
      for (const jwe of jwes) {
        // EdDSA keys cannot encrypt. algorithm-confusion.test.ts covers the JWE of a shared secret.
        if (jwe === undefined) continue;
        const [header = "", key = "", iv = "", text = "", tag = ""] = jwe.split(".");
        await expectRejected(jwe);
        await expectRejected(`${header}.${text}.${tag}`);
        await expectRejected(`${header}.${key}.${iv}`);
        await expectRejected(`${head}.${text}.${tag}`);
      }
      await expectRejected(`${head}.${payload}.${signature}..`);
      await expectRejected(signer.token({ alg: "dir", enc: "A256GCM" }, CLAIMS));
    });

    test("rejects a valid token nested in a signed one (RFC 7519 §5.2)", async () => {
      for (const header of [{ alg, cty: "JWT" }, { alg, typ: "JWT", cty: "jwt" }, { alg }]) {
        await expectRejected(signer.token(header, validToken));
        await expectRejected(signer.token(header, JSON.stringify(validToken)));
        await expectRejected(signer.token(header, { jwt: validToken }));
      }
      await expectRejected(`${encodePart(validToken)}.${payload}.${signature}`);
    });

    test("rejects a detached or compressed payload", async () => {
      await expectRejected(`${head}..${signature}`);
      await expectRejected(`${head}..${signer.sign(`${head}.`).toString("base64url")}`);
      const deflated = deflateRawSync(JSON.stringify(CLAIMS));
      await expectRejected(signer.token({ alg, zip: "DEF" }, deflated));
      await expectRejected(signer.token({ alg }, deflated));
    });

    test("decodes JSON escapes in names and values before checking them", async () => {
      const escaped = (text: string) =>
        [...text].map((each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, "0")}`).join("");
      await expectAccepted(signer.token(`{"${escaped("alg")}":"${escaped(alg)}"}`, CLAIMS));
      for (const name of ["crit", "jwk", "jku", "x5u", "x5c"]) {
        await expectRejected(signer.token(`{"alg":"${alg}","${escaped(name)}":[]}`, CLAIMS));
        await expectRejected(signer.token(`{"alg":"${alg}","${name}":[],"${name}":null}`, CLAIMS));
      }
      await expectRejected(signer.token(`{"alg":"${alg}","${escaped("b64")}":false}`, CLAIMS));
      await expectRejected(signer.token(`{"alg":"${alg}","alg":"${escaped("none")}"}`, CLAIMS));
      await expectRejected(signer.token({ alg }, `{"exp":${CLAIMS.exp},"${escaped("exp")}":1}`));
      await expectRejected(signer.token({ alg }, `{"exp":${CLAIMS.exp},"nbf":1,"nbf":"1"}`));
      // Names are case-sensitive (RFC 7515 §4).
      await expectRejected(signer.token({ ALG: alg }, CLAIMS));
      await expectRejected(signer.token(`{"alg":"${alg}","alg ":"x"}`.replace('"alg"', '"Alg"'), CLAIMS));
    });

    test("rejects UTF-7, UTF-16 and UTF-32, in both parts", async () => {
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
        await expectRejected(signer.token(encode(header), CLAIMS));
        await expectRejected(signer.token({ alg }, encode(claims)));
      }
    });

    test("handles a kid of maximum length, and two kids", async () => {
      const longest = "k".repeat(Math.floor((MAX_TOKEN_CHARS - validToken.length) * 0.7));
      const fitsAnyKid = alg === "HS256";
      expect(await isAccepted(signer.token({ alg, kid: longest }, CLAIMS), keys)).toBe(fitsAnyKid);
      await expectRejected(signer.token({ alg, kid: "k".repeat(MAX_TOKEN_CHARS) }, CLAIMS));
      const twice = (first: string, last: string) =>
        isAccepted(signer.token(`{"alg":"${alg}","kid":"${first}","kid":"${last}"}`, CLAIMS), keys);
      expect(await twice("other", "ours")).toBe(true);
      expect(await twice("ours", "other")).toBe(fitsAnyKid);
    });

    test("rejects its own token when the key is not in the set, or has another kid", async () => {
      if (!signer.publicKey)
        return await expectRejected((await createTokenSigner(alg)).token({ alg }, CLAIMS));
      const jwk = publicJwk(signer.publicKey);
      const other = publicJwk(generateKeyPair(alg).publicKey);
      const named = signer.token({ alg, kid: "ours" }, CLAIMS);
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

test("rejects every signature under every key of another algorithm", async () => {
  for (const signer of signers) {
    for (const { algorithm: alg, keys } of signers) {
      if (signer.algorithm === alg) continue;
      for (const header of [{ alg }, { alg, kid: "ours" }, { alg: signer.algorithm, kid: "ours" }]) {
        expect(await isAccepted(signer.token(header, CLAIMS), keys)).toBe(false);
      }
    }
  }
});

test("uses each key of a mixed set only for its own algorithm", async () => {
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

test("rejects a symmetric key in a key document, whatever its kty", async () => {
  const secret = createSecretKey(randomBytes(32)).export({ format: "jwk" });
  for (const document of [secret, { keys: [secret] }, { keys: [{ ...secret, kty: "RSA" }] }]) {
    await expect(keysFromDocument(document)).rejects.toThrow();
  }
  const keys = await openKeySource({ secret: "s".repeat(32) });
  const [only] = keys.current()!;
  expect([...only!.keysByAlgorithm.keys()]).toEqual(["HS256"]);
});
