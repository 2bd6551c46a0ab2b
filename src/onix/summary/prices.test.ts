import { describe, expect, test } from "bun:test";
import { PLAIN_PRICE, summaryOfBlocks } from "../testing/summaries.ts";

const price = (amount: string, xml = "", start = "") =>
  `<Price><PriceType>02</PriceType>${start}<PriceAmount>${amount}</PriceAmount>${xml}<CurrencyCode>EUR</CurrencyCode></Price>`;
const supply = (xml: string, market = "") =>
  `<ProductSupply>${market}<SupplyDetail>${xml}</SupplyDetail></ProductSupply>`;
const date = (role: string, text: string, format = "") =>
  `<PriceDate><PriceDateRole>${role}</PriceDateRole><Date${format && ` dateformat="${format}"`}>${text}</Date></PriceDate>`;
const pricesOf = async (blocks: string) => (await summaryOfBlocks(blocks)).prices;

describe("the prices of a summary", () => {
  test("are those of all suppliers that have an amount", async () => {
    const unpriced = "<UnpricedItemType>01</UnpricedItemType>";
    const blocks = supply(unpriced) + supply(price("9.50") + price("12")) + supply(price("8.10"));
    expect(await pricesOf(blocks)).toEqual([
      PLAIN_PRICE,
      { ...PLAIN_PRICE, amount: "12" },
      { ...PLAIN_PRICE, amount: "8.10" },
    ]);
  });

  test("have the amount that a decimal comma means, and null for what is no number", async () => {
    const amounts = ["1,99", "ten euro", "1.234,50", ""].map((amount) => price(amount));
    const prices = await pricesOf(supply(amounts.join("")));
    expect(prices.map(({ amount }) => amount)).toEqual(["1.99", null, null, null]);
  });

  test.each([
    [date("14", "20240101") + date("15", "20240229"), "2024-01-01", "2024-02-29"],
    [date("14", "202402") + date("15", "202402"), "2024-02-01", "2024-02-29"],
    [date("15", "2024"), null, "2024-12-31"],
    [date("15", "202409", "02"), null, "2024-03-03"],
    [date("15", "20241", "03"), null, "2024-03-31"],
    [date("15", "2024010120240131", "06"), null, "2024-01-31"],
    [date("24", "2024010120240131"), "2024-01-01", "2024-01-31"],
    [date("24", "202401202402", "07"), "2024-01-01", "2024-02-29"],
    [date("24", "202401202402", "08"), "2024-01-01", "2024-01-14"],
    [date("24", "2024120242", "09"), "2024-01-01", "2024-06-30"],
    [date("24", "20232024", "11"), "2023-01-01", "2024-12-31"],
    [date("24", "20242026", "11"), "2024-01-01", "2026-12-31"],
    [date("24", "2024013120240101"), null, null],
    [date("24", "20240101"), null, null],
    [date("14", "soon"), null, null],
  ])("hold from the first to the last day of %s", async (xml, from, until) => {
    expect(await pricesOf(supply(price("9.50", xml)))).toEqual([{ ...PLAIN_PRICE, from, until }]);
  });

  test("have their own territory or that of the market", async () => {
    const territory =
      "<Territory><RegionsIncluded>WORLD</RegionsIncluded><CountriesExcluded>US CA</CountriesExcluded></Territory>";
    const market = "<Market><Territory><CountriesIncluded>ES PT</CountriesIncluded></Territory></Market>";
    expect(await pricesOf(supply(price("9.50", territory) + price("8"), market))).toEqual([
      { ...PLAIN_PRICE, territory: "WORLD -US -CA" },
      { ...PLAIN_PRICE, amount: "8", territory: "ES PT" },
    ]);
  });

  test("say for whom they are, and under which conditions", async () => {
    const rental =
      "<PriceCondition><PriceConditionType>10</PriceConditionType><PriceConditionQuantity>" +
      "<PriceConditionQuantityType>01</PriceConditionQuantityType><Quantity>7</Quantity><QuantityUnit>07</QuantityUnit>" +
      "</PriceConditionQuantity></PriceCondition>";
    const linked = "<PriceCondition><PriceConditionType>06</PriceConditionType></PriceCondition>";
    const tax =
      "<Tax><TaxType>01</TaxType><TaxRateCode>R</TaxRateCode><TaxRatePercent>4</TaxRatePercent>" +
      "<TaxableAmount>9,13</TaxableAmount><TaxAmount>0.37</TaxAmount></Tax>";
    const licence =
      "<PriceConstraint><PriceConstraintType>07</PriceConstraintType><PriceConstraintStatus>02</PriceConstraintStatus>" +
      "<PriceConstraintLimit><Quantity>7</Quantity><PriceConstraintUnit>09</PriceConstraintUnit></PriceConstraintLimit>" +
      "</PriceConstraint><PriceConstraint><PriceConstraintType>02</PriceConstraintType>" +
      "<PriceConstraintStatus>03</PriceConstraintStatus></PriceConstraint>";
    const library = "<PriceQualifier>06</PriceQualifier>";
    const prices = [
      price("9.50", tax),
      price("9.50", "", library),
      price("9.50", "", rental + linked),
      price("9.50", "", "<MinimumOrderQuantity>10</MinimumOrderQuantity>"),
      price("9.50", "", `<PricePer>01</PricePer>${licence}`),
    ];
    expect(await pricesOf(supply(prices.join("")))).toEqual([
      { ...PLAIN_PRICE, taxes: [{ type: "01", rate: "R", percent: "4", taxable: "9.13", amount: "0.37" }] },
      { ...PLAIN_PRICE, qualifier: "06" },
      {
        ...PLAIN_PRICE,
        conditions: [
          { type: "10", quantity: "7", unit: "07" },
          { type: "06", quantity: null, unit: null },
        ],
      },
      { ...PLAIN_PRICE, minimumQuantity: 10 },
      {
        ...PLAIN_PRICE,
        constraints: [
          { type: "07", status: "02", quantity: "7", unit: "09" },
          { type: "02", status: "03", quantity: null, unit: null },
        ],
        per: "01",
      },
    ]);
  });
});
