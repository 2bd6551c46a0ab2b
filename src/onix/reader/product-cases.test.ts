/** Products that are hard to read: their complaints, their records in other layouts, and their round trips. */
import { describe, expect, test } from "bun:test";
import { FeedError } from "../../feed/feed-error.ts";
import type { Day } from "../date.ts";
import { message, product } from "../testing/message.ts";
import { PRODUCT_CASES } from "../testing/product-cases.ts";
import { scanMessage, storedProducts, writeMessage } from "../testing/scan-message.ts";

const FIRST = product({ isbn: "9780199632091" });
const LAST = product({ isbn: "9791034567898" });

/** Removes positions, which depend on the layout. */
function contentOf({ products }: Awaited<ReturnType<typeof scanMessage>>): unknown[] {
  return products.map(({ line: _, column: __, complaints, body, ...rest }) => ({
    ...rest,
    kinds: complaints.map(({ kind }) => kind),
    body: new TextDecoder().decode(body),
  }));
}

/** CDATA stays as it is. */
function withPrefix(xml: string): string {
  return xml
    .replace(/<!\[CDATA\[.*?\]\]>|<(\/?)(?=[A-Z])/gs, (all, slash) =>
      slash === undefined ? all : `<${slash}o:`,
    )
    .replace("xmlns=", "xmlns:o=");
}

async function errorOf(xml: string): Promise<string> {
  try {
    await scanMessage(xml);
  } catch (error) {
    if (error instanceof FeedError) return error.message;
    throw error;
  }
  return "no error";
}

describe("a message is read with", () => {
  test.each(PRODUCT_CASES)("%s", async (_, options, expected) => {
    const xml = message(FIRST, product(options), LAST);
    const scanned = await scanMessage(xml);
    const [first, middle, last] = scanned.products;
    const { action, complaints, body } = middle!;
    const outcome = action === "record" ? complaints.map(({ kind }) => kind) : action;
    expect(outcome).toEqual(expected as typeof outcome);
    expect(body.length > 0).toBe(action === "record" || action === "update");
    const others = await scanMessage(message(FIRST, LAST));
    expect([first!.body, last!.body]).toEqual(others.products.map((other) => other.body));
  });

  test.each(PRODUCT_CASES)("%s, in another layout", async (_, options) => {
    const xml = message(FIRST, product(options), LAST);
    const content = contentOf(await scanMessage(xml));
    expect(contentOf(await scanMessage(xml.replaceAll("\n", "\r\n")))).toEqual(content);
    expect(contentOf(await scanMessage(`\uFEFF${xml}`))).toEqual(content);
    expect(contentOf(await scanMessage(xml.replace(/(Product|Detail|Identifier)>\s+</g, "$1><")))).toEqual(
      content,
    );
    expect(contentOf(await scanMessage(withPrefix(xml)))).toEqual(content);
  });

  test.each(PRODUCT_CASES)("%s, and is the same after a round trip", async (_, options) => {
    const first = storedProducts(await scanMessage(message(FIRST, product(options), LAST)));
    const xml = writeMessage("3.0", first);
    const second = storedProducts(await scanMessage(xml));
    expect(second).toEqual(first);
    expect(writeMessage("3.0", second)).toBe(xml);
  });
});

function repeated(count: number, part: (index: number) => string): string {
  return Array.from({ length: count }, (_, index) => part(index)).join("");
}

describe("a message is rejected with", () => {
  const namespace = 'xmlns="http://www.w3.org/1999/xhtml"';
  test.each([
    [
      "XHTML that declares its namespace twice",
      { text: `<Text textformat="05"><p ${namespace} ${namespace}>a</p></Text>` },
      /^line 21, column \d+: not well-formed: duplicate attribute: xmlns$/,
    ],
    ["]]> outside of CDATA", { title: "a ]]> b" }, /^line 20, column 22: not well-formed: .*\]\]>/],
    [
      "more elements than a product may have",
      { text: `<Text textformat="05">${"<b/>".repeat(210_000)}</Text>` },
      /^line 21, column \d+: a Product has more than 200,000 elements$/,
    ],
    [
      "more attributes than a product may have",
      { detail: repeated(1001, (index) => `<EditionNumber a${index}="">1</EditionNumber>`) },
      /^line 20, column \d+: a Product has more than 1,000 different attributes$/,
    ],
    [
      "arrays of attributes that are much larger than their elements",
      { detail: repeated(1000, (index) => `<EditionNumber a${index % 300}="">1</EditionNumber>`) },
      /^line 20, column \d+: a Product has too many attributes of repeated elements$/,
    ],
  ])("%s", async (_, options, reason) => {
    const xml = message(FIRST, product(options), LAST);
    const [error, withCrLf] = [await errorOf(xml), await errorOf(xml.replaceAll("\n", "\r\n"))];
    expect(error).toMatch(reason);
    expect(withCrLf).toBe(error);
  });
});

test("the attributes of a product are counted alone, whatever those before it had", async () => {
  const many = (count: number) =>
    product({ detail: repeated(count, (index) => `<EditionNumber a${index}="">1</EditionNumber>`) });
  expect(await errorOf(message(many(400), many(1300)))).toContain("1,000 different attributes");
});

describe("names and codes are not confused with those of the previous product:", () => {
  const extent = "<Extent><ExtentType>00</ExtentType><ExtentValue>1</ExtentValue></Extent>";
  test.each([
    [extent, []],
    [extent.replaceAll("00", "08"), []],
    [extent.replaceAll("00", "zz"), ["unknown-code"]],
    [extent.replaceAll("ExtentType", "ExtentTyp"), ["unknown-element"]],
    [extent.replaceAll("ExtentType", "ExtentTypes"), ["unknown-element"]],
    [extent.replaceAll("ExtentType", "Extent"), ["misplaced-element", "stray-text"]],
    [extent.replaceAll("ExtentType", "x"), ["unknown-element"]],
    [extent.replaceAll("ExtentType", "b218"), []],
  ])("%s", async (other, kinds) => {
    const xml = message(
      product({ detail: extent }),
      product({ isbn: "9780199632091", detail: other }),
      product({ isbn: "9791034567898", detail: extent }),
    );
    const { products } = await scanMessage(xml);
    expect(products.map(({ complaints }) => complaints.map(({ kind }) => kind))).toEqual([
      [],
      kinds as never[],
      [],
    ]);
  });
});

test("a date is read by itself, whatever the format of one before it", async () => {
  const dated = (attributes: string, date: string, isbn: string) =>
    product({
      isbn,
      blocks:
        "<PublishingDetail><PublishingDate><PublishingDateRole>01</PublishingDateRole>" +
        `<Date${attributes}>${date}</Date></PublishingDate></PublishingDetail>`,
    });
  const { products } = await scanMessage(
    message(dated(' dateformat="02"', "202402", "9788437604947"), dated("", "202402 02", "9780199632091")),
  );
  expect(products.map(({ index }) => index.publishingDay)).toEqual(["20240108" as Day, undefined]);
});

describe("namespaces", () => {
  const plain = message(product());
  const onix = "http://www.editeur.org/onix/3.0/reference";
  const on = (tag: string, attributes: string) => plain.replace(`<${tag}>`, `<${tag} ${attributes}>`);
  const record = async (xml: string) => {
    const { products, complaints } = await scanMessage(xml);
    return { count: products.length, complaints, body: new TextDecoder().decode(products[0]?.body) };
  };

  test.each([
    ["with an unused prefix", plain.replace("xmlns=", "xmlns:x=")],
    ["with a prefix", withPrefix(plain)],
    ["of the sender", plain.replace(/xmlns="[^"]*"/, 'xmlns="urn:ours"')],
    ["declared on the product", on("Product", `xmlns="${onix}"`)],
    ["declared on a block", on("DescriptiveDetail", `xmlns="${onix}"`)],
    ["declared on a text", on("TitleText", `xmlns="${onix}"`)],
    ["of XHTML on a text", on("TitleText", 'xmlns="http://www.w3.org/1999/xhtml"')],
  ])("%s do not change the record", async (_, xml) => {
    expect(await record(xml)).toEqual(await record(plain));
  });

  test("of others on a product make it a foreign element", async () => {
    expect(await record(on("Product", 'xmlns="http://example.org/"'))).toMatchObject({
      count: 0,
      complaints: [{ kind: "unknown-element", line: 4, column: 1 }],
    });
  });
});
