import { expect, test } from "bun:test";
import fc from "fast-check";
import { Highlighter, tokensOf } from "./highlight.ts";
import { parseQuery } from "./query-parser.ts";
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
        const tokens = tokensOf(text);
        expect(tokens.map(({ word }) => word)).toEqual([...wordsOfAnyScript(text)]);
        for (const { word, start, end } of tokens)
          expect(wordsOfAnyScript(text.slice(start, end))).toContain(word);
      },
    ),
    { numRuns: 500 },
  );
});

test("the first 2,000 words of a text are highlighted, which are those of the index", () => {
  const ends = new Highlighter(parseQuery("fin mar fin"));
  expect(ends.excerpt(`${"a ".repeat(1999)}fin`)?.text).toEndWith(" a fin");
  for (const text of [`${"a ".repeat(2000)}fin`, `${"日".repeat(2000)} fin`])
    expect(ends.excerpt(text)).toBeUndefined();
  // A first match near the beginning is found without the rest.
  for (const words of [3, 300, 600, 900])
    expect(ends.excerpt(`${"a ".repeat(words)}fin mar${" a".repeat(900)}`)).toMatchObject({
      text: expect.stringContaining(" fin mar a a"),
      ranges: [expect.anything(), expect.anything()],
    });
  expect(ends.whole("Fin, mar; sin")).toEqual({
    text: "Fin, mar; sin",
    ranges: [
      [0, 3],
      [5, 8],
    ],
  });
});

test("a match in a script without spaces ends after the marks of its last character, and so does an excerpt", () => {
  for (const [text, q, matched] of [
    ["คึกฤทธิ์ ปราโมช", "คึกฤทธิ์", "คึกฤทธิ์"],
    ["か\u3099く", "か", "か\u3099"],
    ["ｶﾞｸ", "ｶ", "ｶﾞ"],
    ["雪\ufe00国", "雪", "雪\ufe00"],
  ] as const) {
    const { ranges } = new Highlighter(parseQuery(q)).whole(text)!;
    expect([q, ...ranges.map(([start, end]) => text.slice(start, end))]).toEqual([q, matched]);
  }
  for (let before = 160; before < 237; before++) {
    const excerpt = new Highlighter(parseQuery("日")).excerpt(
      `日${"a".repeat(before)}${"ti\u0303\u0301".repeat(100)}`,
    );
    expect(excerpt!.text).toMatch(/(日|a|t|i\u0303\u0301)$/);
  }
});
