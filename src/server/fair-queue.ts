/**
 * The long answers of all clients, piece by piece, each in its turn. In one turn of the loop there is time for a few
 * pieces only, however many wait: so who asks for a single record is heard after that time, and not after a piece of
 * every list that is being read.
 */
export class Queue {
  /** Milliseconds. */
  readonly #slice: number;
  readonly #waiting: (() => void)[] = [];
  #scheduled = false;

  constructor(slice: number) {
    this.#slice = slice;
  }

  /** It is run in a later turn of the loop. Behind all that wait: so nobody is forgotten. */
  add(piece: () => void): void {
    this.#waiting.push(piece);
    this.#schedule();
  }

  #schedule(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    setImmediate(this.#run);
  }

  readonly #run = (): void => {
    const end = performance.now() + this.#slice;
    try {
      do this.#waiting.shift()!();
      while (this.#waiting.length > 0 && performance.now() < end);
    } finally {
      this.#scheduled = false;
      if (this.#waiting.length > 0) this.#schedule();
    }
  };
}
