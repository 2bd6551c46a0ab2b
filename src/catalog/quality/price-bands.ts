/** The price bands that the books of a catalog are counted in. They are bands of any currency, without exchange rates. */
import { amountOf } from "../../onix/completeness/book-needs.ts";
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

/** PriceType (list 58) of what a consumer pays with tax, then of what a consumer pays without it. Others follow. */
const TYPE_RANKS: Readonly<Record<string, number>> = { "02": 0, "04": 0, "01": 1, "03": 1 };
const OTHER_TYPES = 2;

export interface PriceBand {
  readonly currency: string;
  readonly from: number;
  /** Undefined for the highest band. */
  readonly below: number | undefined;
}

/**
 * Returns the bands of a book, one for each currency: that of its first price with the best type. `bandOfKey` reads
 * them.
 */
export function bandKeysOf(prices: readonly Price[]): readonly string[] {
  if (prices.length === 0) return NO_BANDS;
  const best = new Map<string, { readonly rank: number; readonly key: string }>();
  for (const { amount, currency, type } of prices) {
    const number = amountOf(amount);
    if (!(number > 0) || currency === null || !CURRENCY.test(currency)) continue;
    const rank = TYPE_RANKS[type ?? ""] ?? OTHER_TYPES;
    const known = best.get(currency);
    if (known === undefined ? best.size >= MAX_CURRENCIES : known.rank <= rank) continue;
    best.set(currency, { rank, key: `${currency} ${bandStart(number)}` });
  }
  return Array.from(best.values(), ({ key }) => key);
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
