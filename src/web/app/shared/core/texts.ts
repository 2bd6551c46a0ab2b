/** The texts of the page in English and Spanish. Each folder has a table of its own in `texts.ts`. */
import { dateText, momentText, monthName } from "../format/dates.ts";
import { bandText, type PriceBand } from "../format/price-band.ts";
import {
  amountText,
  countText,
  durationText,
  numberText,
  shareText,
  shortCountText,
  sizeText,
} from "../format/quantities.ts";
import { useObservable } from "./observable.ts";
import { type Language, language } from "./settings.ts";

export interface Bilingual<T> {
  readonly eng: T;
  readonly spa: T;
}

/** The compiler refuses a table that lacks a text in one of the languages. */
export function bilingual<T>(eng: T, spa: NoInfer<T>): Bilingual<T> {
  return { eng, spa };
}

export function useTexts<T>(table: Bilingual<T>): T {
  return table[useObservable(language)];
}

/** Formats numbers, days and amounts as the chosen language does. */
export function useFormats(): Formats {
  return FORMATS[useObservable(language)];
}

export interface Formats {
  readonly number: (count: number) => string;
  /** 12K instead of 12,000, for the axis of a chart. */
  readonly shortNumber: (count: number) => string;
  /** A day, a month or a year: YYYY-MM-DD, with or without hyphens. */
  readonly day: (day: string) => string;
  /** The name of a month, 1 to 12, without its year. */
  readonly month: (month: number) => string;
  /** `iso` is ISO 8601. The time is that of the reader. */
  readonly moment: (iso: string) => string;
  /** A share from 0 to 1, with one decimal. */
  readonly percent: (share: number) => string;
  /** A number with one decimal. */
  readonly decimal: (number: number) => string;
  readonly duration: (seconds: number) => string;
  readonly size: (bytes: number) => string;
  readonly priceBand: (band: PriceBand) => string;
  readonly price: (amount: string, currency: string | null) => string;
}

function formatsOf(language: Language): Formats {
  return {
    number: (count) => countText(count, language),
    shortNumber: (count) => shortCountText(count, language),
    day: (day) => dateText(day, "", language),
    month: (month) => monthName(month, language),
    moment: (iso) => momentText(iso, language),
    percent: (share) => shareText(share, language),
    decimal: (number) => numberText(number.toFixed(1), language),
    duration: (seconds) => durationText(seconds, language),
    size: (bytes) => sizeText(bytes, language),
    priceBand: (band) => bandText(band, language),
    price: (amount, currency) => amountText(amount, currency ?? "", language),
  };
}

const FORMATS: Readonly<Record<Language, Formats>> = { eng: formatsOf("eng"), spa: formatsOf("spa") };
