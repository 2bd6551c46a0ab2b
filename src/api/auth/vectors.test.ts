/** Every published vector gets the answer that is right here. Those of other algorithms are refused. */
import { describe, expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createAuthenticator } from "./authenticator.ts";
import { KeyError } from "./errors.ts";
import { type KeySource, openKeySource } from "./keys/key-source.ts";
import { verifySignature } from "./signature.ts";
import { keysFromDocument, setUpAuthTests } from "./testing/signed-tokens.ts";

setUpAuthTests();

const folder = join(import.meta.dir, "../../../../shared/vectors/jwt");
const missing = !existsSync(folder) && !process.env.CI;
const suite = missing ? describe.skip : describe;
const because = missing ? " (skipped: ../shared/vectors/jwt is not there)" : "";

type Jwk = Readonly<Record<string, string>>;
const read = <T>(name: string): T[] => JSON.parse(readFileSync(join(folder, name), "utf8"));

const OURS = ["HS256", "RS256", "PS256", "ES256", "EdDSA"];

/** As an operator would set it: one symmetric key is the secret, all else is a key file. */
async function keysFor(jwks: readonly Jwk[]): Promise<KeySource | undefined> {
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

/** Where a token fails, or that it does not. */
async function outcome(
  token: string,
  jwks: readonly Jwk[],
): Promise<"keys refused" | "not signed" | "signed"> {
  const keys = await keysFor(jwks);
  if (!keys) return "keys refused";
  return (await verifySignature(token, keys)) ? "signed" : "not signed";
}

async function isAdmitted(token: string, keys: KeySource, at: Date): Promise<boolean> {
  const gate = createAuthenticator({ keys, tokens: { isRevoked: () => false }, now: () => at.getTime() });
  return (await gate.authenticate(`Bearer ${token}`)).ok;
}

suite(`Wycheproof${because}`, () => {
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

  /** Labelled the wrong way round, as the two tests below show. */
  const SAME_AS_A_VALID_ONE = ["json_web_signature_test#367", "json_web_signature_test#370"];
  const NOT_BASE64URL = ["json_web_signature_test#372", "json_web_signature_test#373"];
  /** Two symmetric keys: there is no way to set that, and such a key file is refused. */
  const TWO_SECRETS = ["json_web_key_test#2", "json_web_crypto_test#48"];

  function isSignedRightly(vector: Vector): boolean {
    if (SAME_AS_A_VALID_ONE.includes(vector.id)) return true;
    if (NOT_BASE64URL.includes(vector.id) || TWO_SECRETS.includes(vector.id)) return false;
    // RFC 7520 vectors that are filed under PS256 have a token of PS384.
    return vector.wycheproof === "valid" && vector.tokenAlg === vector.keyAlg && OURS.includes(vector.keyAlg);
  }

  test("all 510 are answered: 31 have a signature that counts", async () => {
    const wrong: string[] = [];
    const counts = { "keys refused": 0, "not signed": 0, signed: 0 };
    for (const vector of vectors) {
      const is = await outcome(vector.token, vector.jwks.keys);
      counts[is]++;
      if ((is === "signed") !== isSignedRightly(vector)) wrong.push(`${vector.id} ${vector.comment}: ${is}`);
    }
    expect(wrong).toEqual([]);
    expect(counts).toEqual({ "keys refused": 101, "not signed": 378, signed: 31 });
  });

  test("none lets anyone in: their payloads are no claims", async () => {
    let judged = 0;
    for (const vector of vectors) {
      const keys = await keysFor(vector.jwks.keys);
      if (!keys) continue;
      judged++;
      expect(await isAdmitted(vector.token, keys, new Date())).toBe(false);
    }
    expect(judged).toBe(510 - 101);
  });

  test("two that are called invalid are, byte by byte, one that is called valid", () => {
    const valid = byId("json_web_signature_test#357");
    expect(valid.wycheproof).toBe("valid");
    for (const vector of SAME_AS_A_VALID_ONE.map(byId)) {
      expect([vector.wycheproof, vector.token, vector.jwks]).toEqual(["invalid", valid.token, valid.jwks]);
    }
  });

  test("two that are called valid have a character that base64url does not (RFC 7515, 2)", () => {
    for (const vector of NOT_BASE64URL.map(byId)) {
      expect(vector.wycheproof).toBe("valid");
      expect(vector.token).toContain("?");
    }
  });

  test("a token of one of two secrets is verified with that one, and not with the other", async () => {
    for (const { token, jwks } of TWO_SECRETS.map(byId)) {
      const outcomes = await Promise.all(jwks.keys.map((key) => outcome(token, [key])));
      expect(outcomes).toEqual(["signed", "not signed"]);
    }
  });

  test.each([
    ["#7", "ROCA"],
    ["#8", "1024 bits"],
    ["#9", "exponent"],
    ["#22", "valid public key"],
  ])("the key of json_web_key_test%s is refused by name: %s", async (number, reason) => {
    const { jwks } = byId(`json_web_key_test${number}`);
    await expect(keysFromDocument(jwks)).rejects.toThrow(reason);
  });
});

suite(`RFC 7515, appendix A${because}`, () => {
  interface Vector {
    readonly id: string;
    readonly key: Jwk | null;
    readonly token: string;
  }
  const vectors = missing ? [] : read<Vector>("rfc7515.json");

  test("A.1 to A.3 are let in while they last, and not today", async () => {
    const lasting = vectors.filter((vector) => vector.key);
    expect(lasting.map((vector) => vector.id)).toEqual(["rfc7515-A.1", "rfc7515-A.2", "rfc7515-A.3"]);
    for (const { token, key } of lasting) {
      const keys = (await keysFor([key!]))!;
      expect(await isAdmitted(token, keys, new Date("2011-03-22T18:00:00Z"))).toBe(true);
      expect(await isAdmitted(token, keys, new Date())).toBe(false);
    }
  });

  test("A.5, without a signature, is refused with the key of each other", async () => {
    const unsecured = vectors.find((vector) => vector.id === "rfc7515-A.5")!;
    expect(vectors).toHaveLength(4);
    for (const { key } of vectors) {
      if (!key) continue;
      const keys = (await keysFor([key]))!;
      expect(await isAdmitted(unsecured.token, keys, new Date("2011-03-22T18:00:00Z"))).toBe(false);
    }
  });
});

suite(`RFC 7520, RFC 7797 and RFC 8037${because}`, () => {
  interface Vector {
    readonly id: string;
    readonly kind: "jws" | "jwe";
    readonly serialization: string;
    readonly key?: Jwk | readonly Jwk[];
    readonly token: string;
  }
  const vectors = missing ? [] : read<Vector>("cookbook.json");
  const anyKey = vectors.find((vector) => vector.id.includes("4_1.rsa"))?.key as Jwk;
  /** Those without a key of their own are judged with one that has not signed them. */
  const keyOf = ({ key = anyKey }: Vector) => (Array.isArray(key) ? key : [key]) as readonly Jwk[];

  test("of all 69 only the compact signatures of RS256, HS256 and EdDSA count", async () => {
    const accepted: string[] = [];
    for (const vector of vectors) {
      if ((await outcome(vector.token, keyOf(vector))) === "signed") accepted.push(vector.id);
    }
    expect(vectors).toHaveLength(69);
    expect(accepted).toEqual([
      "cookbook/jws/4_1.rsa_v15_signature.json:compact",
      "cookbook/jws/4_4.hmac-sha2_integrity_protection.json:compact",
      "cookbook/curve25519/jws.json:compact",
    ]);
  });

  test("none lets anyone in, and none makes the gate throw", async () => {
    for (const vector of vectors) {
      const keys = (await keysFor(keyOf(vector))) ?? (await keysFor([anyKey]))!;
      expect(await isAdmitted(vector.token, keys, new Date("2011-03-22T18:00:00Z"))).toBe(false);
    }
  });
});
