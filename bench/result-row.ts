/** One row of the results table. The ratio of two of its values is compared with a goal. */
export interface ResultRow {
  readonly name: string;
  readonly unit: string;
  readonly values: readonly MeasuredValue[];
  readonly ratio?: { readonly of: string; readonly to: string; readonly value: number };
  readonly goal?: Goal;
  /** The promise of `PROMISED_ROWS` that the row keeps or breaks. */
  readonly promise?: string;
  /** The share of the CPU time that the host gave to other machines meanwhile, from 0 to 1. */
  readonly stolenShare?: number;
}

export type Goal = { readonly atLeast: number } | { readonly atMost: number };

export interface MeasuredValue {
  /** The server, or the variant of a server, that the value belongs to. */
  readonly label: string;
  /** Is undefined when nothing was measured. `reason` then says why. */
  readonly value: number | undefined;
  readonly reason?: string;
  /** CPU time of the server per request, where it was measured. */
  readonly cpuMicroseconds?: number;
}

/** Returns whether the goal is reached. Is undefined for a row without ratio or goal. */
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
