/** Languages of the page, and of texts in the feed, as browsers name them (BCP 47). */
import type { Language } from "../../../../client/labels.ts";

const LOCALES: Readonly<Record<Language, string>> = { eng: "en-GB", spa: "es-ES" };

export function localeOf(language: Language): string {
  return LOCALES[language];
}

/** The bibliographic codes of ISO 639-2, which ONIX list 74 uses. Browsers know the others. */
const BIBLIOGRAPHIC: Readonly<Record<string, string>> = {
  alb: "sq",
  arm: "hy",
  baq: "eu",
  bur: "my",
  chi: "zh",
  cze: "cs",
  dut: "nl",
  fre: "fr",
  geo: "ka",
  ger: "de",
  gre: "el",
  ice: "is",
  mac: "mk",
  mao: "mi",
  may: "ms",
  per: "fa",
  rum: "ro",
  slo: "sk",
  tib: "bo",
  wel: "cy",
};

/** Returns the value of a `lang` attribute, or undefined for a code that names no language. */
export function languageTag(code: string | undefined): string | undefined {
  if (code === undefined || !/^[a-z]{3}$/i.test(code)) return undefined;
  const lower = code.toLowerCase();
  // Several languages, undetermined, no linguistic content.
  if (["mul", "und", "zxx"].includes(lower)) return undefined;
  return BIBLIOGRAPHIC[lower] ?? Intl.getCanonicalLocales(lower)[0];
}

/** Joins words as the language does: "a, b and c". */
export function joined(texts: readonly string[], language: Language): string {
  return new Intl.ListFormat(localeOf(language), { type: "conjunction" }).format(texts);
}
