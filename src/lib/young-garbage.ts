/** Collects the garbage of responses early. */
import { edenGC } from "bun:jsc";

/**
 * The engine lets garbage grow to the size of the heap before it collects. That size includes the response cache, so the
 * garbage would take 50 MB beside it. Collecting 8 MB takes about half a millisecond: few young objects are in use.
 *
 * A collection makes old objects of those that are in use, and the engine collects old objects late. So a list that
 * waits for its client must hold little. When each of 500 lists held a batch of records, the peak was 386 MB, not 280.
 */
const MAX_GARBAGE_BYTES = 8 * 1024 * 1024;

let garbageBytes = 0;

/** Counts bytes that will be garbage soon, roughly. Collects young objects at the end of the tick when they are many. */
export function noteGarbage(bytes: number): void {
  garbageBytes += bytes;
  if (garbageBytes < MAX_GARBAGE_BYTES) return;
  garbageBytes = 0;
  setImmediate(edenGC);
}
