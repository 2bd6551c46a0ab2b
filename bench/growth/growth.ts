/** Measures sizes of the catalog one after another: import, lookups and memory. Writes the figures. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type CreatedCatalog, createCatalog, hasCatalog, readOnce, removeCatalog } from "../catalog.ts";
import { formatCount, markdownTable, today } from "../command.ts";
import { alternate, type BenchOptions } from "../measure.ts";
import { memoryOf, SERVER_CORE, waitUntilReady } from "../processes.ts";
import { isbnAt } from "../product-xml.ts";
import { replaceSection, rowJson } from "../results/results.ts";
import { colophon, launchColophon } from "../servers/colophon.ts";
import { API_PATHS, type CatalogFiles, type ServerUnderTest } from "../servers/server.ts";
import { randomRecordTarget } from "../wrk.ts";

/** What was measured at one size of the catalog. */
export interface GrowthPoint {
  readonly records: number;
  readonly date: string;
  readonly feedBytes: number;
  readonly fileBytes: number;
  /** The import of the feed into a new catalog. */
  readonly import: { readonly seconds: number; readonly cpuSeconds: number; readonly peakMB: number };
  /** Random lookups, without a response cache. */
  readonly uncached: Lookups;
  /** Random lookups on a server without options. */
  readonly asItComes: Lookups;
  /** The service without options: after its first response, and its peak under random lookups. */
  readonly memory: { readonly idleMB: number; readonly loadMB: number };
}

interface Lookups {
  readonly requestsPerSecond: number;
  readonly cpuMicroseconds: number;
}

/**
 * Writes performance-growth.json, and the section in performance.md, after each size. Sizes that the file has
 * from earlier runs stay. A catalog that this run has made is removed before the next one, unless `keep` is set.
 */
export async function runGrowth(
  folder: string,
  sizes: readonly number[],
  options: BenchOptions,
  { keep }: { keep: boolean },
): Promise<void> {
  for (const records of sizes) {
    const isOwn = !hasCatalog(options.workFolder, records);
    const created = await createCatalog(options.workFolder, records, { hasStaticFiles: false });
    write(folder, await measureSize(created, options));
    if (isOwn && !keep) removeCatalog(created.catalog);
  }
}

function write(folder: string, point: GrowthPoint): void {
  const path = join(folder, "performance-growth.json");
  const before: GrowthPoint[] = existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : [];
  const points = withPoint(before, point);
  writeFileSync(path, rowJson(points));
  replaceSection(join(folder, "performance.md"), "growth", `${growthTable(points)}\n`);
  console.log(growthTable([point]));
}

async function measureSize(
  { catalog, importCost }: CreatedCatalog,
  options: BenchOptions,
): Promise<GrowthPoint> {
  const { seconds, cpuSeconds, peakMB, feedBytes, fileBytes } = importCost;
  await readOnce(catalog.databasePath);
  const idleMB = await measureIdle(catalog);
  const asItComes = await colophon()(catalog, SERVER_CORE);
  const uncached = await colophon({ cacheMB: 0 })(catalog, SERVER_CORE);
  try {
    const results = await alternate([asItComes, uncached], options, (server) => ({
      luaTarget: randomRecordTarget(server, catalog.records),
    }));
    const lookups = ({ name }: ServerUnderTest): Lookups => {
      const { requestsPerSecond, cpuMicroseconds } = results.get(name)!;
      return { requestsPerSecond, cpuMicroseconds };
    };
    return {
      records: catalog.records,
      date: today(),
      feedBytes,
      fileBytes,
      import: { seconds, cpuSeconds, peakMB },
      uncached: lookups(uncached),
      asItComes: lookups(asItComes),
      memory: { idleMB, loadMB: memoryOf(asItComes.pids[0]!).peakMB },
    };
  } finally {
    await Promise.all([asItComes.stop(), uncached.stop()]);
  }
}

async function measureIdle(catalog: CatalogFiles): Promise<number> {
  const { url, headers, pid, stop } = await launchColophon(catalog, SERVER_CORE);
  await waitUntilReady(url + API_PATHS.isbn(isbnAt(0)), headers);
  const { currentMB } = memoryOf(pid);
  await stop();
  return currentMB;
}

/** Returns the points with the new one, by size. It replaces an older one of the same size. */
export function withPoint(points: readonly GrowthPoint[], point: GrowthPoint): GrowthPoint[] {
  const others = points.filter(({ records }) => records !== point.records);
  return [...others, point].sort((a, b) => a.records - b.records);
}

const HEAD = [
  "records",
  "random lookups/s",
  "with `--cache 0`",
  "CPU time each",
  "memory idle",
  "under load",
  "import",
  "its CPU time",
  "its memory",
  "feed",
  "file",
];

/** Returns the points as a Markdown table, a line for each. */
export function growthTable(points: readonly GrowthPoint[]): string {
  return markdownTable([HEAD, ...points.map(cellsOf)]);
}

function cellsOf(point: GrowthPoint): string[] {
  const { asItComes, uncached, memory } = point;
  return [
    shortCount(point.records),
    formatCount(asItComes.requestsPerSecond),
    formatCount(uncached.requestsPerSecond),
    `${asItComes.cpuMicroseconds.toFixed(1)} and ${uncached.cpuMicroseconds.toFixed(1)} µs`,
    `${formatCount(memory.idleMB)} MB`,
    `${formatCount(memory.loadMB)} MB`,
    `${seconds(point.import.seconds)} s`,
    `${seconds(point.import.cpuSeconds)} s`,
    `${formatCount(point.import.peakMB)} MB`,
    `${gigabytes(point.feedBytes)} GB`,
    `${gigabytes(point.fileBytes)} GB`,
  ];
}

function seconds(value: number): string {
  return value < 100 ? value.toFixed(1) : formatCount(value);
}

function gigabytes(bytes: number): string {
  return (bytes / 1e9).toFixed(2);
}

/** Returns 10 k, 1 M, … */
function shortCount(records: number): string {
  return records >= 1_000_000 ? `${records / 1_000_000} M` : `${records / 1000} k`;
}
