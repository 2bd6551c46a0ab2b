/**
 * Small questions that come at about the same time go to the server as one. With hundreds of readers this costs
 * client and server a fraction of as many single queries (measured in docs/postgres.md), and an answer is as
 * fresh: a question never joins a query that has been sent.
 */
export class LookupBatcher<Answer> {
  readonly #ask: (keys: readonly string[]) => Promise<ReadonlyMap<string, Answer>>;
  readonly #flights: number;
  #waiting = new Map<string, Waiter<Answer>>();
  #flying = 0;
  #called = false;

  constructor(flights: number, ask: (keys: readonly string[]) => Promise<ReadonlyMap<string, Answer>>) {
    this.#flights = flights;
    this.#ask = ask;
  }

  get(key: string): Promise<Answer | undefined> {
    let waiter = this.#waiting.get(key);
    if (!waiter) {
      waiter = Promise.withResolvers();
      this.#waiting.set(key, waiter);
      this.#call();
    }
    return waiter.promise;
  }

  /** After what else this turn of the loop has to ask. */
  #call(): void {
    if (this.#called || this.#flying >= this.#flights) return;
    this.#called = true;
    queueMicrotask(() => {
      this.#called = false;
      while (this.#waiting.size > 0 && this.#flying < this.#flights) void this.#fly(this.#board());
    });
  }

  #board(): Map<string, Waiter<Answer>> {
    const aboard = new Map<string, Waiter<Answer>>();
    for (const [key, waiter] of this.#waiting) {
      aboard.set(key, waiter);
      this.#waiting.delete(key);
      if (aboard.size === ABOARD) break;
    }
    return aboard;
  }

  async #fly(aboard: Map<string, Waiter<Answer>>): Promise<void> {
    this.#flying++;
    try {
      const answers = await this.#ask([...aboard.keys()]);
      for (const [key, waiter] of aboard) waiter.resolve(answers.get(key));
    } catch (error) {
      // Those who wait for the next flight have waited long enough: they would hear the same, only later.
      for (const waiter of [...aboard.values(), ...this.#waiting.values()]) waiter.reject(error);
      this.#waiting.clear();
    } finally {
      this.#flying--;
      if (this.#waiting.size > 0) this.#call();
    }
  }
}

/** Of a query: few enough that its answer, of whole records, stays small. */
const ABOARD = 64;

type Waiter<Answer> = PromiseWithResolvers<Answer | undefined>;
