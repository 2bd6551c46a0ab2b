import { describe, expect, test } from "bun:test";
import { availabilityIn, covers, type OfferedPrice, priceFor } from "./offers.ts";

const price = (amount: string | null, more: Partial<OfferedPrice> = {}): OfferedPrice => ({
  amount,
  currency: "EUR",
  type: "02",
  from: null,
  until: null,
  territory: null,
  qualifier: null,
  conditions: [],
  minimumQuantity: null,
  ...more,
});
const day = "2024-06-15";

describe("priceFor", () => {
  test.each<[string, Partial<OfferedPrice>]>([
    ["a library price", { qualifier: "06" }],
    ["a rental", { conditions: [{ type: "10" }] }],
    ["a licence for seven days", { constraints: [{ type: "07", status: "02" }] }],
    ["a licence for loans", { constraints: [{ type: "16", status: "01" }] }],
    ["a page", { per: "01" }],
    ["a condition without a type", { conditions: [{ type: null }] }],
    ["a price of a supplier", { type: "05" }],
    ["a price for ten copies", { minimumQuantity: 10 }],
    ["an amount that cannot be read", { amount: null }],
    ["a price of 0", { amount: "0.00" }],
    ["an expired price", { until: "2024-06-14" }],
    ["a price to come", { from: "2024-06-16" }],
  ])("skips %s", (_, more) => {
    expect(priceFor([price("1", more), price("2"), price("3")], { day })?.amount).toBe("2");
  });

  test.each<[string, Partial<OfferedPrice>]>([
    ["with the last and the first day", { from: day, until: day }],
    ["a licence without an end", { constraints: [{ type: "07", status: "01" }] }],
    ["a copy that must not be printed", { constraints: [{ type: "02", status: "03" }], per: "00" }],
    ["for consumers", { qualifier: "05", conditions: [{ type: "00" }], minimumQuantity: 1 }],
    ["without a type", { type: null }],
    ["without tax", { type: "01" }],
  ])("takes the first price %s", (_, more) => {
    expect(priceFor([price("1", more), price("2")], { day })?.amount).toBe("1");
  });

  test("takes that of the market and of the currency", () => {
    const prices = [
      price("1", { territory: "US CA", currency: "USD" }),
      price("2", { territory: "WORLD -US -FR" }),
      price("3", { territory: "FR" }),
      price("4", { territory: "ROW", currency: "GBP" }),
    ];
    const amountIn = (market?: string, currency?: string) =>
      priceFor(prices, { day, ...(market && { market }), ...(currency && { currency }) })?.amount;
    expect(["US", "ES", "FR"].map((market) => amountIn(market))).toEqual(["1", "2", "3"]);
    expect([amountIn(undefined, "EUR"), amountIn("ES", "GBP"), amountIn("FR", "GBP")]).toEqual([
      "2",
      "4",
      undefined,
    ]);
    expect(amountIn()).toBe("1");
  });

  test("takes a price of today without a day", () => {
    const today = new Date().toISOString().slice(0, 10);
    expect(priceFor([price("1", { until: "2024-01-01" }), price("2", { from: today })])?.amount).toBe("2");
  });
});

test.each([
  [null, "ES", true],
  ["ES PT", "ES", true],
  ["ES PT", "FR", false],
  ["WORLD", "ES", true],
  ["WORLD -ES", "ES", false],
  ["WORLD -ES-CN", "ES", true],
  ["-US", "ES", true],
  ["-US", "US", false],
  ["GB-ENG", "GB", true],
  ["ES-CN", "GB", false],
  ["ECZ", "ES", true],
  ["ECZ", "GB", false],
  ["ECZ -ES", "ES", false],
  ["WORLD -ECZ", "ES", false],
  ["WORLD -ECZ", "GB", true],
  ["ROW", "ES", true],
])("the territory %p covers %s: %p", (territory, country, isCovered) => {
  expect(covers(territory, country, [{ territory }])).toBe(isCovered);
});

describe("availabilityIn", () => {
  const market = (territory: string | null, availability: string | null) => ({ territory, availability });

  test("is that of the markets with the country, and the best of several", () => {
    const markets = [market("US", "31"), market("ES FR", "20"), market("FR", "21"), market("PT", null)];
    const found = ["US", "ES", "FR", "PT", "IT"].map((country) => availabilityIn(markets, country));
    expect(found).toEqual(["31", "20", "21", null, undefined]);
  });

  test("is that of the rest of the world for countries that no market names", () => {
    const markets = [market("US CA", "31"), market("ROW", "20"), market("WORLD -MX", "40")];
    expect(["US", "ES", "MX"].map((country) => availabilityIn(markets, country))).toEqual(["31", "20", "20"]);
  });

  test("is the same everywhere without a territory", () => {
    expect(availabilityIn([market(null, "20")], "ES")).toBe("20");
    expect(availabilityIn([], "ES")).toBeUndefined();
  });
});
