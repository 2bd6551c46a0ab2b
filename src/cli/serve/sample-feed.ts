/** The bundled sample catalog. */

import { join } from "node:path";
import { preparedFrom } from "../../ingest/feed-batches.ts";
import type { FeedSource } from "../../ingest/import-run.ts";
import { type Day, subtractDays, parseDay } from "../../onix/date.ts";

/** Dates from this many days before the feed was sent are news, and move with the clock; older ones are history. */
const NEWS_DAYS = 200;

/**
 * The sample as if it had been sent today, so that `/api/news` has something to show whenever it is loaded.
 * Forthcoming books, at most 75 days apart for the next five years, keep it so.
 */
export function sampleFeed(today: Day): FeedSource {
  const path = join(import.meta.dir, "../../../sample/catalog.xml");
  return {
    name: "sample/catalog.xml",
    size: undefined,
    async *prepared() {
      const xml = asOf(today, await Bun.file(path).text());
      yield* preparedFrom("sample/catalog.xml", bytesOf(xml));
    },
  };
}

export function asOf(today: Day, xml: string): string {
  const sent = parseDay(/<SentDateTime>([0-9]{8})/.exec(xml)?.[1] ?? "");
  if (!sent) throw new Error("the sample has no SentDateTime");
  const shift = daysBetween(sent, today);
  const history = subtractDays(sent, NEWS_DAYS);
  return xml
    .replace(/(<Date(?: [^>]*)?>)([0-9]{8})(<\/Date>)/g, (all, open: string, text: string, close: string) => {
      const day = parseDay(text);
      return day && day > history ? open + subtractDays(day, -shift) + close : all;
    })
    .replace(/(<SentDateTime>)[0-9]{8}/, `$1${today}`);
}

function daysBetween(from: Day, to: Day): number {
  const time = (day: Day) =>
    Date.UTC(Number(day.slice(0, 4)), Number(day.slice(4, 6)) - 1, Number(day.slice(6)));
  return Math.round((time(to) - time(from)) / 86_400_000);
}

async function* bytesOf(text: string): AsyncGenerator<Uint8Array> {
  yield new TextEncoder().encode(text);
}
