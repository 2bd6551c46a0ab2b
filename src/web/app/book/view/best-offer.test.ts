import { expect, test } from "bun:test";
import type { Book } from "../../../../client/generated/book.ts";
import { describedIn } from "../testing/record-values.ts";
import { bestOfferOf } from "./best-offer.ts";
import { bookViewOf } from "./book-view.ts";
import { isAvailable } from "./supply.ts";

const context = { language: "eng", today: "20240615" } as const;

function offerOf(...supplies: object[]) {
  return offerIn("", ...supplies);
}

function offerIn(market: string, ...supplies: object[]) {
  const book = { RecordReference: "9788437604947", ProductSupply: supplies };
  const view = bookViewOf(describedIn(book, "eng"), context);
  return bestOfferOf(book as unknown as Book, view.offers, context, market);
}

const price = (PriceAmount: string, more = {}) => ({
  PriceType: "02",
  PriceAmount,
  CurrencyCode: "EUR",
  ...more,
});
const supply = (ProductAvailability: string, ...Price: object[]) => ({
  SupplyDetail: [{ ProductAvailability, Price }],
});

test("the head of the page has the consumer price of today and the best availability", () => {
  const until = [{ PriceDateRole: "15", "Date@dateformat": "03", Date: "20241" }];
  const offer = offerOf(
    supply("40", price("5", { PriceQualifier: "06" }), price("6", { PriceDate: until })),
    supply("20", price("1,99")),
  );
  expect(offer).toMatchObject({
    amount: { text: "€1.99", raw: "1.99" },
    type: { raw: "02" },
    availability: { text: "Available", raw: "20" },
  });
  expect(isAvailable(offer.availability!)).toBe(true);
});

test("the head of the page has no amount that cannot be read", () => {
  const offer = offerOf(supply("31", price("ten euro")));
  expect(offer).toMatchObject({ amount: undefined, availability: { raw: "31" } });
  expect(isAvailable(offer.availability!)).toBe(false);
});

test("the head of the page has the price and the availability of a market", () => {
  const market = (CountriesIncluded: string) => ({ Market: [{ Territory: { CountriesIncluded } }] });
  const spain = { ...market("ES"), ...supply("21", price("10", { Territory: { CountriesIncluded: "ES" } })) };
  const mexico = {
    ...market("MX"),
    ...supply("40", price("12", { Territory: { CountriesIncluded: "MX" } })),
  };
  expect(offerIn("MX", spain, mexico)).toMatchObject({ amount: { raw: "12" }, availability: { raw: "40" } });
  expect(offerIn("ES", spain, mexico)).toMatchObject({ amount: { raw: "10" }, availability: { raw: "21" } });
  expect(offerIn("FR", spain, mexico)).toMatchObject({ amount: undefined, isSold: false });
});
