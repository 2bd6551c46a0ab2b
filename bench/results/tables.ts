/** Writes result rows as Markdown tables, for the terminal and for docs/performance.md. */
import { markdownTable } from "../command.ts";
import { isGoalReached, type MeasuredValue, type PromisedRow, type ResultRow } from "./rows.ts";

/** Less stolen CPU time than this is not worth a word. */
const MIN_STOLEN_SHARE = 0.05;
const HEAD = ["what", "measured", "ratio", "goal"];

export function resultsTable(rows: readonly ResultRow[]): string {
  return markdownTable([HEAD, ...rows.map(cellsOf)]);
}

function cellsOf(row: ResultRow): string[] {
  return [
    row.name,
    row.values.map((value) => formatValue(value, row.unit)).join("; ") + formatStolen(row),
    formatRatio(row),
    formatGoal(row),
  ];
}

/** Of two values, the ratio is that to the other one. Of more, it says to which. */
function formatRatio({ ratio, values }: ResultRow): string {
  if (!ratio) return "–";
  return ratio.value.toFixed(2) + (values.length > 2 ? ` × ${ratio.to}` : "");
}

function formatValue({ label, value, reason, cpuMicroseconds }: MeasuredValue, unit: string): string {
  if (value === undefined) return `${label}: ${reason}`;
  return `${label} ${formatNumber(value)} ${unit}${formatCpu(cpuMicroseconds)}`;
}

/** The CPU time of whole lists says nothing that their number does not. */
function formatCpu(microseconds: number | undefined): string {
  return microseconds !== undefined && microseconds <= 1000 ? ` (${microseconds.toFixed(1)} µs)` : "";
}

function formatStolen({ stolenShare = 0 }: ResultRow): string {
  if (stolenShare <= MIN_STOLEN_SHARE) return "";
  return `; ${Math.round(stolenShare * 100)} % stolen`;
}

function formatGoal(row: ResultRow): string {
  const { goal } = row;
  if (!goal) return "–";
  const bound = "atLeast" in goal ? `≥ ${goal.atLeast}` : `≤ ${goal.atMost}`;
  return isGoalReached(row) === false ? `${bound}: MISSED` : bound;
}

/** Returns three significant digits, or a whole number from 100 on. */
export function formatNumber(value: number): string {
  return value >= 100 ? Math.round(value).toLocaleString("en") : value.toPrecision(3);
}

/** The row of a promise, or the first row whose name begins so. */
type RowKey = { readonly promise: PromisedRow } | { readonly name: string };

/** The server without options, on one core. */
const AS_IT_COMES: readonly (readonly [what: string, key: RowKey])[] = [
  ["the same record again and again", { promise: "hot, as it comes" }],
  ["a record at random", { promise: "random, as it comes" }],
  ["100 records in a call", { promise: "many ISBNs" }],
  ["a list of 10,000 records, the first time", { promise: "first list" }],
  ["the same in gzip", { promise: "first list, gzip" }],
  ["the same in zstd", { promise: "first list, zstd" }],
  ["the list again, from the response cache", { name: "/api/imprint, 10,000 records" }],
  ["all ISBNs", { name: "/api/skus" }],
  ["lookups, while 500 readers begin a list: p99", { promise: "p99, lists begin" }],
  ["from the command to the first response", { name: "start to first response" }],
  ["memory when idle", { name: "memory when idle" }],
  ["memory, the most under any row", { promise: "peak memory" }],
];

/** What each option changes, for the same record again and again and for records at random. */
const TUNING: readonly (readonly [option: string, hot: RowKey | undefined, random: RowKey | undefined])[] = [
  ["as it comes, log to a file", { promise: "hot, as it comes" }, { promise: "random, as it comes" }],
  ["`--admin-port`", { promise: "hot, file" }, undefined],
  ["`--admin-port`, log to a pipe", { promise: "hot, pipe" }, undefined],
  ["`--log none`", { promise: "hot, no log" }, { promise: "random, no log" }],
  ["`--log none --cache 0`", undefined, { promise: "random, by size" }],
  ["`--workers 2`, both cores shared with the clients", { promise: "two workers" }, undefined],
];

export function asItComesTable(rows: readonly ResultRow[]): string {
  const lines = AS_IT_COMES.map(([what, key]) => {
    const row = find(rows, key);
    const [own] = row?.values ?? [];
    const beside = row?.ratio ? `${row.ratio.value.toFixed(2)} × ${row.ratio.to}` : "–";
    return [what, figure(own, row?.unit), beside];
  });
  return markdownTable([["what", "Colophon", "beside"], ...lines]);
}

export function tuningTable(rows: readonly ResultRow[]): string {
  const lines = TUNING.map(([option, ...keys]) => [
    option,
    ...keys.map((key) => {
      const row = key && find(rows, key);
      return key ? figure(row?.values[0], row?.unit) : "–";
    }),
  ]);
  return markdownTable([["options", "one record", "at random"], ...lines]);
}

function find(rows: readonly ResultRow[], key: RowKey): ResultRow | undefined {
  // A row that was promised something is named by its promise. Its name may begin like that of another row.
  return rows.find(({ promise, name }) =>
    "promise" in key ? promise === key.promise : promise === undefined && name.startsWith(key.name),
  );
}

function figure(measured: MeasuredValue | undefined, unit: string | undefined): string {
  if (measured?.value === undefined) return "not measured";
  return `${formatNumber(measured.value)} ${unit}${formatCpu(measured.cpuMicroseconds)}`;
}
