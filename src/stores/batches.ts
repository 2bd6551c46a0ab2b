/** About what a socket accepts at once. A batch exceeds it by less than one item. */
const LIST_BATCH_BYTES = 64 * 1024;
/**
 * The first batch is smaller, so that a client receives its first bytes early. It exceeds what is read before the head is
 * sent (`DEFAULT_BUFFERED_BYTES` of the API), so that one batch is enough to begin a long list.
 */
const FIRST_LIST_BATCH_BYTES = 20 * 1024;

/**
 * Groups items into batches by size. `bytesOf` returns more than 0, so that every batch ends. Holds no batch while it
 * waits: what it holds survives collections of young objects, and is collected late.
 */
export function* batchesOf<T>(
  items: Iterable<T>,
  bytesOf: (item: T) => number,
): Generator<readonly T[], void> {
  let batch: T[] | undefined;
  let bytes = 0;
  let limit = FIRST_LIST_BATCH_BYTES;
  for (const item of items) {
    batch ??= [];
    batch.push(item);
    bytes += bytesOf(item);
    if (bytes >= limit) {
      const full = batch;
      batch = undefined;
      bytes = 0;
      limit = LIST_BATCH_BYTES;
      yield full;
    }
  }
  if (batch) yield batch;
}
