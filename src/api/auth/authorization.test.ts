import { describe, expect, test } from "bun:test";
import { parseCredentials } from "./authorization.ts";

describe("parseCredentials", () => {
  test.each(["Bearer a.b.c", "bearer a.b.c", "BEARER a.b.c", "bEaReR a.b.c", "Bearer   a.b.c"])(
    "finds the token in %j",
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
  ])("finds no credentials in %j", (value) => {
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
  ])("reports malformed credentials for %j", (value) => {
    expect(parseCredentials(value)).toEqual({ kind: "malformed" });
  });

  test("accepts all b64token characters, and = at the end", () => {
    expect(parseCredentials("Bearer aZ09-._~+/==")).toEqual({ kind: "token", token: "aZ09-._~+/==" });
  });

  test("needs linear time for long headers", () => {
    expect(parseCredentials(`Bearer ${"=".repeat(60_000)}a`)).toEqual({ kind: "malformed" });
    expect(parseCredentials(`Bearer ${" ".repeat(60_000)}é`)).toEqual({ kind: "malformed" });
    expect(parseCredentials(`Bearer ${"a=".repeat(30_000)}`)).toEqual({ kind: "malformed" });
  });
});
