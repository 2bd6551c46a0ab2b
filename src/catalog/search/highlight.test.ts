import { expect, test } from "bun:test";
import fc from "fast-check";
import { tokensOf } from "./highlight.ts";
import { wordsOfAnyScript } from "./tokens.ts";

test("the words that are highlighted are those of the index, where the text has them", () => {
  const piece = fc.constantFrom(
    "El",
    "mar",
    "Ñu",
    "l’ola",
    "日本",
    "東",
    "ß",
    "½",
    "e\u0301",
    " ",
    "-",
    ",",
    "กา",
    "\u00ad",
    "𐐀",
  );
  fc.assert(
    fc.property(
      fc.array(piece).map((parts) => parts.join("")),
      (text) => {
        const tokens = [...tokensOf(text, 0)];
        expect(tokens.map(({ word }) => word)).toEqual([...wordsOfAnyScript(text)]);
        for (const { word, start, end } of tokens)
          expect(wordsOfAnyScript(text.slice(start, end))).toContain(word);
      },
    ),
    { numRuns: 500 },
  );
});
