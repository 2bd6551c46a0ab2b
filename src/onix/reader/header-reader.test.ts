import { describe, expect, test } from "bun:test";
import { product } from "../testing/message.ts";
import { messageVariant } from "../testing/message-variants.ts";
import { scanMessage } from "../testing/scan-message.ts";

describe("the message header", () => {
  test("has release, tags, sender, time and defaults", async () => {
    const { header } = await scanMessage(
      messageVariant({ release: "3.1", tags: "short", namespace: "none" }),
    );
    expect(header).toEqual({
      release: "3.1",
      tags: "short",
      sender: { key: "06:8400000000006", name: "Ediciones del Molino" },
      sent: "20240229T1200Z",
      messageNumber: undefined,
      defaults: { language: "spa" },
    });
  });

  test.each([
    ["<SenderName>N</SenderName>", { key: "name:N", name: "N" }],
    [
      "<SenderIdentifier><SenderIDType>06</SenderIDType><IDValue>8</IDValue></SenderIdentifier>",
      { key: "06:8", name: "8" },
    ],
    [
      "<SenderIdentifier><IDValue>8</IDValue></SenderIdentifier><SenderName>N</SenderName>",
      { key: "01::8:N", name: "N" },
    ],
    [
      "<SenderIdentifier><SenderIDType>06</SenderIDType></SenderIdentifier><SenderName>N</SenderName>",
      { key: "name:N", name: "N" },
    ],
    [
      "<SenderIdentifier><SenderIDType>01</SenderIDType><IDTypeName>T</IDTypeName><IDValue>1</IDValue></SenderIdentifier><SenderName>N</SenderName>",
      { key: "01:T:1:N", name: "N" },
    ],
    [
      "<SenderIdentifier><SenderIDType>16</SenderIDType><IDValue>2</IDValue></SenderIdentifier><SenderIdentifier><SenderIDType>06</SenderIDType><IDValue>8-4 1</IDValue></SenderIdentifier>",
      { key: "06:841", name: "2" },
    ],
    ["<EmailAddress>a@b</EmailAddress>", undefined],
  ])("has the sender of <Sender>%s</Sender>", async (sender, result) => {
    const { header } = await scanMessage(
      `<ONIXMessage release="3.0"><Header><Sender>${sender}</Sender><MessageNumber> 7 </MessageNumber></Header></ONIXMessage>`,
    );
    expect(header.sender).toEqual(result);
    expect(header.messageNumber).toBe("7");
  });

  test("causes a complaint for each default whose code is not in its list", async () => {
    const { complaints } = await scanMessage(
      `<ONIXMessage release="3.0"><Header><DefaultLanguageOfText>es</DefaultLanguageOfText><DefaultPriceType>04</DefaultPriceType><DefaultCurrencyCode>eur</DefaultCurrencyCode></Header>${product()}</ONIXMessage>`,
    );
    expect(complaints.map(({ kind, text, line, value }) => [kind, text, line, value])).toEqual([
      ["unknown-code", 'DefaultLanguageOfText has the code "es", which is not in list 74.', 1, "es"],
      ["unknown-code", 'DefaultCurrencyCode has the code "eur", which is not in list 96.', 1, "eur"],
    ]);
  });

  test("is the first one: a second Header is ignored with a complaint", async () => {
    const headers = ["EUR", "USD"].map(
      (code) => `<Header><DefaultCurrencyCode>${code}</DefaultCurrencyCode></Header>\n`,
    );
    const { header, complaints } = await scanMessage(
      `<ONIXMessage release="3.0">\n${headers.join("")}${product()}</ONIXMessage>`,
    );
    expect(header.defaults).toEqual({ currency: "EUR" });
    expect(complaints.map(({ kind, line, column }) => [kind, line, column])).toEqual([
      ["repeated-element", 3, 1],
    ]);
  });

  test("is returned for a message without products and without a Header", async () => {
    const none = await scanMessage('<ONIXMessage release="3.1"><NoProduct/></ONIXMessage>');
    expect(none.products).toEqual([]);
    expect(none.header).toEqual({
      release: "3.1",
      tags: "reference",
      sender: undefined,
      sent: undefined,
      messageNumber: undefined,
      defaults: {},
    });
    expect(none.complaints).toEqual([]);
  });

  test("is that before the products: a Header after them is ignored with a complaint", async () => {
    const late =
      "<Header><Sender><SenderName>Late</SenderName></Sender><DefaultLanguageOfText>cat</DefaultLanguageOfText></Header>";
    const { header, products, complaints } = await scanMessage(
      `<ONIXMessage release="3.0">\n${product({ languages: [] })}\n ${late}${product({ isbn: "9780199632091", languages: [] })}</ONIXMessage>`,
    );
    expect(header).toMatchObject({ sender: undefined, defaults: {} });
    expect(products.map(({ index }) => index.languages)).toEqual([[], []]);
    expect(complaints.map(({ kind, line, column }) => [kind, line, column])).toEqual([
      ["misplaced-element", 16, 2],
    ]);
  });

  test("is the first one when there are two", async () => {
    const named = (name: string) => `<Header><Sender><SenderName>${name}</SenderName></Sender></Header>`;
    const { header } = await scanMessage(
      `<ONIXMessage release="3.0">${named("One")}${named("Two")}${product()}</ONIXMessage>`,
    );
    expect(header.sender?.name).toBe("One");
  });
});

describe("the release of the header", () => {
  const releaseOf = async (attributes: string, name = "ONIXMessage") =>
    (await scanMessage(`<${name}${attributes}/>`)).header.release;
  test.each([
    [' release="3.0"', "3.0"],
    [' release="3.1"', "3.1"],
    [' release=" 3.0 "', "3.0"],
    [' release="3.0.08"', "3.0"],
    [' release="3.1.2"', "3.1"],
    [' xmlns="http://ns.editeur.org/onix/3.0/reference"', "3.0"],
    [' xmlns="http://ns.editeur.org/onix/3.1/short"', "3.1"],
    [' xmlns="http://www.editeur.org/onix/3.1/reference"', "3.1"],
    [' release="3.1" xmlns="http://ns.editeur.org/onix/3.0/reference"', "3.1"],
    [' release="" xmlns="http://ns.editeur.org/onix/3.0/reference"', "3.0"],
    [' release="3.0" xmlns="urn:of-the-sender"', "3.0"],
  ])("of <ONIXMessage%s> is %s", async (attributes, release) => {
    expect(await releaseOf(attributes)).toBe(release as "3.0");
    expect(await releaseOf(attributes, "ONIXmessage")).toBe(release as "3.0");
  });
});
