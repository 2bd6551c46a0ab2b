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
