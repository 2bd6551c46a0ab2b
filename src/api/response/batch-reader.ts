/** Reads the batches of a list, and has the memory for its chunks. */
import type { Batches, Snapshot } from "../../catalog/store.ts";
import { type Awaitable, then } from "../../lib/awaitable.ts";

export class BatchReader<T> {
  readonly #batches: Iterator<readonly T[]> | AsyncIterator<readonly T[]>;
  readonly #snapshot: Pick<Snapshot, "close">;
  #state: "open" | "ended" | "closed" = "open";

  constructor(batches: Batches<T>, snapshot: Pick<Snapshot, "close">) {
    this.#batches = Symbol.iterator in batches ? batches[Symbol.iterator]() : batches[Symbol.asyncIterator]();
    this.#snapshot = snapshot;
  }

  get isOpen(): boolean {
    return this.#state === "open";
  }

  /** Returns the next batch, or undefined at the end. */
  next(): Awaitable<readonly T[] | undefined> {
    return then(this.#batches.next(), (step) => {
      if (step.done) this.#state = "ended";
      return step.done ? undefined : step.value;
    });
  }

  /** Closes the snapshot after its batches: the store may still be reading one when the client leaves. */
  close(): void {
    if (this.#state === "closed") return;
    const isUnfinished = this.#state === "open";
    this.#state = "closed";
    let returned: unknown;
    try {
      returned = isUnfinished ? this.#batches.return?.() : undefined;
    } finally {
      if (returned instanceof Promise)
        returned.then(() => this.#snapshot.close()).catch(() => this.#snapshot.close());
      else this.#snapshot.close();
    }
  }
}

/** Has room for a batch of a store and the record that ends it (`stores/batches.ts`), if that has a usual size. */
const POOLED_BYTES = 80 * 1024;

/** A list of the embedded store needs one at a time, and gives it back in the same tick. */
const MAX_POOLED = 4;

const pool: Uint8Array[] = [];

/** The memory for the chunks of one list. Allocating it for each chunk would cost as much as everything else. */
export class ChunkBuffer {
  #bytes: Uint8Array | undefined;

  /** Returns an array of this size. It replaces the one before. */
  ofSize(size: number): Uint8Array {
    if (this.#bytes && this.#bytes.length < size) this.release();
    this.#bytes ??= size > POOLED_BYTES ? new Uint8Array(size) : (pool.pop() ?? new Uint8Array(POOLED_BYTES));
    return this.#bytes.subarray(0, size);
  }

  /** Gives the memory to other lists. Nobody may use the array any more. */
  release(): void {
    const bytes = this.#bytes;
    if (bytes === undefined) return;
    this.#bytes = undefined;
    if (bytes.length === POOLED_BYTES && pool.length < MAX_POOLED) pool.push(bytes);
  }
}
