import { type GrowthPoint, shortCount } from "./growth-point.ts";

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
  const lines = [HEAD, HEAD.map(() => "---"), ...points.map(cellsOf)];
  return lines.map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

function cellsOf(point: GrowthPoint): string[] {
  const { asItComes, uncached, memory } = point;
  return [
    shortCount(point.records),
    count(asItComes.requestsPerSecond),
    count(uncached.requestsPerSecond),
    `${asItComes.cpuMicroseconds.toFixed(1)} and ${uncached.cpuMicroseconds.toFixed(1)} µs`,
    `${count(memory.idleMB)} MB`,
    `${count(memory.loadMB)} MB`,
    `${seconds(point.import.seconds)} s`,
    `${seconds(point.import.cpuSeconds)} s`,
    `${count(point.import.peakMB)} MB`,
    `${gigabytes(point.feedBytes)} GB`,
    `${gigabytes(point.fileBytes)} GB`,
  ];
}

function count(value: number): string {
  return Math.round(value).toLocaleString("en");
}

function seconds(value: number): string {
  return value < 100 ? value.toFixed(1) : count(value);
}

function gigabytes(bytes: number): string {
  return (bytes / 1e9).toFixed(2);
}
