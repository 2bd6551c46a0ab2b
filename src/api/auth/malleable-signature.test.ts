/**
 * Signatures derived from a valid one, or made for a verifier that checks too little (RFC 8725 §3.3 and §3.4).
 * forged-signature.test.ts covers the second valid signature that ECDSA always has.
 */
import { describe, expect, test } from "bun:test";
import {
  constants,
  createHash,
  generateKeyPairSync,
  type KeyObject,
  privateEncrypt,
  sign,
} from "node:crypto";
import {
  CLAIMS,
  createTokenSigner,
  encodePart,
  generateKeyPair,
  isAccepted,
  keysFromDocument,
  publicJwk,
  setUpAuthTests,
  signToken,
} from "./testing/signed-tokens.ts";

setUpAuthTests();

const fromBigEndian = (bytes: Uint8Array) => BigInt(`0x0${Buffer.from(bytes).toString("hex")}`);
const toBigEndian = (value: bigint, length: number) =>
  Buffer.from(value.toString(16).padStart(2 * length, "0"), "hex");
const fromLittleEndian = (bytes: Uint8Array) => fromBigEndian(Uint8Array.from(bytes).reverse());
const toLittleEndian = (value: bigint, length: number) => toBigEndian(value, length).reverse();

describe.each(["RS256", "PS256"] as const)("%s", (alg) => {
  test("rejects the signature plus the modulus (RFC 8017 §5.2.2: out of range)", async () => {
    const signer = await createTokenSigner(alg);
    const modulus = fromBigEndian(Buffer.from(String(publicJwk(signer.publicKey!).n), "base64url"));
    // Each claim gives another signature. The loop ends with one that is small enough for the sum to fit.
    for (let n = 0; ; n++) {
      const input = `${encodePart({ alg })}.${encodePart({ ...CLAIMS, n })}`;
      const valid = signer.sign(input);
      const sum = fromBigEndian(valid) + modulus;
      if (sum.toString(2).length > 2048) continue;
      expect(await isAccepted(`${input}.${valid.toString("base64url")}`, signer.keys)).toBe(true);
      expect(await isAccepted(`${input}.${toBigEndian(sum, 256).toString("base64url")}`, signer.keys)).toBe(
        false,
      );
      break;
    }
  });
});

describe("RS256", () => {
  const { publicKey, privateKey } = generateKeyPair("RS256");
  const keys = keysFromDocument(publicJwk(publicKey));
  const expectRejected = async (signer: (input: string) => Buffer, otherKeys = keys) =>
    expect(await isAccepted(signToken({ alg: "RS256" }, CLAIMS, signer), await otherKeys)).toBe(false);

  test.each(["sha1", "sha384", "sha512", "md5"])("rejects the digest %s", async (hash) => {
    await expectRejected((input) => sign(hash, Buffer.from(input), privateKey));
  });

  /** Returns the encoded message of RFC 8017 §9.2, with parts of it replaced. */
  const encodeMessage = (
    input: string,
    change: { info?: string; type?: number; padding?: number; trailing?: number },
  ) => {
    const {
      info = "3031300d060960864801650304020105000420",
      type = 1,
      padding = 0xff,
      trailing = 0,
    } = change;
    const digest = Buffer.concat([Buffer.from(info, "hex"), createHash("sha256").update(input).digest()]);
    const fill = Buffer.alloc(256 - 3 - digest.length - trailing, padding);
    return Buffer.concat([
      Buffer.from([0, type]),
      fill,
      Buffer.from([0]),
      digest,
      Buffer.alloc(trailing, 0x41),
    ]);
  };
  const signRaw = (key: KeyObject) => (message: Buffer) =>
    privateEncrypt({ key, padding: constants.RSA_NO_PADDING }, message);

  test("accepts the encoding of RFC 8017 §9.2, so the next tests are meaningful", async () => {
    const signer = (input: string) => signRaw(privateKey)(encodeMessage(input, {}));
    expect(await isAccepted(signToken({ alg: "RS256" }, CLAIMS, signer), await keys)).toBe(true);
  });

  test.each([
    ["no digest info", { info: "" }],
    ["the digest info of SHA-1", { info: "3021300906052b0e03021a05000414" }],
    ["the digest info without its NULL", { info: "302f300b0609608648016503040201" + "0420" }],
    ["bytes after the digest", { trailing: 100 }],
    ["one byte after the digest", { trailing: 1 }],
    ["padding of type 2", { type: 2 }],
    ["padding of type 0", { type: 0, padding: 0 }],
    ["padding of other bytes", { padding: 0xfe }],
  ])("rejects %s", async (_, change) => {
    await expectRejected((input) => signRaw(privateKey)(encodeMessage(input, change)));
  });

  test("rejects a cube root for a key with exponent 3 (Bleichenbacher, 2006)", async () => {
    const { publicKey: publicKeyOfExponent3 } = generateKeyPairSync("rsa", {
      modulusLength: 3072,
      publicExponent: 3,
    });
    const otherKeys = keysFromDocument(publicJwk(publicKeyOfExponent3));
    await expectRejected((input) => {
      const digest = createHash("sha256").update(input).digest();
      const info = Buffer.from("3031300d060960864801650304020105000420", "hex");
      const start = Buffer.concat([Buffer.from([0, 1, ...Array(8).fill(0xff), 0]), info, digest]);
      const target = fromBigEndian(Buffer.concat([start, Buffer.alloc(384 - start.length, 0xff)]));
      return toBigEndian(cubeRoot(target), 384);
    }, otherKeys);
  });
});

describe("PS256", () => {
  const { publicKey, privateKey } = generateKeyPair("PS256");
  const padding = constants.RSA_PKCS1_PSS_PADDING;
  const isSaltAccepted = async (saltLength: number, hash = "sha256") => {
    const signer = (input: string) =>
      sign(hash, Buffer.from(input), { key: privateKey, padding, saltLength });
    return isAccepted(
      signToken({ alg: "PS256" }, CLAIMS, signer),
      await keysFromDocument(publicJwk(publicKey)),
    );
  };

  test("accepts only a salt of the size of the digest (RFC 7518 §3.5)", async () => {
    expect(await isSaltAccepted(32)).toBe(true);
    for (const length of [0, 20, 31, 33, 64, 222]) expect(await isSaltAccepted(length)).toBe(false);
    for (const hash of ["sha1", "sha384", "sha512"]) expect(await isSaltAccepted(32, hash)).toBe(false);
  });
});

describe("ES256", () => {
  const { publicKey, privateKey } = generateKeyPair("ES256");
  const keys = keysFromDocument(publicJwk(publicKey));

  test.each(["sha1", "sha384", "sha512"])("rejects the digest %s", async (hash) => {
    const signer = (input: string) =>
      sign(hash, Buffer.from(input), { key: privateKey, dsaEncoding: "ieee-p1363" });
    expect(await isAccepted(signToken({ alg: "ES256" }, CLAIMS, signer), await keys)).toBe(false);
  });

  test("rejects r and s in more or fewer bytes", async () => {
    const input = `${encodePart({ alg: "ES256" })}.${encodePart(CLAIMS)}`;
    const raw = sign("sha256", Buffer.from(input), { key: privateKey, dsaEncoding: "ieee-p1363" });
    const [r, s] = [raw.subarray(0, 32), raw.subarray(32)];
    for (const length of [31, 33, 48, 66]) {
      const fitted = [r, s].map((each) =>
        length < 32 ? each.subarray(-length) : Buffer.concat([Buffer.alloc(length - 32), each]),
      );
      const forged = Buffer.concat(fitted).toString("base64url");
      expect(await isAccepted(`${input}.${forged}`, await keys)).toBe(false);
    }
  });
});

describe("EdDSA", () => {
  /** RFC 8032 §5.1. */
  const groupOrder = 2n ** 252n + 27742317777372353535851937790883648493n;
  const fieldPrime = 2n ** 255n - 19n;

  test("rejects S plus the group order (RFC 8032 §5.1.7)", async () => {
    const signer = await createTokenSigner("EdDSA");
    const input = `${encodePart({ alg: "EdDSA" })}.${encodePart(CLAIMS)}`;
    const valid = signer.sign(input);
    expect(await isAccepted(`${input}.${valid.toString("base64url")}`, signer.keys)).toBe(true);
    for (let times = 1n; times < 8n; times++) {
      const s = fromLittleEndian(valid.subarray(32)) + times * groupOrder;
      const forged = Buffer.concat([valid.subarray(0, 32), toLittleEndian(s, 32)]).toString("base64url");
      expect(await isAccepted(`${input}.${forged}`, signer.keys)).toBe(false);
    }
  });

  test("rejects a signature over the hash of the message (RFC 8032 §8.5)", async () => {
    const { publicKey, privateKey } = generateKeyPair("EdDSA");
    const keys = await keysFromDocument(publicJwk(publicKey));
    const prehashed = (input: string) => sign(null, createHash("sha512").update(input).digest(), privateKey);
    expect(await isAccepted(signToken({ alg: "EdDSA" }, CLAIMS, prehashed), keys)).toBe(false);
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
