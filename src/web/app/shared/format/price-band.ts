/** Price bands in words. The filter `price` names a band by its currency and its lower bound, such as `EUR 15`. */
import type { Language } from "../../../../client/labels.ts";
import { amountText } from "./quantities.ts";

export interface PriceBand {
  readonly currency: string;
  readonly from: number;
  /** Null for the highest band. */
  readonly below: number | null;
}

/** The lower bounds in each power of ten, and the first of the next one. `docs/quality.md` has the rule. */
const STEPS = [1, 1.5, 2, 3, 5, 7, 10];
const HIGHEST = 1_000_000;

/** Returns the band of a filter's value, or undefined when no band begins there. */
export function priceBandOf(value: string): PriceBand | undefined {
  const [, currency = "", start] = /^([A-Z]{3})[ -]?([0-9.]+)$/i.exec(value) ?? [];
  const from = Number(start);
  const unit = from === 0 ? 1 : 10 ** Math.floor(Math.log10(from));
  const at = STEPS.indexOf(from / unit);
  if (from !== 0 && (at < 0 || from < 1 || from > HIGHEST)) return undefined;
  const below = from === 0 ? 1 : STEPS[at + 1]! * unit;
  return { currency: currency.toUpperCase(), from, below: from === HIGHEST ? null : below };
}

export function bandText({ currency, from, below }: PriceBand, language: Language): string {
  const isSpanish = language === "spa";
  const [first, end] = [from, below ?? from].map((value) => amountText(String(value), currency, language));
  if (below === null) return isSpanish ? `${first} o más` : `${first} and more`;
  if (from === 0) return isSpanish ? `menos de ${end}` : `below ${end}`;
  return isSpanish ? `de ${first} a ${end}` : `${first} to ${end}`;
}
