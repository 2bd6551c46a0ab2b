/** The texts of the page in English and Spanish. Each folder has a table of its own in `texts.ts`. */
import { dateText, localDay, momentText, monthName } from "../format/dates.ts";
import { bandText, type PriceBand } from "../format/price-band.ts";
import {
  amountText,
  booksText,
  countText,
  durationText,
  numberText,
  shareText,
  shortCountText,
  sizeText,
} from "../format/quantities.ts";
import { useObservable } from "./observable.ts";
import { type Language, language } from "./settings.ts";

interface Bilingual<T> {
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

export type Formats = Readonly<ReturnType<typeof formatsOf>>;

function formatsOf(language: Language) {
  return {
    number: (count: number) => countText(count, language),
    /** Such as "12 books". */
    books: (count: number) => booksText(count, language),
    /** 12K instead of 12,000, for the axis of a chart. */
    shortNumber: (count: number) => shortCountText(count, language),
    /** A day, a month or a year: YYYY-MM-DD, with or without hyphens. */
    day: (day: string) => dateText(day, "", language),
    /** The name of a month, 1 to 12, without its year. */
    month: (month: number) => monthName(month, language),
    /** The day of a moment. `iso` is ISO 8601. The day is that of the reader. */
    dayOf: (iso: string) => dateText(localDay(iso), "", language),
    /** `iso` is ISO 8601. The time is that of the reader. */
    moment: (iso: string) => momentText(iso, language),
    /** A share from 0 to 1, with one decimal. */
    percent: (share: number) => shareText(share, language),
    /** A number with one decimal. */
    decimal: (number: number) => numberText(number.toFixed(1), language),
    duration: (seconds: number) => durationText(seconds, language),
    size: (bytes: number) => sizeText(bytes, language),
    priceBand: (band: PriceBand) => bandText(band, language),
    price: (amount: string, currency: string | null) => amountText(amount, currency ?? "", language),
  };
}

const FORMATS: Readonly<Record<Language, Formats>> = { eng: formatsOf("eng"), spa: formatsOf("spa") };
