/**
 * `npm run bench:day [-- OPTIONS]`: imports a day's feed, changed products spread evenly over a large catalog, while
 * another process reads the catalog. The same feed into a catalog of only these products is the measure.
 *
 *   --records 1000000    the size of the large catalog (--quick: 100,000)
 *   --changed 10000      the size of the day's feed (--quick: 1,000)
 *   --rounds 3           how often each import is measured; the median counts
 *
 * It needs 8 GB in BENCH_FOLDER for a million records.
 */
import { statSync } from "node:fs";
import { join } from "node:path";
import type { Isbn13 } from "../../src/onix/isbn.ts";
import { openSqlite } from "../../src/stores/sqlite/store.ts";
import { copyDatabase, importFeed, importGenerated, removeDatabase } from "../catalog.ts";
import { formatCount, formatReached, parseFlags, temporaryFolder } from "../command.ts";
import { writeFeed } from "../feed.ts";
import { inTurns, median } from "../measure.ts";
import { isbnAt } from "../product-xml.ts";

const MAX_TIME_RATIO = 2;
const MAX_LOG_RATIO = 5;
const READ_INTERVAL_MS = 2;

const flags = parseFlags({
  records: { type: "string" },
  changed: { type: "string" },
  rounds: { type: "string", default: "3" },
});
const products = Number(flags.records ?? (flags.quick ? 100_000 : 1_000_000));
const changed = Number(flags.changed ?? (flags.quick ? 1000 : 10_000));
const every = products / changed;
if (!Number.isInteger(every)) throw new Error(`--records must be a multiple of ${changed}`);

const folder = temporaryFolder();
const [largePath, smallPath, feed] = ["large.db", "small.db", "day.xml"].map((name) => join(folder, name));
await importGenerated(largePath!, { products });
await importGenerated(smallPath!, { products, every });
await writeFeed(feed!, { products, every, kind: "update" });
const feedBytes = statSync(feed!).size;

const [smallRuns, largeRuns] = await inTurns(
  Number(flags.rounds),
  () => importDay(smallPath!),
  () => importDay(largePath!),
);
const small = print(`into ${formatCount(changed)} records`, smallRuns!);
const large = print(`into ${formatCount(products)} records`, largeRuns!);
printGoal("time relative to the small catalog", large.seconds / small.seconds, MAX_TIME_RATIO);
printGoal("bytes of log per byte of feed", large.logBytes / feedBytes, MAX_LOG_RATIO);

interface DayRun {
  readonly seconds: number;
  readonly logBytes: number;
}

/** Imports the day's feed into a fresh copy, and reads records of it meanwhile. */
async function importDay(catalog: string): Promise<DayRun> {
  const database = join(folder, "run.db");
  copyDatabase(catalog, database);
  const store = openSqlite(database, { readonly: true });
  let logBytes = 0;
  let reads = 0;
  const reading = setInterval(() => {
    store.record(isbnAt((reads++ % changed) * every) as Isbn13);
    logBytes = Math.max(logBytes, statSync(`${database}-wal`, { throwIfNoEntry: false })?.size ?? 0);
  }, READ_INTERVAL_MS);
  try {
    const { seconds, stdout } = await importFeed(database, feed!);
    if (!stdout.includes(`${formatCount(changed)} updated`)) throw new Error(`unexpected result: ${stdout}`);
    return { seconds, logBytes };
  } finally {
    clearInterval(reading);
    await store.close();
    removeDatabase(database);
  }
}

function print(name: string, runs: readonly DayRun[]): DayRun {
  const seconds = median(runs.map((run) => run.seconds));
  const logBytes = median(runs.map((run) => run.logBytes));
  const log = `${formatCount(logBytes / 1e6)} MB of log for ${formatCount(feedBytes / 1e6)} MB of feed`;
  console.log(`${name.padEnd(28)} ${seconds.toFixed(2).padStart(6)} s, ${log}`);
  return { seconds, logBytes };
}

function printGoal(name: string, value: number, atMost: number): void {
  console.log(`${name}: ${value.toFixed(2)}, goal ≤ ${atMost}: ${formatReached(value <= atMost)}`);
}
