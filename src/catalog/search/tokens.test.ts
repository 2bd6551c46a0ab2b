import { expect, test } from "bun:test";
import fc from "fast-check";
import { MAX_WORD_CHARS, wordsOfAnyScript } from "./tokens.ts";
import { wordsOf, wordTextOf } from "./word-writer.ts";

test.each([
  ["Cien años de soledad", ["cien", "anos", "de", "soledad"]],
  ["L’amour, l'été", ["l", "amour", "l", "ete"]],
  ["Jean-Paul C++ 1984!", ["jean", "paul", "c", "1984"]],
  ["日本語の本", ["日", "本", "語", "の", "本"]],
  ["iPhone入門", ["iphone", "入", "門"]],
  ["ภาษาไทย", ["ภ", "า", "ษ", "า", "ไ", "ท", "ย"]],
  ["한국 소설", ["한국", "소설"]],
  ["Война и мир", ["воина", "и", "мир"]],
  ["Hawaiʻi", ["hawai", "i"]],
  ["--- … «» ¦ ·", []],
  ["", []],
])("wordsOf returns the words of %p", (text, expected) => {
  expect(wordsOf(text)).toEqual(expected);
});

test("wordsOf cuts a long word, and never within a character", () => {
  expect(wordsOf("a".repeat(1000))).toEqual(["a".repeat(MAX_WORD_CHARS)]);
  expect(wordTextOf(`B, ${"a".repeat(1000)}`)).toBe(`b ${"a".repeat(MAX_WORD_CHARS)}`);
  expect(wordsOf(`a${"𐐨".repeat(100)}`)).toEqual([`a${"𐐨".repeat(31)}`]);
});

test("wordsOf returns folded words without separators, which it leaves as they are", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      const words = wordsOf(text);
      expect(words.join("")).not.toMatch(/[\s"'*\-:^(){}«»¦·]/);
      expect(words.every((word) => word.isWellFormed() && wordsOf(word).join() === word)).toBe(true);
    }),
  );
});

test("wordsOf folds every character as the rule for any script does", () => {
  const different: string[] = [];
  for (let code = 0; code < 0x110000; code++) {
    if (code >= 0xd800 && code < 0xe000) continue;
    const character = String.fromCodePoint(code);
    // All unassigned code points are alike.
    if (code % 64 !== 0 && /[\p{Cn}\p{Co}]/u.test(character)) continue;
    const text = `x${character}y ${character}${character}`;
    if (wordTextOf(text) !== wordsOfAnyScript(text).join(" ")) different.push(code.toString(16));
  }
  expect(different).toEqual([]);
});

test("wordsOf returns the same words for Latin text as the folding of any text", () => {
  const latin = fc.string({
    unit: fc.oneof(
      fc.integer({ min: 0x20, max: 0x52f }).map((code) => String.fromCodePoint(code)),
      fc.constantFrom("’", "–", "\u00ad", "\u200b", "ﬁ", "e\u0301", "½", "ª", "…", "\u2060"),
    ),
  });
  fc.assert(
    fc.property(latin, (text) => {
      expect(wordsOf(text)).toEqual(wordsOfAnyScript(text));
      expect(wordTextOf(text)).toBe(wordsOf(text).join(" "));
    }),
    { numRuns: 1000 },
  );
});
