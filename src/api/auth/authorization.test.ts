import { describe, expect, test } from "bun:test";
import { parseCredentials } from "./authorization.ts";

describe("the Authorization header", () => {
  test.each(["Bearer a.b.c", "bearer a.b.c", "BEARER a.b.c", "bEaReR a.b.c", "Bearer   a.b.c"])(
    "%j has a token",
    (value) => {
      expect(parseCredentials(value)).toEqual({ kind: "token", token: "a.b.c" });
    },
  );

  test.each([
    "",
    " ",
    "Basic dTpw",
    "Digest x",
    "Bearer",
    "bearer",
    "Bearer ",
    "Bearer    ",
    "Token a.b.c",
    "a.b.c",
    "Bearera.b.c",
    "Bearer-x a",
    "XBearer a",
    "Basic x, Bearer a.b.c",
    "DPoP a.b.c",
  ])("%j has none", (value) => {
    expect(parseCredentials(value)).toEqual({ kind: "none" });
  });

  test.each([
    "Bearer a b",
    "Bearer a, Bearer b",
    "Bearer a,b",
    "Bearer, Bearer a",
    "Bearer\ta",
    "Bearer \ta",
    "Bearer a\n",
    "Bearer a\u00a0",
    "Bearer é",
    'Bearer "a"',
    "Bearer a=b",
    "Bearer =",
    "Bearer token=a",
    "Bearer a;",
    "Bearer a\0",
  ])("%j has one that cannot be a token", (value) => {
    expect(parseCredentials(value)).toEqual({ kind: "malformed" });
  });

  test("takes the characters of b64token, and = at the end", () => {
    expect(parseCredentials("Bearer aZ09-._~+/==")).toEqual({ kind: "token", token: "aZ09-._~+/==" });
  });

  test("answers a long header in no time", () => {
    expect(parseCredentials(`Bearer ${"=".repeat(60_000)}a`)).toEqual({ kind: "malformed" });
    expect(parseCredentials(`Bearer ${" ".repeat(60_000)}é`)).toEqual({ kind: "malformed" });
    expect(parseCredentials(`Bearer ${"a=".repeat(30_000)}`)).toEqual({ kind: "malformed" });
  });
});
