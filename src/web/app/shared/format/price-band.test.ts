import { expect, test } from "bun:test";
import { bandText, priceBandOf } from "./price-band.ts";

const STARTS = [0, 1, 1.5, 2, 3, 5, 7, 10, 15, 20, 30, 50, 70, 100];

test("a band ends where the next one of the catalog begins", () => {
  for (const [at, from] of STARTS.slice(0, -1).entries()) {
    expect(priceBandOf(`EUR ${from}`)).toEqual({ currency: "EUR", from, below: STARTS[at + 1]! });
  }
});

test.each(["EUR 14", "EUR", "15", "EUR 1e3", "EUR 0.5", "EUR 10000000"])("%j is no band", (value) => {
  expect(priceBandOf(value)).toBeUndefined();
});

test("the lowest and the highest band have one bound", () => {
  const words = ["EUR 0", "eur7", "EUR 1000000"].map((value) => bandText(priceBandOf(value)!, "eng"));
  expect(words).toEqual(["below €1.00", "€7.00 to €10.00", "€1,000,000.00 and more"]);
});
