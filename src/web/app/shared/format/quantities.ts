/** Amounts of money, measures and extents in the words of a language. What is no number is never formatted as one. */
import type { Language } from "../../../../client/labels.ts";
import { formatter } from "./intl.ts";

const DECIMAL = /^\d{1,15}(?:\.(\d{1,10}))?$/;
/** Numbers of four digits stand beside longer ones, so they are grouped as well. */
const GROUPED = { useGrouping: "always" } as const;

const SEPARATORS = { eng: { group: ",", decimal: "." }, spa: { group: ".", decimal: "," } } as const;
/** The currencies of most prices. All have two decimals. */
const SYMBOLS: Readonly<Record<Language, Readonly<Record<string, string>>>> = {
  eng: { EUR: "€", USD: "US$", GBP: "£" },
  spa: { EUR: "€", USD: "US$", GBP: "GBP" },
};

/** Returns the amount in the format of the language. Never rounds it, and returns what is no number as it is. */
export function amountText(amount: string, currency: string, language: Language): string {
  const [, decimals] = DECIMAL.exec(amount) ?? [];
  if (!DECIMAL.test(amount) || !/^[A-Z]{3}$/i.test(currency)) return `${amount} ${currency}`.trim();
  const symbol = SYMBOLS[language][currency.toUpperCase()];
  if (symbol !== undefined) {
    const digits = digitsText(amount, 2, language);
    return language === "spa" ? `${digits}\u00a0${symbol}` : symbol + digits;
  }
  const format = formatter(Intl.NumberFormat, language, {
    ...GROUPED,
    style: "currency",
    currency: currency.toUpperCase(),
    ...(isWhole(amount) ? {} : { maximumFractionDigits: Math.max(2, decimals?.length ?? 0) }),
  });
  return format.format(amount as `${number}`);
}

function isWhole(amount: string): boolean {
  return /^\d+(?:\.0*)?$/.test(amount);
}

/** Returns a number in the format of the language, with all of its decimals. */
export function numberText(number: string, language: Language): string {
  return DECIMAL.test(number) ? digitsText(number, 0, language) : number;
}

function digitsText(number: string, minDecimals: number, language: Language): string {
  const [whole = "", decimals = ""] = number.split(".");
  const { group, decimal } = SEPARATORS[language];
  const grouped = whole.replace(/^0+(?=\d)/, "").replace(/\B(?=(\d{3})+$)/g, group);
  const kept = decimals.replace(/0+$/, "").padEnd(minDecimals, "0");
  return kept === "" ? grouped : grouped + decimal + kept;
}

/** Returns a count, which is a whole number. */
export function countText(count: number, language: Language): string {
  return Number.isSafeInteger(count) ? numberText(String(count), language) : "–";
}

const BOOKS = { eng: ["book", "books"], spa: ["libro", "libros"] } as const;

export function booksText(count: number, language: Language): string {
  return `${countText(count, language)} ${BOOKS[language][count === 1 ? 0 : 1]}`;
}

/** Returns a count in few letters, such as 12K, for the axis of a chart. */
export function shortCountText(count: number, language: Language): string {
  return formatter(Intl.NumberFormat, language, { notation: "compact" }).format(count);
}

/** Returns a share from 0 to 1 as a percentage with one decimal, rounded down: 100 % is the whole. */
export function shareText(share: number, language: Language): string {
  const format = formatter(Intl.NumberFormat, language, { style: "percent", minimumFractionDigits: 1 });
  return format.format(Math.floor(share * 1000) / 1000);
}

/** The units of ONIX list 50 that a browser can write. */
const UNITS: Readonly<Record<string, string>> = {
  cm: "centimeter",
  gr: "gram",
  in: "inch",
  kg: "kilogram",
  lb: "pound",
  mm: "millimeter",
  oz: "ounce",
};

/** Returns a measure such as "23.5 cm". `unitLabel` is for units that a browser does not know. */
export function measureText(number: string, unit: string, unitLabel: string, language: Language): string {
  const name = UNITS[unit.toLowerCase()];
  if (name !== undefined && DECIMAL.test(number)) return unitText(number, name, language);
  return `${numberText(number, language)} ${unitLabel}`.trim();
}

/** `unit` is a name that `Intl` knows. All decimals of the number stay. */
function unitText(number: string, unit: string, language: Language): string {
  const [, decimals] = DECIMAL.exec(number) ?? [];
  const options = { ...GROUPED, style: "unit", unit, maximumFractionDigits: decimals?.length ?? 0 } as const;
  return formatter(Intl.NumberFormat, language, options).format(number as `${number}`);
}

/** Units of ONIX list 24 in which the digits are a time: HHH, HHHMM and HHHMMSS. */
const DURATIONS: Readonly<Record<string, RegExp>> = {
  "14": /^(\d{1,3})$/,
  "15": /^(\d{1,3}?)(\d{2})$/,
  "16": /^(\d{1,3}?)(\d{2})(\d{2})$/,
};
/** Units of ONIX list 24 for the size of a file. */
const FILE_SIZES: Readonly<Record<string, string>> = { "17": "byte", "18": "kilobyte", "19": "megabyte" };
const DURATION_UNITS = ["hour", "minute", "second"];
/** Units of ONIX list 24 that have decimals, and the seconds of one. */
const SECONDS: Readonly<Record<string, number>> = { "04": 3600, "05": 60, "06": 1 };

/** Returns an extent such as "320 pages" or "12 hr 5 min". */
export function extentText(number: string, unit: string, unitLabel: string, language: Language): string {
  const size = FILE_SIZES[unit];
  if (size !== undefined && DECIMAL.test(number)) return unitText(number, size, language);
  const seconds = SECONDS[unit];
  if (seconds !== undefined && DECIMAL.test(number)) return durationText(Number(number) * seconds, language);
  const parts = DURATIONS[unit]?.exec(number)?.slice(1);
  if (!parts) return `${numberText(number, language)} ${unitWord(unitLabel)}`.trim();
  return timeText(parts.map(Number), language);
}

/** Returns a time such as "10 hrs 12 mins", "12 mins 29 secs" or "850 ms". From an hour on, seconds say nothing. */
export function durationText(seconds: number, language: Language): string {
  if (seconds < 1) return unitText(String(Math.round(seconds * 1000)), "millisecond", language);
  if (seconds < 10) return unitText(seconds.toFixed(1).replace(".0", ""), "second", language);
  const whole = seconds < 3600 ? Math.round(seconds) : Math.round(seconds / 60) * 60;
  return timeText([Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60], language);
}

/** `parts` are hours, minutes and seconds. */
function timeText(parts: readonly number[], language: Language): string {
  const written = parts.flatMap((part, index) =>
    part === 0 ? [] : unitText(String(part), DURATION_UNITS[index]!, language),
  );
  return written.join(" ") || unitText("0", DURATION_UNITS[parts.length - 1]!, language);
}

/** Returns a size such as "3.2 kB". */
export function sizeText(bytes: number, language: Language): string {
  if (bytes < 1000) return unitText(String(bytes), "byte", language);
  const [amount, unit] = bytes < 1_000_000 ? [bytes / 1000, "kilobyte"] : [bytes / 1_000_000, "megabyte"];
  return unitText(amount < 10 ? amount.toFixed(1) : String(Math.round(amount)), unit, language);
}

/** Returns the label of a unit within a sentence: "Hours (integer and decimals)" is "hours". */
function unitWord(label: string): string {
  const word = label.replace(/\s*\(.*\)$/, "");
  return /^\p{Lu}\p{Ll}/u.test(word) ? word.charAt(0).toLowerCase() + word.slice(1) : word;
}
