/** The clock of keys, and when those of a URL are read again. */

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

const MINUTE_MS = 60_000;

/** After a read that failed, and before an unknown `kid` is a reason to read again. */
export const MIN_REFRESH_INTERVAL_MS = MINUTE_MS;
/** Half of the lifetime, so that there is time to try again before the keys expire. */
const MAX_REFRESH_INTERVAL_MS = 30 * MINUTE_MS;
const DEFAULT_REFRESH_INTERVAL_MS = 5 * MINUTE_MS;

/** The keys of a URL that fails are used for this long after the last read. After that no token is accepted. */
export const KEY_LIFETIME_MS = 60 * MINUTE_MS;

/** Returns how long a response is fresh (RFC 9111 §4.2), within bounds. Without a statement that is five minutes. */
export function refreshIntervalMs(headers: Headers): number {
  const freshMs = freshnessMs(headers) ?? DEFAULT_REFRESH_INTERVAL_MS;
  return Math.min(Math.max(freshMs, MIN_REFRESH_INTERVAL_MS), MAX_REFRESH_INTERVAL_MS);
}

/** Returns undefined when `Cache-Control` does not say it. */
function freshnessMs(headers: Headers): number | undefined {
  const directives = (headers.get("cache-control") ?? "")
    .split(",")
    .map((directive) => directive.trim().toLowerCase());
  if (directives.some((directive) => /^no-(?:store|cache)(?:=|$)/.test(directive))) return 0;
  for (const directive of directives) {
    const [, seconds] = /^max-age="?(\d+)"?$/.exec(directive) ?? [];
    // RFC 9111 §4.2.3: a cache on the way has had the response for this long.
    if (seconds !== undefined) return (Number(seconds) - ageSeconds(headers)) * 1000;
  }
  return undefined;
}

function ageSeconds(headers: Headers): number {
  const age = headers.get("age") ?? "";
  return /^\d+$/.test(age) ? Number(age) : 0;
}
