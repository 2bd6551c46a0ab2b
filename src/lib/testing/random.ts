/** Pseudo-random numbers that a seed repeats. */

/** Returns an integer from 0 to `limit` - 1. */
export type RandomBelow = (limit: number) => number;

/** Returns a generator of pseudo-random integers (xorshift32, Marsaglia 2003). */
export function randomBelow(seed: number): RandomBelow {
  // xorshift32 never leaves the state 0.
  let state = seed | 0 || 1;
  return (limit) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % limit;
  };
}
