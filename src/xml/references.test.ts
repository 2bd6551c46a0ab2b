import { describe, expect, test } from "bun:test";
import { HTML_ENTITIES } from "./html-entities.ts";
import { escapeAttribute, escapeText } from "./markup.ts";
import { decodeAttribute, decodeReference, decodeText, referenceCode, scanReference } from "./references.ts";

const bytes = (text: string) => new TextEncoder().encode(text);

describe("decodeReference", () => {
  test("returns the characters of names and numbers", () => {
    for (const [name, character] of HTML_ENTITIES) expect(decodeReference(name)).toBe(character);
    expect(["#233", "#xE9", "#xe9", "#0000233", "#x1F600", "#x10FFFF"].map(decodeReference)).toEqual([
      ..."ééé",
      "é",
      "😀",
      "\u{10ffff}",
    ]);
  });

  test("returns undefined for other names, and for numbers that are no character of XML", () => {
    const invalid =
      "foo AMP constructor __proto__ # #x #X41 #12a #xg #0 #1 #xD800 #xDFFF #xFFFE #x110000 #-1 #1.0";
    for (const name of [...invalid.split(" "), "", "#99999999999999999999", "#xFFFFFFFFFFFFFFFFFFFF"]) {
      expect([name, decodeReference(name)]).toEqual([name, undefined]);
    }
  });
});

test("scanReference returns the offset after a valid reference, and -1 for others", () => {
  const offsets = ["&amp;x", "&#65;", "&nbsp;", "&foo;", "&amp", "& amp;", "&;", "&"].map((text) =>
    scanReference(bytes(text), 0, text.length),
  );
  expect(offsets).toEqual([5, 5, 6, -1, -1, -1, -1, -1]);
  expect(referenceCode(bytes("&euro;"), 1, 5)).toBe(0x20ac);
});

describe("decodeText", () => {
  test("normalizes line ends, and decodes references once", () => {
    const text = bytes("a\r\nb\rc &amp;lt; &#13;&eacute;");
    expect(decodeText(text, 0, text.length, false)).toBe("a\nb\nc &lt; \ré");
    expect(decodeText(text, 0, text.length, true)).toBe("a\nb\nc &amp;lt; &#13;&eacute;");
  });

  test("keeps a byte order mark, which is a character here", () => {
    const text = bytes("\ufeffx");
    expect(decodeText(text, 0, text.length, false)).toBe("\ufeffx");
  });
});

test("decodeAttribute replaces each line end and tab by a space, but not those of references", () => {
  const text = bytes("a\r\nb\rc\nd\te&#10;&#9;f");
  expect(decodeAttribute(text, 0, text.length)).toBe("a b c d e\n\tf");
});

test("escapeText and escapeAttribute escape every character that XML would read differently", () => {
  expect(escapeText("a & <b> \r")).toBe("a &amp; &lt;b&gt; &#13;");
  expect(escapeAttribute('"\n\t')).toBe("&quot;&#10;&#9;");
});
