/** A product that becomes a record and is written as XML again is the same product. */

import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { escapeAttribute, escapeText } from "../xml/markup.ts";
import { elementByTag } from "./element-table.ts";
import { message, product } from "./testing/message.ts";
import { ProductGenerator } from "./testing/product-generator.ts";
import { areSamplesMissing, readSamples } from "./testing/samples.ts";
import {
  type ScannedMessage,
  type StoredProduct,
  scanMessage,
  storedProducts,
  writeMessage,
} from "./testing/scan-message.ts";
import { parseXml, type XmlElement } from "./testing/xml-tree.ts";
import { messageEnd, messageStart } from "./writer/message.ts";

type Canonical = string | [name: string, attributes: string[], children: Canonical[]];

/**
 * Removes differences that have no meaning: short tags, whitespace between elements and at the ends of texts, and the
 * order of attributes. Also sorts siblings in the order of the schema, but not those that alternate.
 */
function canonical(element: XmlElement): Canonical {
  const rule = elementByTag(element.name);
  const name = rule?.name ?? element.name;
  const attributes = element.attributes.map(([attribute, value]) => `${attribute}=${value}`).sort();
  const elements = element.children.filter((child) => typeof child !== "string");
  const text = trimWhitespace(element.children.filter((child) => typeof child === "string").join(""));
  if (rule?.kind === "data" || rule?.kind === "markup" || (text !== "" && !rule)) {
    return [name, attributes, [trimWhitespace(element.children.map(markupOf).join(""))]];
  }
  const order = (child: XmlElement) =>
    rule?.children.get(elementByTag(child.name)?.name ?? "")?.order ?? Number.MAX_SAFE_INTEGER;
  const isMixed = name === "AudienceRange" || name === "Stock";
  const sorted = isMixed ? elements : elements.sort((a, b) => order(a) - order(b));
  return [name, attributes, [...sorted.map(canonical), ...(text === "" ? [] : [text])]];
}

/** Removes the whitespace of XML at both ends. */
function trimWhitespace(text: string): string {
  return text.replace(/^[ \t\r\n]+|[ \t\r\n]+$/g, "");
}

/** Writes XHTML in one way. */
function markupOf(child: XmlElement | string): string {
  if (typeof child === "string") return escapeText(child);
  const attributes = child.attributes.map(([name, value]) => ` ${name}="${escapeAttribute(value)}"`).join("");
  return `<${child.name}${attributes}>${child.children.map(markupOf).join("")}</${child.name}>`;
}

function productsOf(xml: string): XmlElement[] {
  const children = parseXml(xml).children.filter((child) => typeof child !== "string");
  return children.filter(({ name }) => elementByTag(name)?.name === "Product");
}

/** Expects that the products which have records are the same after a round trip. Returns their number. */
function expectSameProducts(xml: string, scanned: ScannedMessage): number {
  const originals = productsOf(xml).filter((_, index) => scanned.products[index]!.body.length > 0);
  const written = productsOf(writeMessage(scanned.header.release, storedProducts(scanned)));
  expect(written.map(canonical)).toEqual(originals.map(canonical));
  return originals.length;
}

async function expectRoundTrip(blocks: string): Promise<void> {
  const xml = message(product({ blocks }));
  expect(expectSameProducts(xml, await scanMessage(xml))).toBe(1);
}

/** The record of such a product has the elements of ONIX 3.1 instead. */
const REMOVED_IN_31 =
  /"(DateFormat|AudienceCode|SalesRestriction|Conference|Gender|PromotionContact|CurrencyZone|Reissue)"/;

describe.skipIf(areSamplesMissing)("round trip of every 3.x sample (skipped without ../shared)", () => {
  test("keeps more than 170 products", async () => {
    let products = 0;
    for await (const { xml, scanned } of readSamples()) products += expectSameProducts(xml, scanned);
    expect(products).toBeGreaterThan(170);
  });

  test.each(["reference", "short"] as const)(
    "keeps the records in a message of 3.1 with %s tags",
    async (tags) => {
      let compared = 0;
      for await (const { scanned } of readSamples()) {
        const first = storedProducts(scanned);
        if (first.length === 0) continue;
        const written = writeMessage("3.1", first, { tags, asRelease31: true });
        const second = storedProducts(await scanMessage(written));
        expect(second).toHaveLength(first.length);
        for (const [index, { record }] of first.entries()) {
          if (REMOVED_IN_31.test(JSON.stringify(record))) continue;
          expect(second[index]!.record).toEqual(record);
          compared++;
        }
      }
      expect(compared).toBeGreaterThan(100);
    },
  );
});

describe("round trip", () => {
  const supply = (stock: string) =>
    `<ProductSupply><SupplyDetail><ProductAvailability>21</ProductAvailability>${stock}
      <Price><PriceAmount>1</PriceAmount></Price></SupplyDetail></ProductSupply>`;
  const subject = (flag: string) =>
    `<DescriptiveDetail><NoCollection/><NoEdition/><Subject>${flag}<SubjectCode>FB</SubjectCode></Subject></DescriptiveDetail>`;

  test.each([
    "<OnHand>5</OnHand><Proximity>03</Proximity><OnOrder>6</OnOrder><Proximity>04</Proximity>",
    "<OnHand>5</OnHand><OnOrder>6</OnOrder><Proximity>04</Proximity>",
    "<OnHand>5</OnHand><Proximity>03</Proximity><Reserved>1</Reserved><CBO>2</CBO><Proximity>05</Proximity>",
    "<OnHand>5</OnHand><OnHand>6</OnHand><Proximity>04</Proximity>",
    "<LocationName>a</LocationName><OnHand>5</OnHand><OnOrder>6</OnOrder><Proximity>04</Proximity><Velocity><Rate>9</Rate></Velocity>",
  ])("keeps the order of a Stock with %s", (content) =>
    expectRoundTrip(supply(`<Stock><OnHand>9</OnHand></Stock><Stock>${content}</Stock>`)),
  );

  test("keeps the order of an AudienceRange without a value", () =>
    expectRoundTrip(`<DescriptiveDetail><NoCollection/><NoEdition/><AudienceRange>
      <AudienceRangeQualifier>11</AudienceRangeQualifier>
      <AudienceRangePrecision>03</AudienceRangePrecision><AudienceRangePrecision>04</AudienceRangePrecision>
      <AudienceRangeValue>9</AudienceRangeValue></AudienceRange></DescriptiveDetail>`));

  test.each(["", "<MainSubject/>", "<MainSubject>false</MainSubject>", "<MainSubject>yes</MainSubject>"])(
    "keeps a Subject that begins with '%s'",
    (flag) => expectRoundTrip(subject(flag)),
  );

  test("keeps the content of flags in the wrong place, and the form of the texts after them", () =>
    expectRoundTrip(
      `<DescriptiveDetail><NoCollection/><NoEdition/>
      <TitleDetail><NoContributor>a &amp; <b>b</b></NoContributor><MainSubject>x</MainSubject><NoEdition/></TitleDetail>
      <EditionStatement>with <i>elements</i></EditionStatement><Foo><NoEdition/>
      <Bar textformat="05">&lt;p&gt;escaped&lt;/p&gt;</Bar></Foo></DescriptiveDetail>`.replace(
        "<NoEdition/>\n",
        "",
      ),
    ));

  test.each(["constructor", "__proto__", "toString"])(
    "keeps an unknown child of the product that is called %s, and changes no prototype",
    async (name) => {
      const escaped = '<Bar textformat="05">&lt;p&gt;escaped&lt;/p&gt;</Bar>';
      const range = `<AudienceRange><AudienceRangePrecision>03</AudienceRangePrecision>
        <AudienceRangePrecision>04</AudienceRangePrecision><AudienceRangeValue>9</AudienceRangeValue></AudienceRange>`;
      const detail = (content: string) =>
        `<DescriptiveDetail><NoCollection/><NoEdition/>${content}</DescriptiveDetail>`;
      await expectRoundTrip(`${detail("")}<${name}>${escaped}${range}</${name}>`);
      await expectRoundTrip(`${detail(`<Foo>${escaped}</Foo>`)}<${name}>x</${name}>`);
      expect([Object.keys(Object.prototype), Object.keys(Object)]).toEqual([[], []]);
    },
  );

  test("writes the header's defaults into the product, so that the record stays the same", async () => {
    const sent = message(product({ languages: [] })).replace(
      "</Header>",
      `<DefaultLanguageOfText>spa</DefaultLanguageOfText><DefaultPriceType>02</DefaultPriceType>
       <DefaultCurrencyCode>EUR</DefaultCurrencyCode></Header>`,
    );
    const xml = sent.replace(
      "</SupplyDetail>",
      "<Price><PriceAmount>9.90</PriceAmount></Price></SupplyDetail>",
    );
    const [first] = storedProducts(await scanMessage(xml));
    const [second] = storedProducts(await scanMessage(writeMessage("3.0", [first!])));
    expect(second!.record).toEqual(first!.record);
    expect(JSON.stringify(second!.record)).toContain(
      '"Price":[{"PriceType":"02","PriceAmount":"9.90","CurrencyCode":"EUR"}]',
    );
    expect(second!.record.DescriptiveDetail).toMatchObject({
      Language: { LanguageRole: "01", LanguageCode: "spa" },
    });
    expect(Object.keys(first!.origin.defaults ?? {})).toHaveLength(3);
    expect(second!.origin.defaults).toBeUndefined();
  });

  test("keeps the form of texts beside values that come from the header", async () => {
    const price = "<Price><PriceAmount>9.90</PriceAmount><Tax><ProductIdentifier/></Tax></Price>";
    const detail = `<SupplyDetail><SupplierName textformat="05">&lt;b&gt;a&lt;/b&gt;</SupplierName>${price}${price}
      <Stock><OnHand>5</OnHand><OnOrder>6</OnOrder><Proximity>04</Proximity></Stock>
      <Reissue><ReissueDescription>elements <i>here</i></ReissueDescription></Reissue></SupplyDetail>`;
    const xml = message(product({ blocks: `<ProductSupply>${detail}</ProductSupply>` })).replace(
      "</Header>",
      "<DefaultPriceType>02</DefaultPriceType><DefaultCurrencyCode>EUR</DefaultCurrencyCode></Header>",
    );
    const first = storedProducts(await scanMessage(xml));
    const written = writeMessage("3.0", first);
    expect(written).toContain("elements <i>here</i>");
    expect(written).toContain("&lt;b&gt;a&lt;/b&gt;");
    expect(written.replace(/\s/g, "")).toContain("<OnOrder>6</OnOrder><Proximity>04</Proximity>");
    const [second] = storedProducts(await scanMessage(written));
    expect(second!.record).toEqual(first[0]!.record);
    const { defaults: _, ...origin } = first[0]!.origin;
    expect(second!.origin).toEqual(origin);
  });
});

async function readAll(xml: string): Promise<StoredProduct[]> {
  return storedProducts(await scanMessage(xml));
}

test("a record that writeProduct writes is read back unchanged", async () => {
  await fc.assert(
    fc.asyncProperty(fc.gen(), fc.constantFrom("3.0" as const, "3.1" as const), async (draw, release) => {
      const product = new ProductGenerator(draw).product();
      const first = await readAll(
        messageStart({ release, sender: "test", sent: "19700101" }) + product + messageEnd(),
      );
      const xml = writeMessage(release, first);
      const second = await readAll(xml);
      expect(second).toEqual(first);
      expect(writeMessage(release, second)).toBe(xml);
    }),
    { numRuns: process.env.FUZZ ? 20_000 : 300 },
  );
});
