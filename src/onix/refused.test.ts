/** What is refused, why, and where: one line each. */
import { describe, expect, test } from "bun:test";
import { FeedError, printable } from "../feed/feed-error.ts";
import { bytesOf, inEncoding, streamOf } from "../feed/testing/streams.ts";
import { readFeed } from "./reader.ts";

async function refusal(...chunks: Uint8Array[]): Promise<string> {
  return refusalOf(streamOf(...chunks));
}

async function refusalOf(bytes: AsyncIterable<Uint8Array>): Promise<string> {
  try {
    for await (const _ of readFeed(bytes));
  } catch (error) {
    if (!(error instanceof FeedError)) throw error;
    expect(error.reason).not.toMatch(/\p{Cc}/u);
    expect(error.message).toEndWith(error.reason);
    return `${error.line}:${error.column} ${error.reason}`;
  }
  return "read";
}

/** Where the bytes are cut makes no difference. */
function bytewise(bytes: Uint8Array): Uint8Array[] {
  return Array.from(bytes, (byte) => Uint8Array.of(byte));
}

const ONLY = "only ONIX 3.0 and 3.1 are read";
const NOT_3 = `not taken for ONIX 3: no release attribute and no ONIX namespace, as ONIX 2.1 may be; ${ONLY}`;
const BARE = "not well-formed: & that begins no reference (write &amp;)";
const unknown = (name: string) => `the entity &${name}; is not known, and those of a DTD are not expanded`;
const R = '<ONIXMessage release="3.0">';
const E = "</ONIXMessage>";

describe("no ONIX 3", () => {
  test.each([
    ["", "1:1 the feed is empty"],
    ["\ufeff", "1:1 nothing but blanks"],
    [" \n \t\n", "3:1 nothing but blanks"],
    ['{"products": []}', "1:1 JSON, not XML"],
    ["\n  [1, 2]", "2:3 JSON, not XML"],
    ["\ufeff{}", "1:1 JSON, not XML"],
    ["isbn;title\n9788400000004;x\n", "1:1 a text that is not XML"],
    ["%PDF-1.7\n", "1:1 a PDF file, not XML"],
    ["<!DOCTYPE html>\n<html><body><p>Log in</html>", "1:1 an HTML page, not ONIX"],
    ["\n<!doctype html><title>404", "2:1 an HTML page, not ONIX"],
    ["<html lang=en>", "1:1 an HTML page, not ONIX"],
    ['<?xml version="1.0"?>\n<html xmlns="http://www.w3.org/1999/xhtml"/>', "2:1 an HTML page, not ONIX"],
    ['<rss version="2.0"><channel/></rss>', "1:1 the root element is <rss>, not <ONIXMessage>"],
    ["<!-- c -->\n <feed/>", "2:2 the root element is <feed>, not <ONIXMessage>"],
    ["<onixmessage release='3.0'/>", "1:1 the root element is <onixmessage>, not <ONIXMessage>"],
    ["<Product/>", "1:1 <Product> without its <ONIXMessage>: not taken for ONIX 3"],
    ["<product/>", "1:1 <Product> without its <ONIXMessage>: not taken for ONIX 3"],
    ['<ONIXMessage release="2.1"/>', `1:1 ONIX 2.1: ${ONLY}`],
    ['<ONIXmessage release="2.0"/>', `1:1 ONIX 2.0: ${ONLY}`],
    ['<ONIXMessage release="3.2"/>', `1:1 ONIX 3.2: ${ONLY}`],
    ['<ONIXMessage release="3"/>', `1:1 ONIX 3: ${ONLY}`],
    ['<ONIXMessage release="3.01"/>', `1:1 ONIX 3.01: ${ONLY}`],
    [
      '<ONIXMessage release="2.1" xmlns="http://ns.editeur.org/onix/3.0/reference"/>',
      `1:1 ONIX 2.1: ${ONLY}`,
    ],
    ['<ONIXMessage xmlns="http://www.editeur.org/onix/2.1/reference"/>', `1:1 ONIX 2.1: ${ONLY}`],
    ['<ONIXMessage xmlns:release="3.0"/>', `1:1 ${NOT_3}`],
    ["<ONIXMessage/>", `1:1 ${NOT_3}`],
    ["<ONIXmessage><product/></ONIXmessage>", `1:1 ${NOT_3}`],
    ['<ONIXMessage xmlns="urn:x"/>', `1:1 ${NOT_3}`],
    [
      '<!DOCTYPE ONIXMessage SYSTEM "http://www.editeur.org/onix/2.1/reference/onix-international.dtd">\n<ONIXMessage/>',
      `2:1 ONIX 2.1 by its DTD: ${ONLY}`,
    ],
  ])("%j: %s", async (text, reason) => {
    expect(await refusal(bytesOf(text))).toBe(reason);
    expect(await refusal(...bytewise(bytesOf(text)))).toBe(reason);
  });

  test.each([
    ["gzip", [0x1f, 0x8b, 8, 0], "1:1 gzip inside an archive, not XML"],
    ["zip", [0x50, 0x4b, 3, 4], "1:1 a zip archive inside an archive, not XML"],
    ["a picture", [0xff, 0xd8, 0xff, 0xe0, 0, 0x10], "1:1 binary data, not XML"],
    ["a program", [0x7f, 0x45, 0x4c, 0x46, 2, 1, 1, 0], "1:1 binary data, not XML"],
    ["zeros", [0, 0, 0, 0, 0, 0, 0, 0], "1:1 binary data, not XML"],
    ["EBCDIC", [0x4c, 0x6f, 0xa7, 0x94, 0x93], "1:1 the encoding EBCDIC is not known here"],
    ["7z", [0x37, 0x7a, 0xbc, 0xaf, 0x27, 0x1c], "1:1 a 7z archive: only gzip and zip are unpacked"],
  ])("%s", async (_, bytes, reason) => {
    expect(await refusal(Uint8Array.from(bytes))).toBe(reason);
  });
});

describe("not well-formed", () => {
  test.each([
    [`${R}`, "1:28 not well-formed: the feed ends inside <ONIXMessage>"],
    [`${R}<Product>`, "1:37 not well-formed: the feed ends inside <Product>"],
    [`${R}<Product>\n<RecordRef`, "2:11 not well-formed: the feed ends inside <Product>"],
    [`${R}<Product a="x`, "1:41 not well-formed: the feed ends inside <ONIXMessage>"],
    [`${R}<!-- never`, "1:38 not well-formed: the feed ends inside <ONIXMessage>"],
    [`${R}<![CDATA[never`, "1:42 not well-formed: the feed ends inside <ONIXMessage>"],
    [`${R}${E}<!-- never`, "1:52 not well-formed: the feed ends inside a tag or comment"],
    ["<?xml version='1.0'?>", "1:22 not well-formed: no root element"],
    ["<!-- only -->\n", "2:1 not well-formed: no root element"],
    [`${R}${E}${R}${E}`, "1:42 not well-formed: a second root element"],
    [`${R}${E}\n<x/>`, "2:1 not well-formed: a second root element"],
    [`${R}${E}<!-- c -->\n <!-- d --> tail`, "2:13 not well-formed: text outside the root element"],
    [`<!-- c -->\n x${R}${E}`, "2:2 not well-formed: text outside the root element"],
    [`${R}${E}\n tail`, "2:2 not well-formed: text outside the root element"],
    [`${R}${E}\u0000`, "1:42 not well-formed: disallowed character"],
    [`${R}${E}</x>`, "1:45 not well-formed: unmatched closing tag: x"],
    [
      `\n<?xml version="1.0"?>${R}${E}`,
      "2:6 not well-formed: an XML declaration must be at the start of the document",
    ],
    [
      `${R}<?xml version="1.0"?>${E}`,
      "1:33 not well-formed: an XML declaration must be at the start of the document",
    ],
    [`<?xml version="2.0"?>${R}${E}`, "1:19 not well-formed: version number must match /^1\\.[0-9]+$/"],
    [`<?xml encoding="utf-8"?>${R}${E}`, "1:15 not well-formed: expected one of version"],
    [`${R}<Product></Header>${E}`, "1:37 not well-formed: </Header> where </Product> is due"],
    [`${R}<A><B></A></B>${E}`, "1:34 not well-formed: </A> where </B> is due"],
    [`${R}\n<A>\n</B\n>${E}`, "4:1 not well-formed: </B> where </A> is due"],
    [`${R}<product></Product>${E}`, "1:37 not well-formed: </Product> where </product> is due"],
    [`${R}</>${E}`, "1:30 not well-formed: weird empty close tag"],
    [`${R}< Product>${E}`, "1:29 not well-formed: disallowed character in tag name"],
    [`${R}<1>${E}`, "1:29 not well-formed: disallowed character in tag name"],
    [`${R}a < b${E}`, "1:31 not well-formed: disallowed character in tag name"],
    [`${R}<a b>${E}`, "1:32 not well-formed: attribute without value"],
    [`${R}<a b=c>${E}`, "1:33 not well-formed: unquoted attribute value"],
    [`${R}<a b="1"c="2"/>${E}`, "1:36 not well-formed: no whitespace between attributes"],
    [`${R}<a b="1" b="2"/>${E}`, "1:28 not well-formed: duplicate attribute: b"],
    [`${R}<a b="<"/>${E}`, "1:34 not well-formed: disallowed character"],
    [`${R}<a / >${E}`, "1:32 not well-formed: forward-slash in opening tag not followed by >"],
    [`${R}<p:a/>${E}`, '1:28 not well-formed: unbound namespace prefix: "p"'],
    [`${R}<a p:b="1"/>${E}`, '1:28 not well-formed: unbound namespace prefix: "p"'],
    [`${R}<a:b:c/>${E}`, "1:28 not well-formed: malformed name: a:b:c"],
    [`${R}a\u0001b${E}`, "1:29 not well-formed: disallowed character"],
    [`${R}\n\uffff${E}`, "2:1 not well-formed: disallowed character"],
    [`${R}a]]>b${E}`, '1:31 not well-formed: the string "]]>" is disallowed in char data'],
    [`${R}<!-- a -- b -->${E}`, "1:37 not well-formed: malformed comment"],
    [`${R}<!-- & -- b -->${E}`, "1:37 not well-formed: malformed comment"],
    [`${R}x<!-- & -- b -->${E}`, "1:38 not well-formed: malformed comment"],
    [`${R}<!ELEMENT a ANY>${E}`, "1:36 not well-formed: incorrect syntax"],
    [`${R}<!DOCTYPE a>${E}`, "1:36 not well-formed: inappropriately located doctype declaration"],
    [`${R}<? pi?>${E}`, "1:30 not well-formed: processing instruction without a target"],
  ])("%j: %s", async (text, reason) => {
    expect(await refusal(bytesOf(text))).toBe(reason);
    expect(await refusal(...bytewise(bytesOf(text)))).toBe(reason);
  });

  test("a bare & in one book is not looked for in the next", async () => {
    const book = `<Product>\n<PublisherName>Smith & Sons</PublisherName></Product>`;
    expect(await refusal(bytesOf(`${R}\n<Product/>\n${book}\n<Product><b>&amp;</b></Product>${E}`))).toBe(
      `4:22 ${BARE}`,
    );
    expect(await refusal(bytesOf(`${R}\n<Product/>\n${book}\n${E}`))).toBe(`4:22 ${BARE}`);
  });
});

describe("entities", () => {
  test.each([
    [`${R}AT&T${E}`, `1:30 ${BARE}`],
    [`${R}a & b &amp; c${E}`, `1:30 ${BARE}`],
    [`${R}&;${E}`, `1:28 ${BARE}`],
    [`${R}&amp;&lt;\n😀&x${E}`, `2:2 ${BARE}`],
    [`${R}<a b="\n&"/>${E}`, `2:1 ${BARE}`],
    [`${R}<a b="1" c="&foo;"/>${E}`, `1:40 ${unknown("foo")}`],
    [`${R}&eacute;&foo;${E}`, `1:36 ${unknown("foo")}`],
    [`${R}&EACUTE;${E}`, `1:28 ${unknown("EACUTE")}`],
    [`${R}&constructor;${E}`, `1:28 ${unknown("constructor")}`],
    [`${R}&__proto__;${E}`, `1:28 ${unknown("__proto__")}`],
    [`<!DOCTYPE ONIXMessage [<!ENTITY foo "bar">]>\n${R}\n&foo;${E}`, `3:1 ${unknown("foo")}`],
    [
      `<!DOCTYPE ONIXMessage [<!ENTITY foo SYSTEM "file:///etc/passwd">]>${R}&foo;${E}`,
      `1:94 ${unknown("foo")}`,
    ],
    [
      `<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;"><!ENTITY c "&b;&b;&b;">]>\n${R}&c;${E}`,
      `2:28 ${unknown("c")}`,
    ],
    [`<!DOCTYPE x [<!ENTITY % p SYSTEM "http://localhost:1/x"> %p;]>\n${R}&q;${E}`, `2:28 ${unknown("q")}`],
    [`${R}&#0;${E}`, "1:28 not well-formed: &#0; is no character of XML"],
    [`${R}a&#x1;${E}`, "1:29 not well-formed: &#x1; is no character of XML"],
    [`${R}&#xD800;${E}`, "1:28 not well-formed: &#xD800; is no character of XML"],
    [`${R}&#xFFFF;${E}`, "1:28 not well-formed: &#xFFFF; is no character of XML"],
    [`${R}&#x110000;${E}`, "1:28 not well-formed: &#x110000; is no character of XML"],
    [
      `${R}&#99999999999999999999;${E}`,
      "1:28 not well-formed: &#99999999999999999999; is no character of XML",
    ],
    [`${R}&#X41;${E}`, "1:28 not well-formed: &#X41; is no character of XML"],
    [`${R}&#12a;${E}`, "1:28 not well-formed: &#12a; is no character of XML"],
  ])("%j: %s", async (text, reason) => {
    expect(await refusal(bytesOf(text))).toBe(reason);
    expect(await refusal(...bytewise(bytesOf(text)))).toBe(reason);
  });
});

describe("encodings", () => {
  const declared = (name: string) => `<?xml version="1.0" encoding="${name}"?>${R}${E}`;
  test.each([
    ["IBM850", '1:1 the encoding "IBM850" is not known here'],
    ["UTF-7", '1:1 the encoding "UTF-7" is not known here'],
    ["klingon", '1:1 the encoding "klingon" is not known here'],
  ])("%s is refused by its name", async (name, reason) => {
    expect(await refusal(bytesOf(declared(name)))).toBe(reason);
  });

  const latin1 = (text: string) => Uint8Array.from(Buffer.from(text, "latin1"));
  test.each([
    ["a byte of ISO-8859-1 in UTF-8", latin1(`${R}\n <a>caf\xe9 </a>${E}`), "2:8 not valid as UTF-8"],
    ["declared so", latin1(`<?xml version="1.0" encoding="UTF-8"?>${R}\xff${E}`), "1:66 not valid as UTF-8"],
    [
      "after characters of several bytes",
      Buffer.concat([bytesOf(`${R}é😀`), Uint8Array.of(0xc3, 0x28)]),
      "1:30 not valid as UTF-8",
    ],
    [
      "a surrogate in UTF-8",
      Buffer.concat([bytesOf(R), Uint8Array.of(0xed, 0xa0, 0x80)]),
      "1:28 not valid as UTF-8",
    ],
    ["an overlong one", Buffer.concat([bytesOf(R), Uint8Array.of(0xc0, 0xbc)]), "1:28 not valid as UTF-8"],
    [
      "one that is cut off",
      Buffer.concat([bytesOf(`${R}x`), Uint8Array.of(0xf0, 0x9f, 0x98)]),
      "1:29 not valid as UTF-8",
    ],
    ["half a pair in UTF-16", inEncoding(`\ufeff${R}\n\ud83dx${E}`, "utf-16le"), "2:1 not valid as UTF-16LE"],
    ["a wrong half", inEncoding(`\ufeff${R}\n\ude00x${E}`, "utf-16be"), "2:1 not valid as UTF-16BE"],
    ["half a unit", inEncoding(`\ufeff${R}${E}`, "utf-16be").slice(0, -1), "1:41 not valid as UTF-16BE"],
    [
      "beyond Unicode",
      Buffer.concat([inEncoding(`\ufeff${R}`, "utf-32le"), Uint8Array.of(0, 0, 0x11, 0)]),
      "1:28 not valid as UTF-32",
    ],
    [
      "a quarter",
      Buffer.concat([inEncoding(`\ufeff${R}`, "utf-32be"), Uint8Array.of(0, 0)]),
      "1:28 not valid as UTF-32",
    ],
  ])("%s: %#", async (_, bytes, reason) => {
    expect(await refusal(bytes)).toBe(reason);
    expect(await refusal(...bytewise(bytes))).toBe(reason);
  });

  test("an error of XML before a wrong byte is the one that is told", async () => {
    expect(await refusal(latin1(`${R}<a b=1>\xff`))).toBe("1:33 not well-formed: unquoted attribute value");
  });

  test("deep in a long feed the place is right", async () => {
    const lines = "<Product>é</Product>\n".repeat(20_000);
    expect(await refusal(bytesOf(`${R}\n${lines}`), Uint8Array.of(0x20, 0xff))).toBe(
      "20002:2 not valid as UTF-8",
    );
  });
});

test("a name of the feed is shown short, in one line, and without anything a terminal would obey", () => {
  expect(printable("a\n\u001b[31mb")).toBe("a [31mb");
  expect(printable("x".repeat(1000))).toBe(`${"x".repeat(60)}…`);
  expect(printable("😀".repeat(61))).toBe(`${"😀".repeat(60)}…`);
});
