/** Calendar days, and the first day of a date in any of the formats of ONIX list 55. */

declare const brand: unique symbol;

/** A calendar day, `YYYYMMDD`. Days sort as text. */
export type Day = string & { readonly [brand]: "Day" };

/** Accepts eight ASCII digits that are a day of the Gregorian calendar. */
export function parseDay(text: string): Day | undefined {
  if (!/^[0-9]{8}$/.test(text)) return undefined;
  const [year, month, day] = [Number(text.slice(0, 4)), Number(text.slice(4, 6)), Number(text.slice(6))];
  const daysInMonth = month >= 1 && month <= 12 ? lengthOfMonth(year, month) : 0;
  return year > 0 && day >= 1 && day <= daysInMonth ? (text as Day) : undefined;
}

/** Accepts a day with hyphens, too: `YYYY-MM-DD`. */
export function parseAnyDay(text: string): Day | undefined {
  return parseDay(/^[0-9]{4}-[0-9]{2}-[0-9]{2}$/.test(text) ? text.replaceAll("-", "") : text);
}

/**
 * Parsers for the formats of list 55 whose meaning the text alone does not show. A parser returns undefined when the
 * text does not have its format, and "none" when the date has no day in our calendar.
 */
const SPECIAL_FORMATS = new Map<string, (text: string) => Day | "none" | undefined>([
  ["02", firstDayOfWeek],
  ["03", firstDayOfQuarter],
  ["07", (text) => (text.length === 12 ? firstDayOfSpread(text, 9999) : undefined)],
  ["11", (text) => (text.length === 8 ? firstDayOfSpread(text, 9999) : undefined)],
  ["08", (text) => (text.length === 12 ? firstDayOfWeek(text.slice(0, 6)) : undefined)],
  ["09", (text) => (text.length === 10 ? firstDayOfQuarter(text.slice(0, 5)) : undefined)],
  // Days, months, years and free text of the Hijri calendar.
  ...["20", "21", "25", "32"].map((format) => [format, () => "none" as const] as const),
]);

/** Tells whether a date of this format cannot be read by the shape of its text alone. */
export function isSpecialDateFormat(format: string): boolean {
  return SPECIAL_FORMATS.has(format);
}

/**
 * Returns the first day of an ONIX date: `YYYYMM` is the first of the month, `YYYY` is 1 January, a time of day is
 * dropped. Many dates have a wrong `dateformat` (list 55), so the shape of the text takes precedence over it.
 */
export function firstDayOfDate(text: string, format = ""): Day | undefined {
  const trimmed = text.trim();
  const special = SPECIAL_FORMATS.get(format)?.(trimmed);
  if (special !== undefined) return special === "none" ? undefined : special;
  const day = parseDay(trimmed) ?? firstDayOfSpread(trimmed);
  if (day) return day;
  // A time follows a day only: "2024 05 06" is not a year with a time.
  const digits = /^([0-9]{4})(?:-?([0-9]{2})(?:-?([0-9]{2})(?:[T ].*)?)?)?$/.exec(trimmed);
  if (digits) return parseDay(digits[1]! + (digits[2] ?? "01") + (digits[3] ?? "01"));
  // A spread of days (list 55, 06: YYYYMMDDYYYYMMDD) and a date with a time begin with the day.
  const longer = /^([0-9]{8})(?:[0-9]{2,8}|[0-9]{4,6}[Z+-].*)$/.exec(trimmed);
  return longer ? parseDay(longer[1]!) : undefined;
}

/**
 * Reads a spread of months or years (list 55: 07 and 11). Without its format, twelve digits are a spread only when
 * the years are the same or consecutive; otherwise they are a date with a time. Senders write nines for no date.
 */
function firstDayOfSpread(text: string, maxYears = 1): Day | undefined {
  if (/^9+$/.test(text)) return undefined;
  const [, from = "", to = ""] =
    /^([0-9]{6})([0-9]{6})$/.exec(text) ?? /^([0-9]{4})([0-9]{4})$/.exec(text) ?? [];
  const [start, end] = [parseDay(`${from}0101`.slice(0, 8)), parseDay(`${to}0101`.slice(0, 8))];
  const years = Number(to.slice(0, 4)) - Number(from.slice(0, 4));
  return start && end && start <= end && years <= maxYears ? start : undefined;
}

/**
 * Returns the Monday of `YYYYWW`. ISO 8601: 4 January is in week 1, and a week belongs to the year of its Thursday.
 */
function firstDayOfWeek(text: string): Day | undefined {
  const [, year, week] = /^([0-9]{4})([0-9]{2})$/.exec(text) ?? [];
  if (year === undefined || week === "00") return undefined;
  const january4 = new Date(`${year}-01-04T00:00:00Z`);
  const daysSinceMonday = (january4.getUTCDay() + 6) % 7;
  const monday = subtractDays(utcDay(january4), daysSinceMonday - 7 * (Number(week) - 1));
  return subtractDays(monday, -3).startsWith(year) ? monday : undefined;
}

/** Reads `YYYYQ`. */
function firstDayOfQuarter(text: string): Day | undefined {
  const [, year, quarter] = /^([0-9]{4})([1-4])$/.exec(text) ?? [];
  return year === undefined
    ? undefined
    : parseDay(`${year}${["01", "04", "07", "10"][Number(quarter) - 1]}01`);
}

export function utcDay(time: Date): Day {
  return time.toISOString().slice(0, 10).replaceAll("-", "") as Day;
}

/** A negative count goes forward. */
export function subtractDays(day: Day, count: number): Day {
  const time = Date.UTC(Number(day.slice(0, 4)), Number(day.slice(4, 6)) - 1, Number(day.slice(6)));
  return utcDay(new Date(time - count * 86_400_000));
}

/** Months count from 1. */
export function lengthOfMonth(year: number, month: number): number {
  if (month === 2) return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0 ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

/** `YYYY-MM-DD`. */
export type IsoDay = string;

export function isoDay(day: Day | undefined): IsoDay | null {
  return day === undefined ? null : `${day.slice(0, 4)}-${day.slice(4, 6)}-${day.slice(6)}`;
}

export function firstIsoDay(date: string, format: string): IsoDay | null {
  return isoDay(firstDayOfDate(date, format));
}

export function lastIsoDay(date: string, format: string): IsoDay | null {
  return isoDay(lastDayOfDate(date, format));
}

/**
 * Returns the last day of an ONIX date: of a week, a month, a quarter, a year, or of what ends a spread (list 55). A date
 * is what `firstDayOfDate` reads it as.
 */
export function lastDayOfDate(text: string, format = ""): Day | undefined {
  const trimmed = text.trim();
  const first = firstDayOfDate(trimmed, format);
  if (first === undefined) return undefined;
  const end = endOfSpread(trimmed, format);
  if (end !== undefined) return lastDayOfDate(end, END_FORMATS[format]);
  if (format === "02" && firstDayOfWeek(trimmed) !== undefined) return subtractDays(first, -6);
  if (format === "03" && firstDayOfQuarter(trimmed) !== undefined) return lastDayOfMonths(first, 3);
  if (/^[0-9]{4}$/.test(trimmed)) return lastDayOfMonths(first, 12);
  return /^[0-9]{4}-?[0-9]{2}$/.test(trimmed) ? lastDayOfMonths(first, 1) : first;
}

/** The formats of the ends of spreads that their shape does not show. */
const END_FORMATS: Readonly<Record<string, string>> = { "08": "02", "09": "03" };

/** Tells whether a date is a spread (list 55: 06 to 11). */
export function isSpread(text: string, format: string): boolean {
  return endOfSpread(text.trim(), format) !== undefined;
}

/** Returns the second half of a spread. */
function endOfSpread(text: string, format: string): string | undefined {
  const isOfDays = /^[0-9]{16}$/.test(text);
  const isOfParts = Object.hasOwn(END_FORMATS, format) && SPECIAL_FORMATS.get(format)!(text) !== undefined;
  const isSpread =
    isOfDays ||
    isOfParts ||
    (!parseDay(text) && firstDayOfSpread(text, format === "07" || format === "11" ? 9999 : 1));
  return isSpread ? text.slice(text.length / 2) : undefined;
}

/** Returns the last day of some months, of which this is the first. */
function lastDayOfMonths(first: Day, months: number): Day {
  const month = Number(first.slice(4, 6)) + months - 1;
  return `${first.slice(0, 4)}${String(month).padStart(2, "0")}${lengthOfMonth(Number(first.slice(0, 4)), month)}` as Day;
}
