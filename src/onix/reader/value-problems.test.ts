import { describe, expect, test } from "bun:test";
import { readOne } from "../testing/scan-message.ts";
import { parseSummary } from "../testing/summaries.ts";

const inDetail = (xml: string) => ({ detail: xml });
const inPrice = (xml: string, before = "") => ({
  blocks: `<ProductSupply><SupplyDetail><Price>${before}<PriceAmount>9.50</PriceAmount>${xml}<CurrencyCode>EUR</CurrencyCode></Price></SupplyDetail></ProductSupply>`,
});
const extent = (type: string, value: string, unit: string) =>
  inDetail(
    `<Extent><ExtentType>${type}</ExtentType><ExtentValue>${value}</ExtentValue><ExtentUnit>${unit}</ExtentUnit></Extent>`,
  );
const edition = (number: string) => inDetail(`<EditionNumber>${number}</EditionNumber>`);
const contributor = (number: string) =>
  inDetail(
    `<Contributor><SequenceNumber>${number}</SequenceNumber><ContributorRole>A01</ContributorRole></Contributor>`,
  );
const priceDate = (role: string, date: string) =>
  inPrice(`<PriceDate><PriceDateRole>${role}</PriceDateRole>${date}</PriceDate>`);
const minimum = (quantity: string) => inPrice("", `<MinimumOrderQuantity>${quantity}</MinimumOrderQuantity>`);
const condition = (quantity: string) =>
  inPrice(
    "",
    "<PriceCondition><PriceConditionType>10</PriceConditionType><PriceConditionQuantity>" +
      `<PriceConditionQuantityType>01</PriceConditionQuantityType><Quantity>${quantity}</Quantity>` +
      "<QuantityUnit>07</QuantityUnit></PriceConditionQuantity></PriceCondition>",
  );
const tax = (name: string, value: string) =>
  inPrice(`<Tax><TaxType>01</TaxType><${name}>${value}</${name}></Tax>`);

const cover = (link: string, contentType = "01") => ({
  blocks:
    `<CollateralDetail><SupportingResource><ResourceContentType>${contentType}</ResourceContentType>` +
    "<ContentAudience>00</ContentAudience><ResourceMode>03</ResourceMode><ResourceVersion>" +
    `<ResourceForm>02</ResourceForm><ResourceLink>${link}</ResourceLink></ResourceVersion>` +
    "</SupportingResource></CollateralDetail>",
});
const coverProblem = (link: string) =>
  link === ""
    ? "bad-value: The ResourceLink of the cover is empty."
    : `bad-value: The ResourceLink of the cover has the value "${link}", which is not an http or https address.`;

const pages = "a whole number of at most nine digits";
const is = (element: string, value: string, expected: string) =>
  `bad-value: ${element} has the value "${value}", which is not ${expected}.`;
const ofDate = (value: string, expected = "a date") => is("The Date of a PriceDate", value, expected);

describe("an import warns of a value that a summary cannot read", () => {
  test.each([
    [extent("00", "320 p.", "03"), is("ExtentValue", "320 p.", pages)],
    [extent("00", "320.5", "03"), is("ExtentValue", "320.5", pages)],
    [extent("00", "1234567890", "03"), is("ExtentValue", "1234567890", pages)],
    [extent("00", "", "03"), "bad-value: ExtentValue is empty."],
    [extent("09", "2h", "05"), is("ExtentValue", "2h", "a duration in unit 05 of list 24")],
    [extent("09", "1234567", "15"), is("ExtentValue", "1234567", "a duration in unit 15 of list 24")],
    ...["00199", "199"].map(
      (value) =>
        [extent("09", value, "15"), is("ExtentValue", value, "a duration in unit 15 of list 24")] as const,
    ),
    [extent("09", "0010099", "16"), is("ExtentValue", "0010099", "a duration in unit 16 of list 24")],
    [extent("09", "1000001", "05"), is("ExtentValue", "1000001", "a duration in unit 05 of list 24")],
    [extent("09", "1,5", "04"), 'decimal-comma: ExtentValue has a decimal comma: "1,5" is read as 1.5.'],
    [edition("2nd"), is("EditionNumber", "2nd", pages)],
    [edition("2&amp;"), is("EditionNumber", "2&", pages)],
    [contributor("first"), is("SequenceNumber", "first", pages)],
    [minimum("10+"), is("MinimumOrderQuantity", "10+", pages)],
    [condition("a week"), is("Quantity", "a week", "a number")],
    [tax("TaxRatePercent", "4 %"), is("TaxRatePercent", "4 %", "a number")],
    [tax("TaxableAmount", "1.234,50"), is("TaxableAmount", "1.234,50", "a number")],
    [tax("TaxAmount", "0,37"), 'decimal-comma: TaxAmount has a decimal comma: "0,37" is read as 0.37.'],
    ...["www.publisher.example/c.jpg", "//cdn.example/c.jpg", ""].map(
      (link) => [cover(link), coverProblem(link)] as const,
    ),
    [priceDate("14", "<Date>soon</Date>"), ofDate("soon")],
    [priceDate("15", "<Date>20240230</Date>"), ofDate("20240230")],
    [priceDate("24", "<Date>20240101</Date>"), ofDate("20240101", "a spread of dates")],
    [priceDate("24", "<Date>2024013120240101</Date>"), ofDate("2024013120240101", "a spread of dates")],
    [priceDate("14", "<Date/>"), "bad-value: The Date of a PriceDate is empty."],
    [priceDate("14", ""), "bad-value: The Date of a PriceDate is empty."],
    [priceDate("14", '<Date dateformat="20">14450101</Date>'), ofDate("14450101")],
  ])("%j", async (options, expected) => {
    const { complaints } = await readOne(options);
    expect(complaints.map(({ kind, text }) => `${kind}: ${text}`)).toEqual([expected]);
  });

  test.each([
    extent("00", "320", "03"),
    extent("00", "123456789", "03"),
    extent("02", "about 9,000", "02"),
    extent("22", "12 MB", "19"),
    extent("09", "1.25", "04"),
    extent("09", "01230", "15"),
    extent("09", "90", "15"),
    extent("09", "00090", "15"),
    extent("09", "0012345", "16"),
    edition("2"),
    cover("https://publisher.example/c.jpg"),
    cover("HTTP://publisher.example/a b.jpg"),
    cover("c.jpg", "17"),
    contributor("1"),
    minimum("10"),
    condition("7.5"),
    tax("TaxRatePercent", "4"),
    priceDate("14", "<Date>20240115</Date>"),
    priceDate("24", "<Date>2024010120240131</Date>"),
    priceDate("15", '<Date dateformat="02">202409</Date>'),
    inDetail(
      "<EpubUsageConstraint><EpubUsageLimit><Quantity>some</Quantity></EpubUsageLimit></EpubUsageConstraint>",
    ),
  ])("not of %j", async (options) => expect((await readOne(options)).complaints).toEqual([]));

  test("names the element and its place", async () => {
    const [complaint] = (await readOne(priceDate("14", "<Date>soon</Date>"))).complaints;
    expect(complaint).toMatchObject({ element: "Date", value: "soon" });
    expect((await readOne(priceDate("14", ""))).complaints[0]).toMatchObject({ element: "PriceDate" });
    expect((await readOne(edition("2nd"))).complaints[0]).toMatchObject({
      element: "EditionNumber",
      value: "2nd",
    });
  });
});

test("units that are names of JavaScript are none", async () => {
  const { body } = await readOne(extent("09", "90", "constructor"));
  expect(parseSummary(body).duration).toBeNull();
});
