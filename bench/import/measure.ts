/** Measures imports, beside `xmllint` on the same feeds, in alternation, and by the size of the feed. */
import { existsSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { copyDatabase, importFeed, importGenerated, removeDatabase } from "../catalog.ts";
import { formatCount, formatReached, markdownTable } from "../command.ts";
import { inTurns, median } from "../measure.ts";
import { runCommand } from "../processes.ts";
import type { ImportRow } from "./rows.ts";

const MAX_PEAK_MB = 250;

export interface RowOptions {
  readonly folder: string;
  /** The number of products in a generated feed. */
  readonly products: number;
  readonly rounds: number;
}

/** Seconds are medians. The memory is the largest of all rounds. */
export interface RowResult {
  readonly id: string;
  readonly name: string;
  readonly products: number;
  readonly megabytes: number;
  readonly importSeconds: number;
  readonly xmllintSeconds: number;
  /** xmllintSeconds / importSeconds: above 1, the import is faster. */
  readonly ratio: number;
  readonly goal: number;
  readonly peakMB: number;
  /** What the import printed. */
  readonly summary: string;
}

export async function measureRow(row: ImportRow, options: RowOptions): Promise<RowResult> {
  const feed = join(options.folder, "feed.xml");
  const database = join(options.folder, "import.db");
  const products = await row.writeFeed(feed, options.products);
  const catalog = row.isOntoCatalog ? await createCatalog(options) : undefined;
  const [xmllintRuns, importRuns] = await inTurns(
    options.rounds,
    () => runCommand(["xmllint", "--stream", "--noout", "--nonet", feed]),
    async () => {
      if (catalog) copyDatabase(catalog, database);
      const run = await importFeed(database, feed);
      removeDatabase(database);
      return run;
    },
  );
  const megabytes = statSync(feed).size / 1e6;
  rmSync(feed);
  const [importSeconds, xmllintSeconds] = [importRuns!, xmllintRuns!].map((runs) =>
    median(runs.map(({ seconds }) => seconds)),
  ) as [number, number];
  return {
    id: row.id,
    name: row.name,
    products,
    megabytes,
    importSeconds,
    xmllintSeconds,
    ratio: xmllintSeconds / importSeconds,
    goal: row.goal,
    peakMB: Math.max(...importRuns!.map(({ peakMB }) => peakMB)),
    summary: importRuns![0]!.stdout.trim(),
  };
}

/** Creates a catalog with the products of the tidy feed. Reuses the one of an earlier row. */
async function createCatalog({ folder, products }: RowOptions): Promise<string> {
  const path = join(folder, "catalog.db");
  if (!existsSync(path)) await importGenerated(path, { products });
  return path;
}

const HEAD = [
  "feed",
  "products",
  "MB",
  "import, s",
  "xmllint, s",
  "ratio",
  "goal",
  "reached",
  "peak, MB",
  `below ${MAX_PEAK_MB}`,
];

export function resultsTable(rows: readonly RowResult[]): string {
  return markdownTable([HEAD, ...rows.map(cellsOf)]);
}

function cellsOf(row: RowResult): string[] {
  return [
    row.name,
    formatCount(row.products),
    row.megabytes.toFixed(row.megabytes < 10 ? 1 : 0),
    row.importSeconds.toFixed(2),
    row.xmllintSeconds.toFixed(2),
    row.ratio.toFixed(2),
    `≥ ${row.goal}`,
    formatReached(row.ratio >= row.goal),
    row.peakMB.toFixed(0),
    formatReached(row.peakMB < MAX_PEAK_MB),
  ];
}

export interface SampleSummary {
  readonly rows: number;
  readonly lowest: number;
  readonly lowestName: string;
  readonly median: number;
  /** How many rows miss the goal. */
  readonly missed: number;
}

/** Returns undefined when no row is on samples. */
export function summarizeSamples(rows: readonly RowResult[]): SampleSummary | undefined {
  const samples = rows.filter(({ id }) => id.startsWith("sample-")).sort((a, b) => a.ratio - b.ratio);
  const [lowest] = samples;
  if (!lowest) return undefined;
  return {
    rows: samples.length,
    lowest: lowest.ratio,
    lowestName: lowest.name,
    median: median(samples.map(({ ratio }) => ratio)),
    missed: samples.filter(({ ratio, goal }) => ratio < goal).length,
  };
}

export function formatSamples({ rows, lowest, lowestName, median: middle, missed }: SampleSummary): string {
  const extremes = `lowest ratio ${lowest.toFixed(2)} (${lowestName}), median ${middle.toFixed(2)}`;
  return `samples: ${extremes}; ${missed} of ${rows} missed`;
}

/** An import is compared with one that is this much larger. */
const GROWTH = 10;
const MAX_RATIO = 1.2;

export interface MemoryGrowth {
  readonly products: number;
  readonly peakMB: number;
  readonly largeProducts: number;
  readonly largePeakMB: number;
  readonly largeSeconds: number;
}

/** Compares the peak memory of an import with that of one ten times as large. */
export async function measureMemoryGrowth({ folder, products }: RowOptions): Promise<MemoryGrowth> {
  const database = join(folder, "memory.db");
  const small = await importGenerated(database, { products });
  removeDatabase(database);
  const large = await importGenerated(database, { products: products * GROWTH });
  removeDatabase(database);
  return {
    products,
    peakMB: small.peakMB,
    largeProducts: large.records,
    largePeakMB: large.peakMB,
    largeSeconds: large.seconds,
  };
}

export function formatMemoryGrowth(growth: MemoryGrowth): string {
  const { products, peakMB, largeProducts, largePeakMB, largeSeconds } = growth;
  const ratio = largePeakMB / peakMB;
  return [
    `peak memory: ${peakMB.toFixed(0)} MB at ${formatCount(products)} products,`,
    `${largePeakMB.toFixed(0)} MB at ${formatCount(largeProducts)} (${largeSeconds.toFixed(1)} s),`,
    `ratio ${ratio.toFixed(2)}, goal ≤ ${MAX_RATIO}: ${formatReached(ratio <= MAX_RATIO)};`,
    `goal < ${MAX_PEAK_MB} MB: ${formatReached(largePeakMB < MAX_PEAK_MB)}`,
  ].join(" ");
}
