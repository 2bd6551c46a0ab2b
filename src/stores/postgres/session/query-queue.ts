import { StoreError } from "../../../catalog/store-errors.ts";

/** How many query timeouts a query may wait for a free connection. One that waits longer is more than the server can do. */
export const MAX_WAIT_TIMEOUTS = 2;
const MAX_WAITING = 10_000;
const SWEEP_INTERVAL_MS = 250;

interface Waiting {
  readonly sinceMs: number;
  readonly start: () => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Runs a limited number of tasks at a time, and the others in the order of their calls. The timeout of a query starts
 * when its task does, so that a query does not fail only because others came before it.
 */
export class QueryQueue {
  readonly #maxRunning: number;
  readonly #name: string;
  readonly #maxWaitMs: number;
  #running = 0;
  #waiting: Waiting[] = [];
  #sweep: ReturnType<typeof setInterval> | undefined;

  /** `name` is that of the database, for messages. */
  constructor(maxRunning: number, name: string, maxWaitMs: number) {
    this.#maxRunning = maxRunning;
    this.#name = name;
    this.#maxWaitMs = maxWaitMs;
  }

  /** Rejects with `StoreError` when the task has waited for too long. */
  async run<T>(task: () => Promise<T>): Promise<T> {
    if (this.#running >= this.#maxRunning) await this.#wait();
    else this.#running++;
    try {
      return await task();
    } finally {
      // A waiting task takes the place of this one.
      const next = this.#waiting.shift();
      if (next) next.start();
      else this.#running--;
    }
  }

  /** Rejects the tasks that wait: they would fail in the same way as those before them, only later. */
  rejectWaiting(error: unknown): void {
    for (const { reject } of this.#waiting.splice(0)) reject(error);
  }

  #wait(): Promise<void> {
    if (this.#waiting.length >= MAX_WAITING) return Promise.reject(this.#overloaded());
    this.#sweep ??= setInterval(() => this.#rejectOld(), Math.min(SWEEP_INTERVAL_MS, this.#maxWaitMs));
    this.#sweep.unref();
    return new Promise((resolve, reject) => {
      this.#waiting.push({ sinceMs: performance.now(), start: resolve, reject });
    });
  }

  #rejectOld(): void {
    const deadlineMs = performance.now() - this.#maxWaitMs;
    const firstInTime = this.#waiting.findIndex(({ sinceMs }) => sinceMs > deadlineMs);
    const late = this.#waiting.splice(0, firstInTime < 0 ? this.#waiting.length : firstInTime);
    for (const { reject } of late) reject(this.#overloaded());
    if (this.#waiting.length > 0) return;
    clearInterval(this.#sweep);
    this.#sweep = undefined;
  }

  #overloaded(): StoreError {
    return new StoreError(
      `PostgreSQL at ${this.#name} is overloaded (${this.#waiting.length + 1} queries wait for a connection, at most ${this.#maxWaitMs / 1000} s); give the server more resources, or add a replica.`,
    );
  }
}
