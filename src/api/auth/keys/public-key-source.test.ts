/** Keys of a URL that change, with a real https server and a clock that the tests advance. */
import { afterAll, beforeEach, describe, expect, test } from "bun:test";
import { waitFor } from "../../../lib/testing/wait-for.ts";
import { type Authenticator, createAuthenticator } from "../authenticator.ts";
import { jwks, ManualClock, pairs, startKeyServer, token } from "../testing/key-server.ts";
import {
  CLAIMS,
  isAccepted,
  isOpensslMissing,
  keyErrorOf,
  publicJwk,
  publicPem,
  setUpAuthTests,
} from "../testing/signed-tokens.ts";
import type { KeySource } from "./key-source.ts";
import { type KeyConfig, openKeySource } from "./open-key-source.ts";
import type { KeyRead } from "./public-key-source.ts";

setUpAuthTests();

const MINUTE_MS = 60_000;

const server = startKeyServer();
afterAll(() => server[Symbol.dispose]());

let clock: ManualClock;
let reads: KeyRead[];

beforeEach(() => {
  clock = new ManualClock();
  reads = [];
  server.respond = () => new Response(jwks(0));
  server.fetchCount = 0;
});

const openKeys = (config: KeyConfig = {}): Promise<KeySource> =>
  openKeySource({
    keys: server.url,
    fetch: server.fetch,
    clock,
    onRead: (read) => reads.push(read),
    ...config,
  });

const errorMessage = (config: KeyConfig) => keyErrorOf(openKeys(config));

/** Advances the clock, and waits for the read that this causes. */
async function advanceToRead(durationMs: number): Promise<KeyRead> {
  const before = reads.length;
  clock.advance(durationMs);
  await waitFor("the keys are read again", () => reads.length > before);
  return reads.at(-1)!;
}

const MISSING_TOKEN = { ok: false, challenge: 'Bearer realm="colophon"' } as const;
const INVALID_TOKEN = { ok: false, challenge: 'Bearer realm="colophon", error="invalid_token"' } as const;

const fail = () => new Response("", { status: 503 });

function authenticatorOf(keys: KeySource): Authenticator {
  return createAuthenticator({ keys, tokens: { isRevoked: () => false }, now: () => CLAIMS.exp * 1000 });
}

describe.skipIf(isOpensslMissing)("a key URL (skipped where openssl is not installed)", () => {
  test("is fetched once, and its keys are cached", async () => {
    const keys = await openKeys();
    for (let i = 0; i < 5; i++) expect(await isAccepted(token(0), keys)).toBe(true);
    expect(server.fetchCount).toBe(1);
  });

  test("may respond with a PEM or a JWK", async () => {
    for (const document of [publicPem(pairs[0].publicKey), JSON.stringify(publicJwk(pairs[0].publicKey))]) {
      server.respond = () => new Response(document);
      expect(await isAccepted(token(0), await openKeys())).toBe(true);
    }
  });

  test("stops the start when it cannot be used, and the message hides the query", async () => {
    expect(await errorMessage({ keys: "https://localhost:1/jwks?key=hidden" })).toMatch(
      /^the URL https:\/\/localhost:1\/jwks of COLOPHON_JWT_KEYS cannot be reached \(\w+\): correct the URL, or see why its server does not respond$/,
    );
    server.respond = () => new Response("", { status: 404 });
    const message = await errorMessage({});
    expect(message).toContain("responds with 404");
    expect(message).not.toContain("hidden");
  });

  test("is rejected when its certificate is not trusted", async () => {
    expect(await errorMessage({ fetch: undefined })).toContain("cannot be reached");
    expect(server.fetchCount).toBe(0);
  });

  describe("with a token of an unknown kid", () => {
    test("is fetched again, at most once a minute", async () => {
      const keys = await openKeys();
      server.respond = () => new Response(jwks(0, 1));
      clock.advance(59_999);
      expect(await isAccepted(token(1), keys)).toBe(false);
      expect(server.fetchCount).toBe(1);
      clock.advance(1);
      expect(await isAccepted(token(1), keys)).toBe(true);
      expect(await isAccepted(token(0), keys)).toBe(true);
      expect(reads).toEqual([{ outcome: "changed", reason: "unknown-kid" }]);
      clock.advance(59_999);
      for (const kid of ["a", "b", "../c"]) expect(await isAccepted(token(1, { kid }), keys)).toBe(false);
      expect(server.fetchCount).toBe(2);
      clock.advance(1);
      expect(await isAccepted(token(1, { kid: "a" }), keys)).toBe(false);
      expect(await isAccepted(token(1, { kid: "b" }), keys)).toBe(false);
      expect(server.fetchCount).toBe(3);
    });

    test("is fetched once for concurrent requests, which all wait for it", async () => {
      const keys = await openKeys();
      clock.advance(MINUTE_MS);
      const { promise: released, resolve: release } = Promise.withResolvers<void>();
      server.respond = async () => {
        await released;
        return new Response(jwks(0, 1));
      };
      const accepted = Array.from({ length: 20 }, () => isAccepted(token(1), keys));
      await waitFor("the request to the URL", () => server.fetchCount === 2);
      release();
      expect(await Promise.all(accepted)).toEqual(Array(20).fill(true));
      expect(server.fetchCount).toBe(2);
    });

    test("is not fetched for any other invalid token", async () => {
      const keys = await openKeys();
      clock.advance(2 * MINUTE_MS);
      const [head, payload] = token(0).split(".");
      const rejected = [
        token(1, {}),
        token(1, { kid: "k0" }),
        `${head}.${payload}.AAAA`,
        token(1, { kid: "new", jku: server.url }),
        token(1, { kid: "new", x5u: server.url }),
        token(1, { kid: "new", crit: ["x"] }),
        token(1, { kid: 5 }),
        token(1, { kid: "new", alg: "none" }),
        token(1, { kid: "new", alg: "HS256" }),
        token(1, { kid: "new", alg: "ES512" }),
        `${token(1, { kid: "new" })}=`,
      ];
      for (const each of rejected) expect(await isAccepted(each, keys)).toBe(false);
      expect(server.fetchCount).toBe(1);
    });
  });

  describe("after a reload", () => {
    test("is fetched once more when it was being fetched", async () => {
      const keys = await openKeys();
      server.respond = () => new Response(jwks(1));
      await Promise.all(Array.from({ length: 5 }, () => keys.reload()));
      expect(server.fetchCount).toBe(3);
      expect(reads.map(({ outcome }) => outcome)).toEqual(["changed", "unchanged"]);
      expect(await isAccepted(token(1), keys)).toBe(true);
    });

    test("keeps the token cache when the document is unchanged", async () => {
      const keys = await openKeys();
      const authenticator = authenticatorOf(keys);
      const header = `Bearer ${token(0)}`;
      await authenticator.authenticate(header);
      await keys.reload();
      expect(reads).toEqual([{ outcome: "unchanged", reason: "demand" }]);
      expect(authenticator.authenticate(header)).toMatchObject({ ok: true });
    });
  });

  describe("is fetched again by time", () => {
    test.each([
      ["no Cache-Control", {}, 5],
      ["max-age=1200", { "Cache-Control": "public, max-age=1200" }, 20],
      ["a quoted max-age", { "Cache-Control": 'MAX-AGE="1200"' }, 20],
      ["max-age with Age", { "Cache-Control": "max-age=1200", Age: "300" }, 15],
      ["max-age=5", { "Cache-Control": "max-age=5" }, 1],
      ["no-store", { "Cache-Control": "no-store, max-age=1200" }, 1],
      ["no-cache", { "Cache-Control": "no-cache" }, 1],
      ["max-age of a day", { "Cache-Control": "max-age=86400" }, 30],
      ["a max-age that is no number", { "Cache-Control": "max-age=soon" }, 5],
    ])("as it says, within 1 and 30 minutes: %s", async (_, headers, minutes) => {
      server.respond = () => new Response(jwks(0), { headers: headers as Record<string, string> });
      await openKeys();
      clock.advance(minutes * MINUTE_MS - 1);
      expect(server.fetchCount).toBe(1);
      expect(await advanceToRead(1)).toEqual({ outcome: "unchanged", reason: "time" });
      expect(server.fetchCount).toBe(2);
    });

    test("and rejects the tokens of a removed key from then on, also cached ones", async () => {
      server.respond = () => new Response(jwks(0, 1));
      const authenticator = authenticatorOf(await openKeys());
      const header = `Bearer ${token(0)}`;
      expect((await authenticator.authenticate(header)).ok).toBe(true);
      expect(authenticator.authenticate(header)).not.toBeInstanceOf(Promise);
      server.respond = () => new Response(jwks(1));
      expect(await advanceToRead(5 * MINUTE_MS)).toEqual({ outcome: "changed", reason: "time" });
      expect((await authenticator.authenticate(header)).ok).toBe(false);
      expect((await authenticator.authenticate(`Bearer ${token(1)}`)).ok).toBe(true);
    });

    test("and rejects every token when no key is left", async () => {
      const keys = await openKeys();
      server.respond = () => new Response(JSON.stringify({ keys: [] }));
      expect(await advanceToRead(5 * MINUTE_MS)).toMatchObject({ outcome: "withdrawn", reason: "time" });
      expect(await authenticatorOf(keys).authenticate(`Bearer ${token(0)}`)).toEqual(INVALID_TOKEN);
    });
  });

  describe("that fails", () => {
    test("keeps the old keys, is reported, and is fetched again a minute later", async () => {
      const keys = await openKeys();
      clock.advance(MINUTE_MS);
      const failures = [
        fail,
        () => new Response("{"),
        () => Response.redirect("http://127.0.0.1:1/", 302),
        () => new Response("x".repeat(1_000_001)),
      ];
      for (const [index, failure] of failures.entries()) {
        server.respond = failure;
        if (index === 0) expect(await isAccepted(token(1), keys)).toBe(false);
        else expect(await advanceToRead(MINUTE_MS)).toMatchObject({ outcome: "failed", reason: "time" });
        expect(await isAccepted(token(1), keys)).toBe(false);
        expect(await isAccepted(token(0), keys)).toBe(true);
        expect(server.fetchCount).toBe(index + 2);
      }
      expect(
        reads.map((read) => {
          if (read.outcome !== "failed") throw new Error(read.outcome);
          return read.error.message.replace(/^the URL \S+ of COLOPHON_JWT_KEYS /, "");
        }),
      ).toEqual([
        "responds with 503 instead of 200: correct the URL, or see the log of its server",
        "is not well-formed JSON: put a JWK or a JWKS there",
        "redirects: set the URL that it redirects to",
        "responds with more than 1 MB",
      ]);
      server.respond = () => new Response(jwks(1));
      await advanceToRead(MINUTE_MS);
      expect(await isAccepted(token(1), keys)).toBe(true);
    });

    test("leads to neither 200 nor 401 after an hour, until it works again", async () => {
      const keys = await openKeys();
      const authenticator = authenticatorOf(keys);
      const header = `Bearer ${token(0)}`;
      expect((await authenticator.authenticate(header)).ok).toBe(true);
      server.respond = fail;
      const first = await advanceToRead(5 * MINUTE_MS);
      expect(first).toMatchObject({ outcome: "failed", remainingMs: 55 * MINUTE_MS });
      for (let minute = 6; minute < 60; minute++) await advanceToRead(MINUTE_MS);
      clock.advance(MINUTE_MS - 1);
      expect((await authenticator.authenticate(header)).ok).toBe(true);

      const expired = reads.length;
      await advanceToRead(1);
      expect(reads[expired]).toMatchObject({
        outcome: "expired",
        error: expect.objectContaining({ message: expect.stringContaining("responds with 503") }),
      });
      await waitFor("the read of this minute", () => reads.length === expired + 2);
      expect(await authenticator.authenticate(header)).toEqual({ ok: false, challenge: undefined });
      // Without a token, or with something that is none, keys would not help.
      expect(await authenticator.authenticate(null)).toEqual(MISSING_TOKEN);
      expect(await authenticator.authenticate("Bearer a b")).toEqual(INVALID_TOKEN);

      server.respond = () => new Response(jwks(0));
      expect(await advanceToRead(MINUTE_MS)).toEqual({ outcome: "unchanged", reason: "time" });
      expect((await authenticator.authenticate(header)).ok).toBe(true);
    });
  });
});
