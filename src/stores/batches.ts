/** About as much as a socket takes at once: a batch holds no more than this and one item. */
const BATCH = 64 * 1024;
/** The first one is small: whoever asks for a list has its first bytes soon. */
const FIRST = 16 * 1024;

/** Gathers what comes one by one. `weigh` is in bytes, and more than 0, so that a batch always ends. */
export function* batchesOf<T>(items: Iterable<T>, weigh: (item: T) => number): Generator<readonly T[], void> {
  let batch: T[] = [];
  let weight = 0;
  let limit = FIRST;
  for (const item of items) {
    batch.push(item);
    weight += weigh(item);
    if (weight >= limit) {
      yield batch;
      batch = [];
      weight = 0;
      limit = BATCH;
    }
  }
  if (batch.length > 0) yield batch;
}
