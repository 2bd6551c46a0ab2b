/** The days of the sample: the feed's own day is 1 September 2026. */

import { chance } from "./deterministic.ts";

const DAY = 86_400_000;
const SENT = Date.UTC(2026, 8, 1);
const RECENT_DAYS = 90;
const SOON = [6, 14, 22, 29, 37, 44];
const FAR_FIRST = 50;
const FAR_STEP = 73;

export const SENT_DATE_TIME = "20260901T0000Z";

function day(time: number): string {
  return new Date(time).toISOString().slice(0, 10).replaceAll("-", "");
}

/** The day that is so many days after the feed's. */
export function after(days: number): string {
  return day(SENT + days * DAY);
}

/** The n-th of `count` recent days, evenly from the feed's own day to 90 days before it. */
export function recentDay(n: number, count: number): string {
  return after(-Math.round((n * RECENT_DAYS) / (count - 1)));
}

export function soonDay(n: number): string {
  return after(SOON[n % SOON.length]!);
}

/** The days that reach five years ahead, never more than 75 days apart. */
export function farDay(slot: number): string {
  return after(FAR_FIRST + slot * FAR_STEP);
}

/** A working day between the two years, both included, up to the end of November. */
export function oldDay(from: number, to: number, ...words: string[]): string {
  const start = Date.UTC(from, 0, 8);
  const end = Date.UTC(to, 10, 30);
  let time = start + Math.floor((chance("day", ...words) * (end - start)) / DAY) * DAY;
  while ([0, 6].includes(new Date(time).getUTCDay())) time -= DAY;
  return day(time);
}

/** Days later than a day of eight digits. */
export function later(date: string, days: number): string {
  const time = Date.UTC(Number(date.slice(0, 4)), Number(date.slice(4, 6)) - 1, Number(date.slice(6, 8)));
  return day(time + days * DAY);
}
