/** The memory for the chunks of lists: taken while a chunk is made and written, given back while its client reads. */

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
