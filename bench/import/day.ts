/**
 * `npm run bench:day [-- RECORDS [ROUNDS]]`: imports a day's feed, 10,000 changed products spread evenly over a large
 * catalog, while another process reads the catalog. The same feed into a catalog of only these products is the
 * measure. It needs 8 GB in BENCH_FOLDER for a million records.
 */
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Isbn13 } from "../../src/onix/isbn.ts";
import { openSqlite } from "../../src/stores/sqlite/store.ts";
import { median } from "../median.ts";
import { isbnOf, writeFeed } from "./feed.ts";
import { copyDatabase, removeDatabase } from "./measure-row.ts";
import { formatReached } from "./results-table.ts";
import { type TimedRun, timeImport } from "./timed-command.ts";

const CHANGED = 10_000;
const RECORDS = Number(process.argv[2] ?? 1_000_000);
const ROUNDS = Number(process.argv[3] ?? 3);
const MAX_TIME_RATIO = 2;
const MAX_LOG_RATIO = 5;
const READ_INTERVAL_MS = 2;

const STEP = RECORDS / CHANGED;
if (!Number.isInteger(STEP)) throw new Error(`the number of records must be a multiple of ${CHANGED}`);

const folder = mkdtempSync(join(process.env.BENCH_FOLDER ?? tmpdir(), "colophon-bench-"));
const pathOf = (name: string) => join(folder, name);
try {
  const feedBytes = await prepare();
  const runs: Record<"small" | "large", DayRun[]> = { small: [], large: [] };
  for (let round = 0; round < ROUNDS; round++) {
    for (const size of ["small", "large"] as const) runs[size].push(await importDay(size));
  }
  const small = print(`into ${formatCount(CHANGED)} records`, runs.small, feedBytes);
  const large = print(`into ${formatCount(RECORDS)} records`, runs.large, feedBytes);
  printGoal("time relative to the small catalog", large.seconds / small.seconds, MAX_TIME_RATIO);
  printGoal("bytes of log per byte of feed", large.logBytes / feedBytes, MAX_LOG_RATIO);
} finally {
  rmSync(folder, { recursive: true });
}

/** Creates both catalogs and the day's feed. Returns the size of the feed. */
async function prepare(): Promise<number> {
  const feed = pathOf("catalog.xml");
  await writeFeed(feed, RECORDS, {});
  await timeImport(pathOf("large.db"), feed);
  await writeFeed(feed, RECORDS, { transform: everyStep((xml) => xml) });
  await timeImport(pathOf("small.db"), feed);
  rmSync(feed);
  await writeFeed(pathOf("day.xml"), RECORDS, { transform: everyStep(changeProduct) });
  return statSync(pathOf("day.xml")).size;
}

/** Returns a transformation that keeps one product of each step. */
function everyStep(change: (xml: string) => string): (xml: string) => string {
  let product = 0;
  return (xml) => {
    if (!xml.includes("<Product>")) return xml;
    return product++ % STEP === 0 ? change(xml) : "";
  };
}

/** Gives a product another price and a longer title, as an update of a publisher may do. */
function changeProduct(xml: string): string {
  return xml
    .replace(/<PriceAmount>[^<]*/, "<PriceAmount>99.95")
    .replace("<TitleText>", "<TitleText>Nueva edición de ");
}

interface DayRun extends Pick<TimedRun, "seconds"> {
  readonly logBytes: number;
}

/** Imports the day's feed into a fresh copy, and reads records of it meanwhile. */
async function importDay(size: "small" | "large"): Promise<DayRun> {
  const database = pathOf("run.db");
  copyDatabase(pathOf(`${size}.db`), database);
  const store = openSqlite(database, { readonly: true });
  let logBytes = 0;
  let reads = 0;
  const reading = setInterval(() => {
    store.record(isbnOf((reads++ % CHANGED) * STEP) as Isbn13);
    logBytes = Math.max(logBytes, statSync(`${database}-wal`, { throwIfNoEntry: false })?.size ?? 0);
  }, READ_INTERVAL_MS);
  try {
    const { seconds, stdout } = await timeImport(database, pathOf("day.xml"));
    if (!stdout.includes("10,000 updated")) throw new Error(`unexpected result: ${stdout}`);
    return { seconds, logBytes };
  } finally {
    clearInterval(reading);
    await store.close();
    removeDatabase(database);
  }
}

function print(name: string, runs: readonly DayRun[], feedBytes: number): DayRun {
  const seconds = median(runs.map((run) => run.seconds));
  const logBytes = median(runs.map((run) => run.logBytes));
  console.log(
    `${name.padEnd(28)} ${seconds.toFixed(2).padStart(6)} s, ${formatMegabytes(logBytes)} of log for ${formatMegabytes(feedBytes)} of feed`,
  );
  return { seconds, logBytes };
}

function printGoal(name: string, value: number, atMost: number): void {
  console.log(`${name}: ${value.toFixed(2)}, goal ≤ ${atMost}: ${formatReached(value <= atMost)}`);
}

function formatMegabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(0)} MB`;
}

function formatCount(count: number): string {
  return count.toLocaleString("en");
}
