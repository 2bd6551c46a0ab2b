/**
 * The turns of the event loop. What was asked of the store in a turn holds for the rest of it: the requests that are
 * answered in one turn had all begun to come before it began (the system gives them out together), so that none of
 * them can be one that began after an import has ended which the turn's first look did not see.
 *
 * That is so for requests that are answered as they are read. One that was sent ahead of the answer before it is
 * answered in a `setImmediate`, whose turn would go on while sockets are read again: it is ended at once.
 */
export class Turns {
  #count = 0;
  #running = false;

  /** The number of this turn. */
  now(): number {
    if (!this.#running) {
      this.#running = true;
      this.#count++;
      // Runs before the loop waits for sockets again.
      setImmediate(this.end);
    }
    return this.#count;
  }

  /** What follows is another turn. */
  readonly end = () => {
    this.#running = false;
  };
}
