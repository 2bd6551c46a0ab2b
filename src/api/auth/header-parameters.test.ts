/** Header parameters (RFC 7515 §4.1): which are used, ignored or rejected. */
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

const signers = await createTokenSigners();

describeEachAlgorithm(signers, ({ signer, alg, keys, expectRejected, expectAccepted }) => {
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
  ])("uses the kid %j only to find a key", async (kid) => {
    const attempt = signToken({ alg: "HS256", kid }, CLAIMS, signWithHmac(""));
    await expectRejected(attempt);
    // A secret has no kid, so any kid fits. A public key with a kid verifies only tokens that name it.
    const own = await isAccepted(signer.token({ alg, kid }, CLAIMS), keys);
    expect(own).toBe(alg === "HS256");
  });

  test("rejects a kid that is not a string", async () => {
    for (const kid of [1, null, ["ours"], { toString: "ours" }, true])
      await expectRejected(signer.token({ alg, kid }, CLAIMS));
  });

  test("rejects every critical extension, registered or not", async () => {
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
      await expectRejected(signer.token({ alg, ...extra }, CLAIMS));
    }
    // RFC 7797: the signature is over the unencoded payload.
    const raw = `${encodePart({ alg, b64: false, crit: ["b64"] })}.${JSON.stringify(CLAIMS)}`;
    await expectRejected(`${raw}.${signer.sign(raw).toString("base64url")}`);
  });

  test("ignores other header parameters", async () => {
    await expectAccepted(signer.token({ alg, "x5t#S256": "AAAA", nonce: "1", b64: true, cty: "x" }, CLAIMS));
  });

  test("accepts the types JWT and at+jwt and tokens without type, and rejects others", async () => {
    for (const typ of ["JWT", "jwt", "at+jwt", "AT+JWT", "application/at+jwt", "application/JWT"]) {
      await expectAccepted(signer.token({ alg, typ }, CLAIMS));
    }
    await expectAccepted(signer.token({ alg }, CLAIMS));
    for (const typ of ["logout+jwt", "secevent+jwt", "dpop+jwt", "JOSE", "", null, 1, ["JWT"]]) {
      await expectRejected(signer.token({ alg, typ }, CLAIMS));
    }
  });
});

describe("keys in the token header", () => {
  const requestedUrls: string[] = [];
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch(request) {
      requestedUrls.push(request.url);
      return Response.json({ keys: [{ ...publicJwk(attacker.publicKey), kid: "forged" }] });
    },
  });
  afterAll(() => server.stop(true));
  const attacker = generateKeyPair("RS256");
  const url = `http://127.0.0.1:${server.port}/keys.json`;
  const extraParameters = [
    { jku: url },
    { x5u: url },
    { jwk: publicJwk(attacker.publicKey) },
    { x5c: [attacker.publicKey.export({ type: "spki", format: "der" }).toString("base64")] },
    { jku: url, kid: "forged" },
    { jku: null },
    { jwk: {} },
    { x5c: [] },
  ];

  test.each(signers.map((signer) => [signer.algorithm, signer] as const))(
    "are rejected: %s",
    async (_, signer) => {
      for (const extra of extraParameters) {
        const header = { alg: "RS256", ...extra };
        expect(
          await isAccepted(signToken(header, CLAIMS, signWith("RS256", attacker.privateKey)), signer.keys),
        ).toBe(false);
        // Also when a trusted key has signed the token.
        expect(
          await isAccepted(signer.token({ ...header, alg: signer.algorithm }, CLAIMS), signer.keys),
        ).toBe(false);
      }
      const symmetric = randomBytes(32);
      const jwk = createSecretKey(symmetric).export({ format: "jwk" });
      expect(
        await isAccepted(signToken({ alg: "HS256", jwk }, CLAIMS, signWithHmac(symmetric)), signer.keys),
      ).toBe(false);
    },
  );

  test("are not fetched", async () => {
    expect(requestedUrls).toEqual([]);
    // The server does respond.
    expect((await fetch(url)).status).toBe(200);
    expect(requestedUrls).toEqual([url]);
  });
});
