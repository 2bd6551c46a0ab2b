import { afterAll, describe, expect, test } from "bun:test";
import { openSqlite } from "../../stores/sqlite/store.ts";
import type { Authenticator } from "./auth-result.ts";
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

const ASK = { ok: false, challenge: 'Bearer realm="colophon"' } as const;
const REFUSE = { ok: false, challenge: 'Bearer realm="colophon", error="invalid_token"' } as const;

const database = scratchFile("catalog.db");
const store = openSqlite(database, { create: true });
afterAll(() => store.close());

const forge = await createTokenSigner("HS256");
const mint = (claims: object, by: TokenSigner = forge) =>
  `Bearer ${by.token({ alg: by.algorithm }, { ...CLAIMS, ...claims })}`;
const gateAt = (now: () => number = () => NOW, keys: KeySource = forge.keys) =>
  createAuthenticator({ keys, tokens: store.tokens, now });
const caller = (id: string | undefined, name = "Bookshop") => ({ ok: true, caller: { id, name } }) as const;

describe("the challenge", () => {
  test.each([null, "", "Bearer", "Bearer ", "Basic dTpw", "Token x", "Basic x, Bearer y"])(
    "only asks where there is no token: %j",
    (value) => {
      expect(gateAt().authenticate(value)).toEqual(ASK);
    },
  );

  test.each(["Bearer a b", "Bearer a, Bearer b", "Bearer x", "Bearer a.b.c", "bearer ....", "Bearer é"])(
    "says invalid_token where there is a bad one: %j",
    async (value) => {
      expect(await gateAt().authenticate(value)).toEqual(REFUSE);
    },
  );

  test("is the same for a token that is expired, too early, revoked, of another key or for someone else", async () => {
    await store.tokens.add({
      id: "out",
      name: "x",
      issued: "2026-01-01T00:00:00Z",
      expires: "2027-01-01T00:00:00Z",
      revoked: undefined,
    });
    await store.tokens.revoke("out", "2026-01-01T00:00:00Z");
    const other = await createTokenSigner("HS256");
    const headers = [
      mint({ exp: 1 }),
      mint({ nbf: NOW / 1000 + 3600 }),
      mint({ jti: "out" }),
      mint({}, other),
      mint({ exp: undefined }),
    ];
    for (const header of headers) expect(await gateAt().authenticate(header)).toEqual(REFUSE);
    const strict = createAuthenticator({
      keys: forge.keys,
      tokens: store.tokens,
      audience: "colophon",
      issuer: "id",
      now: () => NOW,
    });
    expect(await strict.authenticate(mint({ aud: "colophon" }))).toEqual(REFUSE);
    expect(await strict.authenticate(mint({ iss: "id" }))).toEqual(REFUSE);
    expect(await strict.authenticate(mint({ iss: "id", aud: ["x", "colophon"] }))).toEqual(caller(undefined));
  });
});

describe("a good token", () => {
  test("tells who calls", async () => {
    expect(await gateAt().authenticate(mint({ jti: "1", sub: "Librería Ñandú" }))).toEqual(
      caller("1", "Librería Ñandú"),
    );
    expect(await gateAt().authenticate(mint({ sub: undefined }))).toEqual({
      ok: true,
      caller: { id: undefined, name: undefined },
    });
  });

  test("is answered for at once from the second request on, under any spelling of the scheme", async () => {
    const gate = gateAt();
    const header = mint({ jti: "2" });
    const first = gate.authenticate(header);
    expect(first).toBeInstanceOf(Promise);
    const verdict = await first;
    expect(verdict).toEqual(caller("2"));
    for (const spelling of [header, header.replace("Bearer", "bearer"), header.replace(" ", "   ")]) {
      expect(gate.authenticate(spelling)).toBe(verdict);
    }
  });

  test("is known after it came under another spelling", async () => {
    const gate = gateAt();
    const header = mint({ jti: "3" });
    await gate.authenticate(header.replace("Bearer", "BEARER"));
    expect(gate.authenticate(header)).toEqual(caller("3"));
  });

  test("is refused from the second on that it expires, though it is known", async () => {
    let now = NOW;
    const gate = gateAt(() => now);
    const header = mint({});
    await gate.authenticate(header);
    now = (CLAIMS.exp + 30) * 1000 - 1;
    expect(gate.authenticate(header)).toEqual(caller(undefined));
    now++;
    expect(gate.authenticate(header)).toEqual(REFUSE);
  });

  test("that came too early is let in when its time has come", async () => {
    let now = NOW;
    const gate = gateAt(() => now);
    const header = mint({ nbf: NOW / 1000 + 31 });
    expect(await gate.authenticate(header)).toEqual(REFUSE);
    now += 1000;
    expect(await gate.authenticate(header)).toEqual(caller(undefined));
  });

  test("is refused from the request after its revocation on, though it is known, and though another connection revokes", async () => {
    const gate = gateAt();
    const header = mint({ jti: "4" });
    await store.tokens.add({
      id: "4",
      name: "x",
      issued: "2026-01-01T00:00:00Z",
      expires: "2027-01-01T00:00:00Z",
      revoked: undefined,
    });
    await gate.authenticate(header);
    expect(gate.authenticate(header)).toEqual(caller("4"));
    const elsewhere = openSqlite(database);
    await elsewhere.tokens.revoke("4", "2026-01-02T00:00:00Z");
    await elsewhere.close();
    expect(gate.authenticate(header)).toEqual(REFUSE);
  });

  test("changed in one character is not known", async () => {
    const gate = gateAt();
    const header = mint({});
    await gate.authenticate(header);
    expect(await gate.authenticate(`${header.slice(0, -1)}${header.endsWith("A") ? "B" : "A"}`)).toEqual(
      REFUSE,
    );
    expect(await gate.authenticate(header.slice(0, -1))).toEqual(REFUSE);
    expect(gate.authenticate(header)).toEqual(caller(undefined));
  });
});

describe("a ledger that answers later", () => {
  const header = mint({ jti: "5" });
  const gateWith = (isRevoked: (id: string) => boolean | Promise<boolean>) =>
    createAuthenticator({ keys: forge.keys, tokens: { isRevoked }, now: () => NOW });

  test("is waited for", async () => {
    let revoked = false;
    const gate = gateWith(async (id) => id === "5" && revoked);
    expect(await gate.authenticate(header)).toEqual(caller("5"));
    expect(await gate.authenticate(header)).toEqual(caller("5"));
    revoked = true;
    expect(await gate.authenticate(header)).toEqual(REFUSE);
  });

  test("that fails is neither a yes nor a no", async () => {
    let failing = true;
    const gate = gateWith(async () => {
      if (failing) throw new Error("store is away");
      return false;
    });
    for (let i = 0; i < 2; i++)
      await expect(Promise.resolve(gate.authenticate(header))).rejects.toThrow("store is away");
    failing = false;
    expect(await gate.authenticate(header)).toEqual(caller("5"));
  });
});

describe("the memory for tokens", () => {
  const memory = 50;
  const small = () =>
    createAuthenticator({ keys: forge.keys, tokens: store.tokens, now: () => NOW, maxCachedTokens: memory });
  const isKnown = (gate: Authenticator, header: string) => !(gate.authenticate(header) instanceof Promise);

  test("is bounded, and the oldest goes first", async () => {
    const gate = small();
    const headers = Array.from({ length: memory + 1 }, (_, n) => mint({ n }));
    for (const header of headers.slice(0, memory)) await gate.authenticate(header);
    expect(headers.slice(0, memory).every((header) => isKnown(gate, header))).toBe(true);
    await gate.authenticate(headers[memory]!);
    expect(isKnown(gate, headers[1]!)).toBe(true);
    expect(isKnown(gate, headers[memory]!)).toBe(true);
    expect(isKnown(gate, headers[0]!)).toBe(false);
  });

  test("loses nothing to bad tokens", async () => {
    const gate = small();
    const good = mint({});
    await gate.authenticate(good);
    for (let n = 0; n < 2 * memory; n++) {
      await gate.authenticate(`Bearer ${n}.${n}.${n}`);
      await gate.authenticate(mint({ n, exp: 1 }));
      await gate.authenticate(mint({ n, nbf: CLAIMS.exp }));
      await gate.authenticate(mint({ n, exp: "1" }));
      await gate.authenticate(`${good.slice(0, -5)}${String(n).padStart(5, "0")}`);
    }
    expect(isKnown(gate, good)).toBe(true);
  });

  test("has one place for a token, however it is spelled and however often it comes at once", async () => {
    const gate = small();
    const others = Array.from({ length: memory - 1 }, (_, n) => mint({ n }));
    for (const header of others) await gate.authenticate(header);
    const burst = mint({ burst: true });
    const spellings = Array.from({ length: 2 * memory }, (_, n) =>
      burst.replace("Bearer", `bearer${" ".repeat(n)}`),
    );
    await Promise.all(spellings.map((header) => gate.authenticate(header)));
    expect([...others, burst].every((header) => isKnown(gate, header))).toBe(true);
  });

  test("is empty once the keys have changed", async () => {
    const [one, other] = [forge, await createTokenSigner("HS256")];
    let current = one.keys.current();
    const gate = gateAt(() => NOW, { ...one.keys, current: () => current });
    const header = mint({});
    await gate.authenticate(header);
    expect(gate.authenticate(header)).toEqual(caller(undefined));
    current = other.keys.current();
    expect(await gate.authenticate(header)).toEqual(REFUSE);
    expect(await gate.authenticate(mint({}, other))).toEqual(caller(undefined));
  });

  test("does not take in what was verified with keys that have changed meanwhile", async () => {
    const [one, other] = [forge, await createTokenSigner("HS256")];
    let current = one.keys.current();
    const gate = gateAt(() => NOW, { ...one.keys, current: () => current });
    const header = mint({});
    const underWay = gate.authenticate(header);
    current = other.keys.current();
    await underWay;
    expect(await gate.authenticate(header)).toEqual(REFUSE);
  });
});
