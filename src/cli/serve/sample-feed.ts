/** The bundled sample catalog, as a feed. */
import { FeedDigest } from "../../ingest/feed-digest.ts";
import { readFeed } from "../../ingest/feed-reader.ts";
import type { FeedSource } from "../../ingest/feed-source.ts";
import { programFile } from "../../lib/program-files.ts";
import { type Day, parseDay, subtractDays } from "../../onix/date.ts";

const NAME = "sample/catalog.xml";

/** Dates up to this many days before SentDateTime, and all later ones, move with today's date. */
const MOVING_DAYS = 200;
const MS_PER_DAY = 86_400_000;

/**
 * Returns the sample with its dates moved as if it was sent today, so that `/api/news` lists books. It has forthcoming
 * books for five years, at most 75 days apart, so that a sample catalog goes on having news.
 */
export function sampleFeed(today: Day): FeedSource {
  const digest = new FeedDigest();
  return {
    name: NAME,
    sizeBytes: undefined,
    checks: false,
    digest,
    async *batches(scanners) {
      const xml = moveDates(today, await Bun.file(programFile(NAME)).text());
      yield* readFeed(NAME, encode(xml), scanners, undefined, digest);
    },
  };
}

export function moveDates(today: Day, xml: string): string {
  const sent = parseDay(/<SentDateTime>([0-9]{8})/.exec(xml)?.[1] ?? "");
  if (!sent) throw new Error("the sample has no SentDateTime");
  const shift = daysBetween(sent, today);
  const firstMoving = subtractDays(sent, MOVING_DAYS);
  return xml
    .replace(/(<Date(?: [^>]*)?>)([0-9]{8})(<\/Date>)/g, (all, open: string, text: string, close: string) => {
      const day = parseDay(text);
      return day && day > firstMoving ? open + subtractDays(day, -shift) + close : all;
    })
    .replace(/(<SentDateTime>)[0-9]{8}/, `$1${today}`);
}

function daysBetween(from: Day, to: Day): number {
  const time = (day: Day) =>
    Date.UTC(Number(day.slice(0, 4)), Number(day.slice(4, 6)) - 1, Number(day.slice(6)));
  return Math.round((time(to) - time(from)) / MS_PER_DAY);
}

async function* encode(text: string): AsyncGenerator<Uint8Array> {
  yield new TextEncoder().encode(text);
}
