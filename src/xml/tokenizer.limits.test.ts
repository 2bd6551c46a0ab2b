/** The limits of one token, of attributes and of depth. */
import { describe, expect, test } from "bun:test";
import { NameTable } from "./names.ts";
import { END_OF_INPUT, incomplete, XmlTokenizer } from "./tokenizer.ts";

const MEGABYTE = 1 << 20;
const TOKEN = "a text or comment is larger than 4 MB";
const TAG = "a tag is larger than 1 MB";

/** Returns the message of the error, with its position. */
function errorOf(text: string, isLast: boolean): string {
  const tokenizer = new XmlTokenizer(new NameTable(["a"]));
  const bytes = new TextEncoder().encode(text);
  tokenizer.begin(bytes, bytes.length, undefined, isLast);
  try {
    while (tokenizer.next() !== END_OF_INPUT);
  } catch (error) {
    return (error as Error).message;
  }
  return "no error";
}

describe("XmlTokenizer rejects", () => {
  test.each([
    ["a text", "<a>\n<a>", "x", "</a></a>", 4, `line 2, column 4: ${TOKEN}`],
    ["a text of references", "<a>", "&lt;", "</a>", 4, `line 1, column 4: ${TOKEN}`],
    ["whitespace", "<a>\n<a/>", " \n", "</a>", 4, `line 2, column 5: ${TOKEN}`],
    ["whitespace before the root", "<?xml version='1.0'?>", "\n", "<a/>", 4, `line 1, column 22: ${TOKEN}`],
    ["a CDATA section", "<a><![CDATA[", "]", "]]></a>", 4, `line 1, column 4: ${TOKEN}`],
    ["a comment", "<a><!--", " - ", "--></a>", 4, `line 1, column 4: ${TOKEN}`],
    ["a processing instruction", "<a><?x ", "?", "?></a>", 4, `line 1, column 4: ${TOKEN}`],
    ["a DOCTYPE", "<!DOCTYPE x [", "<!ENTITY a 'b'>", "]><a/>", 4, `line 1, column 1: ${TOKEN}`],
    ["a name", "<a><", "n", "/></a>", 1, `line 1, column 4: ${TAG}`],
    ["an attribute", "<a><a b='", "\t", "'/></a>", 1, `line 1, column 4: ${TAG}`],
    ["whitespace in a start tag", "<a ", " ", "/>", 1, `line 1, column 1: ${TAG}`],
    ["an end tag", "<a></a", " ", ">", 1, `line 1, column 4: ${TAG}`],
  ])("%s that is too long, complete or not", (_, start, repeated, end, megabytes, message) => {
    const long = start + repeated.repeat(Math.ceil((megabytes * MEGABYTE) / repeated.length) + 1);
    expect(errorOf(long, false)).toBe(message);
    expect(errorOf(long + end, true)).toBe(message);
    const shorter = start + repeated.repeat(Math.floor((megabytes * MEGABYTE - 100) / repeated.length));
    expect([incomplete.message, "no error"]).toContain(errorOf(shorter, false));
    expect(errorOf(shorter + end, true)).toBe("no error");
  });

  test("a reference that does not end, within 200 bytes", () => {
    const message = "line 1, column 4: not well-formed: & does not begin a reference: write &amp;";
    expect(errorOf(`<a>&${"a".repeat(300)}`, false)).toBe(message);
    expect(errorOf(`<a>&#${"0".repeat(300)}65;</a>`, true)).toBe(message);
    expect(errorOf(`<a>&#${"0".repeat(100)}65;</a>`, true)).toBe("no error");
  });

  test("more than 100 attributes", () => {
    const attributes = (count: number) =>
      Array.from({ length: count }, (_, index) => ` a${index}=''`).join("");
    expect(errorOf(`<a${attributes(100)}/>`, true)).toBe("no error");
    expect(errorOf(`<a>\n<a${attributes(101)}/></a>`, true)).toBe(
      "line 2, column 1: an element has more than 100 attributes",
    );
  });

  test("elements that are nested more than 100 levels deep, also an empty one", () => {
    const message = (column: number) =>
      `line 1, column ${column}: elements are nested more than 100 levels deep`;
    expect(errorOf("<a>".repeat(100) + "</a>".repeat(100), true)).toBe("no error");
    expect(errorOf("<a>".repeat(101), true)).toBe(message(301));
    expect(errorOf(`${"<a>".repeat(100)}<b/>`, true)).toBe(message(301));
  });
});
