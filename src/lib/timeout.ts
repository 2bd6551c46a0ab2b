import type { Awaitable } from "./awaitable.ts";

/** Rejects with the error of `timeoutError` when the result is late. Does not end the work itself. */
export async function withTimeout<T>(
  result: Awaitable<T>,
  timeoutMs: number,
  timeoutError: () => Error,
): Promise<T> {
  const { promise: timeout, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(timeoutError()), timeoutMs);
  try {
    return await Promise.race([result, timeout]);
  } finally {
    clearTimeout(timer);
  }
}

/** Resolves after the time, when the signal is aborted, or with `early`. */
export async function sleepUntilAborted(
  ms: number,
  signal: AbortSignal,
  early?: Promise<unknown>,
): Promise<void> {
  if (signal.aborted) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms);
  const onAbort = () => resolve();
  signal.addEventListener("abort", onAbort);
  await Promise.race(early ? [promise, early] : [promise]);
  clearTimeout(timer);
  signal.removeEventListener("abort", onAbort);
}
