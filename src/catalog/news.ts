import { type Day, subtractDays } from "../onix/date.ts";

/** What `/api/news` shows when no date is asked for. */
const DAYS = 90;

/** From 90 days ago to today, both included. */
export function newsWindow(today: Day): { readonly from: Day; readonly to: Day } {
  return { from: subtractDays(today, DAYS), to: today };
}
