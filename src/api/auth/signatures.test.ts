/** Signatures that are almost right, derived from a valid one, or made for a verifier that checks too little. */
import { describe, expect, test } from "bun:test";
import {
  constants,
  createHash,
  sign as cryptoSign,
  generateKeyPairSync,
  privateEncrypt,
  type SignKeyObjectInput,
} from "node:crypto";
import fc from "fast-check";
import { createAuthenticator } from "./authenticator.ts";
import type { Algorithm } from "./keys/key-source.ts";
import {
  CLAIMS,
  createTokenSigner,
  createTokenSigners,
  encodePart,
  expectVerdicts,
  generateKeyPair,
  isAccepted,
  keysFromDocument,
  NOW,
  publicJwk,
  type SignFunction,
  setUpAuthTests,
  signToken,
  signWith,
  testTokens,
} from "./testing/signed-tokens.ts";

setUpAuthTests();

const signers = await createTokenSigners();

testTokens(signers, {
  "rejects a token signed by another key": async ({ alg }) => {
    const other = await createTokenSigner(alg);
    return { rejected: [{}, { kid: "ours" }].map((kid) => other.token({ alg, typ: "JWT", ...kid }, CLAIMS)) };
  },
  "rejects a signature with any bit flipped": ({ head, payload, signature }) => {
    const bytes = Buffer.from(signature, "base64url");
    const half = bytes.length >> 1;
    const rejected = [0, 1, half - 1, half, bytes.length - 2, bytes.length - 1].flatMap((at) =>
      Array.from({ length: 8 }, (_, bit) => {
        const flipped = bytes.with(at, bytes[at]! ^ (1 << bit));
        return `${head}.${payload}.${encodePart(flipped)}`;
      }),
    );
    return { rejected };
  },
  "rejects a signature that is truncated, extended, doubled, empty or all zeros": (signer) => {
    const bytes = Buffer.from(signer.signature, "base64url");
    const zero = Buffer.alloc(1);
    const wrong = [
      ...[0, 1, 16, bytes.length - 1].map((length) => bytes.subarray(0, length)),
      bytes.subarray(1),
      ...[
        [bytes, zero],
        [zero, bytes],
        [bytes, bytes],
      ].map((parts) => Buffer.concat(parts)),
      ...[0, 0xff].map((fill) => Buffer.alloc(bytes.length, fill)),
    ];
    return { rejected: wrong.map((each) => `${signer.head}.${signer.payload}.${encodePart(each)}`) };
  },
  "rejects a token with any one character changed, removed or added": async ({ valid, keys }) => {
    await fc.assert(
      fc.asyncProperty(
        fc.nat({ max: valid.length - 1 }),
        fc.constantFrom(..."ABCabc019-_.+/= ~?é\0"),
        fc.constantFrom("change", "remove", "add"),
        async (at, character, how) => {
          const [added, from] = [how === "remove" ? "" : character, how === "add" ? at : at + 1];
          const changed = valid.slice(0, at) + added + valid.slice(from);
          // RFC 6750 §2.1 allows several spaces after the scheme.
          fc.pre(changed.trimStart() !== valid);
          return !(await isAccepted(changed, keys));
        },
      ),
      { numRuns: 400 },
    );
    return {};
  },
});

const fromBigEndian = (bytes: Uint8Array) => BigInt(`0x0${Buffer.from(bytes).toString("hex")}`);
const toBigEndian = (value: bigint, length: number) =>
  Buffer.from(value.toString(16).padStart(2 * length, "0"), "hex");
const fromLittleEndian = (bytes: Uint8Array) => fromBigEndian(Uint8Array.from(bytes).reverse());
const toLittleEndian = (value: bigint, length: number) => toBigEndian(value, length).reverse();

/** Returns a new key pair, its keys as configured, and functions that make tokens and a signed input for it. */
async function createForger(alg: Algorithm) {
  const { publicKey, privateKey } = generateKeyPair(alg);
  const keys = await keysFromDocument(publicJwk(publicKey));
  const inputOf = (claims: object = CLAIMS) => `${encodePart({ alg })}.${encodePart(claims)}`;
  return {
    publicKey,
    privateKey,
    keys,
    inputOf,
    sign: signWith(alg, privateKey),
    token: (forge: SignFunction) => signToken({ alg }, CLAIMS, forge),
    /** Signs with another digest or padding. */
    signed: (hash: string | null, options: Partial<SignKeyObjectInput> = {}) =>
      signToken({ alg }, CLAIMS, (input) =>
        cryptoSign(hash, Buffer.from(input), { key: privateKey, ...options }),
      ),
  };
}

describe.each(["RS256", "PS256"] as const)("%s", (alg) => {
  test("rejects the signature plus the modulus (RFC 8017 §5.2.2: out of range)", async () => {
    const { publicKey, keys, inputOf, sign } = await createForger(alg);
    const modulus = fromBigEndian(Buffer.from(String(publicJwk(publicKey).n), "base64url"));
    // Each claim gives another signature. The loop ends with one that is small enough for the sum to fit.
    for (let n = 0; ; n++) {
      const input = inputOf({ ...CLAIMS, n });
      const valid = sign(input);
      const sum = fromBigEndian(valid) + modulus;
      if (sum.toString(2).length > 2048) continue;
      const [accepted, rejected] = [valid, toBigEndian(sum, 256)].map((each) => [
        `${input}.${encodePart(each)}`,
      ]);
      return await expectVerdicts({ accepted: accepted!, rejected: rejected! }, keys);
    }
  });
});

describe("RS256", async () => {
  const { privateKey, keys, token, signed } = await createForger("RS256");
  const SHA256_INFO = "3031300d060960864801650304020105000420";
  const digestOf = (input: string, info = SHA256_INFO) =>
    Buffer.concat([Buffer.from(info, "hex"), createHash("sha256").update(input).digest()]);

  /** Signs the encoded message of RFC 8017 §9.2, with parts of it replaced. */
  function encoded(change: { info?: string; type?: number; padding?: number; trailing?: number }): string {
    const { info, type = 1, padding = 0xff, trailing = 0 } = change;
    return token((input) => {
      const digest = digestOf(input, info);
      const fill = Buffer.alloc(256 - 3 - digest.length - trailing, padding);
      const start = Buffer.concat([Buffer.from([0, type]), fill, Buffer.from([0])]);
      const message = Buffer.concat([start, digest, Buffer.alloc(trailing, 0x41)]);
      return privateEncrypt({ key: privateKey, padding: constants.RSA_NO_PADDING }, message);
    });
  }

  test("accepts the encoding of RFC 8017 §9.2, so the next tests are meaningful", () =>
    expectVerdicts({ accepted: [encoded({})] }, keys));

  test.each([
    ...["sha1", "sha384", "sha512", "md5"].map((hash) => [`the digest ${hash}`, signed(hash)]),
    ["no digest info", encoded({ info: "" })],
    ["the digest info of SHA-1", encoded({ info: "3021300906052b0e03021a05000414" })],
    ["the digest info without its NULL", encoded({ info: "302f300b06096086480165030402010420" })],
    ["bytes after the digest", encoded({ trailing: 100 })],
    ["one byte after the digest", encoded({ trailing: 1 })],
    ["padding of type 2", encoded({ type: 2 })],
    ["padding of type 0", encoded({ type: 0, padding: 0 })],
    ["padding of other bytes", encoded({ padding: 0xfe })],
  ])("rejects %s", (_, forged) => expectVerdicts({ rejected: [forged!] }, keys));

  test("rejects a cube root for a key with exponent 3 (Bleichenbacher, 2006)", async () => {
    const { publicKey } = generateKeyPairSync("rsa", { modulusLength: 3072, publicExponent: 3 });
    const forged = token((input) => {
      const start = Buffer.concat([Buffer.from([0, 1, ...Array(8).fill(0xff), 0]), digestOf(input)]);
      const target = fromBigEndian(Buffer.concat([start, Buffer.alloc(384 - start.length, 0xff)]));
      return toBigEndian(cubeRoot(target), 384);
    });
    await expectVerdicts({ rejected: [forged] }, await keysFromDocument(publicJwk(publicKey)));
  });
});

test("PS256 accepts only a salt of the size of the digest (RFC 7518 §3.5)", async () => {
  const { keys, signed } = await createForger("PS256");
  const salted = (saltLength: number, hash = "sha256") =>
    signed(hash, { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength });
  const lengths = [0, 20, 31, 33, 64, 222].map((length) => salted(length));
  const hashes = ["sha1", "sha384", "sha512"].map((hash) => salted(32, hash));
  await expectVerdicts({ accepted: [salted(32)], rejected: [...lengths, ...hashes] }, keys);
});

describe("ES256", async () => {
  const groupOrder = BigInt("0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551");
  const { keys, inputOf, sign, signed } = await createForger("ES256");
  const input = inputOf();
  const raw = sign(input);
  const [r, s] = [raw.subarray(0, 32), raw.subarray(32)].map(fromBigEndian) as [bigint, bigint];
  const withNumbers = (numbers: readonly bigint[], length = 32) =>
    `${input}.${encodePart(Buffer.concat(numbers.map((each) => toBigEndian(each, length).subarray(-length))))}`;

  test.each([
    ["a signature encoded in DER", [signed("sha256")]],
    [
      "another digest",
      ["sha1", "sha384", "sha512"].map((hash) => signed(hash, { dsaEncoding: "ieee-p1363" })),
    ],
    ["r and s in more or fewer bytes", [31, 33, 48, 66].map((length) => withNumbers([r, s], length))],
    [
      "r or s that is 0, the group order, or swapped",
      [
        ...[
          [0n, 0n],
          [r, 0n],
          [0n, s],
          [1n, 1n],
          [s, r],
        ],
        ...[
          [groupOrder, s],
          [r, groupOrder],
          [groupOrder, groupOrder],
        ],
      ].map((numbers) => withNumbers(numbers)),
    ],
  ])("rejects %s", (_, rejected) => expectVerdicts({ accepted: [withNumbers([r, s])], rejected }, keys));

  test("accepts both ECDSA signatures of one token, and revocation applies to both", async () => {
    // Each signature can be computed from the other. Both tokens have the same jti, so one revocation rejects both.
    const tokens = { isRevoked: (id: string) => id === "revoked" };
    const authenticator = createAuthenticator({ keys, tokens, now: () => NOW });
    for (const jti of ["other", "revoked"]) {
      const claims = inputOf({ ...CLAIMS, jti });
      const first = sign(claims);
      const second = toBigEndian(groupOrder - fromBigEndian(first.subarray(32)), 32);
      for (const each of [first, Buffer.concat([first.subarray(0, 32), second])]) {
        const { ok } = await authenticator.authenticate(`Bearer ${claims}.${encodePart(each)}`);
        expect(ok).toBe(jti === "other");
      }
    }
  });
});

describe("EdDSA", async () => {
  /** RFC 8032 §5.1. */
  const groupOrder = 2n ** 252n + 27742317777372353535851937790883648493n;
  const fieldPrime = 2n ** 255n - 19n;
  const { privateKey, keys, inputOf, sign, token } = await createForger("EdDSA");

  test("rejects S plus the group order (RFC 8032 §5.1.7)", async () => {
    const input = inputOf();
    const valid = sign(input);
    const [zero, ...rejected] = Array.from({ length: 8 }, (_, times) => {
      const s = fromLittleEndian(valid.subarray(32)) + BigInt(times) * groupOrder;
      return `${input}.${encodePart(Buffer.concat([valid.subarray(0, 32), toLittleEndian(s, 32)]))}`;
    });
    await expectVerdicts({ accepted: [zero!], rejected }, keys);
  });

  test("rejects a signature over the hash of the message (RFC 8032 §8.5)", async () => {
    const forged = token((input) =>
      cryptoSign(null, createHash("sha512").update(input).digest(), privateKey),
    );
    await expectVerdicts({ rejected: [forged] }, keys);
  });

  test.each([
    ["the neutral point", 1n],
    ["a point of order 2", fieldPrime - 1n],
    ["a point of order 4", 0n],
    ["the other point of order 4", 1n << 255n],
    ["a point of order 8", 0x7a03ac9277fdc74ec6cc392cfa53202a0f67100d760b3cba4fd84d3d706a17c7n],
    ["another point of order 8", 0x05fc536d880238b13933c6d305acdfd5f098eff289f4c345b027b2c28f95e826n],
    ["the neutral point, not reduced modulo the field prime", fieldPrime + 1n],
    ["zero, not reduced modulo the field prime", fieldPrime],
    ["the neutral point with the sign bit", 1n | (1n << 255n)],
    ["zero with the sign bit, not reduced modulo the field prime", fieldPrime | (1n << 255n)],
  ])("rejects a public key of small order: %s", async (_, point) => {
    const x = toLittleEndian(point, 32).toString("base64url");
    await expect(keysFromDocument({ kty: "OKP", crv: "Ed25519", x })).rejects.toThrow("small order");
  });
});

function cubeRoot(value: bigint): bigint {
  let low = 0n;
  let high = 1n << BigInt(Math.ceil(value.toString(2).length / 3) + 1);
  while (low < high) {
    const middle = (low + high + 1n) >> 1n;
    if (middle ** 3n <= value) low = middle;
    else high = middle - 1n;
  }
  return low;
}
