import { describe, expect, test } from "bun:test";
import { differenceInChunks } from "../testing/compare-readings.ts";
import { readWithTokenizer } from "../testing/tokenizer-reading.ts";

function reasonAgainst(text: string): string | undefined {
  for (const chunkBytes of [1, 2, 7]) expect(differenceInChunks(text, chunkBytes)).toBeUndefined();
  const { error } = readWithTokenizer(new TextEncoder().encode(text));
  return error && `${error.line}:${error.column} ${error.reason}`;
}

const withSubset = (subset: string) => `<!DOCTYPE a [\n${subset}]><a/>`;

describe("accepts the document type declaration", () => {
  test.each([
    "<!DOCTYPE a>",
    "<!DOCTYPE a:b >",
    "<!DOCTYPE\n\ta\r\nSYSTEM\n'http://localhost:1/\"x\".dtd'\n>",
    `<!DOCTYPE ONIXMessage PUBLIC "-//EDItEUR//DTD ONIX 3.0//EN" 'x'>`,
    "<!DOCTYPE a[]>",
    "<!DOCTYPE a SYSTEM 'x'[ ] >",
  ])("%s", (doctype) => {
    expect(reasonAgainst(`${doctype}<a/>`)).toBeUndefined();
  });

  test.each([
    "<!ELEMENT a EMPTY>",
    "<!ELEMENT a ANY >",
    "<!ELEMENT a (#PCDATA)>",
    "<!ELEMENT a ( #PCDATA )*>",
    "<!ELEMENT a (#PCDATA | b\n|c:d)*>",
    "<!ELEMENT a (b)>",
    "<!ELEMENT a ((b, c?)+ | (d | e*)? | ((f)))*>",
    "<!ELEMENT a ( b , ( c | d ) , e )+ >",
    "<!ATTLIST a>",
    "<!ATTLIST a b CDATA #IMPLIED c ID #REQUIRED\nd:e NMTOKENS '&lt;>%' f (1 | .b|c) 'x'>",
    '<!ATTLIST a n NOTATION (g | h) #FIXED "&#233;&any;" >',
    "<!ENTITY e ''>",
    `<!ENTITY e "<b>'&f;&#x41;</b>">`,
    "<!ENTITY % p 'x'> %p; <!ENTITY q PUBLIC 'x' 'y' NDATA z>",
    "<!ENTITY % p SYSTEM 'x' >",
    "<!NOTATION n SYSTEM 'x'>",
    "<!NOTATION n PUBLIC 'x'>",
    "<!NOTATION n PUBLIC 'x' 'y' >",
    "<!-- ' ]> - --> <?p ' ]> ? ?>",
  ])("with %s", (subset) => {
    expect(reasonAgainst(withSubset(subset))).toBeUndefined();
  });
});

describe("rejects the document type declaration", () => {
  test.each([
    ["<!DOCTYPE>", "1:10 a space is missing"],
    ["<!DOCTYPEa>", "1:10 a space is missing"],
    ["<!DOCTYPE >", "1:11 a name is missing"],
    ["<!DOCTYPE 1a>", "1:11 a name is missing"],
    ["<!DOCTYPE a:b:c>", "1:12 a name has a colon that namespaces do not allow"],
    ["<!DOCTYPE a'x'>", "1:12 a space, [ or > is missing"],
    ["<!DOCTYPE a 'x'>", "1:13 SYSTEM or PUBLIC is missing"],
    ["<!DOCTYPE a system 'x'>", "1:13 SYSTEM or PUBLIC is missing"],
    ["<!DOCTYPE a SYSTEM x>", "1:20 a quote is missing"],
    ["<!DOCTYPE html PUBLIC 'x'>", "1:26 a space is missing"],
    ["<!DOCTYPE a PUBLIC '{' 'x'>", "1:21 a public identifier has a character that is not allowed"],
    ["<!DOCTYPE a [] []>", "1:16 > is missing"],
  ])("%s", (doctype, reason) => {
    const [place, text] = [reason.slice(0, reason.indexOf(" ")), reason.slice(reason.indexOf(" ") + 1)];
    expect(reasonAgainst(`${doctype}<a/>`)).toBe(`${place} not well-formed: in the DTD, ${text}`);
  });

  test.each([
    ["x", "2:1 only declarations, comments, %references; and spaces may stand here"],
    ["&x;", "2:1 only declarations, comments, %references; and spaces may stand here"],
    ["% x;", "2:2 a name is missing"],
    ["%x ", "2:3 ; is missing"],
    ["<b/>", "2:1 < does not begin a declaration"],
    ["<![INCLUDE[]]>", "2:1 a conditional section is not allowed here"],
    ["<!ELEMENTS a ANY>", "2:1 <! does not begin a declaration"],
    ["<!element a ANY>", "2:1 <! does not begin a declaration"],
    ["<!toString a>", "2:1 <! does not begin a declaration"],
    ["<!-x>", "2:1 <! does not begin a declaration"],
    ["<! ELEMENT a ANY>", "2:1 <! does not begin a declaration"],
    ["<!ELEMENT a>", "2:12 a space is missing"],
    ["<!ELEMENT a b>", "2:13 an element needs EMPTY, ANY or a content model"],
    ["<!ELEMENT a ()>", "2:14 a name is missing"],
    ["<!ELEMENT a (b,)>", "2:16 a name is missing"],
    ["<!ELEMENT a (b,c|d)>", "2:17 the content model is wrong"],
    ["<!ELEMENT a (b>", "2:15 the content model is wrong"],
    ["<!ELEMENT a (b))>", "2:16 > is missing"],
    ["<!ELEMENT a (%b;)>", "2:14 a name is missing"],
    ["<!ELEMENT a (#PCDATA|b)>", "2:24 * is missing"],
    ["<!ELEMENT a (#PCDATA,b)*>", "2:21 ) is missing"],
    ["<!ELEMENT a (#CDATA)>", "2:14 #PCDATA is missing"],
    ["<!ELEMENT a -- comment -- ANY>", "2:13 an element needs EMPTY, ANY or a content model"],
    ["<!ATTLIST a b>", "2:14 a space is missing"],
    ["<!ATTLIST a b TEXT 'x'>", "2:15 the type of an attribute is missing"],
    ["<!ATTLIST a b CDATA>", "2:20 a space is missing"],
    ["<!ATTLIST a b CDATA #MUST>", "2:21 #REQUIRED, #IMPLIED or #FIXED is missing"],
    ["<!ATTLIST a b CDATA '<'>", "2:22 a default value has a <: write &lt;"],
    ["<!ATTLIST a b CDATA '&'>", "2:22 & does not begin a reference: write &#38;"],
    ["<!ATTLIST a b CDATA '' c CDATA''>", "2:31 a space is missing"],
    ["<!ATTLIST a b (c,d) ''>", "2:17 | is missing"],
    ["<!ATTLIST a b NOTATION () ''>", "2:25 a name is missing"],
    ["<!ENTITY e>", "2:11 a space is missing"],
    ["<!ENTITY e:f ''>", "2:11 a name has a colon that namespaces do not allow"],
    ["<!ENTITY e '%p;'>", "2:13 the text of an entity has a %: write &#37;"],
    ["<!ENTITY e '&x'>", "2:13 & does not begin a reference: write &#38;"],
    ["<!ENTITY e SYSTEM 'x' DATA y>", "2:23 NDATA or > is missing"],
    ["<!ENTITY % e SYSTEM 'x' NDATA y>", "2:25 > is missing"],
    ["<!ENTITY %e ''>", "2:11 a space is missing"],
    ["<!NOTATION n 'x'>", "2:14 SYSTEM or PUBLIC is missing"],
  ])("with %s", (subset, reason) => {
    const [place, text] = [reason.slice(0, reason.indexOf(" ")), reason.slice(reason.indexOf(" ") + 1)];
    expect(reasonAgainst(withSubset(subset))).toBe(`${place} not well-formed: in the DTD, ${text}`);
  });

  test.each([
    ["<!ENTITY e '&#0;'>", "2:13 not well-formed: &#0; is not a character of XML"],
    ["<!-- -- -->", "2:8 not well-formed: -- in a comment"],
    ["<?xml version='1.0'?>", "2:6 not well-formed: an XML declaration must be at the start of the document"],
    ["<? p?>", "2:3 not well-formed: a processing instruction without a target"],
    ["\x01", "2:1 not well-formed: disallowed character U+0001"],
    ["<!ENTITY e '\x01'>", "2:13 not well-formed: disallowed character U+0001"],
  ])("with %j", (subset, reason) => {
    expect(reasonAgainst(withSubset(subset))).toBe(reason);
  });

  test("with a content model of a million parentheses", () => {
    const { error } = readWithTokenizer(
      new TextEncoder().encode(withSubset(`<!ELEMENT a ${"(".repeat(1_000_000)}`)),
    );
    expect(error?.reason).toBe("not well-formed: in the DTD, a content model is too deep");
  });
});
