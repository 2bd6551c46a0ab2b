/** `lang` attributes from ONIX language codes (list 74, ISO 639-2/B). They choose fonts, hyphens and voices. */

/** The codes whose ISO 639-2/B form is not that of ISO 639-3, which BCP 47 knows. */
const BIBLIOGRAPHIC = {
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
/** The first call of `Intl` takes 7 ms, which the languages of most books do not need. */
const TAGS: Readonly<Record<string, string>> = { ...BIBLIOGRAPHIC, eng: "en", spa: "es", cat: "ca" };

/** Returns a BCP 47 tag, or undefined for what is no language code. */
export function languageTag(code: string | undefined): string | undefined {
  if (code === undefined || !/^[a-z]{3}$/i.test(code)) return undefined;
  const lower = code.toLowerCase();
  return TAGS[lower] ?? Intl.getCanonicalLocales(lower)[0];
}
