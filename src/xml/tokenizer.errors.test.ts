import { describe, expect, test } from "bun:test";
import { FeedError } from "../feed/feed-error.ts";
import { NameTable } from "./names.ts";
import { END_OF_INPUT, incomplete, XmlTokenizer } from "./tokenizer.ts";

const START = '<RootElement release="3.0">';
const END = "</RootElement>";
const BARE_AMPERSAND = "not well-formed: & does not begin a reference: write &amp;";
const unknownEntity = (name: string) =>
  `the entity &${name}; is unknown, and entities of a DTD are not expanded`;

const names = new NameTable(["RootElement", "Section"]);

/** Reads the document. Returns the position and the reason of the error. */
function rejection(text: string, isLast = true): string {
  const tokenizer = new XmlTokenizer(names);
  const bytes = new TextEncoder().encode(text);
  tokenizer.begin(bytes, bytes.length, undefined, isLast);
  try {
    while (tokenizer.next() !== END_OF_INPUT);
  } catch (error) {
    if (error === incomplete) return "incomplete";
    if (!(error instanceof FeedError)) throw error;
    expect(error.reason).not.toMatch(/\p{Cc}/u);
    return `${error.line}:${error.column} ${error.reason}`;
  }
  return "no error";
}

/** Every beginning of the document is read like a chunk: it is incomplete, or has the error of the document. */
function expectSameInChunks(text: string, reason: string): void {
  const results = Array.from(text, (_, length) => rejection(text.slice(0, length), false));
  for (const result of results) expect(["no error", "incomplete", reason]).toContain(result);
}

describe("XmlTokenizer rejects XML that is not well-formed", () => {
  test.each([
    [`${START}`, "1:28 not well-formed: the feed ends inside <RootElement>"],
    [`${START}<Section>`, "1:37 not well-formed: the feed ends inside <Section>"],
    [`${START}<Section>\n<RecordRef`, "2:11 not well-formed: the feed ends inside <Section>"],
    [`${START}<Section a="x`, "1:41 not well-formed: the feed ends inside <RootElement>"],
    [`${START}<!-- never`, "1:38 not well-formed: the feed ends inside <RootElement>"],
    [`${START}<![CDATA[never`, "1:42 not well-formed: the feed ends inside <RootElement>"],
    [`${START}${END}<!-- never`, "1:52 not well-formed: the feed ends inside a tag or comment"],
    ["<?xml version='1.0'?>", "1:22 not well-formed: no root element"],
    ["<!-- only -->\n", "2:1 not well-formed: no root element"],
    [`${START}${END}${START}${END}`, "1:42 not well-formed: a second root element"],
    [`${START}${END}\n<x/>`, "2:1 not well-formed: a second root element"],
    [`${START}${END}<!-- c -->\n <!-- d --> tail`, "2:13 not well-formed: text outside the root element"],
    [`<!-- c -->\n x${START}${END}`, "2:2 not well-formed: text outside the root element"],
    [`${START}${END}\n tail`, "2:2 not well-formed: text outside the root element"],
    [`${START}${END}\u0000`, "1:42 not well-formed: disallowed character U+0000"],
    [`${START}${END}</x>`, "1:42 not well-formed: </x> found where no element is open"],
    [
      `\n<?xml version="1.0"?>${START}${END}`,
      "2:6 not well-formed: an XML declaration must be at the start of the document",
    ],
    [
      `${START}<?xml version="1.0"?>${END}`,
      "1:33 not well-formed: an XML declaration must be at the start of the document",
    ],
    [`<?xml version="2.0"?>${START}${END}`, "1:19 not well-formed: the version must be 1.0"],
    [
      `<?xml version="1.0"encoding="x"?>${START}${END}`,
      "1:20 not well-formed: no whitespace before a setting of the XML declaration",
    ],
    [
      `<?xml version="1.0" version="1.0"?>${START}${END}`,
      "1:28 not well-formed: encoding or standalone expected in the XML declaration",
    ],
    [
      `<?xml version="1.0" standalone="no" encoding="x"?>${START}${END}`,
      "1:45 not well-formed: ?> expected in the XML declaration",
    ],
    [
      `<?xml version="1.0" encoding="é"?>${START}${END}`,
      "1:32 not well-formed: the encoding is not a valid name",
    ],
    [
      `<?xml version="1.0" standalone="1"?>${START}${END}`,
      '1:34 not well-formed: standalone must be "yes" or "no"',
    ],
    [
      `<?xml version="1.0"??>${START}${END}`,
      "1:21 not well-formed: ? in the XML declaration is not followed by >",
    ],
    [`<?xml version=1.0?>${START}${END}`, "1:15 not well-formed: unquoted value in the XML declaration"],
    [
      `<?xml version "1.0"?>${START}${END}`,
      "1:15 not well-formed: a setting of the XML declaration without value",
    ],
    [`<?xml version?>${START}${END}`, "1:14 not well-formed: the XML declaration is incomplete"],
    [`<?xml?>${START}${END}`, "1:7 not well-formed: the XML declaration has no version"],
    [`<?XML x?>${START}${END}`, "1:9 not well-formed: the target of a processing instruction may not be xml"],
    [
      `<?a:b x?>${START}${END}`,
      "1:4 not well-formed: disallowed character in the target of a processing instruction",
    ],
    [
      `${START}<a xmlns:p=""/>${END}`,
      "1:28 not well-formed: a prefix may not be bound to an empty namespace",
    ],
    [
      `${START}<a xmlns:xml="urn:x"/>${END}`,
      "1:28 not well-formed: xml prefix must be bound to http://www.w3.org/XML/1998/namespace",
    ],
    [`${START}<xmlns:a/>${END}`, '1:28 not well-formed: tags may not have "xmlns" as prefix'],
    [
      `${START}<a xmlns:p="u" xmlns:q="u" p:b="1" q:b="2"/>${END}`,
      "1:28 not well-formed: duplicate attribute: q:b",
    ],
    [`${START}<a"b/>${END}`, "1:30 not well-formed: disallowed character in a tag name"],
    [`${START}<a b"="1"/>${END}`, "1:32 not well-formed: disallowed character in an attribute name"],
    [`${START}<a></a b>${END}`, "1:35 not well-formed: disallowed character in an end tag"],
    [
      `<?xml encoding="utf-8"?>${START}${END}`,
      "1:15 not well-formed: version expected in the XML declaration",
    ],
    [
      `${START}<Section></Footer>${END}`,
      "1:37 not well-formed: </Footer> found where </Section> is expected",
    ],
    [`${START}<A><B></A></B>${END}`, "1:34 not well-formed: </A> found where </B> is expected"],
    [`${START}\n<A>\n</B\n>${END}`, "3:1 not well-formed: </B> found where </A> is expected"],
    [
      `${START}<section></Section>${END}`,
      "1:37 not well-formed: </Section> found where </section> is expected",
    ],
    [`${START}</>${END}`, "1:28 not well-formed: an end tag without a name"],
    [`${START}< Section>${END}`, "1:28 not well-formed: < does not begin a tag: write &lt;"],
    [`${START}<1>${END}`, "1:28 not well-formed: < does not begin a tag: write &lt;"],
    [`${START}a < b${END}`, "1:30 not well-formed: < does not begin a tag: write &lt;"],
    [`${START}<a b>${END}`, "1:32 not well-formed: attribute without value"],
    [`${START}<a b=c>${END}`, "1:33 not well-formed: unquoted attribute value"],
    [`${START}<a b="1"c="2"/>${END}`, "1:36 not well-formed: no whitespace between attributes"],
    [`${START}<a b="1" b="2"/>${END}`, "1:28 not well-formed: duplicate attribute: b"],
    [`${START}<a b="<"/>${END}`, "1:34 not well-formed: < in an attribute value: write &lt;"],
    [`${START}<a / >${END}`, "1:32 not well-formed: / in a start tag is not followed by >"],
    [`${START}<p:a/>${END}`, '1:28 not well-formed: the prefix "p" is not declared'],
    [`${START}<a p:b="1"/>${END}`, '1:28 not well-formed: the prefix "p" is not declared'],
    [`${START}<a:b:c/>${END}`, "1:28 not well-formed: a:b:c is not a valid name"],
    [`${START}a\u0001b${END}`, "1:29 not well-formed: disallowed character U+0001"],
    [`${START}\n\uffff${END}`, "2:1 not well-formed: disallowed character U+FFFF"],
    [`${START}a]]>b${END}`, "1:31 not well-formed: ]]> in a text: write ]]&gt;"],
    [`${START}<!-- a -- b -->${END}`, "1:37 not well-formed: -- in a comment"],
    [`${START}<!-- & -- b -->${END}`, "1:37 not well-formed: -- in a comment"],
    [`${START}x<!-- & -- b -->${END}`, "1:38 not well-formed: -- in a comment"],
    [
      `${START}<!ELEMENT a ANY>${END}`,
      "1:28 not well-formed: <! begins no comment, CDATA section or DOCTYPE",
    ],
    [
      `${START}<!DOCTYPE a>${END}`,
      "1:28 not well-formed: a DOCTYPE is allowed once, before the root element",
    ],
    [`${START}<? pi?>${END}`, "1:30 not well-formed: a processing instruction without a target"],
  ])("%j: %s", (text, reason) => {
    expect(rejection(text)).toBe(reason);
    expectSameInChunks(text, reason);
  });

  test("and reports a bare & in its own section, not in the next one", () => {
    const section = `<Section>\n<PublisherName>Smith & Sons</PublisherName></Section>`;
    expect(rejection(`${START}\n<Section/>\n${section}\n<Section><b>&amp;</b></Section>${END}`)).toBe(
      `4:22 ${BARE_AMPERSAND}`,
    );
    expect(rejection(`${START}\n<Section/>\n${section}\n${END}`)).toBe(`4:22 ${BARE_AMPERSAND}`);
  });
});

describe("XmlTokenizer rejects invalid references", () => {
  test.each([
    [`${START}AT&T${END}`, `1:30 ${BARE_AMPERSAND}`],
    [`${START}a & b &amp; c${END}`, `1:30 ${BARE_AMPERSAND}`],
    [`${START}&;${END}`, `1:28 ${BARE_AMPERSAND}`],
    [`${START}&amp;&lt;\n😀&x${END}`, `2:2 ${BARE_AMPERSAND}`],
    [`${START}<a b="\n&"/>${END}`, `2:1 ${BARE_AMPERSAND}`],
    [`${START}<a b="1" c="&foo;"/>${END}`, `1:40 ${unknownEntity("foo")}`],
    [`${START}&eacute;&foo;${END}`, `1:36 ${unknownEntity("foo")}`],
    [`${START}&EACUTE;${END}`, `1:28 ${unknownEntity("EACUTE")}`],
    [`${START}&constructor;${END}`, `1:28 ${unknownEntity("constructor")}`],
    [`${START}&__proto__;${END}`, `1:28 ${unknownEntity("__proto__")}`],
    [`<!DOCTYPE RootElement [<!ENTITY foo "bar">]>\n${START}\n&foo;${END}`, `3:1 ${unknownEntity("foo")}`],
    [
      `<!DOCTYPE RootElement [<!ENTITY foo SYSTEM "file:///etc/passwd">]>${START}&foo;${END}`,
      `1:94 ${unknownEntity("foo")}`,
    ],
    [
      `<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;"><!ENTITY c "&b;&b;&b;">]>\n${START}&c;${END}`,
      `2:28 ${unknownEntity("c")}`,
    ],
    [
      `<!DOCTYPE x [<!ENTITY % p SYSTEM "http://localhost:1/x"> %p;]>\n${START}&q;${END}`,
      `2:28 ${unknownEntity("q")}`,
    ],
    [`${START}&#0;${END}`, "1:28 not well-formed: &#0; is not a character of XML"],
    [`${START}a&#x1;${END}`, "1:29 not well-formed: &#x1; is not a character of XML"],
    [`${START}&#xD800;${END}`, "1:28 not well-formed: &#xD800; is not a character of XML"],
    [`${START}&#xFFFF;${END}`, "1:28 not well-formed: &#xFFFF; is not a character of XML"],
    [`${START}&#x110000;${END}`, "1:28 not well-formed: &#x110000; is not a character of XML"],
    [
      `${START}&#99999999999999999999;${END}`,
      "1:28 not well-formed: &#99999999999999999999; is not a character of XML",
    ],
    [`${START}&#X41;${END}`, "1:28 not well-formed: &#X41; is not a character of XML"],
    [`${START}&#12a;${END}`, "1:28 not well-formed: &#12a; is not a character of XML"],
  ])("%j: %s", (text, reason) => {
    expect(rejection(text)).toBe(reason);
    expectSameInChunks(text, reason);
  });
});
