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

const name = fc.oneof(
  fc.string({ unit: "grapheme" }),
  fc.string({ unit: "binary" }),
  fc
    .array(
      fc.constantFrom(
        "Península",
        "10/18",
        "ΟΔΟΣ",
        "Straße",
        "İ",
        "岩波",
        "e\u0301",
        "ﬁ",
        "Ⅷ",
        "½",
        "-",
        " ",
      ),
      { maxLength: 6 },
    )
    .map((parts) => parts.join(" ")),
);

test("slugOf ignores the Unicode normalization form of the name", () => {
  fc.assert(
    fc.property(name, (text) => {
      fc.pre(text.isWellFormed());
      const slug = slugOf(text);
      for (const form of ["NFC", "NFD", "NFKC", "NFKD"] as const)
        expect(slugOf(text.normalize(form))).toBe(slug);
    }),
    { numRuns: 2000 },
  );
});

test("slugOf ignores spaces and punctuation around words, and their number between words", () => {
  const separator = fc.constantFrom(" ", "  ", "-", "/", " & ", "!", "\u2014", "\u00A0");
  const word = fc.stringMatching(/^[a-zA-Z0-9ñé中]{1,8}$/);
  fc.assert(
    fc.property(
      fc.array(word, { minLength: 1, maxLength: 5 }),
      fc.array(separator, { minLength: 6, maxLength: 6 }),
      (words, separators) => {
        const spelled = words.map((each, index) => separators[index]! + each).join("") + separators[5]!;
        expect(slugOf(spelled)).toBe(words.map(slugOf).join("-"));
      },
    ),
  );
});

test("slugOf returns no characters that are special in a URL path", () => {
  fc.assert(
    fc.property(name, (text) => {
      const slug = slugOf(text);
      expect(slug).not.toMatch(/[\s/?#%\\.&=+]|^-|-$|--/u);
      expect(slugOf(decodeURIComponent(encodeURIComponent(slug)))).toBe(slug);
    }),
    { numRuns: 2000 },
  );
});
