/** Dates of the sample. The feed is dated 1 September 2026. Dates are strings of eight digits. */

import { chance } from "./deterministic.ts";

const DAY_MS = 86_400_000;
const SENT_MS = Date.UTC(2026, 8, 1);
const RECENT_DAYS = 90;
/** Days after the feed. */
const SOON_DAYS = [6, 14, 22, 29, 37, 44];
const FAR_FIRST_DAYS = 50;
const FAR_STEP_DAYS = 73;

export const SENT_DATE_TIME = "20260901T0000Z";

function formatDate(timeMs: number): string {
  return new Date(timeMs).toISOString().slice(0, 10).replaceAll("-", "");
}

/** Returns the date that is so many days after the feed. */
export function daysAfterFeed(days: number): string {
  return formatDate(SENT_MS + days * DAY_MS);
}

/** Returns one of `count` dates, spread evenly from the feed's own day to 90 days before it. */
export function recentDate(index: number, count: number): string {
  return daysAfterFeed(-Math.round((index * RECENT_DAYS) / (count - 1)));
}

export function soonDate(index: number): string {
  return daysAfterFeed(SOON_DAYS[index % SOON_DAYS.length]!);
}

/** Returns the date of a slot. The slots reach five years ahead and are at most 75 days apart. */
export function farDate(slot: number): string {
  return daysAfterFeed(FAR_FIRST_DAYS + slot * FAR_STEP_DAYS);
}

/** Returns a working day from January of the first year to November of the last one. */
export function pastDate(firstYear: number, lastYear: number, ...keys: string[]): string {
  const start = Date.UTC(firstYear, 0, 8);
  const end = Date.UTC(lastYear, 10, 30);
  let timeMs = start + Math.floor((chance("day", ...keys) * (end - start)) / DAY_MS) * DAY_MS;
  while ([0, 6].includes(new Date(timeMs).getUTCDay())) timeMs -= DAY_MS;
  return formatDate(timeMs);
}

export function addDays(date: string, days: number): string {
  return formatDate(parseDate(date) + days * DAY_MS);
}

export function daysBetween(from: string, to: string): number {
  return (parseDate(to) - parseDate(from)) / DAY_MS;
}

function parseDate(date: string): number {
  return Date.UTC(Number(date.slice(0, 4)), Number(date.slice(4, 6)) - 1, Number(date.slice(6, 8)));
}
