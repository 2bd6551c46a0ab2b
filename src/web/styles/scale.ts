/** The levels of the scale in `scale.css`. */

/** The lowest share of each level, from the best to the worst. Colours and legend follow them. */
export const LEVEL_STARTS = [1, 0.95, 0.8, 0.5, 0] as const;

/** Returns the level of a cell: 0 when no book lacks the thing, 4 when most do. */
export function levelOf(has: number, books: number): number {
  if (has >= books) return 0;
  return Math.max(
    1,
    LEVEL_STARTS.findIndex((start) => has / books >= start),
  );
}
