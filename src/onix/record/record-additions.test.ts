/** What a record has although its product lacks it: the defaults of the header. */
import { describe, expect, test } from "bun:test";
import type { ScannedProduct } from "../scanned-product.ts";
import { message, type ProductOptions, product } from "../testing/message.ts";
import { recordOf, scanMessage } from "../testing/scan-message.ts";
import type { RecordFields } from "./record-fields.ts";

const ALL_DEFAULTS =
  "<DefaultLanguageOfText>cat</DefaultLanguageOfText><DefaultPriceType>02</DefaultPriceType>" +
  "<DefaultCurrencyCode>EUR</DefaultCurrencyCode>";

async function scanWithDefaults(options: ProductOptions, defaults = ALL_DEFAULTS): Promise<ScannedProduct> {
  const xml = message(product(options)).replace("</Header>", `${defaults}</Header>`);
  return (await scanMessage(xml)).products[0]!;
}

const detailOf = (product: ScannedProduct) => recordOf(product).DescriptiveDetail as RecordFields;
const originOf = ({ origin }: ScannedProduct) => JSON.parse(origin);

describe("the header's language of text", () => {
  const language = (role: string, code: string) =>
    `<Language><LanguageRole>${role}</LanguageRole><LanguageCode>${code}</LanguageCode></Language>`;

  test("is a Language of role 01 in a product that states none, in its place", async () => {
    const product = await scanWithDefaults({ languages: [], detail: "<Extent/>" });
    expect(detailOf(product).Language).toEqual({ LanguageRole: "01", LanguageCode: "cat" });
    expect(Object.keys(detailOf(product)).slice(-3)).toEqual(["NoEdition", "Language", "Extent"]);
    expect(originOf(product)).toMatchObject({ defaults: { DefaultLanguageOfText: [0] } });
    expect(product.index.languages).toEqual(["cat"]);
    expect(product.complaints).toEqual([]);
  });

  test("comes after languages of other roles", async () => {
    const product = await scanWithDefaults({ languages: [], detail: language("02", "eng") });
    expect(detailOf(product).Language).toEqual([
      { LanguageRole: "02", LanguageCode: "eng" },
      { LanguageRole: "01", LanguageCode: "cat" },
    ]);
    expect(product.index.languages).toEqual(["cat"]);
  });

  test("is not used when the product states a language of text", async () => {
    const product = await scanWithDefaults({ languages: ["spa"], detail: language("02", "eng") });
    expect(detailOf(product).Language).toEqual([
      { LanguageRole: "01", LanguageCode: "spa" },
      { LanguageRole: "02", LanguageCode: "eng" },
    ]);
    expect(originOf(product)).not.toHaveProperty("defaults");
    expect(product.index.languages).toEqual(["spa"]);
  });

  test("is not used for a product without DescriptiveDetail, or for its repetition", async () => {
    const none = await scanWithDefaults({ blocks: "<CollateralDetail/>" });
    expect(recordOf(none)).not.toHaveProperty("DescriptiveDetail");
    expect(none.index.languages).toEqual([]);
    const twice = await scanWithDefaults({ blocks: "<DescriptiveDetail/><DescriptiveDetail/>" });
    expect(recordOf(twice)).toMatchObject({
      DescriptiveDetail: { Language: { LanguageRole: "01", LanguageCode: "cat" } },
      "DescriptiveDetail#more": [{}],
    });
    expect((recordOf(twice)["DescriptiveDetail#more"] as RecordFields[])[0]).toEqual({});
  });

  test("is used for an update that has DescriptiveDetail", async () => {
    const product = await scanWithDefaults({ notification: "04", languages: [] });
    expect(product.action).toBe("update");
    expect(product.index.languages).toEqual(["cat"]);
    expect(detailOf(product).Language).toEqual({ LanguageRole: "01", LanguageCode: "cat" });
  });
});

describe("the header's price type and currency", () => {
  const supply = (...prices: readonly string[]) =>
    `<ProductSupply><SupplyDetail>${prices.map((price) => `<Price>${price}</Price>`).join("")}</SupplyDetail></ProductSupply>`;
  const pricesOf = (product: ScannedProduct) => {
    const [{ SupplyDetail }] = recordOf(product).ProductSupply as [{ SupplyDetail: [{ Price: unknown }] }];
    return SupplyDetail[0].Price;
  };

  test("are in each price that has an amount, in the order of the standard", async () => {
    const product = await scanWithDefaults({
      blocks: supply(
        "<PriceAmount>9.90</PriceAmount>",
        "<PriceAmount>8</PriceAmount><PriceStatus>02</PriceStatus>",
      ),
    });
    expect(JSON.stringify(pricesOf(product))).toBe(
      '[{"PriceType":"02","PriceAmount":"9.90","CurrencyCode":"EUR"},' +
        '{"PriceType":"02","PriceStatus":"02","PriceAmount":"8","CurrencyCode":"EUR"}]',
    );
    expect(originOf(product).defaults).toEqual({ DefaultPriceType: [0, 1], DefaultCurrencyCode: [0, 1] });
    expect(product.complaints).toEqual([]);
  });

  test("do not replace those of a price, and are not in a price without an amount", async () => {
    const product = await scanWithDefaults({
      blocks: supply(
        "<PriceType>04</PriceType><PriceAmount>1</PriceAmount><CurrencyCode>USD</CurrencyCode>",
        "<PriceType>04</PriceType><PriceAmount>2</PriceAmount>",
        "<PriceAmount>3</PriceAmount><CurrencyCode>USD</CurrencyCode>",
        "<UnpricedItemType>01</UnpricedItemType>",
        "<PriceAmount/>",
      ),
    });
    expect(pricesOf(product)).toEqual([
      { PriceType: "04", PriceAmount: "1", CurrencyCode: "USD" },
      { PriceType: "04", PriceAmount: "2", CurrencyCode: "EUR" },
      { PriceType: "02", PriceAmount: "3", CurrencyCode: "USD" },
      { UnpricedItemType: "01" },
      { PriceAmount: "" },
    ]);
    expect(originOf(product).defaults).toEqual({ DefaultPriceType: [2], DefaultCurrencyCode: [1] });
  });

  test("are counted over all prices of the product", async () => {
    const product = await scanWithDefaults({
      blocks: supply("<UnpricedItemType>01</UnpricedItemType>") + supply("<PriceAmount>1</PriceAmount>"),
    });
    expect(originOf(product).defaults).toEqual({ DefaultPriceType: [1], DefaultCurrencyCode: [1] });
  });

  test("are used one without the other", async () => {
    const currency = "<DefaultCurrencyCode>GBP</DefaultCurrencyCode>";
    const product = await scanWithDefaults({ blocks: supply("<PriceAmount>1</PriceAmount>") }, currency);
    expect(pricesOf(product)).toEqual([{ PriceAmount: "1", CurrencyCode: "GBP" }]);
    expect(originOf(product).defaults).toEqual({ DefaultCurrencyCode: [0] });
  });
});

test("a default with special characters stays valid JSON", async () => {
  const defaults = "<DefaultLanguageOfText>&quot;\\&amp;</DefaultLanguageOfText>";
  const product = await scanWithDefaults({ languages: [] }, defaults);
  expect(detailOf(product).Language).toEqual({ LanguageRole: "01", LanguageCode: '"\\&' });
});

test("an empty default is none", async () => {
  const empty = "<DefaultLanguageOfText/><DefaultPriceType> </DefaultPriceType><DefaultCurrencyCode/>";
  const product = await scanWithDefaults({ languages: [] }, empty);
  expect(detailOf(product)).not.toHaveProperty("Language");
  expect(originOf(product)).not.toHaveProperty("defaults");
});
