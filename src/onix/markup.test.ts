import { expect, test } from "bun:test";
import fc from "fast-check";
import { escapeAttribute, escapeText, trimBlanks } from "./markup.ts";

test("blanks at both ends go, a no-break space and blanks within stay", () => {
  expect(trimBlanks(" \t\r\n a \n b\u00A0 ")).toBe("a \n b\u00A0");
  expect([trimBlanks(""), trimBlanks(" \n "), trimBlanks("a")]).toEqual(["", "", "a"]);
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(" ", "\n", "\t", "\r", "x", "\u00A0") }), (text) => {
      expect(trimBlanks(text)).toBe(text.replace(/^[ \t\r\n]+/, "").replace(/[ \t\r\n]+$/, ""));
    }),
  );
});

test("a long run of blanks costs no more than its length", () => {
  const text = `x${" ".repeat(4_000_000)}x`;
  expect(trimBlanks(text)).toBe(text);
});

test("what XML would read differently is escaped", () => {
  expect(escapeText("a & <b> \r")).toBe("a &amp; &lt;b&gt; &#13;");
  expect(escapeAttribute('"\n\t')).toBe("&quot;&#10;&#9;");
});
