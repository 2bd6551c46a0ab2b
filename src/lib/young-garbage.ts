/** Collects the garbage of requests early. */
import { edenGC } from "bun:jsc";

/**
 * The engine lets garbage grow to the size of the heap, the response cache included, before it collects any. Peak memory
 * of `serve` and its CPU time per request, with 64 connections and random lookups among 10,000 books of 4 kB, three runs,
 * before single records were freed by hand (`free-buffer.ts`):
 *
 * | collected every | peak | CPU time |
 * |---|---|---|
 * | never by hand | 260 to 279 MB | 27.7 to 30.4 µs |
 * | 8,000 requests | 220 to 230 MB | 27.5 to 30.5 µs |
 * | 2,000 requests | 209 to 215 MB | 30.2 to 32.5 µs |
 *
 * Objects in use at that moment count as old from then on, and are collected late: a list that waits for its client holds
 * few.
 */
const REQUESTS = 8000;

let requests = 0;

/** Counts a request. Collects young objects at the end of the tick when there were many. */
export function noteRequest(): void {
  if (++requests < REQUESTS) return;
  requests = 0;
  setImmediate(edenGC);
}
