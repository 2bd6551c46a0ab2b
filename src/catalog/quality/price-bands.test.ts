import { expect, test } from "bun:test";
import type { Price } from "../../onix/summary/prices.ts";
import { PLAIN_PRICE } from "../../onix/testing/summaries.ts";
import { BAND_STARTS, bandKeysOf, bandOfKey } from "./price-bands.ts";

const price = (amount: string, currency: string | null = "EUR", type: string | null = "04"): Price => ({
  ...PLAIN_PRICE,
  amount,
  currency,
  type,
});

test.each([
  ["0.01", "EUR 0"],
  ["0.99", "EUR 0"],
  ["1", "EUR 1"],
  ["9.99", "EUR 7"],
  ["10", "EUR 10"],
  ["14.999", "EUR 10"],
  ["15.00", "EUR 15"],
  ["1500", "EUR 1500"],
  ["999999.99", "EUR 700000"],
  ["1000000", "EUR 1000000"],
  ["99999999999999999999", "EUR 1000000"],
])("returns the band of %s", (amount, key) => {
  expect(bandKeysOf([price(amount)])).toEqual([key]);
});

test("returns one band for each currency: of the first consumer price, on whatever days it holds", () => {
  const library = { ...price("10"), qualifier: "06" };
  const expired = { ...price("50"), until: "2001-12-31" };
  const prices = [price("8", "EUR", "05"), library, expired, price("70"), price("30", "USD", null)];
  expect(bandKeysOf(prices)).toEqual(["EUR 50", "USD 30"]);
});

test("returns none for amounts and currencies that are not valid", () => {
  const unread = { ...price(""), amount: null };
  expect(bandKeysOf([unread, price("0"), price("5", null), price("5", "eur"), price("5", "EURO")])).toEqual(
    [],
  );
  expect(bandKeysOf([])).toEqual([]);
});

test("returns at most 20 currencies", () => {
  const letters = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"];
  expect(bandKeysOf(letters.map((letter) => price("5", `AA${letter}`)))).toHaveLength(20);
});

test("returns the bounds of every band, which follow each other", () => {
  expect(BAND_STARTS.slice(0, 9)).toEqual([0, 1, 1.5, 2, 3, 5, 7, 10, 15]);
  BAND_STARTS.forEach((from, index) => {
    const below = BAND_STARTS[index + 1];
    expect(bandOfKey(`JPY ${from}`)).toEqual({ currency: "JPY", from, below });
    if (below !== undefined) expect(below).toBeGreaterThan(from);
  });
});
