/** The texts of the page in English and Spanish. Each folder has a table of its own in `texts.ts`. */
import { useObservable } from "./observable.ts";
import { type Language, LOCALES, language } from "./settings.ts";

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
  return formatsOf(useObservable(language));
}

export interface Formats {
  readonly number: (value: number) => string;
  /** `day` is YYYY-MM-DD. */
  readonly day: (day: string) => string;
  readonly price: (amount: string, currency: string | null) => string;
}

const made = new Map<Language, Formats>();

function formatsOf(language: Language): Formats {
  const known = made.get(language);
  if (known) return known;
  const tag = LOCALES[language];
  const numbers = new Intl.NumberFormat(tag, { useGrouping: "min2" });
  const days = new Intl.DateTimeFormat(tag, { dateStyle: "medium", timeZone: "UTC" });
  const formats: Formats = {
    number: (value) => numbers.format(value),
    day: (day) => {
      const date = new Date(`${day}T00:00:00Z`);
      return Number.isNaN(date.getTime()) ? day : days.format(date);
    },
    price: (amount, currency) => {
      try {
        // A string keeps every digit: an amount must not be rounded.
        return new Intl.NumberFormat(tag, { style: "currency", currency: currency ?? "" }).format(
          amount as unknown as number,
        );
      } catch {
        return [amount, currency].filter(Boolean).join(" ");
      }
    },
  };
  made.set(language, formats);
  return formats;
}
