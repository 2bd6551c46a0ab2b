/**
 * Sends the chunks of all long responses round-robin. Each event-loop tick spends a fixed time on them, however many
 * wait. A lookup therefore does not wait for a chunk of every list in flight.
 */
export class FairQueue {
  readonly #budgetMs: number;
  readonly #waiting: (() => void)[] = [];
  #scheduled = false;

  /** `budgetMs` is the time for tasks in one tick; at least one task runs. */
  constructor(budgetMs: number) {
    this.#budgetMs = budgetMs;
  }

  /** Runs a task in a later tick, after all that wait already. */
  add(task: () => void): void {
    this.#waiting.push(task);
    this.#schedule();
  }

  #schedule(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    setImmediate(this.#run);
  }

  readonly #run = (): void => {
    const end = performance.now() + this.#budgetMs;
    try {
      do this.#waiting.shift()!();
      while (this.#waiting.length > 0 && performance.now() < end);
    } finally {
      this.#scheduled = false;
      if (this.#waiting.length > 0) this.#schedule();
    }
  };
}
