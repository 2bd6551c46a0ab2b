import { describe, expect, test } from "bun:test";
import { parseRequestId, requestIdGenerator } from "./request-id.ts";

describe("a client's id", () => {
  test.each(["a", "5f0c2a7e-12", "4bf92f3577b34da6a3ce929d0e0e4736", "A.b_c~d-e", "x".repeat(128)])(
    "%s",
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
  ])("not %j", (id) => {
    expect(parseRequestId(id)).toBeUndefined();
  });

  test("none", () => {
    expect(parseRequestId(null)).toBeUndefined();
  });
});

describe("an id of ours", () => {
  test("is never the same, in one process or two, and one that we would take ourselves", () => {
    const [one, other] = [requestIdGenerator(), requestIdGenerator()];
    const ids = Array.from({ length: 1000 }, (_, at) => (at % 2 ? one() : other()));
    expect(new Set(ids).size).toBe(1000);
    for (const id of ids) expect(parseRequestId(id)).toBe(id);
  });
});
