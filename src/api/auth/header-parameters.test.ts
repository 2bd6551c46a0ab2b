/** What a header may say, and what it may not: RFC 7515, 4.1. */
import { afterAll, describe, expect, test } from "bun:test";
import { createSecretKey, randomBytes } from "node:crypto";
import {
  CLAIMS,
  createTokenSigners,
  describeEachAlgorithm,
  encodePart,
  generateKeyPair,
  isAccepted,
  publicJwk,
  setUpAuthTests,
  signToken,
  signWith,
  signWithHmac,
} from "./testing/signed-tokens.ts";

setUpAuthTests();

const forges = await createTokenSigners();

describeEachAlgorithm(
  forges,
  ({ signer: forge, alg, keys, expectRejected: refuses, expectAccepted: admits }) => {
    test.each([
      "/dev/null",
      "../../../../dev/null",
      "' OR 1=1 --",
      "ours' UNION SELECT 'AA",
      "",
      "\0",
      "ours\0",
      "OURS",
      "__proto__",
    ])("takes the kid %j for a name and nothing else", async (kid) => {
      const attempt = signToken({ alg: "HS256", kid }, CLAIMS, signWithHmac(""));
      await refuses(attempt);
      // A secret has no name, so that any fits; a named public key answers to its own alone.
      const own = await isAccepted(forge.token({ alg, kid }, CLAIMS), keys);
      expect(own).toBe(alg === "HS256");
    });

    test("refuses a kid that is no text", async () => {
      for (const kid of [1, null, ["ours"], { toString: "ours" }, true])
        await refuses(forge.token({ alg, kid }, CLAIMS));
    });

    test("refuses critical extensions, known to others or not", async () => {
      for (const extra of [
        { crit: ["exp"], exp: CLAIMS.exp },
        { crit: ["b64"], b64: true },
        { crit: ["b64"], b64: false },
        { crit: [] },
        { crit: ["x"], x: 1 },
        { crit: null },
        { crit: "b64" },
        { crit: ["alg"] },
        { b64: false },
        { b64: "false" },
        { b64: null },
      ]) {
        await refuses(forge.token({ alg, ...extra }, CLAIMS));
      }
      // RFC 7797: signed over the payload as it is.
      const raw = `${encodePart({ alg, b64: false, crit: ["b64"] })}.${JSON.stringify(CLAIMS)}`;
      await refuses(`${raw}.${forge.sign(raw).toString("base64url")}`);
    });

    test("ignores header parameters that are only told", async () => {
      await admits(forge.token({ alg, "x5t#S256": "AAAA", nonce: "1", b64: true, cty: "x" }, CLAIMS));
    });

    test("takes JWT and at+jwt for its type, or none", async () => {
      for (const typ of ["JWT", "jwt", "at+jwt", "AT+JWT", "application/at+jwt", "application/JWT"]) {
        await admits(forge.token({ alg, typ }, CLAIMS));
      }
      await admits(forge.token({ alg }, CLAIMS));
      for (const typ of ["logout+jwt", "secevent+jwt", "dpop+jwt", "JOSE", "", null, 1, ["JWT"]]) {
        await refuses(forge.token({ alg, typ }, CLAIMS));
      }
    });
  },
);

describe("keys that the token brings along", () => {
  const asked: string[] = [];
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch(request) {
      asked.push(request.url);
      return Response.json({ keys: [{ ...publicJwk(forger.publicKey), kid: "forged" }] });
    },
  });
  afterAll(() => server.stop(true));
  const forger = generateKeyPair("RS256");
  const url = `http://127.0.0.1:${server.port}/keys.json`;
  const brought = [
    { jku: url },
    { x5u: url },
    { jwk: publicJwk(forger.publicKey) },
    { x5c: [forger.publicKey.export({ type: "spki", format: "der" }).toString("base64")] },
    { jku: url, kid: "forged" },
    { jku: null },
    { jwk: {} },
    { x5c: [] },
  ];

  test.each(forges.map((forge) => [forge.algorithm, forge] as const))(
    "are not taken: %s",
    async (_, forge) => {
      for (const extra of brought) {
        const header = { alg: "RS256", ...extra };
        expect(
          await isAccepted(signToken(header, CLAIMS, signWith("RS256", forger.privateKey)), forge.keys),
        ).toBe(false);
        // Not even where one of our own keys has signed it.
        expect(await isAccepted(forge.token({ ...header, alg: forge.algorithm }, CLAIMS), forge.keys)).toBe(
          false,
        );
      }
      const symmetric = randomBytes(32);
      const jwk = createSecretKey(symmetric).export({ format: "jwk" });
      expect(
        await isAccepted(signToken({ alg: "HS256", jwk }, CLAIMS, signWithHmac(symmetric)), forge.keys),
      ).toBe(false);
    },
  );

  test("are not asked for", async () => {
    expect(asked).toEqual([]);
    // The server would have answered.
    expect((await fetch(url)).status).toBe(200);
    expect(asked).toEqual([url]);
  });
});
