import { describe, expect, test } from "bun:test";
import { parseRequestId, requestIdGenerator } from "./request-id.ts";

describe("parseRequestId", () => {
  test.each(["a", "5f0c2a7e-12", "4bf92f3577b34da6a3ce929d0e0e4736", "A.b_c~d-e", "x".repeat(128)])(
    "accepts %s",
    (id) => {
      expect(parseRequestId(id)).toBe(id);
    },
  );

  test.each([
    "",
    "x".repeat(129),
    "a b",
    "a\nb",
    "a\n",
    "a,b",
    'a"b',
    "añb",
    "a/b",
    "a\u0000",
    "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhIn0.c2ln",
  ])("rejects %j", (id) => {
    expect(parseRequestId(id)).toBeUndefined();
  });

  test("returns undefined without a header", () => {
    expect(parseRequestId(null)).toBeUndefined();
  });
});

describe("requestIdGenerator", () => {
  test("generates unique ids that parseRequestId accepts, also in two processes", () => {
    const [first, second] = [requestIdGenerator(), requestIdGenerator()];
    const ids = Array.from({ length: 1000 }, (_, index) => (index % 2 ? first() : second()));
    expect(new Set(ids).size).toBe(1000);
    for (const id of ids) expect(parseRequestId(id)).toBe(id);
  });
});
