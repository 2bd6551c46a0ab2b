import { describe, expect, test } from "bun:test";
import { growthOf, MAX_LINEAR_GROWTH } from "../../lib/testing/cpu-time.ts";
import type { Complaint } from "../complaint.ts";
import { assessedNeeds, NEEDS, unmetNeeds } from "../completeness/needs.ts";
import type { Day } from "../date.ts";
import { ChunkScanner } from "../reader/chunk-scanner.ts";
import { ProductChecker } from "./product-checker.ts";
import {
  COVER,
  completeProduct,
  DESCRIPTION,
  type ProductParts,
  PUBLICATION_DATE,
  supplyBlock,
} from "./testing/complete-product.ts";

const TODAY = "20260101" as Day;

function scan(product: string, { release = "3.0", header = "" } = {}) {
  const xml = `<ONIXMessage release="${release}"><Header><Sender><SenderName>S</SenderName></Sender><SentDateTime>20240101</SentDateTime>${header}</Header>${product}</ONIXMessage>`;
  const result = new ChunkScanner(new ProductChecker(TODAY)).scan(Buffer.from(xml), undefined, true);
  if (result.kind === "error") throw new Error(result.message);
  return result.products[0]!;
}

const complaintsOf = (parts: ProductParts, release = "3.0") =>
  scan(completeProduct(parts), { release }).complaints;
const texts = (complaints: readonly Complaint[]) => complaints.map(({ kind, text }) => `${kind}: ${text}`);

const price = (content: string): ProductParts => ({ price: content });
const publishing = (content: string): ProductParts => ({
  publishing: `<PublishingDetail><Imprint><ImprintName>I</ImprintName></Imprint>${content}</PublishingDetail>`,
});
const publishingDate = (role: string, date: string, attributes = "") =>
  `<PublishingDate><PublishingDateRole>${role}</PublishingDateRole><Date${attributes}>${date}</Date></PublishingDate>`;
const priceDate = (role: string, date: string) =>
  `<PriceDate><PriceDateRole>${role}</PriceDateRole><Date>${date}</Date></PriceDate>`;
const CURRENCY = "<CurrencyCode>EUR</CurrencyCode>";
const EUROS = `<PriceAmount>9.90</PriceAmount>${CURRENCY}`;
const amount = (text: string) => price(`<PriceAmount>${text}</PriceAmount>${CURRENCY}`);
const status = (code: string, ...dates: string[]) =>
  publishing(`<PublishingStatus>${code}</PublishingStatus>${dates.join("")}`);
const subject = (scheme: string, code = "F") =>
  `<Subject><SubjectSchemeIdentifier>${scheme}</SubjectSchemeIdentifier><SubjectCode>${code}</SubjectCode></Subject>`;
const person = (before: string, after = "") =>
  `<Contributor>${before}<ContributorRole>A01</ContributorRole>${after}<PersonName>N</PersonName></Contributor>`;
const collateral = (text: string) => ({ collateral: `<CollateralDetail>${text}${COVER}</CollateralDetail>` });

describe("ProductChecker", () => {
  test("has no complaint about a complete product", () => {
    expect(texts(complaintsOf({}))).toEqual([]);
    expect(texts(complaintsOf({}, "3.1"))).toEqual([]);
  });

  test("names the element, the value and the place", () => {
    const [complaint] = complaintsOf(amount("9,90"));
    expect(complaint).toMatchObject({
      kind: "decimal-comma",
      element: "PriceAmount",
      value: "9,90",
      line: 7,
    });
  });

  test.each<[string, ProductParts, string[]]>([
    [
      "a price with a comma",
      amount("9,90"),
      ['decimal-comma: PriceAmount has a decimal comma: "9,90" is read as 9.90.'],
    ],
    [
      "a price that is no number",
      amount("1.234,50"),
      ['bad-amount: PriceAmount has the value "1.234,50", which is not a number.'],
    ],
    [
      "a price of 0",
      amount("0.00"),
      [
        'bad-value: PriceAmount has the value "0.00", not a number above 0 with a decimal point, such as 9.90.',
      ],
    ],
    [
      "an empty title",
      {
        title:
          "<TitleDetail><TitleType>01</TitleType><TitleElement><TitleElementLevel>01</TitleElementLevel><TitleText/></TitleElement></TitleDetail>",
      },
      [
        "bad-value: TitleText is empty.",
        "incomplete: The product has no title (a TitleDetail with a title).",
      ],
    ],
    [
      "space around a code",
      { form: "<ProductComposition>00</ProductComposition><ProductForm> BC</ProductForm>" },
      ['bad-value: ProductForm has space or a line break around its value "BC".'],
    ],
    [
      "a date in another form than its format",
      status("04", publishingDate("01", "202401")),
      ['bad-value: Date has the value "202401", not a date of the form YYYYMMDD.'],
    ],
    [
      "a date in the form of its format",
      status("04", publishingDate("01", "202401", ' dateformat="01"')),
      [],
    ],
    [
      "a missing element",
      { form: "<ProductForm>BC</ProductForm>" },
      ["missing-element: DescriptiveDetail has no ProductComposition."],
    ],
    [
      "a missing choice",
      price(`<PriceType>02</PriceType>${CURRENCY}`),
      ["missing-element: Price has no PriceAmount, PriceCoded or UnpricedItemType."],
    ],
    [
      "elements in the wrong order",
      price(`${CURRENCY}<PriceAmount>9.90</PriceAmount>`),
      ["wrong-order: PriceAmount stands after CurrencyCode in Price."],
    ],
    [
      "elements in the wrong order where a name has several places",
      { contributor: person("", "<Website><WebsiteLink>https://example.com</WebsiteLink></Website>") },
      ["wrong-order: PersonName stands after Website in Contributor."],
    ],
    [
      "alternatives that exclude each other",
      price(`<PriceAmount>9.90</PriceAmount><UnpricedItemType>01</UnpricedItemType>${CURRENCY}`),
      ["conflicting-elements: UnpricedItemType and PriceAmount exclude each other in Price."],
    ],
    [
      "a deprecated code",
      { subject: subject("12") },
      [
        'deprecated-code: SubjectSchemeIdentifier has the code "12", which is deprecated since issue 69 of the code lists.',
      ],
    ],
    [
      "an attribute that is not allowed",
      price(`<PriceAmount currency="EUR">9.90</PriceAmount>${CURRENCY}`),
      ["bad-attribute: PriceAmount has the attribute currency, which ONIX does not have there."],
    ],
    [
      "an attribute with an unknown code",
      collateral(DESCRIPTION.replace("<Text>", '<Text language="es">')),
      ['bad-attribute: Text has the attribute language with "es", which is not in list 74.'],
    ],
    [
      "two contributors with one number",
      { contributor: person("<SequenceNumber>1</SequenceNumber>").repeat(2) },
      ['duplicate-value: Another Contributor already has the SequenceNumber "1".'],
    ],
    [
      "an unknown country of a list",
      price(`${EUROS}<Territory><CountriesIncluded>ES XX</CountriesIncluded></Territory>`),
      ['unknown-code: CountriesIncluded has the code "XX", which is not in list 91.'],
    ],
  ])("reports %s", (_, parts, expected) => {
    expect(texts(complaintsOf(parts))).toEqual(expected);
  });

  test("reports an element that the release does not have", () => {
    const parts = { subject: `${subject("93")}<AudienceCode>01</AudienceCode>` };
    expect(texts(complaintsOf(parts, "3.1"))).toEqual(["wrong-release: ONIX 3.1 has no AudienceCode."]);
    expect(texts(complaintsOf(parts, "3.0"))).toEqual([]);
  });

  test("leaves to the reader what the reader reports", () => {
    const form =
      "<ProductComposition>00</ProductComposition><ProductForm>QQ</ProductForm><ProductForm>BC</ProductForm><Unknown/>";
    expect(complaintsOf({ form }).map(({ kind }) => kind)).toEqual([
      "unknown-code",
      "repeated-element",
      "unknown-element",
    ]);
  });
});

function headerComplaints(xml: string): unknown {
  const result = new ChunkScanner(new ProductChecker(TODAY)).scan(Buffer.from(xml), undefined, true);
  return result.kind === "scanned" && texts(result.complaints);
}

test("checks the header too", () => {
  const xml =
    '<ONIXMessage release="3.0"><Header><SentDateTime>2024-01-01</SentDateTime></Header><NoProduct/></ONIXMessage>';
  expect(headerComplaints(xml)).toEqual([
    'bad-value: SentDateTime has the value "2024-01-01", not a day of the form YYYYMMDD, with or without a time.',
    "missing-element: Header has no Sender.",
  ]);
});

test("reports in the header what the reader reports in products", () => {
  const xml = `<ONIXMessage release="3.0"><Header><Sender><SenderName>A</SenderName><SenderName>B</SenderName></Sender>
    <SentDateTime>20240101</SentDateTime><PriceType>02</PriceType><DefaultCurrencyCode>Euro</DefaultCurrencyCode><Unknown/></Header><NoProduct/></ONIXMessage>`;
  expect(headerComplaints(xml)).toEqual([
    "repeated-element: SenderName may occur only once in Sender.",
    "unknown-element: PriceType is not allowed in Header.",
    'unknown-code: DefaultCurrencyCode has the code "Euro", which is not in list 96.',
    "unknown-element: Unknown is not an element of ONIX 3.",
  ]);
});

describe("a hostile product", () => {
  const COUNT = 1500;
  const checks = /^(?:bad-value|missing-element|too-many|wrong-order|conflicting-elements|duplicate-value)$/;
  test.each<[string, (count: number) => ProductParts]>([
    ["children in turns", (count) => ({ subject: `<Measure/><Measure/>${subject("93")}`.repeat(count) })],
    ["values that are wrong", (count) => ({ subject: subject("93", "").repeat(count) })],
    [
      "alternatives",
      (count) => price(`${"<Tax/>".repeat(count)}<TaxExempt/>${"<Tax/>".repeat(count)}${EUROS}`),
    ],
    [
      "many equal numbers",
      (count) => ({ contributor: person("<SequenceNumber>1</SequenceNumber>").repeat(count) }),
    ],
    [
      "an endless address",
      (count) => ({
        supply: `<ProductSupply><SupplyDetail><Supplier><EmailAddress>a@${"a.".repeat(count)}!</EmailAddress></Supplier></SupplyDetail></ProductSupply>`,
      }),
    ],
  ])("with %s is checked in linear time, with a bounded number of complaints", (_, partsOf) => {
    let complaints: ReturnType<typeof scan>["complaints"] = [];
    const growth = growthOf(COUNT, (count) => {
      const xml = completeProduct(partsOf(count));
      return () => {
        complaints = scan(xml).complaints;
      };
    });
    expect(growth).toBeLessThan(MAX_LINEAR_GROWTH);
    const found = complaints.filter(({ kind }) => checks.test(kind)).length;
    expect(found).toBeGreaterThan(0);
    expect(found).toBeLessThanOrEqual(1000);
  });
});

describe("contradictions", () => {
  const published = (code: string, date: string) => status(code, publishingDate("01", date));
  const availability = (code: string, content: string): ProductParts => ({
    ...status(content, PUBLICATION_DATE),
    supply: supplyBlock({ price: EUROS, availability: code }),
  });

  test.each<[string, ProductParts, string[]]>([
    [
      "publication after the end",
      status("04", publishingDate("01", "20240301"), publishingDate("13", "20230301")),
      ["date-contradiction: The publication date (01) is after the out-of-print date (13)."],
    ],
    [
      "dates that are equal as far as both go",
      status("04", publishingDate("01", "20240301"), publishingDate("13", "2024", ' dateformat="05"')),
      [],
    ],
    [
      "a price that ends before it begins",
      price(`${EUROS}${priceDate("14", "20240201")}${priceDate("15", "20240101")}`),
      ["date-contradiction: The price ends (15) before it begins (14)."],
    ],
    [
      "a forthcoming book of the past",
      published("02", "20250101"),
      [
        "date-contradiction: The publishing status is forthcoming (02), but the publication date is long past.",
      ],
    ],
    ["a forthcoming book that is a little late", published("02", "20251001"), []],
    [
      "an active book of the future",
      published("04", "20270101"),
      [
        "date-contradiction: The publishing status is active (04), but the publication date is far in the future.",
      ],
    ],
    [
      "an active book of this year",
      published("04", "2026"),
      ['bad-value: Date has the value "2026", not a date of the form YYYYMMDD.'],
    ],
    [
      "a cancelled book that is available",
      availability("21", "01"),
      ["status-contradiction: The publishing status is cancelled (01), but the availability is 21."],
    ],
    [
      "an active book that is cancelled",
      availability("01", "04"),
      ["status-contradiction: The publishing status is active (04), but the availability is 01."],
    ],
    ["an active book that is out of stock", availability("31", "04"), []],
  ])("%s", (_, parts, expected) => {
    expect(texts(complaintsOf(parts))).toEqual(expected);
  });
});

describe("completeness", () => {
  const namesOf = (bits: number) => NEEDS.filter((_, index) => bits & (1 << index)).map(({ name }) => name);
  const unmet = (product: string, header = "") => {
    const { completeness } = scan(product, { header });
    return namesOf(unmetNeeds(completeness));
  };

  test("finds everything in a complete product", () => {
    const { completeness } = scan(completeProduct());
    expect(assessedNeeds(completeness)).toBe((1 << NEEDS.length) - 1);
    expect(unmetNeeds(completeness)).toBe(0);
  });

  test.each<[string, ProductParts, string[]]>([
    ["no collateral", { collateral: "" }, ["description", "cover"]],
    ["no supply", { supply: "" }, ["availability", "price"]],
    ["no publishing details", { publishing: "" }, ["publisher", "publication date", "publishing status"]],
    [
      "a publication date that is not a date",
      status("04", publishingDate("01", "20251301")),
      ["publication date"],
    ],
    ["a price without currency", price("<PriceAmount>9.90</PriceAmount>"), ["price"]],
    ["a price on request", price("<UnpricedItemType>02</UnpricedItemType>"), []],
    ["NoContributor", { contributor: "<NoContributor/>" }, []],
    [
      "no contributor, language and subject",
      { contributor: "", language: "", subject: "" },
      ["contributor", "language", "subject"],
    ],
    ["a description of another type", collateral(DESCRIPTION.replace(">03<", ">04<")), ["description"]],
  ])("a product with %s", (_, parts, expected) => {
    expect(unmet(completeProduct(parts))).toEqual(expected as never);
  });

  test("counts the defaults of the header", () => {
    const product = completeProduct({ language: "", price: "<PriceAmount>9.90</PriceAmount>" });
    const header =
      "<DefaultLanguageOfText>spa</DefaultLanguageOfText><DefaultCurrencyCode>EUR</DefaultCurrencyCode>";
    expect(unmet(product, header)).toEqual([]);
  });

  test("assesses only the blocks that an update carries", () => {
    const { completeness, complaints } = scan(
      `<Product><RecordReference>r</RecordReference><NotificationType>04</NotificationType><ProductIdentifier><ProductIDType>15</ProductIDType><IDValue>9788437604947</IDValue></ProductIdentifier><CollateralDetail>${DESCRIPTION}</CollateralDetail></Product>`,
    );
    expect(texts(complaints)).toEqual([
      "incomplete: The product has no cover (a SupportingResource of content type 01 or 03 and mode 03 with an http or https link).",
    ]);
    expect(namesOf(assessedNeeds(completeness))).toEqual(["description", "cover"]);
  });

  test("assesses nothing of a deletion", () => {
    const { completeness, complaints } = scan(
      "<Product><RecordReference>r</RecordReference><NotificationType>05</NotificationType><ProductIdentifier><ProductIDType>15</ProductIDType><IDValue>9788437604947</IDValue></ProductIdentifier></Product>",
    );
    expect(completeness).toBe(0);
    expect(texts(complaints)).toEqual([]);
  });
});
