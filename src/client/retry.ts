/** When a request is sent again, and how long that waits. */

export interface RetryOptions {
  /** How often a request is sent again. Default: 4. */
  readonly retries?: number;
  /** The longest wait between two attempts. A service that wants more is not waited for. Default: 60 seconds. */
  readonly maxWaitMs?: number;
}

const FIRST_WAIT_MS = 250;
const RETRIED_STATUSES: readonly number[] = [429, 502, 503, 504];

export function isRetried(status: number): boolean {
  return RETRIED_STATUSES.includes(status);
}

/**
 * Returns the wait before an attempt, counted from 1. `Retry-After` is a number of seconds or a date (RFC 9110
 * §10.2.3). Without it, the wait doubles each time; a random part keeps clients from returning at the same moment.
 */
export function waitMs(attempt: number, retryAfter: string | null, nowMs = Date.now()): number {
  if (retryAfter !== null && /^[0-9]+$/.test(retryAfter)) return Number(retryAfter) * 1000;
  const dateMs = retryAfter === null ? Number.NaN : Date.parse(retryAfter);
  if (!Number.isNaN(dateMs)) return Math.max(0, dateMs - nowMs);
  return FIRST_WAIT_MS * 2 ** (attempt - 1) * (0.5 + Math.random() / 2);
}

/** Waits. Rejects with the reason of the signal when that is aborted. */
export function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const onAbort = () => {
      clearTimeout(timer);
      reject(signal!.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", onAbort);
      resolve();
    }, ms);
    signal?.addEventListener("abort", onAbort, { once: true });
  });
}
