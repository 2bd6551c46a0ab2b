interface Freeable {
  free(): void;
}

/** Freeing so many takes about half a millisecond. */
const MAX_PER_TICK = 1000;

/**
 * Frees the memory of responses that the cache has dropped (table in `lib/free-buffer.ts`). Such a response may be in the
 * write batch of this tick (`server/output/response-writer.ts`), which is written in a `setImmediate` callback. So dropped
 * responses are collected in one such callback, and freed in another one, which is scheduled later.
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
