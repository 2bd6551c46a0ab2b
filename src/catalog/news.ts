import { type Day, subtractDays } from "../onix/date.ts";

const NEWS_WINDOW_DAYS = 90;

/** Returns the dates that `/api/news` covers by default: 90 days ago to today, both inclusive. */
export function newsWindow(today: Day): { readonly from: Day; readonly to: Day } {
  return { from: subtractDays(today, NEWS_WINDOW_DAYS), to: today };
}
