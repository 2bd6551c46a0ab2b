/** Days in ISO 8601, from dates of ONIX. */
import { type Day, firstDayOfDate, subtractDays } from "../date.ts";

/** `YYYY-MM-DD`. */
export type IsoDay = string;

export function isoDay(day: Day | undefined): IsoDay | null {
  return day === undefined ? null : `${day.slice(0, 4)}-${day.slice(4, 6)}-${day.slice(6)}`;
}

export function firstIsoDay(date: string, format: string): IsoDay | null {
  return isoDay(firstDayOfDate(date, format));
}

/** Returns the last day of a month or a year, and the day of any other date. */
export function lastIsoDay(date: string, format: string): IsoDay | null {
  const first = firstDayOfDate(date, format);
  if (first === undefined) return null;
  const text = date.trim();
  if (/^[0-9]{4}$/.test(text)) return `${text}-12-31`;
  if (!/^[0-9]{4}-?[0-9]{2}$/.test(text)) return isoDay(first);
  const inNextMonth = subtractDays(first, -31);
  return isoDay(subtractDays(inNextMonth, Number(inNextMonth.slice(6))));
}
