/** What was measured at each size of the catalog, and the table of it. */
import { formatCount, markdownTable } from "../command.ts";

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

export interface Lookups {
  readonly requestsPerSecond: number;
  readonly cpuMicroseconds: number;
}

/** Returns the points with the new one, by size. It replaces an older one of the same size. */
export function withPoint(points: readonly GrowthPoint[], point: GrowthPoint): GrowthPoint[] {
  const others = points.filter(({ records }) => records !== point.records);
  return [...others, point].sort((a, b) => a.records - b.records);
}

/** Returns 10 k, 1 M, … */
export function shortCount(records: number): string {
  return records >= 1_000_000 ? `${records / 1_000_000} M` : `${records / 1000} k`;
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
