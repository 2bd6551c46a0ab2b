/** What is measured of an import, the limits of it, and both as tables. */
import { formatCount, formatReached, markdownTable } from "../command.ts";
import type { MeasuredStore } from "./stores.ts";

/** The measures by their column, with the number of decimals. All but the peak and sizes are net of the program's start. */
const MEASURES = {
  products: ["products", 0],
  megabytes: ["MB", 0],
  seconds: ["s", 2],
  cpuSeconds: ["CPU s", 2],
  cpuMicroseconds: ["CPU µs per product", 0],
  productsPerSecond: ["products/s", 0],
  /** The time of `xmllint` divided by that of the import: above 1, the import is faster. */
  xmllintRatio: ["speed ÷ xmllint", 2],
  /** These compare the time per product. */
  newRatio: ["time ÷ new book", 2],
  smallRatio: ["time ÷ small catalog", 2],
  sqliteRatio: ["time ÷ SQLite", 2],
  peakMB: ["peak MB", 0],
  growth: ["peak ÷ first size", 2],
  logRatio: ["log ÷ feed", 2],
  fileRatio: ["file ÷ feed", 2],
  p99Ratio: ["p99 of lookups ÷ alone", 1],
} as const satisfies Record<string, readonly [column: string, decimals: number]>;

export type Measure = keyof typeof MEASURES;
export type Values = { readonly [Name in Measure]?: number | undefined };

export interface RowResult {
  readonly id: string;
  readonly name: string;
  readonly store: MeasuredStore["id"];
  readonly before?: string | undefined;
  readonly values: Values;
}

const STORES = ["sqlite", "postgres"] as const;

interface Limit {
  /** The id of a row, or what several ids begin with. Default: all rows. */
  readonly row?: string;
  /** Default: both. */
  readonly store?: MeasuredStore["id"];
  readonly measure: Measure;
  readonly atMost?: number;
  readonly atLeast?: number;
  /** Whether the limit also holds for the small feeds of `--quick`. */
  readonly quick: boolean;
}

const LIMITS: readonly Limit[] = [
  { row: "new", store: "sqlite", measure: "cpuMicroseconds", atMost: 240, quick: true },
  { row: "new", store: "sqlite", measure: "fileRatio", atMost: 1.9, quick: true },
  { row: "new", store: "sqlite", measure: "xmllintRatio", atLeast: 0.25, quick: false },
  { row: "new", measure: "sqliteRatio", atMost: 1.3, quick: true },
  { row: "sender-french", store: "sqlite", measure: "xmllintRatio", atLeast: 0.4, quick: false },
  { row: "sender-us", store: "sqlite", measure: "xmllintRatio", atLeast: 0.7, quick: false },
  { row: "sender-italian", store: "sqlite", measure: "xmllintRatio", atLeast: 0.8, quick: false },
  { row: "sender-french", store: "sqlite", measure: "fileRatio", atMost: 0.74, quick: true },
  { row: "sender-us", store: "sqlite", measure: "fileRatio", atMost: 1.13, quick: true },
  { row: "sender-italian", store: "sqlite", measure: "fileRatio", atMost: 1.04, quick: true },
  { row: "sender", measure: "sqliteRatio", atMost: 1.3, quick: false },
  { row: "again", measure: "newRatio", atMost: 0.5, quick: true },
  { row: "replace", measure: "newRatio", atMost: 0.5, quick: true },
  { row: "whole", measure: "newRatio", atMost: 1.6, quick: true },
  { row: "supply", measure: "newRatio", atMost: 1, quick: true },
  { row: "deletion", measure: "newRatio", atMost: 0.7, quick: true },
  { row: "whole", store: "sqlite", measure: "logRatio", atMost: 6, quick: true },
  { row: "day-whole", store: "sqlite", measure: "logRatio", atMost: 6, quick: false },
  { row: "day-whole", store: "sqlite", measure: "productsPerSecond", atLeast: 3500, quick: false },
  { row: "day-supply", store: "sqlite", measure: "productsPerSecond", atLeast: 5000, quick: false },
  { row: "day", measure: "smallRatio", atMost: 2, quick: false },
  { row: "day", measure: "p99Ratio", atMost: 3, quick: false },
  { measure: "peakMB", atMost: 250, quick: true },
  { row: "memory", measure: "growth", atMost: 1.2, quick: false },
];

/** A limit, and how far a result is from it. */
interface Verdict extends Limit {
  readonly result: RowResult;
  readonly value: number;
  readonly isReached: boolean;
}

/** Compares results with the limits. Of several rows of a limit, the one that is furthest from it counts on each store. */
export function judge(results: readonly RowResult[], isQuick: boolean): readonly Verdict[] {
  const limits = LIMITS.filter(({ quick }) => quick || !isQuick);
  return limits.flatMap((limit) => {
    const { row = "", store, measure, atMost = Number.POSITIVE_INFINITY, atLeast } = limit;
    const verdicts = results
      .filter(({ id }) => row === "" || id === row || id.startsWith(`${row}-`))
      .flatMap((result) => {
        const value = result.values[measure];
        return value === undefined
          ? []
          : { ...limit, result, value, isReached: value <= atMost && value >= (atLeast ?? value) };
      })
      .sort((a, b) => (atLeast === undefined ? b.value - a.value : a.value - b.value));
    return STORES.filter((id) => (store ?? id) === id).flatMap(
      (id) => verdicts.find(({ result }) => result.store === id) ?? [],
    );
  });
}

/** Columns without a value in any row are left out. */
export function resultsTable(results: readonly RowResult[]): string {
  const measures = (Object.keys(MEASURES) as Measure[]).filter((measure) =>
    results.some(({ values }) => values[measure] !== undefined),
  );
  return markdownTable([
    ["import", "store", ...measures.map((measure) => MEASURES[measure][0]), "before"],
    ...results.map(({ name, store, before = "–", values }) => [
      name,
      store,
      ...measures.map((measure) => format(measure, values[measure])),
      before,
    ]),
  ]);
}

export function limitsTable(verdicts: readonly Verdict[]): string {
  return markdownTable([
    ["import", "store", "measure", "measured", "limit", "reached"],
    ...verdicts.map(({ result, measure, value, atMost, atLeast, isReached }) => [
      result.name,
      result.store,
      MEASURES[measure][0],
      format(measure, value),
      atMost === undefined ? `≥ ${atLeast!.toLocaleString("en")}` : `≤ ${atMost}`,
      formatReached(isReached),
    ]),
  ]);
}

function format(measure: Measure, value: number | undefined): string {
  if (value === undefined) return "–";
  const [, decimals] = MEASURES[measure];
  return decimals === 0 ? formatCount(value) : value.toFixed(decimals);
}
