/** Frees the memory of dropped responses, after the event-loop tick in which they may still be written. */

interface Freeable {
  free(): void;
}

/** Freeing so many takes about half a millisecond. */
const MAX_PER_TICK = 1000;

/**
 * A dropped response may be in the write batch of this tick (`server/output/write-batch.ts`), which is written in a
 * `setImmediate` callback. So dropped responses are collected in one such callback, and freed in another one, which is
 * scheduled later. Leaving them to the garbage collector takes as much memory as the cache: a list that is being
 * recorded drops thousands of them within milliseconds.
 */
export class DelayedFree {
  #dropped: Freeable[] = [];
  #unused: Freeable[] = [];
  #scheduled = false;

  add(response: Freeable): void {
    this.#dropped.push(response);
    this.#schedule();
  }

  #schedule(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    setImmediate(this.#run);
  }

  readonly #run = (): void => {
    for (const response of this.#unused.splice(0, MAX_PER_TICK)) response.free();
    if (this.#unused.length === 0) {
      this.#unused = this.#dropped;
      this.#dropped = [];
    }
    this.#scheduled = false;
    if (this.#unused.length > 0) this.#schedule();
  };
}
