/** What the keys of each algorithm accept and reject, whoever has signed it. `signatures.test.ts` forges signatures. */
import { afterAll, describe, expect, test } from "bun:test";
import { createHash, createSecretKey, randomBytes } from "node:crypto";
import { deflateRawSync } from "node:zlib";
import { CompactEncrypt, EncryptJWT, SignJWT } from "jose";
import type { Algorithm } from "./keys/key-source.ts";
import { openKeySource } from "./keys/open-key-source.ts";
import { MAX_TOKEN_CHARS } from "./signature.ts";
import {
  ALGORITHMS,
  CLAIMS,
  createTokenSigner,
  createTokenSigners,
  encodePart,
  expectVerdicts,
  generateKeyPair,
  keysFromDocument,
  NOW,
  publicJwk,
  publicPem,
  setUpAuthTests,
  signToken,
  signWith,
  signWithHmac,
  type TokenSigner,
  testTokens,
} from "./testing/signed-tokens.ts";

setUpAuthTests();

const signers = await createTokenSigners();
const claims = JSON.stringify(CLAIMS);

/** The algorithm comes from the key, never from the token (RFC 8725 §3.1). */
testTokens(signers, {
  "rejects the algorithm none in any spelling, with and without a signature": (signer) => ({
    rejected: ["none", "None", "NONE", "nOnE", "", "none ", " none"].flatMap((none) => {
      const input = `${encodePart({ alg: none })}.${signer.payload}`;
      return [input, `${input}.`, `${input}.${signer.signature}`, signer.signed(input)];
    }),
  }),
  "rejects its own signature under the name of any other algorithm": ({ alg, own }) => {
    const sizes = ["256", "384", "512"].flatMap((bits) => [
      `HS${bits}`,
      `RS${bits}`,
      `PS${bits}`,
      `ES${bits}`,
    ]);
    const others = ["ES256K", "EdDSA", "Ed25519", "Ed448", "dir", "constructor"];
    const spellings = [alg.toLowerCase(), `${alg} `, `${alg}\0`, null, 1, [alg], { alg }, undefined];
    const names = [...sizes, ...others, ...spellings].filter((name) => name !== alg);
    return { rejected: names.map((name) => own({ alg: name })) };
  },
  "rejects HS256 tokens signed with its public key: PEM, JWK or modulus as the secret": async ({
    publicKey,
    keys,
  }) => {
    expect(keys.signingKey === undefined).toBe(publicKey !== undefined);
    if (!publicKey) return {};
    const [pem, jwk] = [publicPem(publicKey), publicJwk(publicKey)];
    const der = publicKey.export({ type: "spki", format: "der" });
    const secrets = [pem, pem.trim(), pem.replaceAll("\n", ""), der, JSON.stringify(jwk), "", "ours"];
    for (const member of [jwk.n, jwk.x])
      if (typeof member === "string") secrets.push(member, Buffer.from(member, "base64url"));
    const tokens = secrets.flatMap((secret) =>
      [{}, { kid: "ours" }].map((kid) => signToken({ alg: "HS256", ...kid }, CLAIMS, signWithHmac(secret))),
    );
    const sources = [keys, await keysFromDocument(pem), await keysFromDocument(jwk)];
    return { rejected: sources.flatMap((source) => tokens.map((token) => [token, source] as const)) };
  },
  "rejects every signature under every key of another algorithm": ({ alg, algorithm, token }) => ({
    rejected: signers
      .filter((other) => other.algorithm !== algorithm)
      .flatMap(({ algorithm: name, keys }) =>
        [{ alg: name }, { alg: name, kid: "ours" }, { alg, kid: "ours" }].map(
          (header) => [token(header, CLAIMS), keys] as const,
        ),
      ),
  }),
});

/** Header parameters (RFC 7515 §4.1): which are used, ignored or rejected. */
testTokens(signers, {
  "uses a kid only to find a key": ({ alg, own }) => {
    const paths = ["/dev/null", "../../../../dev/null", "' OR 1=1 --", "ours' UNION SELECT 'AA"];
    const kids = [...paths, "", "\0", "ours\0", "OURS", "__proto__"];
    const forged = kids.map((kid) => signToken({ alg: "HS256", kid }, CLAIMS, signWithHmac("")));
    const owned = kids.map((kid) => own({ kid }));
    // A secret has no kid, so any kid fits. A public key with a kid verifies only tokens that name it.
    return alg === "HS256" ? { accepted: owned, rejected: forged } : { rejected: [...owned, ...forged] };
  },
  "rejects a kid that is not a string": ({ own }) => ({
    rejected: [1, null, ["ours"], { toString: "ours" }, true].map((kid) => own({ kid })),
  }),
  "handles a kid of maximum length, and two kids": ({ alg, valid, own, token }) => {
    const longest = own({ kid: "k".repeat(Math.floor((MAX_TOKEN_CHARS - valid.length) * 0.7)) });
    const twice = (first: string, last: string) =>
      token(`{"alg":"${alg}","kid":"${first}","kid":"${last}"}`, CLAIMS);
    const [accepted, rejected] = [[twice("other", "ours")], [own({ kid: "k".repeat(MAX_TOKEN_CHARS) })]];
    (alg === "HS256" ? accepted : rejected).push(longest, twice("ours", "other"));
    return { accepted, rejected };
  },
  "rejects its own token when the key is not in the set, or has another kid": async ({
    alg,
    publicKey,
    own,
  }) => {
    if (!publicKey) return { rejected: [(await createTokenSigner(alg)).token({ alg }, CLAIMS)] };
    const set = async (key: object, kid: string) =>
      [own({ kid: "ours" }), await keysFromDocument({ keys: [{ ...key, kid }] })] as const;
    const [jwk, other] = [publicJwk(publicKey), publicJwk(generateKeyPair(alg).publicKey)];
    return {
      accepted: [await set(jwk, "ours")],
      rejected: [await set(other, "ours"), await set(jwk, "Ours")],
    };
  },
  "rejects every critical extension, registered or not": ({ alg, own, signed }) => {
    const critical = [["b64"], [], null, "b64", ["alg"]].map((crit) => ({ crit }));
    const unencoded = [false, "false", null].map((b64) => ({ b64 }));
    const known = [
      { crit: ["exp"], exp: CLAIMS.exp },
      { crit: ["b64"], b64: true },
      { crit: ["b64"], b64: false },
      { crit: ["x"], x: 1 },
    ];
    // RFC 7797: the signature is over the unencoded payload.
    const raw = signed(`${encodePart({ alg, b64: false, crit: ["b64"] })}.${claims}`);
    return { rejected: [raw, ...[...critical, ...unencoded, ...known].map((extra) => own(extra))] };
  },
  "ignores other header parameters": ({ own }) => ({
    accepted: [own({ "x5t#S256": "AAAA", nonce: "1", b64: true, cty: "x" })],
  }),
  "accepts the types JWT and at+jwt and tokens without type, and rejects others": ({ own }) => {
    const types = ["JWT", "jwt", "at+jwt", "AT+JWT", "application/at+jwt", "application/JWT"];
    const others = ["logout+jwt", "secevent+jwt", "dpop+jwt", "JOSE", "", null, 1, ["JWT"]];
    return {
      accepted: [own(), ...types.map((typ) => own({ typ }))],
      rejected: others.map((typ) => own({ typ })),
    };
  },
});

describe("keys in the token header", () => {
  const requestedUrls: string[] = [];
  const attacker = generateKeyPair("RS256");
  const jwk = publicJwk(attacker.publicKey);
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch(request) {
      requestedUrls.push(request.url);
      return Response.json({ keys: [{ ...jwk, kid: "forged" }] });
    },
  });
  afterAll(() => server.stop(true));
  const url = `http://127.0.0.1:${server.port}/keys.json`;
  const x5c = [attacker.publicKey.export({ type: "spki", format: "der" }).toString("base64")];
  const empty = [{ jku: null }, { jwk: {} }, { x5c: [] }];
  const extras = [{ jku: url }, { x5u: url }, { jwk }, { x5c }, { jku: url, kid: "forged" }, ...empty];

  testTokens(signers, {
    "are rejected, also when a trusted key has signed the token": ({ own }) => {
      const symmetric = randomBytes(32);
      const secret = createSecretKey(symmetric).export({ format: "jwk" });
      const forge = signWith("RS256", attacker.privateKey);
      return {
        rejected: [
          ...extras.flatMap((extra) => [signToken({ alg: "RS256", ...extra }, CLAIMS, forge), own(extra)]),
          signToken({ alg: "HS256", jwk: secret }, CLAIMS, signWithHmac(symmetric)),
        ],
      };
    },
  });

  test("are not fetched", async () => {
    expect(requestedUrls).toEqual([]);
    // The server does respond.
    expect((await fetch(url)).status).toBe(200);
    expect(requestedUrls).toEqual([url]);
  });
});

/** The JWE algorithms that anyone with the public key can use. EdDSA keys cannot encrypt. */
const ENCRYPTION: Partial<Record<Algorithm, string>> = {
  RS256: "RSA-OAEP-256",
  PS256: "RSA-OAEP",
  ES256: "ECDH-ES",
};

async function encryptFor({ algorithm, publicKey }: TokenSigner, plaintext: string): Promise<string[]> {
  const alg = ENCRYPTION[algorithm];
  if (!publicKey || !alg) return [];
  const header = { alg, enc: "A256GCM", kid: "ours", typ: "JWT", cty: "JWT" };
  return [await new CompactEncrypt(Buffer.from(plaintext)).setProtectedHeader(header).encrypt(publicKey)];
}

/** Correctly signed tokens of the wrong form, and other objects that look like a token. */
testTokens(signers, {
  "accepts a token signed by its key": ({ valid }) => ({ accepted: [valid] }),
  "rejects other spellings of the same token": ({ valid, head, payload, signature }) => ({
    rejected: [
      ...["", ".", "..", "...", "....", head, `${head}.${payload}`],
      ...[".", `.${signature}`, "=", "==", " ", "\n", "\t", "\0", "%00", `,${valid}`, ";"].map(
        (after) => valid + after,
      ),
      ...[`.${valid}`, `"${valid}"`, valid.toUpperCase(), encodeURIComponent(` ${valid}`)],
      ...[".", "=", " "].map((between) => `${head}${between}.${payload}.${signature}`),
      `${head}.${payload}==.${signature}`,
      `${head}.${payload}.\r\n${signature}`,
      `${head}.${payload}.${signature.slice(0, -1)}`,
      `${head}.${payload}.${signature}A`,
      `${head}.${payload}.${Buffer.from(signature, "base64url").toString("base64")}`,
      JSON.stringify({ protected: head, payload, signature }),
      JSON.stringify({ payload, signatures: [{ protected: head, signature }] }),
    ],
  }),
  "rejects base64url with unused bits set, in each part": ({ alg, token, signed }) => {
    const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    // A length of 3n + 1 bytes leaves four unused bits, so every part has some.
    const padded = token(`{"alg":"${alg}"}`.padEnd(25), claims.padEnd(100));
    const rejected = padded.split(".").flatMap((part, index) => {
      expect(part.length % 4).not.toBe(0);
      const last = alphabet[alphabet.indexOf(part.at(-1)!) + 1];
      const parts = padded.split(".").with(index, part.slice(0, -1) + last);
      // Also when the signature is over this spelling.
      return [parts.join("."), ...(index < 2 ? [signed(parts.slice(0, 2).join("."))] : [])];
    });
    return { accepted: [padded], rejected };
  },
  "rejects a header or payload that is not a JSON object in UTF-8": ({ alg, own, token }) => {
    const bytes = (text: string) => Buffer.from(text, "latin1");
    const name = `{"alg":"${alg}"`;
    const headers = [
      '"x"',
      `["${alg}"]`,
      name,
      `${name},}`,
      `\uFEFF${name}}`,
      "{}",
      bytes(`${name},"x":"\xff"}`),
    ];
    const damaged = [claims.slice(0, -1), `${claims}x`, bytes(`${claims.slice(0, -1)},"x":"\xc3\x28"}`)];
    const bodies = [`[${claims}]`, ...damaged, `\uFEFF${claims}`, JSON.stringify(claims)];
    const scalars = ["", "null", "1"];
    return {
      rejected: [
        ...[...scalars, ...headers].map((header) => token(header, CLAIMS)),
        ...[...scalars, ...bodies].map((body) => own({}, body)),
      ],
    };
  },
  "rejects UTF-7, UTF-16 and UTF-32, in both parts": ({ alg, own, token }) => ({
    rejected: [
      (text: string) => Buffer.from(text, "utf16le"),
      (text: string) => Buffer.from(text, "utf16le").swap16(),
      (text: string) => Buffer.concat([...text].map((each) => Buffer.from([each.charCodeAt(0), 0, 0, 0]))),
      (text: string) => Buffer.from(text.replaceAll('"', "+ACI-").replaceAll("{", "+AHs-")),
      (text: string) => Buffer.from(`\u0000${text}`),
    ].flatMap((encode) => [token(encode(JSON.stringify({ alg })), CLAIMS), own({}, encode(claims))]),
  }),
  "uses the last of several members with the same name, in both parts (RFC 7515 §4)": (signer) => ({
    accepted: [
      signer.token(`{"alg":"none","alg":"${signer.alg}"}`, CLAIMS),
      signer.own({}, `{"exp":1,"exp":${CLAIMS.exp}}`),
    ],
    rejected: [
      signer.token(`{"alg":"${signer.alg}","alg":"none"}`, CLAIMS),
      signer.own({}, `{"exp":${CLAIMS.exp},"exp":1}`),
    ],
  }),
  "decodes JSON escapes in names and values before checking them": ({ alg, own, token }) => {
    const escaped = (text: string) =>
      [...text].map((each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, "0")}`).join("");
    const members = ["crit", "jwk", "jku", "x5u", "x5c"].flatMap((name) => [
      `"${escaped(name)}":[]`,
      `"${name}":[],"${name}":null`,
    ]);
    members.push(`"${escaped("b64")}":false`, `"alg":"${escaped("none")}"`);
    return {
      accepted: [token(`{"${escaped("alg")}":"${escaped(alg)}"}`, CLAIMS)],
      rejected: [
        ...members.map((member) => token(`{"alg":"${alg}",${member}}`, CLAIMS)),
        own({}, `{"exp":${CLAIMS.exp},"${escaped("exp")}":1}`),
        own({}, `{"exp":${CLAIMS.exp},"nbf":1,"nbf":"1"}`),
        // Names are case-sensitive (RFC 7515 §4).
        token({ ALG: alg }, CLAIMS),
        token(`{"Alg":"${alg}","alg ":"x"}`, CLAIMS),
      ],
    };
  },
  "reads no members from the prototype": ({ alg, own, token }) => ({
    rejected: [
      own({}, `{"__proto__":{"exp":${CLAIMS.exp}}}`),
      token(`{"__proto__":{"alg":"${alg}"}}`, CLAIMS),
    ],
  }),
  "rejects tokens that are too long or nested too deep": ({ alg, valid, payload, signature, own, token }) => {
    const filled = (length: number) => own({}, { ...CLAIMS, x: "x".repeat(Math.floor(length)) });
    const deep = (depth: number) => "[".repeat(depth) + "]".repeat(depth);
    return {
      accepted: [
        filled((MAX_TOKEN_CHARS - valid.length - 100) * 0.74),
        own({}, `{"exp":${CLAIMS.exp},"x":${deep(2000)}}`),
      ],
      rejected: [
        ...[MAX_TOKEN_CHARS, 60_000, 1_000_000].map(filled),
        token(`{"alg":"${alg}","x":${deep(500_000)}}`, CLAIMS),
        `${encodePart(deep(2900))}.${payload}.${signature}`,
        token(`{"crit":${deep(2500)},"alg":"${alg}"}`, CLAIMS),
      ],
    };
  },
  "rejects a JWE of claims or of a valid token, and its parts as a JWS": async (signer) => {
    const { valid, head, own } = signer;
    const jwes = [...(await encryptFor(signer, claims)), ...(await encryptFor(signer, valid))];
    const parts = jwes.flatMap((jwe) => {
      const [header, key, iv, text, tag] = jwe.split(".");
      return [`${header}.${text}.${tag}`, `${header}.${key}.${iv}`, `${head}.${text}.${tag}`];
    });
    return { rejected: [...jwes, ...parts, `${valid}..`, own({ alg: "dir", enc: "A256GCM" })] };
  },
  "rejects a valid token nested in a signed one (RFC 7519 §5.2)": ({ valid, payload, signature, own }) => ({
    rejected: [
      ...[{ cty: "JWT" }, { typ: "JWT", cty: "jwt" }, {}].flatMap((header) =>
        [valid, JSON.stringify(valid), { jwt: valid }].map((nested) => own(header, nested)),
      ),
      `${encodePart(valid)}.${payload}.${signature}`,
    ],
  }),
  "rejects a detached or compressed payload": ({ head, signature, own, signed }) => {
    const deflated = deflateRawSync(claims);
    const detached = [`${head}..${signature}`, signed(`${head}.`)];
    return { rejected: [...detached, own({ zip: "DEF" }, deflated), own({}, deflated)] };
  },
});

test("an RSA key verifies RS256 and PS256, or the algorithm that it names alone", async () => {
  const { publicKey, privateKey } = generateKeyPair("RS256");
  const jwk = publicJwk(publicKey);
  const rs256 = signToken({ alg: "RS256" }, CLAIMS, signWith("RS256", privateKey));
  const ps256 = signToken({ alg: "PS256" }, CLAIMS, signWith("PS256", privateKey));
  for (const document of [publicPem(publicKey), jwk])
    await expectVerdicts({ accepted: [rs256, ps256] }, await keysFromDocument(document));
  for (const [alg, accepted, rejected] of [
    ["RS256", rs256, ps256],
    ["PS256", ps256, rs256],
  ])
    await expectVerdicts(
      { accepted: [accepted!], rejected: [rejected!] },
      await keysFromDocument({ ...jwk, alg }),
    );
});

test.each(ALGORITHMS)("accepts tokens of %s that jose makes, as identity providers do", async (alg) => {
  const { publicKey, privateKey } =
    alg === "HS256" ? { publicKey: undefined, privateKey: randomBytes(32) } : generateKeyPair(alg);
  const keys = publicKey
    ? await keysFromDocument({ ...publicJwk(publicKey), kid: "ours" })
    : await openKeySource({ secret: `base64url:${privateKey.toString("base64url")}` });
  const claims = { ...CLAIMS, sub: "Librería Ñandú", iat: NOW / 1000, nbf: NOW / 1000, scope: ["x"] };
  const headers = [{}, { typ: "JWT", kid: "ours" }, { typ: "at+jwt", unknown: { x: 1 } }];
  const tokens = headers.map((header) =>
    new SignJWT(claims).setProtectedHeader({ alg, ...header }).sign(privateKey),
  );
  await expectVerdicts({ accepted: await Promise.all(tokens) }, keys);
});

test("uses each key of a mixed set only for its own algorithm", async () => {
  const kinds = ALGORITHMS.filter((kind) => kind !== "HS256" && kind !== "PS256");
  const pairs = kinds.map((kind) => ({ kind, ...generateKeyPair(kind) }));
  const keys = await keysFromDocument({
    keys: pairs.map(({ publicKey }) => ({ ...publicJwk(publicKey), kid: "same" })),
  });
  for (const { kind, privateKey } of pairs) {
    const token = (alg: string) => signToken({ alg, kid: "same" }, CLAIMS, signWith(kind, privateKey));
    const rejected = kinds.filter((other) => other !== kind).map(token);
    await expectVerdicts({ accepted: [token(kind)], rejected }, keys);
  }
});

test("rejects a symmetric key in a key document, whatever its kty", async () => {
  const secret = createSecretKey(randomBytes(32)).export({ format: "jwk" });
  for (const document of [secret, { keys: [secret] }, { keys: [{ ...secret, kty: "RSA" }] }]) {
    await expect(keysFromDocument(document)).rejects.toThrow();
  }
  const keys = await openKeySource({ secret: "s".repeat(32) });
  const [only] = keys.current()!;
  expect([...only!.keysByAlgorithm.keys()]).toEqual(["HS256"]);
});

test("rejects the hash of the secret, another encoding of it, other hash functions, and a JWE", async () => {
  const text = "a secret with exactly 32 bytes..";
  const token = (secret: string | Buffer, hash?: string) =>
    signToken({ alg: "HS256" }, CLAIMS, signWithHmac(secret, hash));
  const digest = createHash("sha256").update(text).digest();
  const wrong = [digest, Buffer.from(text).toString("base64url"), `${text} `, `${text}\n`];
  const hashes = ["sha384", "sha512", "sha1"].map((hash) => token(text, hash));
  const header = { alg: "dir", enc: "A256GCM" };
  const jwe = await new EncryptJWT(CLAIMS).setProtectedHeader(header).encrypt(Buffer.from(text));
  expect(jwe.split(".")).toHaveLength(5);
  const rejected = [...wrong.map((secret) => token(secret)), ...hashes, jwe];
  await expectVerdicts({ accepted: [token(text)], rejected }, await openKeySource({ secret: text }));
});
