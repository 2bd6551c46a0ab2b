/** Writes result rows as a Markdown table, for the terminal and for docs/performance.md. */
import { isGoalReached, type MeasuredValue, type ResultRow } from "../result-row.ts";

/** Less stolen CPU time than this is not worth a word. */
const MIN_STOLEN_SHARE = 0.05;
const HEAD = ["what", "measured", "ratio", "goal", "reached"];

export function markdownTable(rows: readonly ResultRow[]): string {
  const lines = [HEAD, HEAD.map(() => "---"), ...rows.map(cellsOf)];
  return lines.map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

function cellsOf(row: ResultRow): string[] {
  return [
    row.name,
    row.values.map((value) => formatValue(value, row.unit)).join("; ") + formatStolen(row),
    row.ratio ? `${row.ratio.value.toFixed(2)} × ${row.ratio.to}` : "–",
    formatGoal(row),
    { true: "yes", false: "NO", undefined: "–" }[String(isGoalReached(row))]!,
  ];
}

function formatValue({ label, value, reason, cpuMicroseconds }: MeasuredValue, unit: string): string {
  if (value === undefined) return `${label}: ${reason}`;
  const hasCpu = cpuMicroseconds !== undefined && cpuMicroseconds <= 1000;
  return `${label} ${formatNumber(value)} ${unit}${hasCpu ? ` (${cpuMicroseconds.toFixed(1)} µs)` : ""}`;
}

function formatStolen({ stolenShare = 0 }: ResultRow): string {
  if (stolenShare <= MIN_STOLEN_SHARE) return "";
  return `; the host stole ${Math.round(stolenShare * 100)} % of the CPU time`;
}

function formatGoal({ goal }: ResultRow): string {
  if (!goal) return "–";
  return "atLeast" in goal ? `≥ ${goal.atLeast}` : `≤ ${goal.atMost}`;
}

/** Returns three significant digits, or a whole number from 100 on. */
export function formatNumber(value: number): string {
  return value >= 100 ? Math.round(value).toLocaleString("en") : value.toPrecision(3);
}
