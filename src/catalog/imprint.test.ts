import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { slugOf } from "./imprint.ts";

describe("slugOf", () => {
  const cases: [string, string][] = [
    ["10/18", "10-18"],
    ["Península", "peninsula"],
    ["PENÍNSULA", "peninsula"],
    ["Ediciones del Ancla Azul", "ediciones-del-ancla-azul"],
    ["Lanternfish & Quill", "lanternfish-quill"],
    ["  Ñandú — Libros!  ", "nandu-libros"],
    ["Ｆｕｌｌ ｗｉｄｔｈ", "full-width"],
    ["Издательство Ёж", "издательство-еж"],
    ["岩波書店", "岩波書店"],
    ["ΟΔΟΣ", "οδος"],
    ["İstanbul", "istanbul"],
    ["Straße", "straße"],
    ["!!!", ""],
  ];
  for (const [name, slug] of cases)
    test(`returns "${slug}" for "${name}"`, () => expect(slugOf(name)).toBe(slug));

  test("returns a slug unchanged, so that the API accepts slugs and names", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (name) => {
        const slug = slugOf(name);
        expect(slugOf(slug)).toBe(slug);
        expect(slug).toMatch(/^$|^[\p{L}\p{Nd}]+(-[\p{L}\p{Nd}]+)*$/u);
      }),
      { numRuns: 2000 },
    );
  });
});
