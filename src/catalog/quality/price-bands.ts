/** The price bands that the books of a catalog are counted in. They are bands of any currency, without exchange rates. */
import { isConsumerPrice } from "../../client/offers.ts";
import type { Price } from "../../onix/summary/prices.ts";

/** The lower bounds of the bands in each power of ten. */
const STEPS = [1, 1.5, 2, 3, 5, 7] as const;
const MAX_POWER = 6;

/** The lower bounds of all bands, ascending: 0, 1, 1.5, 2, 3, 5, 7, 10, 15, … 1,000,000. */
export const BAND_STARTS: readonly number[] = [
  0,
  ...Array.from({ length: MAX_POWER }, (_, power) => STEPS.map((step) => step * 10 ** power)).flat(),
  10 ** MAX_POWER,
];

/** ISO 4217 as ONIX list 96 writes it. */
const CURRENCY = /^[A-Z]{3}$/;
/** Bounds what a record with countless currencies costs. */
const MAX_CURRENCIES = 20;

export interface PriceBand {
  readonly currency: string;
  readonly from: number;
  /** Undefined for the highest band. */
  readonly below: number | undefined;
}

/**
 * Returns the bands of a book, one for each currency: that of its first consumer price, on whatever days it holds.
 * `bandOfKey` reads them.
 */
export function bandKeysOf(prices: readonly Price[]): readonly string[] {
  if (prices.length === 0) return NO_BANDS;
  const keys = new Map<string, string>();
  for (const price of prices) {
    const { amount, currency } = price;
    if (currency === null || keys.has(currency) || keys.size >= MAX_CURRENCIES) continue;
    if (!CURRENCY.test(currency) || !isConsumerPrice(price)) continue;
    keys.set(currency, `${currency} ${bandStart(Number(amount))}`);
  }
  return [...keys.values()];
}

const NO_BANDS: readonly string[] = [];

export function bandOfKey(key: string): PriceBand {
  const [currency = "", start] = key.split(" ");
  const from = Number(start);
  return { currency, from, below: BAND_STARTS[BAND_STARTS.indexOf(from) + 1] };
}

function bandStart(amount: number): number {
  return BAND_STARTS.findLast((start) => start <= amount)!;
}
