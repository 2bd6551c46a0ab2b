import { expect, test } from "bun:test";
import fc from "fast-check";
import { slugOf } from "./imprint.ts";

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
      {
        maxLength: 6,
      },
    )
    .map((parts) => parts.join(" ")),
);

test("the form of Unicode that a name comes in makes no difference", () => {
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

test("blanks and signs around it, or more of them within, make no difference", () => {
  const sign = fc.constantFrom(" ", "  ", "-", "/", " & ", "!", "\u2014", "\u00A0");
  const word = fc.stringMatching(/^[a-zA-Z0-9ñé中]{1,8}$/);
  fc.assert(
    fc.property(
      fc.array(word, { minLength: 1, maxLength: 5 }),
      fc.array(sign, { minLength: 6, maxLength: 6 }),
      (words, signs) => {
        const spelled = words.map((each, at) => signs[at]! + each).join("") + signs[5]!;
        expect(slugOf(spelled)).toBe(words.map(slugOf).join("-"));
      },
    ),
  );
});

test("a slug can stand in a path: it has no character of a path's own", () => {
  fc.assert(
    fc.property(name, (text) => {
      const slug = slugOf(text);
      expect(slug).not.toMatch(/[\s/?#%\\.&=+]|^-|-$|--/u);
      expect(slugOf(decodeURIComponent(encodeURIComponent(slug)))).toBe(slug);
    }),
    { numRuns: 2000 },
  );
});
