import type { Awaitable } from "../../lib/awaitable.ts";

/**
 * The parts that are being read at a time. PostgreSQL reads them in the order of the calls: with more, a client would
 * wait for a part of every list of all others.
 */
export const MAX_READS = 8;

/**
 * Runs the parts of all long responses, or other tasks that clients share. Clients take turns (round-robin), as do the
 * responses of each. Each event-loop tick spends a fixed time on them, however many wait: a lookup does not wait for a part
 * of every list in flight.
 */
export class FairQueue {
  readonly #budgetMs: number;
  readonly #maxReads: number;
  /** The tasks of each client that has some. The client whose turn is next comes first. */
  readonly #waiting = new Map<string, (() => void)[]>();
  /** Until when tasks of this tick need not wait. Undefined before the first of them. */
  #endMs: number | undefined;
  #scheduled = false;
  #reads = 0;
  /** The reads of each client that has some. */
  readonly #readsOf = new Map<string, number>();

  /** `budgetMs` is the time for tasks in one tick; at least one task runs. */
  constructor(budgetMs: number, maxReads = MAX_READS) {
    this.#budgetMs = budgetMs;
    this.#maxReads = maxReads;
  }

  /** Runs a task in a later tick, after all of its client that wait already. */
  add(task: () => void, client = ""): void {
    const tasks = this.#waiting.get(client);
    if (tasks) tasks.push(task);
    else this.#waiting.set(client, [task]);
    this.#schedule();
  }

  /**
   * Runs a task at once, if nothing waits and this tick has time left: a single list begins without delay. Otherwise
   * runs it in a later tick, and returns a promise.
   */
  run<T>(task: () => Awaitable<T>, client = ""): Awaitable<T> {
    const nowMs = performance.now();
    if (this.#waiting.size > 0 || (this.#endMs !== undefined && nowMs >= this.#endMs)) {
      return new Promise<T>((resolve, reject) => {
        this.add(() => {
          try {
            resolve(task());
          } catch (error) {
            reject(error);
          }
        }, client);
      });
    }
    this.#endMs ??= nowMs + this.#budgetMs;
    this.#schedule();
    return task();
  }

  /**
   * Called when a task has begun to wait for its part. Others wait in the queue when many do, but for those of a client
   * that has no such task: it does not wait for the slow parts of another one.
   */
  beginRead(client = ""): void {
    this.#reads++;
    this.#readsOf.set(client, (this.#readsOf.get(client) ?? 0) + 1);
  }

  endRead(client = ""): void {
    this.#reads--;
    const others = this.#readsOf.get(client)! - 1;
    if (others === 0) this.#readsOf.delete(client);
    else this.#readsOf.set(client, others);
    if (this.#waiting.size > 0) this.#schedule();
  }

  #schedule(): void {
    const isBlocked = this.#waiting.size > 0 && !this.#waiting.keys().some((client) => this.#mayRead(client));
    // Without a task that waits, the next tick begins with a new budget.
    if (this.#scheduled || isBlocked) return;
    this.#scheduled = true;
    setImmediate(this.#runWaiting);
  }

  #mayRead(client: string): boolean {
    return this.#reads < this.#maxReads || !this.#readsOf.has(client);
  }

  readonly #runWaiting = (): void => {
    const end = performance.now() + this.#budgetMs;
    this.#endMs = undefined;
    try {
      for (const [client, tasks] of this.#waiting) {
        if (!this.#mayRead(client)) continue;
        this.#waiting.delete(client);
        const task = tasks.shift()!;
        if (tasks.length > 0) this.#waiting.set(client, tasks);
        task();
        if (performance.now() >= end) break;
      }
    } finally {
      this.#scheduled = false;
      if (this.#waiting.size > 0) this.#schedule();
    }
  };
}

/** The queue of all lists in flight. A quarter of a millisecond is one chunk from the store, or two of a cached list. */
export const listQueue = new FairQueue(0.25);
