/** The rows as a table for a terminal and for the docs. */
import { type Row, reached, type Value } from "./row.ts";

export function tableOf(rows: readonly Row[]): string {
  const lines = rows.map((row) => [
    row.name,
    row.values.map((value) => shown(value, row.unit)).join("; "),
    row.ratio ? `${row.ratio.value.toFixed(2)} × ${row.ratio.to}` : "–",
    goalOf(row),
    { true: "yes", false: "NO", undefined: "–" }[String(reached(row))]!,
  ]);
  const head = ["what", "measured", "ratio", "goal", "reached"];
  const cells = [head, head.map(() => "---"), ...lines];
  return cells.map((line) => `| ${line.join(" | ")} |`).join("\n");
}

function shown({ contestant, value, why, cpu }: Value, unit: string): string {
  if (value === undefined) return `${contestant}: ${why}`;
  const cost = cpu === undefined || cpu > 1000 ? "" : ` (${cpu.toFixed(1)} µs)`;
  return `${contestant} ${short(value)} ${unit}${cost}`;
}

function goalOf({ goal }: Row): string {
  if (!goal) return "–";
  return "atLeast" in goal ? `≥ ${goal.atLeast}` : `≤ ${goal.atMost}`;
}

function short(value: number): string {
  return value >= 100 ? Math.round(value).toLocaleString("en") : value.toPrecision(3);
}
