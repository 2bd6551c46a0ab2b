/** Dates of ONIX list 55 in the words of a language. */
import type { Language } from "../../../../client/labels.ts";
import { type Day, parseDay, subtractDays, utcDay } from "../../../../onix/date.ts";
import { formatter } from "./intl.ts";

/** All dates of the page are "15 Jan 2024", or a part of it. */
const MONTHS = {
  eng: ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sept", "Oct", "Nov", "Dec"],
  spa: ["ene", "feb", "mar", "abr", "may", "jun", "jul", "ago", "sept", "oct", "nov", "dic"],
} as const;
const SEASONS = {
  eng: ["spring", "summer", "autumn", "winter"],
  spa: ["primavera", "verano", "otoño", "invierno"],
} as const;
const WEEK = { eng: "week", spa: "semana" } as const;
const QUARTER = { eng: "quarter", spa: "trimestre" } as const;
const HIJRI = { eng: "Hijri calendar", spa: "calendario de la hégira" } as const;

/** Formats whose meaning the digits alone do not show, and the digits of one date in them. */
const PERIODS: Readonly<Record<string, RegExp>> = {
  "02": /^(\d{4})(\d{2})$/,
  "03": /^(\d{4})([1-4])$/,
  "04": /^(\d{4})([1-4])$/,
};
/** Formats of list 55 that are two dates of another format, and the length of one. */
const SPREADS: Readonly<Record<string, readonly [format: string, length: number]>> = {
  "06": ["00", 8],
  "07": ["01", 6],
  "08": ["02", 6],
  "09": ["03", 5],
  "10": ["04", 5],
  "11": ["05", 4],
};
const HIJRI_FORMATS = ["20", "21", "25", "32"];

/**
 * Returns the date as people write it. Many dates have a wrong format, so the shape of the text takes precedence, as
 * in the rules of the catalog. A text that is no date is returned as it is.
 */
export function dateText(text: string, format: string, language: Language): string {
  const trimmed = text.trim();
  if (HIJRI_FORMATS.includes(format)) return `${trimmed} (${HIJRI[language]})`;
  return (
    spreadText(trimmed, format, language) ??
    periodText(trimmed, format, language) ??
    dayText(trimmed, language) ??
    trimmed
  );
}

function spreadText(text: string, format: string, language: Language): string | undefined {
  const isSixteenDigits = /^\d{16}$/.test(text);
  const [each, length] = SPREADS[isSixteenDigits ? "06" : format] ?? [];
  // Eight digits that are a day are a day, also when the format says two years.
  if (parseDay(text)) return undefined;
  if (each === undefined || text.length !== 2 * length! || !/^\d+$/.test(text)) return undefined;
  const ends = [text.slice(0, length), text.slice(length!)].map(
    (end) => periodText(end, each, language) ?? dayText(end, language),
  );
  return ends.every((end) => end !== undefined) ? ends.join(" – ") : undefined;
}

function periodText(text: string, format: string, language: Language): string | undefined {
  const [, year, part] = PERIODS[format]?.exec(text) ?? [];
  if (year === undefined) return undefined;
  const number = Number(part);
  if (format === "02")
    return number >= 1 && number <= 53 ? `${WEEK[language]} ${number}, ${year}` : undefined;
  if (format === "04") return `${SEASONS[language][number - 1]} ${year}`;
  return language === "spa"
    ? `${number}.º ${QUARTER.spa} de ${year}`
    : `${ordinal(number)} ${QUARTER.eng} of ${year}`;
}

function ordinal(number: number): string {
  return ["1st", "2nd", "3rd", "4th"][number - 1]!;
}

/** Reads a day, a month or a year, with or without hyphens and with or without a time. */
function dayText(text: string, language: Language): string | undefined {
  const [, year, month, day, time] =
    /^(\d{4})(?:-?(\d{2})(?:-?(\d{2})(?:[T ]?(\d{2}:?\d{2}.*))?)?)?$/.exec(text) ?? [];
  if (year === undefined || !parseDay(`${year}${month ?? "01"}${day ?? "01"}`)) return undefined;
  const parts = [day && Number(day), month && monthName(Number(month), language), Number(year)];
  const written = parts.filter((part) => part !== undefined).join(" ");
  const [, hours, minutes] = /^(\d{2}):?(\d{2})/.exec(time ?? "") ?? [];
  // Midnight is what systems write when they know the day only.
  return hours === undefined || `${hours}${minutes}` === "0000" ? written : `${written}, ${hours}:${minutes}`;
}

/** Returns a moment, such as the start of an import, in the time zone of the reader. `iso` is ISO 8601. */
export function momentText(iso: string, language: Language): string {
  const date = new Date(iso);
  if (Number.isNaN(date.getTime())) return iso;
  const day = { day: "numeric", month: "short", year: "numeric" } as const;
  const options = { ...day, hour: "2-digit", minute: "2-digit" } as const;
  return formatter(Intl.DateTimeFormat, language, options).format(date);
}

/** Returns the day of a moment, as YYYY-MM-DD, in the time zone of the reader. */
export function localDay(iso: string): string {
  const date = new Date(iso);
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 10);
}

/** Returns the name of a month without its year. `month` is 1 to 12. */
export function monthName(month: number, language: Language): string {
  return MONTHS[language][month - 1]!;
}

/** Returns today, or a day near it. The days of the API are those of UTC. */
export function dayIn(days: number): Day {
  return subtractDays(utcDay(new Date()), -days);
}

/** Returns the date as the `datetime` attribute of HTML wants it, or undefined when it has no such form. */
export function machineDate(text: string): string | undefined {
  const [, year, month, day] = /^(\d{4})-?(\d{2})?-?(\d{2})?(?:[T ].*)?$/.exec(text.trim()) ?? [];
  if (year === undefined || !parseDay(`${year}${month ?? "01"}${day ?? "01"}`)) return undefined;
  return [year, month, day].filter((part) => part !== undefined).join("-");
}
