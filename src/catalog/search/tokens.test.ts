import { expect, test } from "bun:test";
import fc from "fast-check";
import { MAX_WORD_CHARS, wordsOf } from "./tokens.ts";

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
  expect(wordsOf(`a${"𐐨".repeat(100)}`)).toEqual([`a${"𐐨".repeat(31)}`]);
});

test("wordsOf returns folded words without separators, which it leaves as they are", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      for (const word of wordsOf(text)) {
        expect(word).not.toMatch(/[\s"'*\-:^(){}«»¦·]/);
        expect(word.isWellFormed()).toBe(true);
        expect(wordsOf(word)).toEqual([word]);
      }
    }),
  );
});
