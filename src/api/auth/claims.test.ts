import { describe, expect, test } from "bun:test";
import { type ExpectedClaims, isWithinValidity, parseClaims } from "./claims.ts";

const bytes = (json: string) => new TextEncoder().encode(json);
const read = (claims: object | string, expected: ExpectedClaims = {}) =>
  parseClaims(bytes(typeof claims === "string" ? claims : JSON.stringify(claims)), expected);

const exps = (values: readonly string[]) => values.map((value) => `{"exp":${value}}`);

describe("exp", () => {
  const NO_NUMBERS = ["null", "true", "{}", "1e400", "-1e400", "NaN", "Infinity", '"Infinity"'];

  test.each(["{}", '{"EXP":4102444800}', ...exps(['"4102444800"', "[4102444800]", ...NO_NUMBERS])])(
    "must be a finite number: rejects %s",
    (claims) => {
      expect(read(claims)).toBeUndefined();
    },
  );

  test.each([0, -1, 1.5, 4102444800.999, 1e300])("may be any finite number: %d", (exp) => {
    expect(read({ exp })?.exp).toBe(exp);
  });

  test("is valid until 30 s after exp, exclusive", () => {
    for (const [exp, nowMs, isValid] of [
      [1000, 999_999, true],
      [1000, 1_029_999, true],
      [1000, 1_030_000, false],
      [1000, 2_000_000, false],
      [1000.5, 1_030_499, true],
      [1000.5, 1_030_500, false],
      [-5, 1_000, true],
      [-5, 25_000, false],
    ] as const)
      expect([exp, nowMs, isWithinValidity(read({ exp })!, nowMs)]).toEqual([exp, nowMs, isValid]);
  });
});

describe("nbf", () => {
  test.each(['"1"', "null", "true", "[1]", "{}", "1e400", "-1e400"])(
    "must be a finite number: rejects %s",
    (nbf) => {
      expect(read(`{"exp":2000,"nbf":${nbf}}`)).toBeUndefined();
    },
  );

  test("is valid from 30 s before nbf, inclusive", () => {
    const claims = read({ exp: 2000, nbf: 1000 })!;
    expect(isWithinValidity(claims, 969_999)).toBe(false);
    expect(isWithinValidity(claims, 970_000)).toBe(true);
    expect(isWithinValidity(claims, 1_000_000)).toBe(true);
  });

  test("is optional", () => {
    expect(isWithinValidity(read({ exp: 2000 })!, 0)).toBe(true);
  });
});

describe("issuer and audience", () => {
  const expected = { issuer: "https://id.example", audience: "colophon" };
  const right = { exp: 1, iss: "https://id.example", aud: "colophon" };

  test("are ignored when none is configured", () => {
    expect(read({ exp: 1, iss: 5, aud: { x: 1 } })).toBeDefined();
  });

  test("are both required when configured", () => {
    expect(read(right, expected)).toBeDefined();
    expect(read({ ...right, aud: ["other", "colophon"] }, expected)).toBeDefined();
    expect(read({ exp: 1, iss: right.iss }, expected)).toBeUndefined();
    expect(read({ exp: 1, aud: right.aud }, expected)).toBeUndefined();
  });

  const ISSUERS = ["https://id.example/", "HTTPS://id.example", ["https://id.example"], "", null];
  const AUDIENCES = ["Colophon", "colophon ", "colophon,other", [], ["other"], [["colophon"]], null];

  test.each([
    ...ISSUERS.map((iss) => ({ iss })),
    ...[...AUDIENCES, { colophon: "colophon" }].map((aud) => ({ aud })),
  ])("are compared exactly: rejects %j", (wrong) => {
    expect(read({ ...right, ...wrong }, expected)).toBeUndefined();
  });

  test("match only the empty string when configured as the empty string", () => {
    expect(read({ exp: 1 }, { issuer: "" })).toBeUndefined();
    expect(read({ exp: 1, iss: "" }, { issuer: "" })).toBeDefined();
  });
});

test("jti must be a string; a sub that is not a string is ignored", () => {
  expect(read({ exp: 1, jti: "a", sub: "b" })).toEqual({ exp: 1, nbf: undefined, jti: "a", sub: "b" });
  expect(read({ exp: 1, jti: 7 })).toBeUndefined();
  expect(read({ exp: 1, jti: null })).toBeUndefined();
  expect(read({ exp: 1, sub: 7 })).toEqual({ exp: 1, nbf: undefined, jti: undefined, sub: undefined });
});
