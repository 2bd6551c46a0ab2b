import { describe, expect, test } from "bun:test";
import { NameTable } from "./names.ts";
import { positionOf } from "./position.ts";
import { utf8Text } from "./references.ts";
import {
  DOCTYPE,
  type DocumentContext,
  END_OF_INPUT,
  END_TAG,
  incomplete,
  START_TAG,
  TEXT,
  XML_NAMESPACE,
  XMLNS_NAMESPACE,
  XmlTokenizer,
} from "./tokenizer.ts";

const names = new NameTable(["a", "b", "root"]);

function begin(text: string, context?: DocumentContext, isLast = true): XmlTokenizer {
  const tokenizer = new XmlTokenizer(names);
  const bytes = new TextEncoder().encode(text);
  tokenizer.begin(bytes, bytes.length, context, isLast);
  return tokenizer;
}

/** Returns the rest of the tokens, as the bytes that they cover. */
function tokens(tokenizer: XmlTokenizer, text: string): string[] {
  const bytes = new TextEncoder().encode(text);
  const found: string[] = [];
  while (tokenizer.next() !== END_OF_INPUT) {
    found.push(utf8Text(bytes, tokenizer.tokenStart, tokenizer.position));
  }
  return found;
}

describe("XmlTokenizer", () => {
  test("returns tags, texts, CDATA sections and the DOCTYPE; skips comments and processing instructions", () => {
    const text =
      '<?xml version="1.0"?>\n<!DOCTYPE a [<!ENTITY x "]>">]> <!-- c --><a>x<?pi?>y<b/><![CDATA[<]]> </a>\n<!-- d -->';
    expect(tokens(begin(text), text)).toEqual([
      '<!DOCTYPE a [<!ENTITY x "]>">]>',
      "<a>",
      "x",
      "y",
      "<b/>",
      "<![CDATA[<]]>",
      " ",
      "</a>",
    ]);
  });

  test("says where a token is, and where its line begins", () => {
    const text = "<a\n x='1'>é\r\n\r<b/>\n</a>";
    const bytes = new TextEncoder().encode(text);
    const tokenizer = begin(text);
    const places: string[] = [];
    while (tokenizer.next() !== END_OF_INPUT) {
      const { tokenLine, tokenLineStart, tokenStart, line, lineStart, position } = tokenizer;
      const start = positionOf(bytes, tokenLine, tokenLineStart, tokenStart);
      const end = positionOf(bytes, line, lineStart, position);
      places.push(`${start.line}:${start.column} to ${end.line}:${end.column}`);
    }
    expect(places).toEqual(["1:1 to 2:8", "2:8 to 4:1", "4:1 to 4:5", "4:5 to 5:1", "5:1 to 5:5"]);
  });

  test("returns the symbol of known names, with and without a prefix, and -1 for others", () => {
    const tokenizer = begin("<o:root xmlns:o='u'><o:a/><b></b ><ab/><é/><o:b-/></o:root>");
    const symbols: number[] = [];
    while (tokenizer.next() !== END_OF_INPUT) symbols.push(tokenizer.symbol);
    expect(symbols).toEqual([2, 0, 1, 1, -1, -1, -1, 2]);
  });

  test("counts open elements: an empty element is not counted", () => {
    const tokenizer = begin("<a><b><a/></b></a>");
    const depths: number[] = [];
    while (tokenizer.next() !== END_OF_INPUT) depths.push(tokenizer.depth);
    expect(depths).toEqual([1, 2, 2, 1, 0]);
  });

  test("returns attributes with their namespaces", () => {
    const text = `<a b="1" xml:lang='x"y' xmlns:p="urn:p" p:c="&lt;"\txmlns="urn:d"/>`;
    const bytes = new TextEncoder().encode(text);
    const tokenizer = begin(text);
    expect(tokenizer.next()).toBe(START_TAG);
    const attributes = Array.from({ length: tokenizer.attributeCount }, (_, index) => [
      utf8Text(bytes, tokenizer.attributeQualifiedStart[index]!, tokenizer.attributeNameEnd[index]!),
      utf8Text(bytes, tokenizer.attributeNameStart[index]!, tokenizer.attributeNameEnd[index]!),
      utf8Text(bytes, tokenizer.attributeFrom[index]!, tokenizer.attributeTo[index]!),
      tokenizer.attributeIsPlain[index],
      tokenizer.attributeNamespace[index],
    ]);
    const [p] = attributes[3]!.slice(4) as [number];
    expect(attributes).toEqual([
      ["b", "b", "1", 1, 0],
      ["xml:lang", "lang", 'x"y', 0, XML_NAMESPACE],
      ["xmlns:p", "p", "urn:p", 1, XMLNS_NAMESPACE],
      ["p:c", "c", "&lt;", 0, p],
      ["xmlns", "xmlns", "urn:d", 1, XMLNS_NAMESPACE],
    ]);
    expect([tokenizer.namespaceUri(p), tokenizer.namespaceUri(tokenizer.namespace)]).toEqual([
      "urn:p",
      "urn:d",
    ]);
  });

  test("returns the namespace that is in scope, also after another one of the same prefix", () => {
    const tokenizer = begin(
      "<p:a xmlns:p='1'><p:b/><p:a xmlns:p='2'><p:b/></p:a><p:b/><b xmlns='3'/><b/></p:a>",
    );
    const uris: string[] = [];
    while (tokenizer.next() !== END_OF_INPUT) uris.push(tokenizer.namespaceUri(tokenizer.namespace));
    expect(uris).toEqual(["1", "1", "2", "2", "2", "1", "3", "", "1"]);
  });

  test("says whether a text is whitespace, and whether it may be copied into JSON", () => {
    const flags = (text: string) => {
      const tokenizer = begin(`<a>${text}</a>`);
      tokenizer.next();
      expect(tokenizer.next()).toBe(TEXT);
      return [tokenizer.isPlain, tokenizer.isWhitespace, tokenizer.isCdata];
    };
    expect(flags("x")).toEqual([true, false, false]);
    expect(flags("  ")).toEqual([true, true, false]);
    expect(flags(" \n ")).toEqual([false, true, false]);
    expect(flags("<![CDATA[ ]]>")).toEqual([true, true, true]);
    expect(flags("<![CDATA[<x>]]>")).toEqual([true, false, true]);
    for (const text of ["a&lt;", "a\nb", "a\tb", "a\rb", 'a"', "a\\", "<![CDATA[&]]>", '<![CDATA["]]>']) {
      expect([text, ...flags(text).slice(0, 2)]).toEqual([text, false, false]);
    }
  });

  test("gives the offsets of the text of a DOCTYPE", () => {
    const text = "<!DOCTYPE a SYSTEM 'x>y'><a/>";
    const tokenizer = begin(text);
    expect(tokenizer.next()).toBe(DOCTYPE);
    expect(text.slice(tokenizer.textStart, tokenizer.textEnd)).toBe(" a SYSTEM 'x>y'");
  });
});

describe("XmlTokenizer on a chunk", () => {
  const context: DocumentContext = { rootName: "o:root", namespaces: [["o", "urn:o"]] };

  test("knows the name and the namespaces of the root element", () => {
    const tokenizer = begin("<o:a/></o:root >", context);
    expect([tokenizer.depth, tokenizer.next(), tokenizer.namespaceUri(tokenizer.namespace)]).toEqual([
      1,
      START_TAG,
      "urn:o",
    ]);
    expect([tokenizer.next(), tokenizer.symbol, tokenizer.depth]).toEqual([END_TAG, 2, 0]);
    expect(tokenizer.next()).toBe(END_OF_INPUT);
    const wrong = begin("<o:a/></root>", context);
    wrong.next();
    expect(() => wrong.next()).toThrow("</root> found where </o:root> is expected");
  });

  test("gives the context for the next chunk", () => {
    const tokenizer = begin("<o:root xmlns:o='urn:o' xmlns=''><a xmlns='urn:a'/>", undefined, false);
    expect(() => tokenizer.context).toThrow();
    tokenizer.next();
    tokenizer.next();
    expect(tokenizer.context).toEqual({
      rootName: "o:root",
      namespaces: [
        ["o", "urn:o"],
        ["", ""],
      ],
    });
    expect(tokenizer.next()).toBe(END_OF_INPUT);
  });

  test("ends between tokens, and between the children of the root also in whitespace", () => {
    const text = "<a/> \n ";
    expect(tokens(begin(text, context, false), text)).toEqual(["<a/>", " \n "]);
    expect(tokens(begin("<a/>", context, false), "<a/>")).toEqual(["<a/>"]);
    expect(tokens(begin("", context, false), "")).toEqual([]);
  });

  test.each([
    "<a",
    "<a b='1",
    "</a",
    "<!",
    "<!-- x -",
    "<![CDATA[x]]",
    "<?x ?",
    "x",
    "<a>x",
    "&am",
    " \r",
    "<a>&",
  ])("throws `incomplete` when it ends after %j", (text) => {
    const tokenizer = begin(text, context, false);
    let thrown: unknown;
    try {
      while (tokenizer.next() !== END_OF_INPUT);
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toBe(incomplete);
  });

  test("reads nothing behind its end", () => {
    const bytes = new TextEncoder().encode("<a>x</a><b>");
    const tokenizer = new XmlTokenizer(names);
    for (let end = 0; end < 8; end++) {
      tokenizer.begin(bytes, end, undefined, true);
      expect(() => {
        while (tokenizer.next() !== END_OF_INPUT);
      }).toThrow(end === 0 ? "no root element" : "the feed ends inside");
    }
    tokenizer.begin(bytes, 8, undefined, true);
    while (tokenizer.next() !== END_OF_INPUT);
  });
});
