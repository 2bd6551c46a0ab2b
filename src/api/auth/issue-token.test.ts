import { afterAll, describe, expect, test } from "bun:test";
import { createHmac, randomBytes } from "node:crypto";
import { openSqlite } from "../../stores/sqlite/store.ts";
import { createAuthenticator } from "./authenticator.ts";
import { issueToken, TokenError, type TokenRequest } from "./issue-token.ts";
import { KeyError } from "./keys/key-source.ts";
import { openKeySource } from "./keys/open-key-source.ts";
import {
  generateKeyPair,
  keysFromDocument,
  NOW,
  publicPem,
  scratchFile,
  setUpAuthTests,
} from "./testing/signed-tokens.ts";

setUpAuthTests();

const store = openSqlite(scratchFile("catalog.db"), { create: true });
afterAll(() => store.close());
const { tokens } = store;
const secret = randomBytes(32);
const keys = await openKeySource({ secret: `base64url:${secret.toString("base64url")}` });
const now = () => NOW + 999;
const issue = (request: Partial<TokenRequest> = {}) =>
  issueToken({ keys, tokens, name: "Bookshop", days: 90, now, ...request });
const decode = (part: string | undefined) => JSON.parse(Buffer.from(part ?? "", "base64url").toString());

describe("an issued token", () => {
  test("is HS256 with sub, iat, exp and jti", async () => {
    const [head, payload, signature] = (await issue()).split(".");
    expect(decode(head)).toEqual({ alg: "HS256", typ: "JWT" });
    const iat = NOW / 1000;
    const jti = expect.stringMatching(/^[0-9a-f]{32}$/);
    expect(decode(payload)).toEqual({ sub: "Bookshop", iat, exp: iat + 90 * 86_400, jti });
    expect(signature).toBe(createHmac("sha256", secret).update(`${head}.${payload}`).digest("base64url"));
  });

  test("has the issuer and audience that are configured", async () => {
    const claims = decode(
      (await issue({ issuer: "https://id.example", audience: "colophon" })).split(".")[1],
    );
    expect(claims).toMatchObject({ iss: "https://id.example", aud: "colophon" });
  });

  test("is accepted, identified by its id, until it is revoked", async () => {
    const expected = { issuer: "us", audience: "them" };
    const token = await issue({ name: "Librería «El Péndulo» 本", ...expected });
    const { jti } = decode(token.split(".")[1]);
    const authenticator = createAuthenticator({ keys, tokens, now, ...expected });
    expect(await authenticator.authenticate(`Bearer ${token}`)).toEqual({
      ok: true,
      caller: { id: jti, name: "Librería «El Péndulo» 本" },
    });
    expect(await tokens.revoke(jti, "2026-01-02T00:00:00.000Z")).toBe(true);
    expect((await authenticator.authenticate(`Bearer ${token}`)).ok).toBe(false);
  });

  test("is registered with id, name and dates, but without the token itself", async () => {
    const token = await issue({ name: "For the book", days: 1 });
    const { jti } = decode(token.split(".")[1]);
    const entry = (await tokens.list()).find(({ id }) => id === jti);
    expect(entry).toEqual({
      id: jti,
      name: "For the book",
      issued: "2026-01-01T00:00:00.000Z",
      expires: "2026-01-02T00:00:00.000Z",
      revoked: undefined,
    });
  });

  test("is not returned when it cannot be registered", async () => {
    const full = { add: () => Promise.reject(new Error("disk full")) };
    await expect(issue({ tokens: full })).rejects.toThrow("disk full");
  });

  test("has a unique id", async () => {
    const ids = await Promise.all(
      Array.from({ length: 100 }, async () => decode((await issue()).split(".")[1]).jti),
    );
    expect(new Set(ids).size).toBe(100);
  });
});

describe("issueToken rejects, and registers nothing,", () => {
  async function expectRejected(
    request: Partial<TokenRequest>,
    kind: typeof TokenError | typeof KeyError,
    reason: string,
  ) {
    const before = (await tokens.list()).length;
    const rejection = issue(request);
    await expect(rejection).rejects.toBeInstanceOf(kind);
    await expect(rejection).rejects.toThrow(reason);
    expect((await tokens.list()).length).toBe(before);
  }

  test.each(["a\nb", "a\0", "\u001b[31m", "a\u0085", "a\u2028b", "\ud800"])(
    "for the name %j",
    async (name) => {
      await expectRejected({ name }, TokenError, "no control characters");
    },
  );

  test("for a name of more than 200 characters, however many bytes each takes", async () => {
    await expectRejected({ name: "x".repeat(201) }, TokenError, "at most 200");
    const authenticator = createAuthenticator({ keys, tokens, now });
    expect(
      await authenticator.authenticate(`Bearer ${await issue({ name: "📚".repeat(200), days: 3650 })}`),
    ).toMatchObject({ ok: true });
  });

  test("when only public keys are configured", async () => {
    const publicKeys = await keysFromDocument(publicPem(generateKeyPair("ES256").publicKey));
    await expectRejected({ keys: publicKeys }, KeyError, "identity provider");
  });
});
