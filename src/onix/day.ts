declare const brand: unique symbol;

/** A calendar day, `YYYYMMDD`: it sorts as text. */
export type Day = string & { readonly [brand]: "Day" };

/** Eight ASCII digits that are a real day of the Gregorian calendar. */
export function parseDay(text: string): Day | undefined {
  if (!/^[0-9]{8}$/.test(text)) return undefined;
  const [year, month, day] = [Number(text.slice(0, 4)), Number(text.slice(4, 6)), Number(text.slice(6))];
  const inMonth = month >= 1 && month <= 12 ? daysOf(year, month) : 0;
  return year > 0 && day >= 1 && day <= inMonth ? (text as Day) : undefined;
}

/** Formats of list 55 that say more than the text's own shape. Undefined: it is not of this format. */
const FORMATS = new Map<string, (text: string) => Day | "none" | undefined>([
  ["02", startOfWeek],
  ["03", startOfQuarter],
  ["07", (text) => (text.length === 12 ? startOfSpread(text, 9999) : undefined)],
  // Of the Hijri calendar: days, months, years and texts.
  ...["20", "21", "25", "32"].map((format) => [format, () => "none" as const] as const),
]);

/** Whether a date of this format is read in another way than by its shape. */
export function hasOwnReading(format: string): boolean {
  return FORMATS.has(format);
}

/**
 * The day that an ONIX date begins with: `YYYYMM` is its first day, `YYYY` 1 January, a time of day is
 * dropped. The text's own shape wins over a dateformat (list 55) that it does not have: many are wrong.
 */
export function dayOfDate(text: string, format = ""): Day | undefined {
  const trimmed = text.trim();
  const asSaid = FORMATS.get(format)?.(trimmed);
  if (asSaid !== undefined) return asSaid === "none" ? undefined : asSaid;
  const day = parseDay(trimmed) ?? startOfSpread(trimmed);
  if (day) return day;
  const digits = /^([0-9]{4})-?([0-9]{2})?-?([0-9]{2})?(?:[T ].*)?$/.exec(trimmed);
  if (digits) return parseDay(digits[1]! + (digits[2] ?? "01") + (digits[3] ?? "01"));
  // A spread of days (list 55, 06: YYYYMMDDYYYYMMDD) or a date with a time begins with its day.
  const longer = /^([0-9]{8})(?:[0-9]{2,8}|[0-9]{4,6}[Z+-].*)$/.exec(trimmed);
  return longer ? parseDay(longer[1]!) : undefined;
}

/** Of months or years (list 55: 07, 11), one or the next. Any other twelve digits are a date with a time, unless said. */
function startOfSpread(text: string, mostYears = 1): Day | undefined {
  const [, from = "", to = ""] =
    /^([0-9]{6})([0-9]{6})$/.exec(text) ?? /^([0-9]{4})([0-9]{4})$/.exec(text) ?? [];
  const [start, end] = [parseDay(`${from}0101`.slice(0, 8)), parseDay(`${to}0101`.slice(0, 8))];
  const years = Number(to.slice(0, 4)) - Number(from.slice(0, 4));
  return start && end && start <= end && years <= mostYears ? start : undefined;
}

/** `YYYYWW`: the Monday. ISO 8601: 4 January is in the first week, the Thursday of a week in the year it counts for. */
function startOfWeek(text: string): Day | undefined {
  const [, year, week] = /^([0-9]{4})([0-9]{2})$/.exec(text) ?? [];
  if (year === undefined || week === "00") return undefined;
  const fourth = new Date(`${year}-01-04T00:00:00Z`);
  const monday = daysBefore(dayOf(fourth), ((fourth.getUTCDay() + 6) % 7) - 7 * (Number(week) - 1));
  return daysBefore(monday, -3).startsWith(year) ? monday : undefined;
}

/** `YYYYQ`. */
function startOfQuarter(text: string): Day | undefined {
  const [, year, quarter] = /^([0-9]{4})([1-4])$/.exec(text) ?? [];
  return year === undefined
    ? undefined
    : parseDay(`${year}${["01", "04", "07", "10"][Number(quarter) - 1]}01`);
}

export function dayOf(time: Date): Day {
  return time.toISOString().slice(0, 10).replaceAll("-", "") as Day;
}

export function daysBefore(day: Day, count: number): Day {
  const time = Date.UTC(Number(day.slice(0, 4)), Number(day.slice(4, 6)) - 1, Number(day.slice(6)));
  return dayOf(new Date(time - count * 86_400_000));
}

function daysOf(year: number, month: number): number {
  if (month === 2) return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0 ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}
