/**
 * Reads keys of a list, and counts them, in slices of bounded size. A filter may match few of a million records: one
 * query for all of them would keep the event loop, or reach the timeout of a query.
 */

import type { ListKey } from "../catalog/selection.ts";
import type { Awaitable } from "../lib/awaitable.ts";

/** A list on an engine. Each call reads a bounded number of rows, if `to` is at most a slice away. */
export interface SlicedList<Key extends ListKey> {
  /** The rows of the first slice. Slices grow while they are fast. */
  readonly minSliceRows: number;
  readonly maxSliceRows: number;
  /** The list leaves out rows between its keys. */
  readonly isFiltered: boolean;
  /** Returns the key that is so many rows after another, with the rows that the filter leaves out. */
  sliceEnd(after: ListKey | undefined, rows: number): Awaitable<ListKey | undefined>;
  /** Returns the keys after one key and up to another, which is included. */
  keys(after: ListKey | undefined, to: ListKey | undefined, limit: number): Awaitable<readonly Key[]>;
  count(after: ListKey | undefined, to: ListKey | undefined): Awaitable<number>;
  /** Lets other work run between two slices. */
  pause?(): Promise<void>;
}

/** A slice that takes longer than this is followed by none that is larger. */
const FAST_SLICE_MS = 100;

export async function readKeys<Key extends ListKey>(
  list: SlicedList<Key>,
  after: ListKey | undefined,
  limit: number,
): Promise<readonly Key[]> {
  if (!list.isFiltered) return await list.keys(after, undefined, limit);
  const keys: Key[] = [];
  let rows = list.minSliceRows;
  for (let start = after; ; ) {
    const startedMs = performance.now();
    const end = await list.sliceEnd(start, rows);
    keys.push(...(await list.keys(start, end, limit - keys.length)));
    if (end === undefined || keys.length >= limit) return keys;
    start = end;
    rows = nextRows(list, rows, startedMs);
    await list.pause?.();
  }
}

/** Returns undefined when counting takes too long. */
export async function countKeys(list: SlicedList<ListKey>, timeoutMs = 1000): Promise<number | undefined> {
  const endMs = performance.now() + timeoutMs;
  let total = 0;
  let rows = list.minSliceRows;
  for (let start: ListKey | undefined; performance.now() < endMs; ) {
    const startedMs = performance.now();
    const end = await list.sliceEnd(start, rows);
    if (end === undefined) return total + (await list.count(start, undefined));
    total += list.isFiltered ? await list.count(start, end) : rows;
    start = end;
    rows = nextRows(list, rows, startedMs);
    await list.pause?.();
  }
  return undefined;
}

function nextRows({ maxSliceRows }: SlicedList<ListKey>, rows: number, startedMs: number): number {
  return performance.now() - startedMs < FAST_SLICE_MS ? Math.min(2 * rows, maxSliceRows) : rows;
}

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
