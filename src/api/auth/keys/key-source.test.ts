import { afterAll, beforeEach, describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { createAuthenticator } from "../authenticator.ts";
import { KeyError } from "../errors.ts";
import {
  CLAIMS,
  generateKeyPair,
  isAccepted,
  publicJwk,
  publicPem,
  scratchFile,
  setUpAuthTests,
  signToken,
  signWith,
} from "../testing/signed-tokens.ts";
import { type KeyConfig, openKeySource } from "./key-source.ts";

setUpAuthTests();

const pairs = [generateKeyPair("ES256"), generateKeyPair("ES256")] as const;
const jwks = (...indexes: readonly (0 | 1)[]) =>
  JSON.stringify({
    keys: indexes.map((index) => ({ ...publicJwk(pairs[index].publicKey), kid: `k${index}` })),
  });
const token = (index: 0 | 1, header: object = { kid: `k${index}` }) =>
  signToken({ alg: "ES256", ...header }, CLAIMS, signWith("ES256", pairs[index].privateKey));

async function refusal(config: KeyConfig): Promise<string> {
  const error = await openKeySource(config).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(KeyError);
  expect((error as Error).message).not.toContain("\n");
  return (error as Error).message;
}

describe("the configuration", () => {
  test("with both variables is refused, and says which to unset", async () => {
    const message = await refusal({
      secret: "x".repeat(32),
      keys: "keys.json",
      secretFile: scratchFile("s"),
    });
    expect(message).toContain("unset COLOPHON_JWT_SECRET");
    expect(message).toContain("or COLOPHON_JWT_KEYS");
  });

  test("with neither, and no place for a secret, is refused, and says which to set", async () => {
    expect(await refusal({})).toMatch(/set COLOPHON_JWT_SECRET .* or COLOPHON_JWT_KEYS/);
  });

  test("with neither makes a secret, once", async () => {
    const generated = scratchFile("catalog.db.secret");
    const [first, second] = [
      await openKeySource({ secretFile: generated }),
      await openKeySource({ secretFile: generated }),
    ];
    const input = new TextEncoder().encode("x");
    const signatures = await Promise.all(
      [first, second].map(({ signingKey }) => crypto.subtle.sign("HMAC", signingKey!, input)),
    );
    expect(signatures[0]).toEqual(signatures[1]!);
  });

  test("of an empty variable is refused rather than taken for none", async () => {
    expect(await refusal({ secret: "", secretFile: scratchFile("s") })).toContain(
      "COLOPHON_JWT_SECRET has 0 bytes",
    );
    expect(await refusal({ keys: "", secretFile: scratchFile("s") })).toContain("COLOPHON_JWT_KEYS is empty");
  });
});

describe("a key file", () => {
  test("that cannot be read is refused by its path", async () => {
    expect(await refusal({ keys: "/nowhere/keys.json" })).toContain(
      "/nowhere/keys.json of COLOPHON_JWT_KEYS cannot be read (ENOENT)",
    );
    expect(await refusal({ keys: import.meta.dir })).toContain("EISDIR");
    expect(await refusal({ keys: "/dev/zero" })).toContain("larger than 1 MB");
  });

  test("is read again by reload; what cannot be used changes nothing", async () => {
    const path = scratchFile("keys.json", jwks(0));
    const keys = await openKeySource({ keys: path });
    const gate = createAuthenticator({
      keys,
      tokens: { isRevoked: () => false },
      now: () => CLAIMS.exp * 1000,
    });
    const headers = [`Bearer ${token(0)}`, `Bearer ${token(1)}`];
    const admitted = () => Promise.all(headers.map(async (header) => (await gate.authenticate(header)).ok));
    expect(await admitted()).toEqual([true, false]);

    writeFileSync(path, "{");
    await expect(keys.reload()).rejects.toBeInstanceOf(KeyError);
    expect(await admitted()).toEqual([true, false]);

    writeFileSync(path, jwks(1));
    // Not before it is asked to: an unknown kid is no reason to read a file.
    expect(await admitted()).toEqual([true, false]);
    await keys.reload();
    expect(await admitted()).toEqual([false, true]);
  });
});

describe("a key address", () => {
  const tls = selfSigned();
  let answer: () => Response | Promise<Response>;
  let asked = 0;
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    tls,
    fetch: () => {
      asked++;
      return answer();
    },
  });
  afterAll(() => server.stop(true));
  const address = `https://localhost:${server.port}/jwks?key=hidden`;
  let clock = 0;
  const stale: string[] = [];
  const config: KeyConfig = {
    keys: address,
    fetch: (url, options) => fetch(url, { ...options, tls: { ca: tls.cert } }),
    clock: () => clock,
    onRefreshError: (why) => stale.push(why.message),
  };
  beforeEach(() => {
    answer = () => new Response(jwks(0));
    asked = 0;
    clock = 0;
    stale.length = 0;
  });

  test("is asked once, and its keys are kept", async () => {
    const keys = await openKeySource(config);
    for (let i = 0; i < 5; i++) expect(await isAccepted(token(0), keys)).toBe(true);
    expect(asked).toBe(1);
  });

  test("may answer with a PEM or a JWK too", async () => {
    for (const document of [publicPem(pairs[0].publicKey), JSON.stringify(publicJwk(pairs[0].publicKey))]) {
      answer = () => new Response(document);
      expect(await isAccepted(token(0), await openKeySource(config))).toBe(true);
    }
  });

  test("is asked again for an unknown kid, at most once a minute", async () => {
    const keys = await openKeySource(config);
    answer = () => new Response(jwks(0, 1));
    clock = 59_999;
    expect(await isAccepted(token(1), keys)).toBe(false);
    expect(asked).toBe(1);
    clock = 60_000;
    expect(await isAccepted(token(1), keys)).toBe(true);
    expect(await isAccepted(token(0), keys)).toBe(true);
    expect(asked).toBe(2);
    clock = 119_999;
    for (const kid of ["a", "b", "../c"]) expect(await isAccepted(token(1, { kid }), keys)).toBe(false);
    expect(asked).toBe(2);
    clock = 120_000;
    expect(await isAccepted(token(1, { kid: "a" }), keys)).toBe(false);
    expect(await isAccepted(token(1, { kid: "b" }), keys)).toBe(false);
    expect(asked).toBe(3);
  });

  test("is asked once for many at a time, who all wait for it", async () => {
    const keys = await openKeySource(config);
    clock = 60_000;
    answer = async () => {
      await Bun.sleep(20);
      return new Response(jwks(0, 1));
    };
    const admitted = await Promise.all(Array.from({ length: 20 }, () => isAccepted(token(1), keys)));
    expect(admitted).toEqual(Array(20).fill(true));
    expect(asked).toBe(2);
  });

  test("is asked once by two who reload at a time", async () => {
    const keys = await openKeySource(config);
    answer = () => new Response(jwks(1));
    await Promise.all([keys.reload(), keys.reload()]);
    expect(asked).toBe(2);
    expect(await isAccepted(token(1), keys)).toBe(true);
  });

  test("is asked for nothing but an unknown kid", async () => {
    const keys = await openKeySource(config);
    clock = 1_000_000;
    const [head, payload] = token(0).split(".");
    const forged = [
      token(1, {}),
      token(1, { kid: "k0" }),
      `${head}.${payload}.AAAA`,
      token(1, { kid: "new", jku: address }),
      token(1, { kid: "new", x5u: address }),
      token(1, { kid: "new", crit: ["x"] }),
      token(1, { kid: 5 }),
      token(1, { kid: "new", alg: "none" }),
      token(1, { kid: "new", alg: "HS256" }),
      token(1, { kid: "new", alg: "ES512" }),
      `${token(1, { kid: "new" })}=`,
    ];
    for (const each of forged) expect(await isAccepted(each, keys)).toBe(false);
    expect(asked).toBe(1);
  });

  test("that fails later leaves the keys as they were, says so, and is asked again a minute later", async () => {
    const keys = await openKeySource(config);
    const failures = [
      () => new Response("", { status: 503 }),
      () => new Response("{"),
      () => new Response(JSON.stringify({ keys: [] })),
      () => Response.redirect("http://127.0.0.1:1/", 302),
      () => new Response("x".repeat(1_000_001)),
    ];
    for (const [index, failure] of failures.entries()) {
      answer = failure;
      clock += 60_000;
      expect(await isAccepted(token(1), keys)).toBe(false);
      expect(await isAccepted(token(1), keys)).toBe(false);
      expect(await isAccepted(token(0), keys)).toBe(true);
      expect(asked).toBe(index + 2);
    }
    expect(stale.map((why) => why.replace(/^the address \S+ of COLOPHON_JWT_KEYS /, ""))).toEqual([
      "answers 503 instead of 200",
      "is not well-formed JSON",
      "has no key for RS256, PS256, ES256, EdDSA",
      "redirects: set the address that it leads to",
      "answers with more than 1 MB",
    ]);
    answer = () => new Response(jwks(1));
    clock += 60_000;
    expect(await isAccepted(token(1), keys)).toBe(true);
  });

  test("whose keys are gone takes their tokens along, also those that were let in before", async () => {
    const keys = await openKeySource(config);
    const gate = createAuthenticator({
      keys,
      tokens: { isRevoked: () => false },
      now: () => CLAIMS.exp * 1000,
    });
    expect((await gate.authenticate(`Bearer ${token(0)}`)).ok).toBe(true);
    const first = `Bearer ${token(0)}`;
    expect((await gate.authenticate(first)).ok).toBe(true);
    expect(gate.authenticate(first)).not.toBeInstanceOf(Promise);
    answer = () => new Response(jwks(1));
    clock = 60_000;
    expect((await gate.authenticate(`Bearer ${token(1)}`)).ok).toBe(true);
    expect((await gate.authenticate(first)).ok).toBe(false);
  });

  test("that gives the same again does not make known tokens unknown", async () => {
    const keys = await openKeySource(config);
    const gate = createAuthenticator({
      keys,
      tokens: { isRevoked: () => false },
      now: () => CLAIMS.exp * 1000,
    });
    const header = `Bearer ${token(0)}`;
    await gate.authenticate(header);
    clock = 60_000;
    await gate.authenticate(`Bearer ${token(1)}`);
    expect(asked).toBe(2);
    expect(gate.authenticate(header)).toMatchObject({ ok: true });
  });

  test("that cannot be used at the start stops the service, and the query is not told", async () => {
    const nowhere = { ...config, keys: "https://localhost:1/jwks?key=hidden" };
    expect(await refusal(nowhere)).toMatch(
      /^the address https:\/\/localhost:1\/jwks of COLOPHON_JWT_KEYS cannot be reached \(\w+\)$/,
    );
    answer = () => new Response("", { status: 404 });
    const message = await refusal(config);
    expect(message).toContain("answers 404");
    expect(message).not.toContain("hidden");
  });

  test("whose certificate is not trusted is refused", async () => {
    expect(await refusal({ keys: address })).toContain("cannot be reached");
    expect(asked).toBe(0);
  });

  test.each([
    "http://127.0.0.1/jwks",
    "http://localhost/",
    "HTTP://x/",
    "ftp://x/y",
    "file:///etc/keys",
    "data://x",
  ])("is https: %s is refused", async (keys) => {
    expect(await refusal({ keys })).toContain("must be a file or an https URL");
  });

  test("that is none is refused", async () => {
    expect(await refusal({ keys: "https://[x/" })).toContain("no valid URL");
  });
});

function selfSigned(): { key: string; cert: string } {
  const key = generateKeyPair("ES256").privateKey.export({ type: "pkcs8", format: "pem" }).toString();
  const options = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost", "-days", "2"];
  const run = Bun.spawnSync(["openssl", "req", "-x509", "-key", "/dev/stdin", ...options], {
    stdin: Buffer.from(key),
  });
  return { key, cert: run.stdout.toString() };
}
