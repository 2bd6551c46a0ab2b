import { type Day, daysBefore } from "../onix/day.ts";

/** What `/api/news` shows when no date is asked for. */
const DAYS = 90;

/** From 90 days ago to today, both included. */
export function newsWindow(today: Day): { readonly from: Day; readonly to: Day } {
  return { from: daysBefore(today, DAYS), to: today };
}
