/**
 * Other signatures made out of one that is right, or with a slack that a verifier may leave: RFC 8725, 3.3 and
 * 3.4. Where mathematics gives a second one (ECDSA), forged-signature.test.ts says what holds.
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

const whole = (bytes: Uint8Array) => BigInt(`0x0${Buffer.from(bytes).toString("hex")}`);
const inBytes = (value: bigint, length: number) =>
  Buffer.from(value.toString(16).padStart(2 * length, "0"), "hex");
const wholeLittle = (bytes: Uint8Array) => whole(Uint8Array.from(bytes).reverse());
const inBytesLittle = (value: bigint, length: number) => inBytes(value, length).reverse();

describe.each(["RS256", "PS256"] as const)("%s", (alg) => {
  test("refuses the signature plus the modulus (RFC 8017, 5.2.2: out of range)", async () => {
    const forge = await createTokenSigner(alg);
    const modulus = whole(Buffer.from(String(publicJwk(forge.publicKey!).n), "base64url"));
    // Another claim is another signature: one of them is small enough for the sum to fit.
    for (let n = 0; ; n++) {
      const input = `${encodePart({ alg })}.${encodePart({ ...CLAIMS, n })}`;
      const right = forge.sign(input);
      const sum = whole(right) + modulus;
      if (sum.toString(2).length > 2048) continue;
      expect(await isAccepted(`${input}.${right.toString("base64url")}`, forge.keys)).toBe(true);
      expect(await isAccepted(`${input}.${inBytes(sum, 256).toString("base64url")}`, forge.keys)).toBe(false);
      break;
    }
  });
});

describe("RS256", () => {
  const { publicKey, privateKey } = generateKeyPair("RS256");
  const keys = keysFromDocument(publicJwk(publicKey));
  const refuses = async (signer: (input: string) => Buffer, given = keys) =>
    expect(await isAccepted(signToken({ alg: "RS256" }, CLAIMS, signer), await given)).toBe(false);

  test.each(["sha1", "sha384", "sha512", "md5"])("refuses the digest %s", async (hash) => {
    await refuses((input) => sign(hash, Buffer.from(input), privateKey));
  });

  /** RFC 8017, 9.2: what is signed, with its parts replaced. */
  const encoded = (
    input: string,
    change: { info?: string; type?: number; padding?: number; behind?: number },
  ) => {
    const { info = "3031300d060960864801650304020105000420", type = 1, padding = 0xff, behind = 0 } = change;
    const digest = Buffer.concat([Buffer.from(info, "hex"), createHash("sha256").update(input).digest()]);
    const fill = Buffer.alloc(256 - 3 - digest.length - behind, padding);
    return Buffer.concat([
      Buffer.from([0, type]),
      fill,
      Buffer.from([0]),
      digest,
      Buffer.alloc(behind, 0x41),
    ]);
  };
  const raw = (key: KeyObject) => (message: Buffer) =>
    privateEncrypt({ key, padding: constants.RSA_NO_PADDING }, message);

  test("admits the encoding of the standard, and so the tests of others mean something", async () => {
    const signer = (input: string) => raw(privateKey)(encoded(input, {}));
    expect(await isAccepted(signToken({ alg: "RS256" }, CLAIMS, signer), await keys)).toBe(true);
  });

  test.each([
    ["no digest info", { info: "" }],
    ["the digest info of SHA-1", { info: "3021300906052b0e03021a05000414" }],
    ["the digest info without its NULL", { info: "302f300b0609608648016503040201" + "0420" }],
    ["bytes behind the digest", { behind: 100 }],
    ["one byte behind the digest", { behind: 1 }],
    ["padding of type 2", { type: 2 }],
    ["padding of type 0", { type: 0, padding: 0 }],
    ["padding of other bytes", { padding: 0xfe }],
  ])("refuses %s", async (_, change) => {
    await refuses((input) => raw(privateKey)(encoded(input, change)));
  });

  test("refuses a cube root where the exponent is 3 (Bleichenbacher, 2006)", async () => {
    const { publicKey: small } = generateKeyPairSync("rsa", { modulusLength: 3072, publicExponent: 3 });
    const given = keysFromDocument(publicJwk(small));
    await refuses((input) => {
      const digest = createHash("sha256").update(input).digest();
      const info = Buffer.from("3031300d060960864801650304020105000420", "hex");
      const start = Buffer.concat([Buffer.from([0, 1, ...Array(8).fill(0xff), 0]), info, digest]);
      const target = whole(Buffer.concat([start, Buffer.alloc(384 - start.length, 0xff)]));
      return inBytes(cubeRoot(target), 384);
    }, given);
  });
});

describe("PS256", () => {
  const { publicKey, privateKey } = generateKeyPair("PS256");
  const padding = constants.RSA_PKCS1_PSS_PADDING;
  const admitted = async (saltLength: number, hash = "sha256") => {
    const signer = (input: string) =>
      sign(hash, Buffer.from(input), { key: privateKey, padding, saltLength });
    return isAccepted(
      signToken({ alg: "PS256" }, CLAIMS, signer),
      await keysFromDocument(publicJwk(publicKey)),
    );
  };

  test("takes a salt of the size of the digest and no other (RFC 7518, 3.5)", async () => {
    expect(await admitted(32)).toBe(true);
    for (const length of [0, 20, 31, 33, 64, 222]) expect(await admitted(length)).toBe(false);
    for (const hash of ["sha1", "sha384", "sha512"]) expect(await admitted(32, hash)).toBe(false);
  });
});

describe("ES256", () => {
  const { publicKey, privateKey } = generateKeyPair("ES256");
  const keys = keysFromDocument(publicJwk(publicKey));

  test.each(["sha1", "sha384", "sha512"])("refuses the digest %s", async (hash) => {
    const signer = (input: string) =>
      sign(hash, Buffer.from(input), { key: privateKey, dsaEncoding: "ieee-p1363" });
    expect(await isAccepted(signToken({ alg: "ES256" }, CLAIMS, signer), await keys)).toBe(false);
  });

  test("refuses r and s in more bytes, or fewer", async () => {
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
  /** RFC 8032, 5.1: the order of the group. */
  const order = 2n ** 252n + 27742317777372353535851937790883648493n;
  const field = 2n ** 255n - 19n;

  test("refuses S plus the order (RFC 8032, 5.1.7: S is below it)", async () => {
    const forge = await createTokenSigner("EdDSA");
    const input = `${encodePart({ alg: "EdDSA" })}.${encodePart(CLAIMS)}`;
    const right = forge.sign(input);
    expect(await isAccepted(`${input}.${right.toString("base64url")}`, forge.keys)).toBe(true);
    for (let times = 1n; times < 8n; times++) {
      const s = wholeLittle(right.subarray(32)) + times * order;
      const forged = Buffer.concat([right.subarray(0, 32), inBytesLittle(s, 32)]).toString("base64url");
      expect(await isAccepted(`${input}.${forged}`, forge.keys)).toBe(false);
    }
  });

  test("refuses the signature of the same key with another hash or context (RFC 8032, 8.5)", async () => {
    const { publicKey, privateKey } = generateKeyPair("EdDSA");
    const keys = await keysFromDocument(publicJwk(publicKey));
    const prehashed = (input: string) => sign(null, createHash("sha512").update(input).digest(), privateKey);
    expect(await isAccepted(signToken({ alg: "EdDSA" }, CLAIMS, prehashed), keys)).toBe(false);
  });

  test.each([
    ["the neutral point", 1n],
    ["a point of order 2", field - 1n],
    ["a point of order 4", 0n],
    ["a point of order 4, the other", 1n << 255n],
    ["a point of order 8", 0x7a03ac9277fdc74ec6cc392cfa53202a0f67100d760b3cba4fd84d3d706a17c7n],
    ["a point of order 8, another", 0x05fc536d880238b13933c6d305acdfd5f098eff289f4c345b027b2c28f95e826n],
    ["the neutral point, beyond the field", field + 1n],
    ["zero, beyond the field", field],
    ["the neutral point with a sign", 1n | (1n << 255n)],
    ["zero with a sign, beyond the field", field | (1n << 255n)],
  ])("refuses a key for which anyone could sign: %s", async (_, point) => {
    const x = inBytesLittle(point, 32).toString("base64url");
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
