import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { parseCredentials } from "./authenticator.ts";
import { createTokenSigner, isAccepted, setUpAuthTests } from "./testing/signed-tokens.ts";

describe("parseCredentials", () => {
  test.each(["Bearer a.b.c", "bearer a.b.c", "BEARER a.b.c", "bEaReR a.b.c", "Bearer   a.b.c"])(
    "finds the token in %j",
    (value) => {
      expect(parseCredentials(value)).toEqual({ kind: "token", token: "a.b.c" });
    },
  );

  const SCHEMES = ["Basic dTpw", "Digest x", "Token a.b.c", "DPoP a.b.c", "Bearer-x a", "XBearer a"];
  const WITHOUT_TOKEN = ["", " ", "Bearer", "bearer", "Bearer ", "Bearer    ", "a.b.c", "Bearera.b.c"];
  const SEVERAL = ["a b", "a, Bearer b", "a,b", "a=b", "token=a", "a;"].map((text) => `Bearer ${text}`);
  const CHARACTERS = ["\ta", "a\n", "a\u00a0", "é", '"a"', "=", "a\0"].map((text) => `Bearer ${text}`);

  test.each([
    ...[...SCHEMES, ...WITHOUT_TOKEN, "Basic x, Bearer a.b.c"].map((value) => ["none", value]),
    ...[...SEVERAL, ...CHARACTERS, "Bearer, Bearer a", "Bearer\ta"].map((value) => ["malformed", value]),
  ])("finds %s credentials in %j", (kind, value) => {
    expect<object>(parseCredentials(value!)).toEqual({ kind });
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

setUpAuthTests();

/** RFC 6750 §2.1. */
const b64token = fc.stringMatching(/^[A-Za-z0-9._~+/-]{1,60}={0,2}$/);

test("parseCredentials returns the token unchanged for any case of the scheme and any number of spaces", () => {
  fc.assert(
    fc.property(
      b64token,
      fc.mixedCase(fc.constant("bearer")),
      fc.integer({ min: 1, max: 5 }),
      (token, scheme, spaces) => {
        expect(parseCredentials(scheme + " ".repeat(spaces) + token)).toEqual({ kind: "token", token });
      },
    ),
  );
});

test("parseCredentials returns only b64token characters that directly follow the scheme and its spaces", () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string({ unit: "binary" }),
        fc.string({ unit: "binary" }).map((text) => `Bearer ${text}`),
      ),
      (value) => {
        const credentials = parseCredentials(value);
        if (credentials.kind === "token") {
          expect(credentials.token).toMatch(/^[A-Za-z0-9._~+/-]+=*$/);
          expect(value.toLowerCase()).toBe(
            `bearer${" ".repeat(value.length - 6 - credentials.token.length)}${credentials.token.toLowerCase()}`,
          );
        }
      },
    ),
    { numRuns: 1000 },
  );
});

test("authenticate rejects random text and never throws", async () => {
  const { keys } = await createTokenSigner("HS256");
  const part = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.json().map((json) => Buffer.from(json).toString("base64url")),
    fc.constant(Buffer.from('{"alg":"HS256"}').toString("base64url")),
    fc.constant(Buffer.from('{"exp":4102444800}').toString("base64url")),
    fc.uint8Array({ maxLength: 64 }).map((bytes) => Buffer.from(bytes).toString("base64url")),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(part, { minLength: 1, maxLength: 5 }), async (parts) => {
      expect(await isAccepted(parts.join("."), keys)).toBe(false);
    }),
    { numRuns: 1000 },
  );
});
