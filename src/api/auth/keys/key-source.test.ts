import { afterAll, beforeEach, describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { createAuthenticator } from "../authenticator.ts";
import { KeyError } from "../errors.ts";
import {
  CLAIMS,
  generateKeyPair,
  isAccepted,
  isOpensslMissing,
  publicJwk,
  publicPem,
  scratchFile,
  selfSignedCertificate,
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

async function errorMessage(config: KeyConfig): Promise<string> {
  const error = await openKeySource(config).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(KeyError);
  expect((error as Error).message).not.toContain("\n");
  return (error as Error).message;
}

describe("configuration", () => {
  test("is rejected when both variables are set, and the message says which to unset", async () => {
    const message = await errorMessage({
      secret: "x".repeat(32),
      keys: "keys.json",
      secretFile: scratchFile("s"),
    });
    expect(message).toContain("unset COLOPHON_JWT_SECRET");
    expect(message).toContain("or COLOPHON_JWT_KEYS");
  });

  test("is rejected when neither variable nor a secret file is set, and the message says which to set", async () => {
    expect(await errorMessage({})).toMatch(/set COLOPHON_JWT_SECRET .* or COLOPHON_JWT_KEYS/);
  });

  test("generates a secret once when neither variable is set", async () => {
    const path = scratchFile("catalog.db.secret");
    const [first, second] = [
      await openKeySource({ secretFile: path }),
      await openKeySource({ secretFile: path }),
    ];
    const input = new TextEncoder().encode("x");
    const signatures = await Promise.all(
      [first, second].map(({ signingKey }) => crypto.subtle.sign("HMAC", signingKey!, input)),
    );
    expect(signatures[0]).toEqual(signatures[1]!);
  });

  test("is rejected when a variable is set to the empty string", async () => {
    expect(await errorMessage({ secret: "", secretFile: scratchFile("s") })).toContain(
      "COLOPHON_JWT_SECRET has 0 bytes",
    );
    expect(await errorMessage({ keys: "", secretFile: scratchFile("s") })).toContain(
      "COLOPHON_JWT_KEYS is empty",
    );
  });
});

describe("a key file", () => {
  test("is rejected by its path when it cannot be read", async () => {
    expect(await errorMessage({ keys: "/nowhere/keys.json" })).toContain(
      "/nowhere/keys.json of COLOPHON_JWT_KEYS cannot be read (ENOENT)",
    );
    expect(await errorMessage({ keys: import.meta.dir })).toContain("EISDIR");
    expect(await errorMessage({ keys: "/dev/zero" })).toContain("larger than 1 MB");
  });

  test("is read again by reload, and keeps the old keys when the new ones cannot be used", async () => {
    const path = scratchFile("keys.json", jwks(0));
    const keys = await openKeySource({ keys: path });
    const authenticator = createAuthenticator({
      keys,
      tokens: { isRevoked: () => false },
      now: () => CLAIMS.exp * 1000,
    });
    const headers = [`Bearer ${token(0)}`, `Bearer ${token(1)}`];
    const accepted = () =>
      Promise.all(headers.map(async (header) => (await authenticator.authenticate(header)).ok));
    expect(await accepted()).toEqual([true, false]);

    writeFileSync(path, "{");
    await expect(keys.reload()).rejects.toBeInstanceOf(KeyError);
    expect(await accepted()).toEqual([true, false]);

    writeFileSync(path, jwks(1));
    // An unknown kid does not make it read the file: only a reload does.
    expect(await accepted()).toEqual([true, false]);
    await keys.reload();
    expect(await accepted()).toEqual([false, true]);
  });
});

describe.skipIf(isOpensslMissing)("a key URL (skipped where openssl is not installed)", () => {
  const { key, cert } = isOpensslMissing ? { key: "", cert: "" } : selfSignedCertificate();
  let respond: () => Response | Promise<Response>;
  let fetchCount = 0;
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    ...(!isOpensslMissing && { tls: { key, cert } }),
    fetch: () => {
      fetchCount++;
      return respond();
    },
  });
  afterAll(() => server.stop(true));
  const url = `https://localhost:${server.port}/jwks?key=hidden`;
  let clock = 0;
  const refreshErrors: string[] = [];
  const config: KeyConfig = {
    keys: url,
    fetch: (target, options) => fetch(target, { ...options, tls: { ca: cert } }),
    clock: () => clock,
    onRefreshError: (why) => refreshErrors.push(why.message),
  };
  beforeEach(() => {
    respond = () => new Response(jwks(0));
    fetchCount = 0;
    clock = 0;
    refreshErrors.length = 0;
  });

  test("is fetched once, and its keys are cached", async () => {
    const keys = await openKeySource(config);
    for (let i = 0; i < 5; i++) expect(await isAccepted(token(0), keys)).toBe(true);
    expect(fetchCount).toBe(1);
  });

  test("may respond with a PEM or a JWK", async () => {
    for (const document of [publicPem(pairs[0].publicKey), JSON.stringify(publicJwk(pairs[0].publicKey))]) {
      respond = () => new Response(document);
      expect(await isAccepted(token(0), await openKeySource(config))).toBe(true);
    }
  });

  test("is fetched again for an unknown kid, at most once a minute", async () => {
    const keys = await openKeySource(config);
    respond = () => new Response(jwks(0, 1));
    clock = 59_999;
    expect(await isAccepted(token(1), keys)).toBe(false);
    expect(fetchCount).toBe(1);
    clock = 60_000;
    expect(await isAccepted(token(1), keys)).toBe(true);
    expect(await isAccepted(token(0), keys)).toBe(true);
    expect(fetchCount).toBe(2);
    clock = 119_999;
    for (const kid of ["a", "b", "../c"]) expect(await isAccepted(token(1, { kid }), keys)).toBe(false);
    expect(fetchCount).toBe(2);
    clock = 120_000;
    expect(await isAccepted(token(1, { kid: "a" }), keys)).toBe(false);
    expect(await isAccepted(token(1, { kid: "b" }), keys)).toBe(false);
    expect(fetchCount).toBe(3);
  });

  test("is fetched once for concurrent requests, which all wait for it", async () => {
    const keys = await openKeySource(config);
    clock = 60_000;
    respond = async () => {
      await Bun.sleep(20);
      return new Response(jwks(0, 1));
    };
    const accepted = await Promise.all(Array.from({ length: 20 }, () => isAccepted(token(1), keys)));
    expect(accepted).toEqual(Array(20).fill(true));
    expect(fetchCount).toBe(2);
  });

  test("is fetched once for two concurrent reloads", async () => {
    const keys = await openKeySource(config);
    respond = () => new Response(jwks(1));
    await Promise.all([keys.reload(), keys.reload()]);
    expect(fetchCount).toBe(2);
    expect(await isAccepted(token(1), keys)).toBe(true);
  });

  test("is fetched again for an unknown kid only", async () => {
    const keys = await openKeySource(config);
    clock = 1_000_000;
    const [head, payload] = token(0).split(".");
    const rejected = [
      token(1, {}),
      token(1, { kid: "k0" }),
      `${head}.${payload}.AAAA`,
      token(1, { kid: "new", jku: url }),
      token(1, { kid: "new", x5u: url }),
      token(1, { kid: "new", crit: ["x"] }),
      token(1, { kid: 5 }),
      token(1, { kid: "new", alg: "none" }),
      token(1, { kid: "new", alg: "HS256" }),
      token(1, { kid: "new", alg: "ES512" }),
      `${token(1, { kid: "new" })}=`,
    ];
    for (const each of rejected) expect(await isAccepted(each, keys)).toBe(false);
    expect(fetchCount).toBe(1);
  });

  test("keeps the old keys when a refresh fails, reports it, and is fetched again a minute later", async () => {
    const keys = await openKeySource(config);
    const failures = [
      () => new Response("", { status: 503 }),
      () => new Response("{"),
      () => new Response(JSON.stringify({ keys: [] })),
      () => Response.redirect("http://127.0.0.1:1/", 302),
      () => new Response("x".repeat(1_000_001)),
    ];
    for (const [index, failure] of failures.entries()) {
      respond = failure;
      clock += 60_000;
      expect(await isAccepted(token(1), keys)).toBe(false);
      expect(await isAccepted(token(1), keys)).toBe(false);
      expect(await isAccepted(token(0), keys)).toBe(true);
      expect(fetchCount).toBe(index + 2);
    }
    expect(refreshErrors.map((why) => why.replace(/^the URL \S+ of COLOPHON_JWT_KEYS /, ""))).toEqual([
      "responds with 503 instead of 200",
      "is not well-formed JSON",
      "has no key for RS256, PS256, ES256, EdDSA",
      "redirects: set the URL that it redirects to",
      "responds with more than 1 MB",
    ]);
    respond = () => new Response(jwks(1));
    clock += 60_000;
    expect(await isAccepted(token(1), keys)).toBe(true);
  });

  test("invalidates the tokens of removed keys, including cached tokens", async () => {
    const keys = await openKeySource(config);
    const authenticator = createAuthenticator({
      keys,
      tokens: { isRevoked: () => false },
      now: () => CLAIMS.exp * 1000,
    });
    expect((await authenticator.authenticate(`Bearer ${token(0)}`)).ok).toBe(true);
    const first = `Bearer ${token(0)}`;
    expect((await authenticator.authenticate(first)).ok).toBe(true);
    expect(authenticator.authenticate(first)).not.toBeInstanceOf(Promise);
    respond = () => new Response(jwks(1));
    clock = 60_000;
    expect((await authenticator.authenticate(`Bearer ${token(1)}`)).ok).toBe(true);
    expect((await authenticator.authenticate(first)).ok).toBe(false);
  });

  test("keeps the token cache when the document is unchanged", async () => {
    const keys = await openKeySource(config);
    const authenticator = createAuthenticator({
      keys,
      tokens: { isRevoked: () => false },
      now: () => CLAIMS.exp * 1000,
    });
    const header = `Bearer ${token(0)}`;
    await authenticator.authenticate(header);
    clock = 60_000;
    await authenticator.authenticate(`Bearer ${token(1)}`);
    expect(fetchCount).toBe(2);
    expect(authenticator.authenticate(header)).toMatchObject({ ok: true });
  });

  test("stops the start when it cannot be used, and the message hides the query", async () => {
    const unreachable = { ...config, keys: "https://localhost:1/jwks?key=hidden" };
    expect(await errorMessage(unreachable)).toMatch(
      /^the URL https:\/\/localhost:1\/jwks of COLOPHON_JWT_KEYS cannot be reached \(\w+\)$/,
    );
    respond = () => new Response("", { status: 404 });
    const message = await errorMessage(config);
    expect(message).toContain("responds with 404");
    expect(message).not.toContain("hidden");
  });

  test("is rejected when its certificate is not trusted", async () => {
    expect(await errorMessage({ keys: url })).toContain("cannot be reached");
    expect(fetchCount).toBe(0);
  });

  test.each([
    "http://127.0.0.1/jwks",
    "http://localhost/",
    "HTTP://x/",
    "ftp://x/y",
    "file:///etc/keys",
    "data://x",
  ])("must be https: rejects %s", async (keys) => {
    expect(await errorMessage({ keys })).toContain("must be a file or an https URL");
  });

  test("is rejected when it cannot be parsed", async () => {
    expect(await errorMessage({ keys: "https://[x/" })).toContain("not a valid URL");
  });
});
