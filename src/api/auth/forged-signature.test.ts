/** Signatures that are almost right, for every algorithm. */
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

const signers = await createTokenSigners();

describeEachAlgorithm(
  signers,
  ({ alg, keys, validToken, head, payload, signature, expectRejected, expectAccepted }) => {
    test("accepts a token signed by its key", async () => {
      await expectAccepted(validToken);
    });

    test("rejects a token signed by another key", async () => {
      const other = await createTokenSigner(alg);
      await expectRejected(other.token({ alg, typ: "JWT" }, CLAIMS));
      await expectRejected(other.token({ alg, typ: "JWT", kid: "ours" }, CLAIMS));
    });

    test("rejects a signature with any bit flipped", async () => {
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
          await expectRejected(`${head}.${payload}.${flipped.toString("base64url")}`);
        }
      }
    });

    test("rejects a signature that is truncated, extended, doubled, empty or all zeros", async () => {
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
      for (const each of wrong) await expectRejected(`${head}.${payload}.${each.toString("base64url")}`);
    });

    test("rejects a token with any one character changed, removed or added", async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.nat({ max: validToken.length - 1 }),
          fc.constantFrom(..."ABCabc019-_.+/= ~?é\0"),
          fc.constantFrom("change", "remove", "add"),
          async (at, character, how) => {
            const changed =
              validToken.slice(0, at) +
              (how === "remove" ? "" : character) +
              validToken.slice(how === "add" ? at : at + 1);
            // RFC 6750 §2.1 allows several spaces after the scheme.
            fc.pre(changed.trimStart() !== validToken);
            return !(await isAccepted(changed, keys));
          },
        ),
        { numRuns: 400 },
      );
    });
  },
);

describe("ES256", () => {
  const groupOrder = BigInt("0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551");
  const { publicKey, privateKey } = generateKeyPair("ES256");
  const keys = keysFromDocument(publicJwk(publicKey));
  const input = `${encodePart({ alg: "ES256" })}.${encodePart(CLAIMS)}`;
  const bytes32 = (value: bigint) => Buffer.from(value.toString(16).padStart(64, "0"), "hex");
  const raw = signWith("ES256", privateKey)(input);

  test("rejects a signature encoded in DER", async () => {
    const der = sign("sha256", Buffer.from(input), privateKey);
    expect(await isAccepted(`${input}.${der.toString("base64url")}`, await keys)).toBe(false);
  });

  test("rejects r or s that is 0, the group order, or swapped", async () => {
    const r = BigInt(`0x${raw.toString("hex", 0, 32)}`);
    const s = BigInt(`0x${raw.toString("hex", 32)}`);
    for (const [a, b] of [
      [0n, 0n],
      [r, 0n],
      [0n, s],
      [groupOrder, s],
      [r, groupOrder],
      [1n, 1n],
      [groupOrder, groupOrder],
      [s, r],
    ] as const) {
      const forged = Buffer.concat([bytes32(a), bytes32(b)]).toString("base64url");
      expect(await isAccepted(`${input}.${forged}`, await keys)).toBe(false);
    }
  });

  test("accepts both ECDSA signatures of one token, and revocation applies to both", async () => {
    const s = BigInt(`0x${raw.toString("hex", 32)}`);
    const second = Buffer.concat([raw.subarray(0, 32), bytes32(groupOrder - s)]).toString("base64url");
    // Each signature can be computed from the other. Both tokens have the same jti, so one revocation rejects both.
    const tokens = { isRevoked: (id: string) => id === "revoked" };
    const authenticator = createAuthenticator({ keys: await keys, tokens, now: () => NOW });
    expect((await authenticator.authenticate(`Bearer ${input}.${second}`)).ok).toBe(true);
    const revokedInput = `${encodePart({ alg: "ES256" })}.${encodePart({ ...CLAIMS, jti: "revoked" })}`;
    const revoked = signWith("ES256", privateKey)(revokedInput);
    const revokedSecond = Buffer.concat([
      revoked.subarray(0, 32),
      bytes32(groupOrder - BigInt(`0x${revoked.toString("hex", 32)}`)),
    ]);
    for (const each of [revoked, revokedSecond]) {
      expect(
        (await authenticator.authenticate(`Bearer ${revokedInput}.${each.toString("base64url")}`)).ok,
      ).toBe(false);
    }
  });
});
