import { describe, expect, test } from "bun:test";
import { ChunkScanner } from "./chunk-scanner.ts";

function refusal(xml: string, isLast = true): string {
  const result = new ChunkScanner().scan(Buffer.from(xml), undefined, isLast);
  return result.kind === "error"
    ? `${result.position.line}:${result.position.column} ${result.message}`
    : "scanned";
}

const SUPPORTED = "only ONIX 3.0 and 3.1 are supported";
const DTD =
  '<!DOCTYPE ONIXMessage SYSTEM "http://www.editeur.org/onix/2.1/reference/onix-international.dtd">';

describe("the refusal of a message", () => {
  test.each([
    [
      "by release",
      '<ONIXMessage release="2.1">\n<Header><FromCompany>Acme Press</FromCompany></Header><Product/></ONIXMessage>',
      `1:1 ONIX 2.1 from Acme Press: ${SUPPORTED}; ask Acme Press for ONIX 3.0 or 3.1`,
    ],
    [
      "by DTD, with short tags",
      `${DTD}\n<ONIXmessage><header><m172>0000000000000</m172><m174>Acme &amp; Sons</m174></header><product/></ONIXmessage>`,
      `2:1 ONIX 2.1 (by its DTD) from Acme & Sons: ${SUPPORTED}; ask Acme & Sons for ONIX 3.0 or 3.1`,
    ],
    [
      "by header",
      "<ONIXMessage><Header><FromCompany><![CDATA[Acme]]></FromCompany></Header></ONIXMessage>",
      `1:1 ONIX 2.1 according to its header from Acme: ${SUPPORTED}; ask Acme for ONIX 3.0 or 3.1`,
    ],
    [
      "by header, without a name",
      "<ONIXMessage><Header><FromEmail>a@example.com</FromEmail></Header></ONIXMessage>",
      `1:1 ONIX 2.1 according to its header: ${SUPPORTED}; ask the sender for ONIX 3.0 or 3.1`,
    ],
    [
      "without a header",
      '<ONIXMessage release="2.1"><Product><FromCompany>Not a sender</FromCompany></Product></ONIXMessage>',
      `1:1 ONIX 2.1: ${SUPPORTED}; ask the sender for ONIX 3.0 or 3.1`,
    ],
    [
      "of a later version",
      '<ONIXMessage release="4.0"><Header><Sender><SenderName>Acme</SenderName></Sender></Header></ONIXMessage>',
      `1:1 ONIX 4.0 from Acme: ${SUPPORTED}; ask Acme for ONIX 3.0 or 3.1`,
    ],
    [
      "of an unknown version",
      "<ONIXMessage><Header><Sender><SenderName>Acme</SenderName></Sender></Header></ONIXMessage>",
      "1:1 unknown ONIX version from Acme: the root element has no release attribute and no ONIX namespace; ask Acme to state release 3.0 or 3.1",
    ],
    [
      "that is not well-formed",
      '<ONIXMessage release="2.1"><Header></Product>',
      `1:1 ONIX 2.1: ${SUPPORTED}; ask the sender for ONIX 3.0 or 3.1`,
    ],
  ])("names version and sender %s", (_, xml, expected) => {
    expect(refusal(xml)).toBe(expected);
  });

  test("does not need the end of the header", () => {
    expect(refusal('<ONIXMessage release="2.1"><Header><FromCompany>Ac', false)).toBe(
      `1:1 ONIX 2.1: ${SUPPORTED}; ask the sender for ONIX 3.0 or 3.1`,
    );
  });

  test("has one line, however the sender is named", () => {
    const xml = `<ONIXMessage release="2.1"><Header><FromCompany>A\n\u2028${"x".repeat(500)}</FromCompany></Header></ONIXMessage>`;
    expect(refusal(xml)).toMatch(/from A x+…: only ONIX[^\n\u2028]*$/);
    expect(refusal(xml).length).toBeLessThan(300);
  });
});
