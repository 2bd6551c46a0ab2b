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
