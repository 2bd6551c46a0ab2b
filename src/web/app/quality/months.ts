/** The months of publication, without gaps, for a chart and for a table of years. */
import { firstDayOfDate, lastDayOfDate } from "../../../onix/date.ts";

export interface CountedValue {
  readonly value: string;
  readonly books: number;
}

export interface Month {
  readonly year: number;
  /** 1 to 12. */
  readonly month: number;
  readonly books: number;
}

const MAX_DISTANCE_MONTHS = 100 * 12;

/**
 * Returns all months from the first to the last one that has books. Values are `YYYYMM`, in any order. Those a century from
 * the month with the most books are left out: some senders write 9999 for no date, and 96,000 months stop a browser.
 */
export function allMonths(values: readonly CountedValue[]): readonly Month[] {
  if (values.length === 0) return [];
  const most = indexOf(values.reduce((best, each) => (each.books > best.books ? each : best)).value);
  const near = values.filter(({ value }) => Math.abs(indexOf(value) - most) <= MAX_DISTANCE_MONTHS);
  const books = new Map(near.map((each) => [indexOf(each.value), each.books]));
  const first = Math.min(...books.keys());
  const last = Math.max(...books.keys());
  return Array.from({ length: last - first + 1 }, (_, offset) => {
    const index = first + offset;
    return { year: Math.floor(index / 12), month: (index % 12) + 1, books: books.get(index) ?? 0 };
  });
}

function indexOf(value: string): number {
  return Number(value.slice(0, 4)) * 12 + Number(value.slice(4, 6)) - 1;
}

/** Returns YYYY-MM. */
export function monthText({ year, month }: Month): string {
  return `${String(year).padStart(4, "0")}-${String(month).padStart(2, "0")}`;
}

/** Returns the first and the last day of a month, as the filters of a search have them. */
export function daysOf(month: Month): Readonly<Record<"from" | "to", string | undefined>> {
  return { from: firstDayOfDate(monthText(month)), to: lastDayOfDate(monthText(month)) };
}

/** Returns the start of a month in seconds, in UTC. */
export function secondsOf(month: Month): number {
  return Date.parse(monthText(month)) / 1000;
}

/** Returns the years with twelve months each; undefined stands for a month outside of the range. Latest first. */
export function yearsOf(
  months: readonly Month[],
): readonly { readonly year: number; readonly months: readonly (Month | undefined)[] }[] {
  const byYear = Map.groupBy(months, ({ year }) => year);
  return [...byYear]
    .map(([year, some]) => ({
      year,
      months: Array.from({ length: 12 }, (_, index) => some.find(({ month }) => month === index + 1)),
    }))
    .reverse();
}
