/** Time, as the refresh of keys needs it. Tests pass a clock that they advance. */
export interface KeyClock {
  /** Returns the milliseconds of a monotonic clock. */
  now(): number;
  /** Calls back once. Returns a function that cancels it. */
  setTimer(callback: () => void, delayMs: number): () => void;
}

/** Its timers do not keep the process running. */
export const systemClock: KeyClock = {
  now: () => performance.now(),
  setTimer(callback, delayMs) {
    const timer = setTimeout(callback, delayMs);
    timer.unref();
    return () => clearTimeout(timer);
  },
};

/** A value that is undefined again after some time. Reading it costs no look at the clock. */
export class Expiring<T> {
  readonly #clock: KeyClock;
  readonly #onExpired: () => void;
  #value: T | undefined;
  #expiresAtMs = Number.POSITIVE_INFINITY;
  #cancel = () => {};

  constructor(clock: KeyClock, onExpired: () => void) {
    this.#clock = clock;
    this.#onExpired = onExpired;
  }

  get value(): T | undefined {
    return this.#value;
  }

  /** Is 0 after the end, and infinite for a value that does not expire. */
  get remainingMs(): number {
    return Math.max(0, this.#expiresAtMs - this.#clock.now());
  }

  /** A lifetime of 0 means that the value has expired before it came. */
  set(value: T, lifetimeMs: number): void {
    this.#cancel();
    this.#cancel = () => {};
    this.#expiresAtMs = this.#clock.now() + lifetimeMs;
    this.#value = lifetimeMs > 0 ? value : undefined;
    if (lifetimeMs <= 0 || lifetimeMs === Number.POSITIVE_INFINITY) return;
    this.#cancel = this.#clock.setTimer(() => {
      this.#value = undefined;
      this.#onExpired();
    }, lifetimeMs);
  }
}
