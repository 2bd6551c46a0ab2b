import type { KeepUndo } from "./undo-step.ts";

const DAY_MS = 86_400_000;

interface KeptUndo {
  readonly number: number;
  /** A string where the engine has it as BIGINT. */
  readonly bytes: number | string;
  readonly ended: string;
}

/** Returns the newest import of those that are no longer kept at a time: an undo needs all later ones, too. */
export function undoCutoff(
  newestFirst: readonly KeptUndo[],
  { bytes, days }: KeepUndo,
  at: string,
): number | undefined {
  const oldest = new Date(Date.parse(at) - days * DAY_MS).toISOString();
  let sum = 0;
  return newestFirst.find((each) => {
    sum += Number(each.bytes);
    return sum > bytes || each.ended < oldest;
  })?.number;
}
