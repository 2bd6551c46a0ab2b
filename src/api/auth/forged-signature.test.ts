/** Signatures that are nearly right, for every algorithm. */
import { describe, expect, test } from "bun:test";
import { sign } from "node:crypto";
import fc from "fast-check";
import { createAuthenticator } from "./authenticator.ts";
import {
  CLAIMS,
  createTokenSigner,
  createTokenSigners,
  describeEachAlgorithm,
  encodePart,
  generateKeyPair,
  isAccepted,
  keysFromDocument,
  NOW,
  publicJwk,
  setUpAuthTests,
  signWith,
} from "./testing/signed-tokens.ts";

setUpAuthTests();

const forges = await createTokenSigners();

describeEachAlgorithm(
  forges,
  ({ alg, keys, good, head, payload, signature, expectRejected: refuses, expectAccepted: admits }) => {
    test("admits what its key has signed", async () => {
      await admits(good);
    });

    test("refuses what another key has signed", async () => {
      const other = await createTokenSigner(alg);
      await refuses(other.token({ alg, typ: "JWT" }, CLAIMS));
      await refuses(other.token({ alg, typ: "JWT", kid: "ours" }, CLAIMS));
    });

    test("refuses any bit of the signature flipped", async () => {
      const bytes = Buffer.from(signature, "base64url");
      for (const at of [
        0,
        1,
        bytes.length >> 1,
        (bytes.length >> 1) - 1,
        bytes.length - 2,
        bytes.length - 1,
      ]) {
        for (let bit = 0; bit < 8; bit++) {
          const flipped = Buffer.from(bytes);
          flipped[at]! ^= 1 << bit;
          await refuses(`${head}.${payload}.${flipped.toString("base64url")}`);
        }
      }
    });

    test("refuses a signature that is cut, stretched, doubled, empty or of zeros", async () => {
      const bytes = Buffer.from(signature, "base64url");
      const zero = Buffer.alloc(1);
      const wrong = [
        ...[0, 1, 16, bytes.length - 1].map((length) => bytes.subarray(0, length)),
        bytes.subarray(1),
        Buffer.concat([bytes, zero]),
        Buffer.concat([zero, bytes]),
        Buffer.concat([bytes, bytes]),
        Buffer.alloc(bytes.length),
        Buffer.alloc(bytes.length, 0xff),
      ];
      for (const each of wrong) await refuses(`${head}.${payload}.${each.toString("base64url")}`);
    });

    test("refuses any one character changed, removed or added", async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.nat({ max: good.length - 1 }),
          fc.constantFrom(..."ABCabc019-_.+/= ~?é\0"),
          fc.constantFrom("change", "remove", "add"),
          async (at, character, how) => {
            const changed =
              good.slice(0, at) +
              (how === "remove" ? "" : character) +
              good.slice(how === "add" ? at : at + 1);
            // A second blank after the scheme's name is allowed there (RFC 6750, 2.1).
            fc.pre(changed.trimStart() !== good);
            return !(await isAccepted(changed, keys));
          },
        ),
        { numRuns: 400 },
      );
    });
  },
);

describe("ES256", () => {
  const order = BigInt("0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551");
  const { publicKey, privateKey } = generateKeyPair("ES256");
  const keys = keysFromDocument(publicJwk(publicKey));
  const input = `${encodePart({ alg: "ES256" })}.${encodePart(CLAIMS)}`;
  const bytes32 = (value: bigint) => Buffer.from(value.toString(16).padStart(64, "0"), "hex");
  const raw = signWith("ES256", privateKey)(input);

  test("refuses DER in place of r and s", async () => {
    const der = sign("sha256", Buffer.from(input), privateKey);
    expect(await isAccepted(`${input}.${der.toString("base64url")}`, await keys)).toBe(false);
  });

  test("refuses r or s of 0, of the order, and beyond it", async () => {
    const r = BigInt(`0x${raw.toString("hex", 0, 32)}`);
    const s = BigInt(`0x${raw.toString("hex", 32)}`);
    for (const [a, b] of [
      [0n, 0n],
      [r, 0n],
      [0n, s],
      [order, s],
      [r, order],
      [1n, 1n],
      [order, order],
      [s, r],
    ] as const) {
      const forged = Buffer.concat([bytes32(a), bytes32(b)]).toString("base64url");
      expect(await isAccepted(`${input}.${forged}`, await keys)).toBe(false);
    }
  });

  test("has two signatures for one token, as ECDSA does; neither says more than the other", async () => {
    const s = BigInt(`0x${raw.toString("hex", 32)}`);
    const twin = Buffer.concat([raw.subarray(0, 32), bytes32(order - s)]).toString("base64url");
    // Whoever has one has the other; both carry the same claims and the same jti, so revoking strikes both.
    const ledger = { isRevoked: (id: string) => id === "struck" };
    const gate = createAuthenticator({ keys: await keys, tokens: ledger, now: () => NOW });
    expect((await gate.authenticate(`Bearer ${input}.${twin}`)).ok).toBe(true);
    const struckInput = `${encodePart({ alg: "ES256" })}.${encodePart({ ...CLAIMS, jti: "struck" })}`;
    const struck = signWith("ES256", privateKey)(struckInput);
    const struckTwin = Buffer.concat([
      struck.subarray(0, 32),
      bytes32(order - BigInt(`0x${struck.toString("hex", 32)}`)),
    ]);
    for (const each of [struck, struckTwin]) {
      expect((await gate.authenticate(`Bearer ${struckInput}.${each.toString("base64url")}`)).ok).toBe(false);
    }
  });
});
