/** Writes the results of the import bench as a Markdown table. */
import { median } from "../median.ts";
import { MAX_PEAK_MB, type RowResult } from "./measure-row.ts";

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
  const lines = [HEAD, HEAD.map(() => "---"), ...rows.map(cellsOf)];
  return lines.map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

function cellsOf(row: RowResult): string[] {
  return [
    row.name,
    row.products.toLocaleString("en"),
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

export function formatReached(isReached: boolean): string {
  return isReached ? "reached" : "MISSED";
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
