/**
 * One of several processes that use the same rate limit at the same time. Inherits the shared memory as descriptor 3.
 * Arguments: number, processes, rounds, tokens, takes. Prints the allowed requests of each round and token as JSON.
 */
import { mapSharedMemory } from "../../../lib/shared-memory.ts";
import { RateLimit } from "../rate-limit.ts";
import { SharedRateBuckets } from "../shared-rate-buckets.ts";
import { SharedRateMemory } from "../shared-rate-memory.ts";

/** The end of the memory, which the table leaves free: how many processes have come to each round. */
export const BARRIER_BYTES = 64;
export const RATE = { requests: 10, seconds: 10 };

if (import.meta.main) {
  const [number = 0, processes = 0, rounds = 0, tokens = 0, takes = 0] = process.argv.slice(2).map(Number);
  const bytes = mapSharedMemory(3);
  const memory = new SharedRateMemory(bytes.subarray(0, -BARRIER_BYTES));
  const arrivals = new Int32Array(bytes.buffer, bytes.byteLength - BARRIER_BYTES, 1);
  const limit = new RateLimit(RATE, new SharedRateBuckets(memory, RATE.seconds * 1000));
  const callers = Array.from({ length: tokens }, (_, token) => ({ id: String(token), name: undefined }));
  const startMs = performance.now();
  const allowed: number[][] = [];
  for (let round = 0; round < rounds; round++) {
    Atomics.add(arrivals, 0, 1);
    for (let spins = 0; Atomics.load(arrivals, 0) < (round + 1) * processes; spins++) {
      if (spins > 10_000) Bun.sleepSync(0.1);
    }
    // Each round is later than the window of the round before, so every bucket is full again.
    const nowMs = startMs + round * 1000 * (RATE.seconds + 1);
    const counts = callers.map(() => 0);
    for (let take = 0; take < takes; take++) {
      // A generation starts amid the requests of each round.
      if (number === 0 && take === round % takes) memory.startGeneration();
      callers.forEach((caller, index) => {
        if (limit.take(caller, nowMs).allowed) counts[index]!++;
      });
    }
    allowed.push(counts);
  }
  console.log(JSON.stringify(allowed));
}
