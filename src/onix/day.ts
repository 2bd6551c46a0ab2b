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

/**
 * The day that an ONIX date begins with: `YYYYMM` is its first day, `YYYY` 1 January, a time of day is
 * dropped. The text's own shape wins over its dateformat (list 55), which is wrong often enough.
 */
export function dayOfDate(text: string): Day | undefined {
  if (text.length === 8) {
    const day = parseDay(text);
    if (day) return day;
  }
  const digits = /^([0-9]{4})-?([0-9]{2})?-?([0-9]{2})?(?:[T ].*)?$/.exec(text.trim());
  if (digits) return parseDay(digits[1]! + (digits[2] ?? "01") + (digits[3] ?? "01"));
  // A spread of dates (list 55: 06-08, YYYYMMDDYYYYMMDD) or a date with a time begins with its day.
  const longer = /^([0-9]{8})(?:[0-9]{2,8}|[0-9]{4,6}[Z+-].*)$/.exec(text.trim());
  return longer ? parseDay(longer[1]!) : undefined;
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
