/** About as much as a socket takes at once: a batch holds no more than this and one item. */
const BATCH = 64 * 1024;

/** Gathers what comes one by one. `weigh` is in bytes, and more than 0, so that a batch always ends. */
export function* batchesOf<T>(items: Iterable<T>, weigh: (item: T) => number): Generator<readonly T[], void> {
  let batch: T[] = [];
  let weight = 0;
  for (const item of items) {
    batch.push(item);
    weight += weigh(item);
    if (weight >= BATCH) {
      yield batch;
      batch = [];
      weight = 0;
    }
  }
  if (batch.length > 0) yield batch;
}
