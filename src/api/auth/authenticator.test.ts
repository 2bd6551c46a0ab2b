import { afterAll, describe, expect, test } from "bun:test";
import { openSqlite } from "../../stores/sqlite/store.ts";
import type { Authenticator } from "./authenticator.ts";
import { createAuthenticator } from "./authenticator.ts";
import type { KeySource } from "./keys/key-source.ts";
import {
  CLAIMS,
  createTokenSigner,
  NOW,
  scratchFile,
  setUpAuthTests,
  type TokenSigner,
} from "./testing/signed-tokens.ts";

setUpAuthTests();

const MISSING_TOKEN = { ok: false, challenge: 'Bearer realm="colophon"' } as const;
const INVALID_TOKEN = { ok: false, challenge: 'Bearer realm="colophon", error="invalid_token"' } as const;

const database = scratchFile("catalog.db");
const store = openSqlite(database, { create: true });
afterAll(() => store.close());

const signer = await createTokenSigner("HS256");
const bearer = (claims: object, by: TokenSigner = signer) =>
  `Bearer ${by.token({ alg: by.algorithm }, { ...CLAIMS, ...claims })}`;
const authenticatorAt = (now: () => number = () => NOW, keys: KeySource = signer.keys) =>
  createAuthenticator({ keys, tokens: store.tokens, now });
const caller = (id: string | undefined, name = "Bookshop") => ({ ok: true, caller: { id, name } }) as const;

const register = (id: string) =>
  store.tokens.add({
    id,
    name: "x",
    issued: "2026-01-01T00:00:00Z",
    expires: "2027-01-01T00:00:00Z",
    revoked: undefined,
  });

describe("WWW-Authenticate challenge", () => {
  test.each([null, "", "Bearer", "Bearer ", "Basic dTpw", "Token x", "Basic x, Bearer y"])(
    "has no error code without a bearer token: %j",
    (value) => {
      expect(authenticatorAt().authenticate(value)).toEqual(MISSING_TOKEN);
    },
  );

  test.each(["Bearer a b", "Bearer a, Bearer b", "Bearer x", "Bearer a.b.c", "bearer ....", "Bearer é"])(
    "has the error code invalid_token for a bad token: %j",
    async (value) => {
      expect(await authenticatorAt().authenticate(value)).toEqual(INVALID_TOKEN);
    },
  );

  test("is the same for a token that is expired, not yet valid, revoked, signed by another key or for another audience", async () => {
    await register("out");
    await store.tokens.revoke("out", "2026-01-01T00:00:00Z");
    const other = await createTokenSigner("HS256");
    const times = [{ exp: 1 }, { nbf: NOW / 1000 + 3600 }, { exp: undefined }];
    for (const header of [...[...times, { jti: "out" }].map((claims) => bearer(claims)), bearer({}, other)])
      expect(await authenticatorAt().authenticate(header)).toEqual(INVALID_TOKEN);
    const expected = { audience: "colophon", issuer: "id", now: () => NOW };
    const strict = createAuthenticator({ keys: signer.keys, tokens: store.tokens, ...expected });
    for (const claims of [{ aud: "colophon" }, { iss: "id" }])
      expect(await strict.authenticate(bearer(claims))).toEqual(INVALID_TOKEN);
    const right = bearer({ iss: "id", aud: ["x", "colophon"] });
    expect(await strict.authenticate(right)).toEqual(caller(undefined));
  });
});

describe("a valid token", () => {
  test("identifies the caller", async () => {
    expect(await authenticatorAt().authenticate(bearer({ jti: "1", sub: "Librería Ñandú" }))).toEqual(
      caller("1", "Librería Ñandú"),
    );
    expect(await authenticatorAt().authenticate(bearer({ sub: undefined }))).toEqual({
      ok: true,
      caller: { id: undefined, name: undefined },
    });
  });

  test("is accepted synchronously from the second request on, with any spelling of the scheme", async () => {
    const authenticator = authenticatorAt();
    const header = bearer({ jti: "2" });
    const first = authenticator.authenticate(header);
    expect(first).toBeInstanceOf(Promise);
    const result = await first;
    expect(result).toEqual(caller("2"));
    for (const spelling of [header, header.replace("Bearer", "bearer"), header.replace(" ", "   ")]) {
      expect(authenticator.authenticate(spelling)).toBe(result);
    }
  });

  test("is cached after a request that spells the scheme differently", async () => {
    const authenticator = authenticatorAt();
    const header = bearer({ jti: "3" });
    await authenticator.authenticate(header.replace("Bearer", "BEARER"));
    expect(authenticator.authenticate(header)).toEqual(caller("3"));
  });

  test("is rejected from the moment it expires, even when cached", async () => {
    let now = NOW;
    const authenticator = authenticatorAt(() => now);
    const header = bearer({});
    await authenticator.authenticate(header);
    now = (CLAIMS.exp + 30) * 1000 - 1;
    expect(authenticator.authenticate(header)).toEqual(caller(undefined));
    now++;
    expect(authenticator.authenticate(header)).toEqual(INVALID_TOKEN);
  });

  test("is accepted once its nbf time is reached, after an earlier rejection", async () => {
    let now = NOW;
    const authenticator = authenticatorAt(() => now);
    const header = bearer({ nbf: NOW / 1000 + 31 });
    expect(await authenticator.authenticate(header)).toEqual(INVALID_TOKEN);
    now += 1000;
    expect(await authenticator.authenticate(header)).toEqual(caller(undefined));
  });

  test("is rejected by the next request after its revocation, even when cached and revoked over another connection", async () => {
    const authenticator = authenticatorAt();
    const header = bearer({ jti: "4" });
    await register("4");
    await authenticator.authenticate(header);
    expect(authenticator.authenticate(header)).toEqual(caller("4"));
    const elsewhere = openSqlite(database);
    await elsewhere.tokens.revoke("4", "2026-01-02T00:00:00Z");
    await elsewhere.close();
    expect(authenticator.authenticate(header)).toEqual(INVALID_TOKEN);
  });

  test("is not found in the cache with one character changed", async () => {
    const authenticator = authenticatorAt();
    const header = bearer({});
    await authenticator.authenticate(header);
    expect(
      await authenticator.authenticate(`${header.slice(0, -1)}${header.endsWith("A") ? "B" : "A"}`),
    ).toEqual(INVALID_TOKEN);
    expect(await authenticator.authenticate(header.slice(0, -1))).toEqual(INVALID_TOKEN);
    expect(authenticator.authenticate(header)).toEqual(caller(undefined));
  });
});

describe("an asynchronous token registry", () => {
  const header = bearer({ jti: "5" });
  const authenticatorWith = (isRevoked: (id: string) => boolean | Promise<boolean>) =>
    createAuthenticator({ keys: signer.keys, tokens: { isRevoked }, now: () => NOW });

  test("is awaited", async () => {
    let revoked = false;
    const authenticator = authenticatorWith(async (id) => id === "5" && revoked);
    expect(await authenticator.authenticate(header)).toEqual(caller("5"));
    expect(await authenticator.authenticate(header)).toEqual(caller("5"));
    revoked = true;
    expect(await authenticator.authenticate(header)).toEqual(INVALID_TOKEN);
  });

  test("neither accepts nor rejects a token when it fails", async () => {
    let failing = true;
    const authenticator = authenticatorWith(async () => {
      if (failing) throw new Error("store unavailable");
      return false;
    });
    for (let i = 0; i < 2; i++)
      await expect(Promise.resolve(authenticator.authenticate(header))).rejects.toThrow("store unavailable");
    failing = false;
    expect(await authenticator.authenticate(header)).toEqual(caller("5"));
  });
});

describe("the token cache", () => {
  const maxCachedTokens = 50;
  const small = () =>
    createAuthenticator({ keys: signer.keys, tokens: store.tokens, now: () => NOW, maxCachedTokens });
  const isCached = (authenticator: Authenticator, header: string) =>
    !(authenticator.authenticate(header) instanceof Promise);

  test("is bounded and evicts the oldest token first", async () => {
    const authenticator = small();
    const headers = Array.from({ length: maxCachedTokens + 1 }, (_, n) => bearer({ n }));
    for (const header of headers.slice(0, maxCachedTokens)) await authenticator.authenticate(header);
    expect(headers.slice(0, maxCachedTokens).every((header) => isCached(authenticator, header))).toBe(true);
    await authenticator.authenticate(headers[maxCachedTokens]!);
    expect(isCached(authenticator, headers[1]!)).toBe(true);
    expect(isCached(authenticator, headers[maxCachedTokens]!)).toBe(true);
    expect(isCached(authenticator, headers[0]!)).toBe(false);
  });

  test("evicts nothing for bad tokens", async () => {
    const authenticator = small();
    const valid = bearer({});
    await authenticator.authenticate(valid);
    for (let n = 0; n < 2 * maxCachedTokens; n++) {
      await authenticator.authenticate(`Bearer ${n}.${n}.${n}`);
      await authenticator.authenticate(bearer({ n, exp: 1 }));
      await authenticator.authenticate(bearer({ n, nbf: CLAIMS.exp }));
      await authenticator.authenticate(bearer({ n, exp: "1" }));
      await authenticator.authenticate(`${valid.slice(0, -5)}${String(n).padStart(5, "0")}`);
    }
    expect(isCached(authenticator, valid)).toBe(true);
  });

  test("has one entry per token, for all spellings and concurrent requests", async () => {
    const authenticator = small();
    const others = Array.from({ length: maxCachedTokens - 1 }, (_, n) => bearer({ n }));
    for (const header of others) await authenticator.authenticate(header);
    const burst = bearer({ burst: true });
    const spellings = Array.from({ length: 2 * maxCachedTokens }, (_, n) =>
      burst.replace("Bearer", `bearer${" ".repeat(n)}`),
    );
    await Promise.all(spellings.map((header) => authenticator.authenticate(header)));
    expect([...others, burst].every((header) => isCached(authenticator, header))).toBe(true);
  });

  test("is cleared when the keys change", async () => {
    const other = await createTokenSigner("HS256");
    let current = signer.keys.current();
    const authenticator = authenticatorAt(() => NOW, { ...signer.keys, current: () => current });
    const header = bearer({});
    await authenticator.authenticate(header);
    expect(authenticator.authenticate(header)).toEqual(caller(undefined));
    current = other.keys.current();
    expect(await authenticator.authenticate(header)).toEqual(INVALID_TOKEN);
    expect(await authenticator.authenticate(bearer({}, other))).toEqual(caller(undefined));
  });

  test("does not store a token whose keys changed during verification", async () => {
    const other = await createTokenSigner("HS256");
    let current = signer.keys.current();
    const authenticator = authenticatorAt(() => NOW, { ...signer.keys, current: () => current });
    const header = bearer({});
    const pending = authenticator.authenticate(header);
    current = other.keys.current();
    await pending;
    expect(await authenticator.authenticate(header)).toEqual(INVALID_TOKEN);
  });
});
