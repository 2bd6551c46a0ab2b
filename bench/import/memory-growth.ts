/** Compares the peak memory of an import with that of one ten times as large. */
import { rmSync } from "node:fs";
import { join } from "node:path";
import { writeFeed } from "./feed.ts";
import { MAX_PEAK_MB, type RowOptions, removeDatabase } from "./measure-row.ts";
import { formatReached } from "./results-table.ts";
import { timeImport } from "./timed-command.ts";

const GROWTH = 10;
const MAX_RATIO = 1.2;

export interface MemoryGrowth {
  readonly products: number;
  readonly peakMB: number;
  readonly largeProducts: number;
  readonly largePeakMB: number;
  readonly largeSeconds: number;
}

export async function measureMemoryGrowth(options: RowOptions): Promise<MemoryGrowth> {
  const small = await importTidy(options, options.products);
  const large = await importTidy(options, options.products * GROWTH);
  return {
    products: options.products,
    peakMB: small.peakMB,
    largeProducts: options.products * GROWTH,
    largePeakMB: large.peakMB,
    largeSeconds: large.seconds,
  };
}

async function importTidy({ folder }: RowOptions, products: number) {
  const feed = join(folder, "memory.xml");
  const database = join(folder, "memory.db");
  await writeFeed(feed, products);
  const run = await timeImport(database, feed);
  removeDatabase(database);
  rmSync(feed);
  return run;
}

export function formatMemoryGrowth(growth: MemoryGrowth): string {
  const { products, peakMB, largeProducts, largePeakMB, largeSeconds } = growth;
  const ratio = largePeakMB / peakMB;
  return [
    `peak memory: ${peakMB.toFixed(0)} MB at ${products.toLocaleString("en")} products,`,
    `${largePeakMB.toFixed(0)} MB at ${largeProducts.toLocaleString("en")} (${largeSeconds.toFixed(1)} s),`,
    `ratio ${ratio.toFixed(2)}, goal ≤ ${MAX_RATIO}: ${formatReached(ratio <= MAX_RATIO)};`,
    `goal < ${MAX_PEAK_MB} MB: ${formatReached(largePeakMB < MAX_PEAK_MB)}`,
  ].join(" ");
}
