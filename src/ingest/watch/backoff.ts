/** When to try again what has failed: soon at first, then less and less often. */
const MAX_FACTOR = 60;

export class Backoff {
  readonly #failures = new Map<string, { readonly delayMs: number; readonly retryAtMs: number }>();

  /** The delay after the first failure. It doubles with each further one, up to 60 times of it. */
  constructor(readonly minDelayMs: number) {}

  /** Returns the delay until the next attempt. */
  fail(key: string, nowMs: number): number {
    const last = this.#failures.get(key)?.delayMs;
    const delayMs = last === undefined ? this.minDelayMs : Math.min(last * 2, this.minDelayMs * MAX_FACTOR);
    this.#failures.set(key, { delayMs, retryAtMs: nowMs + delayMs });
    return delayMs;
  }

  succeed(key: string): void {
    this.#failures.delete(key);
  }

  isWaiting(key: string, nowMs: number): boolean {
    return nowMs < (this.#failures.get(key)?.retryAtMs ?? Number.NEGATIVE_INFINITY);
  }

  /** Forgets failures of other keys. */
  retain(keys: ReadonlySet<string>): void {
    for (const key of this.#failures.keys()) if (!keys.has(key)) this.#failures.delete(key);
  }
}
