/** One line of the table: values of contestants, and the goal that the ratio of two of them is held against. */
export interface Value {
  readonly contestant: string;
  /** Undefined: it was not measured, and `why` says why. */
  readonly value: number | undefined;
  readonly why?: string;
  /** Microseconds of CPU per request, where that was measured. */
  readonly cpu?: number;
}

export interface Row {
  readonly name: string;
  readonly unit: string;
  readonly values: readonly Value[];
  readonly ratio?: { readonly of: string; readonly to: string; readonly value: number };
  readonly goal?: { readonly atLeast: number } | { readonly atMost: number };
}

export function reached({ ratio, goal }: Row): boolean | undefined {
  if (!ratio || !goal) return undefined;
  return "atLeast" in goal ? ratio.value >= goal.atLeast : ratio.value <= goal.atMost;
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/** A row whose first value is Colophon's, and is held against that of `to`. */
export function compared(
  name: string,
  unit: string,
  values: readonly Value[],
  to: string,
  goal?: Row["goal"],
): Row {
  const own = values[0]?.value;
  const other = values.find(({ contestant }) => contestant === to)?.value;
  const ratio =
    own === undefined || other === undefined
      ? undefined
      : { of: values[0]!.contestant, to, value: own / other };
  return { name, unit, values, ...(ratio && { ratio }), ...(goal && { goal }) };
}
