/** The rows of the results table, and those that every run has. */

/** One row of the results table. The ratio of two of its values is compared with a goal. */
export interface ResultRow {
  readonly name: string;
  readonly unit: string;
  readonly values: readonly MeasuredValue[];
  readonly ratio?: { readonly of: string; readonly to: string; readonly value: number };
  readonly goal?: Goal;
  /** The promise of `PROMISED_ROWS` that the row keeps or breaks. */
  readonly promise?: PromisedRow;
  /** The share of the CPU time that the host gave to other machines meanwhile, from 0 to 1. */
  readonly stolenShare?: number;
}

type Goal = { readonly atLeast: number } | { readonly atMost: number };

export interface MeasuredValue {
  /** The server, or the variant of a server, that the value belongs to. */
  readonly label: string;
  /** When nothing was measured, the value is undefined and `reason` says why. */
  readonly value: number | undefined;
  readonly reason?: string;
  /** CPU time of the server per request, where it was measured. */
  readonly cpuMicroseconds?: number;
}

/** Returns whether the goal is reached, or undefined for a row without ratio or goal. */
export function isGoalReached({ ratio, goal }: ResultRow): boolean | undefined {
  if (!ratio || !goal) return undefined;
  return "atLeast" in goal ? ratio.value >= goal.atLeast : ratio.value <= goal.atMost;
}

/** Returns a row with the ratio of the first value to the value of `baseline`. */
export function compare(
  name: string,
  unit: string,
  values: readonly MeasuredValue[],
  baseline: string,
  goal?: Goal,
): ResultRow {
  const [own] = values;
  const other = values.find(({ label }) => label === baseline);
  const ratio =
    own?.value === undefined || other?.value === undefined
      ? undefined
      : { of: own.label, to: baseline, value: own.value / other.value };
  return { name, unit, values, ...(ratio && { ratio }), ...(goal && { goal }) };
}

interface RowPromise {
  readonly what: string;
  readonly goal: Goal;
}

/** The rows that every run has, with their goals. A run that cannot measure one of them says why. */
export const PROMISED_ROWS = {
  "hot, as it comes": { what: "one hot record, log to a file", goal: { atLeast: 1 } },
  "hot, file": { what: "one hot record, log to a file, --admin-port", goal: { atLeast: 1 } },
  "hot, pipe": { what: "one hot record, log to a pipe, --admin-port", goal: { atLeast: 1 } },
  "hot, no log": { what: "one hot record, no log", goal: { atLeast: 1.1 } },
  "random, as it comes": { what: "random records, in memory, log to a file", goal: { atLeast: 0.8 } },
  "random, no log": { what: "random records, in memory, no log", goal: { atLeast: 0.8 } },
  "random, by size": { what: "random records by catalog size, nothing cached", goal: { atLeast: 0.9 } },
  "random, limited memory": { what: "random records, file larger than memory", goal: { atLeast: 1 } },
  "many ISBNs": { what: "100 ISBNs in a call against one by one", goal: { atLeast: 3 } },
  "first list": { what: "a first, uncached imprint", goal: { atLeast: 0.5 } },
  "first list, gzip": { what: "a first, uncached imprint in gzip", goal: { atLeast: 1 } },
  "first list, zstd": { what: "a first, uncached imprint in zstd", goal: { atLeast: 1 } },
  "two workers": { what: "two workers on two cores, clients beside them", goal: { atLeast: 1 } },
  "peak memory": { what: "the most memory under any row", goal: { atMost: 1 } },
  "p99, lists begin": { what: "p99 of lookups while 500 readers begin a list", goal: { atMost: 5 } },
} as const satisfies Readonly<Record<string, RowPromise>>;

export type PromisedRow = keyof typeof PROMISED_ROWS;

/** Returns the row with the goal of its promise. */
export function promised(promise: PromisedRow, row: ResultRow): ResultRow {
  return { ...row, promise, goal: PROMISED_ROWS[promise].goal };
}

/** Returns a row for each promise that no row keeps. Its only value says why nothing was measured. */
export function rowsNotMeasured(
  rows: readonly ResultRow[],
  reasonFor: (promise: PromisedRow) => string,
): ResultRow[] {
  const measured = new Set(rows.map(({ promise }) => promise));
  const missing = (Object.keys(PROMISED_ROWS) as PromisedRow[]).filter((promise) => !measured.has(promise));
  return missing.map((promise) =>
    promised(promise, {
      name: PROMISED_ROWS[promise].what,
      unit: "",
      values: [{ label: "not measured", value: undefined, reason: reasonFor(promise) }],
    }),
  );
}
