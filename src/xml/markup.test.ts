import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { escapeAttribute, escapeText, trimWhitespace } from "./markup.ts";

describe("trimWhitespace", () => {
  test("removes whitespace at both ends, but no no-break space and no whitespace in between", () => {
    expect(trimWhitespace(" \t\r\n a \n b\u00A0 ")).toBe("a \n b\u00A0");
    expect([trimWhitespace(""), trimWhitespace(" \n "), trimWhitespace("a")]).toEqual(["", "", "a"]);
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(" ", "\n", "\t", "\r", "x", "\u00A0") }), (text) => {
        expect(trimWhitespace(text)).toBe(text.replace(/^[ \t\r\n]+/, "").replace(/[ \t\r\n]+$/, ""));
      }),
    );
  });

  test("takes linear time for a long run of whitespace", () => {
    const text = `x${" ".repeat(4_000_000)}x`;
    expect(trimWhitespace(text)).toBe(text);
  });
});

test("escapeText and escapeAttribute escape every character that XML would read differently", () => {
  expect(escapeText("a & <b> \r")).toBe("a &amp; &lt;b&gt; &#13;");
  expect(escapeAttribute('"\n\t')).toBe("&quot;&#10;&#9;");
});
