/** Checks the token vectors of our own, which `scripts/token-vectors/make.ts` has made. `vectors.test.ts` has others'. */
import { describe, expect, test } from "bun:test";
import { createPrivateKey, createPublicKey } from "node:crypto";
import { createAuthenticator } from "./authenticator.ts";
import type { Algorithm, KeySource } from "./keys/key-source.ts";
import { openKeySource } from "./keys/open-key-source.ts";
import { ALGORITHMS, keysFromDocument, publicJwk, setUpAuthTests } from "./testing/signed-tokens.ts";
import vectors from "./testing/token-vectors.json" with { type: "json" };

setUpAuthTests();

interface TokenVector {
  readonly name: string;
  readonly key: string;
  readonly verdict: string;
  readonly token: string;
  readonly issuer?: string;
  readonly audience?: string;
}
const tokens: readonly TokenVector[] = vectors.tokens;

/** Configures the key as an operator would. */
function openKey(algorithm: Algorithm): Promise<KeySource> {
  if (algorithm === "HS256") return openKeySource({ secret: `base64url:${vectors.keys.HS256.k}` });
  const { kid, ...jwk } = vectors.keys[algorithm];
  const publicKey = createPublicKey(createPrivateKey({ key: jwk, format: "jwk" }));
  return keysFromDocument({ keys: [{ ...publicJwk(publicKey), kid }] });
}

async function verdictOf(vector: TokenVector, keys: KeySource): Promise<string> {
  const { issuer, audience, token } = vector;
  const authenticator = createAuthenticator({
    keys,
    issuer,
    audience,
    tokens: { isRevoked: (id) => id === vectors.revokedId },
    now: () => vectors.nowSeconds * 1000,
  });
  // Twice, because the second result may come from the cache.
  const results = [0, 1].map(() => authenticator.authenticate(`Bearer ${token}`));
  const verdicts = (await Promise.all(results)).map(({ ok }) => (ok ? "accepted" : "rejected"));
  expect(verdicts[1]).toBe(verdicts[0]!);
  return verdicts[0]!;
}

describe("the token vectors", () => {
  test("have several accepted tokens of each algorithm, and many rejected ones", () => {
    for (const algorithm of ALGORITHMS) {
      const ofKey = tokens.filter(({ key }) => key === algorithm);
      expect(ofKey.filter(({ verdict }) => verdict === "accepted")).toHaveLength(13);
      expect(ofKey.filter(({ verdict }) => verdict === "rejected").length).toBeGreaterThan(60);
    }
  });

  test.each(ALGORITHMS)("of %s have the verdict that they name", async (algorithm) => {
    const keys = await openKey(algorithm);
    const wrong: string[] = [];
    for (const vector of tokens.filter(({ key }) => key === algorithm)) {
      if ((await verdictOf(vector, keys)) !== vector.verdict)
        wrong.push(`${vector.name}: not ${vector.verdict}`);
    }
    expect(wrong).toEqual([]);
  });

  test.each(vectors.rejectedKeys)(
    "reject $name as a key, and name the reason",
    async ({ document, reason }) => {
      await expect(keysFromDocument(document)).rejects.toThrow(reason);
    },
  );
});
