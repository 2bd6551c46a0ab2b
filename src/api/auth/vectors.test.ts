/** Checks every published vector. Tokens of algorithms that are not supported must be rejected. */

import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { sharedFile } from "../../lib/testing/requirements.ts";
import { KeyError, type KeySource } from "./keys/key-source.ts";
import { openKeySource } from "./keys/open-key-source.ts";
import { verifySignature } from "./signature.ts";
import { isAccepted, keysFromDocument, setUpAuthTests } from "./testing/signed-tokens.ts";

setUpAuthTests();

const { path: folder, missing } = sharedFile("vectors/jwt");
const suite = missing ? describe.skip : describe;
const skipNote = missing ? " (skipped: ../shared/vectors/jwt is not there)" : "";

/** The tokens of RFC 7515 expire at 18:43 on that day. */
const BEFORE_EXPIRY = Date.UTC(2011, 2, 22, 18, 0, 0);

type Jwk = Readonly<Record<string, string>>;
const read = <T>(name: string): T[] => JSON.parse(readFileSync(join(folder, name), "utf8"));

const SUPPORTED_ALGORITHMS = ["HS256", "RS256", "PS256", "ES256", "EdDSA"];

/** Configures the keys as an operator would: one symmetric key as the secret, all others as a key file. */
async function openKeysOf(jwks: readonly Jwk[]): Promise<KeySource | undefined> {
  const [first] = jwks;
  const isSecret = jwks.length === 1 && first?.kty === "oct" && (first.alg ?? "HS256") === "HS256";
  try {
    return isSecret
      ? await openKeySource({ secret: `base64url:${first.k}` })
      : await keysFromDocument({ keys: jwks });
  } catch (error) {
    if (error instanceof KeyError) return undefined;
    throw error;
  }
}

async function classify(
  token: string,
  jwks: readonly Jwk[],
): Promise<"keys rejected" | "not signed" | "signed"> {
  const keys = await openKeysOf(jwks);
  if (!keys) return "keys rejected";
  return (await verifySignature(token, keys)) ? "signed" : "not signed";
}

suite(`Wycheproof${skipNote}`, () => {
  interface Vector {
    readonly id: string;
    readonly comment: string;
    readonly keyAlg: string;
    readonly tokenAlg: string | null;
    readonly wycheproof: "valid" | "invalid";
    readonly jwks: { readonly keys: readonly Jwk[] };
    readonly token: string;
  }
  const vectors = missing ? [] : read<Vector>("wycheproof.json");
  const byId = (id: string) => vectors.find((vector) => vector.id === id)!;

  /** Labelled incorrectly, as two tests below show. */
  const IDENTICAL_TO_A_VALID_VECTOR = ["json_web_signature_test#367", "json_web_signature_test#370"];
  const NOT_BASE64URL = ["json_web_signature_test#372", "json_web_signature_test#373"];
  /** Two symmetric keys. They cannot be configured: there is one secret, and key files have only public keys. */
  const TWO_SECRETS = ["json_web_key_test#2", "json_web_crypto_test#48"];

  function hasValidSignature(vector: Vector): boolean {
    if (IDENTICAL_TO_A_VALID_VECTOR.includes(vector.id)) return true;
    if (NOT_BASE64URL.includes(vector.id) || TWO_SECRETS.includes(vector.id)) return false;
    // The RFC 7520 vectors listed under PS256 have tokens of PS384.
    return (
      vector.wycheproof === "valid" &&
      vector.tokenAlg === vector.keyAlg &&
      SUPPORTED_ALGORITHMS.includes(vector.keyAlg)
    );
  }

  test("classifies all 510 vectors: 31 have a valid signature", async () => {
    const wrong: string[] = [];
    const counts = { "keys rejected": 0, "not signed": 0, signed: 0 };
    for (const vector of vectors) {
      const found = await classify(vector.token, vector.jwks.keys);
      counts[found]++;
      if ((found === "signed") !== hasValidSignature(vector))
        wrong.push(`${vector.id} ${vector.comment}: ${found}`);
    }
    expect(wrong).toEqual([]);
    expect(counts).toEqual({ "keys rejected": 101, "not signed": 378, signed: 31 });
  });

  test("accepts none as a token: their payloads are no claims", async () => {
    let checked = 0;
    for (const vector of vectors) {
      const keys = await openKeysOf(vector.jwks.keys);
      if (!keys) continue;
      checked++;
      expect(await isAccepted(vector.token, keys, Date.now())).toBe(false);
    }
    expect(checked).toBe(510 - 101);
  });

  test("two vectors labelled invalid are identical to one labelled valid", () => {
    const valid = byId("json_web_signature_test#357");
    expect(valid.wycheproof).toBe("valid");
    for (const vector of IDENTICAL_TO_A_VALID_VECTOR.map(byId)) {
      expect([vector.wycheproof, vector.token, vector.jwks]).toEqual(["invalid", valid.token, valid.jwks]);
    }
  });

  test("two vectors labelled valid have a character outside base64url (RFC 7515 §2)", () => {
    for (const vector of NOT_BASE64URL.map(byId)) {
      expect(vector.wycheproof).toBe("valid");
      expect(vector.token).toContain("?");
    }
  });

  test("a token is verified with the secret that signed it, and not with the other", async () => {
    for (const { token, jwks } of TWO_SECRETS.map(byId)) {
      const classes = await Promise.all(jwks.keys.map((key) => classify(token, [key])));
      expect(classes).toEqual(["signed", "not signed"]);
    }
  });

  test.each([
    ["#7", "ROCA"],
    ["#8", "1024 bits"],
    ["#9", "exponent"],
    ["#22", "valid public key"],
  ])("rejects the key of json_web_key_test%s and gives the reason: %s", async (number, reason) => {
    const { jwks } = byId(`json_web_key_test${number}`);
    await expect(keysFromDocument(jwks)).rejects.toThrow(reason);
  });
});

suite(`RFC 7515, appendix A${skipNote}`, () => {
  interface Vector {
    readonly id: string;
    readonly key: Jwk | null;
    readonly token: string;
  }
  const vectors = missing ? [] : read<Vector>("rfc7515.json");

  test("A.1 to A.3 are accepted until they expire", async () => {
    const signedVectors = vectors.filter((vector) => vector.key);
    expect(signedVectors.map((vector) => vector.id)).toEqual(["rfc7515-A.1", "rfc7515-A.2", "rfc7515-A.3"]);
    for (const { token, key } of signedVectors) {
      const keys = (await openKeysOf([key!]))!;
      expect(await isAccepted(token, keys, BEFORE_EXPIRY)).toBe(true);
      expect(await isAccepted(token, keys, Date.now())).toBe(false);
    }
  });

  test("A.5, without a signature, is rejected with every key", async () => {
    const unsecured = vectors.find((vector) => vector.id === "rfc7515-A.5")!;
    expect(vectors).toHaveLength(4);
    for (const { key } of vectors) {
      if (!key) continue;
      const keys = (await openKeysOf([key]))!;
      expect(await isAccepted(unsecured.token, keys, BEFORE_EXPIRY)).toBe(false);
    }
  });
});

suite(`RFC 7520, RFC 7797 and RFC 8037${skipNote}`, () => {
  interface Vector {
    readonly id: string;
    readonly kind: "jws" | "jwe";
    readonly serialization: string;
    readonly key?: Jwk | readonly Jwk[];
    readonly token: string;
  }
  const vectors = missing ? [] : read<Vector>("cookbook.json");
  const anyKey = vectors.find((vector) => vector.id.includes("4_1.rsa"))?.key as Jwk;
  /** Vectors without a key are checked with a key that has not signed them. */
  const keysOfVector = ({ key = anyKey }: Vector) => (Array.isArray(key) ? key : [key]) as readonly Jwk[];

  test("accepts only the compact signatures of RS256, HS256 and EdDSA among all 69", async () => {
    const accepted: string[] = [];
    for (const vector of vectors) {
      if ((await classify(vector.token, keysOfVector(vector))) === "signed") accepted.push(vector.id);
    }
    expect(vectors).toHaveLength(69);
    expect(accepted).toEqual([
      "cookbook/jws/4_1.rsa_v15_signature.json:compact",
      "cookbook/jws/4_4.hmac-sha2_integrity_protection.json:compact",
      "cookbook/curve25519/jws.json:compact",
    ]);
  });

  test("accepts none as a token, and never throws", async () => {
    for (const vector of vectors) {
      const keys = (await openKeysOf(keysOfVector(vector))) ?? (await openKeysOf([anyKey]))!;
      expect(await isAccepted(vector.token, keys, BEFORE_EXPIRY)).toBe(false);
    }
  });
});
