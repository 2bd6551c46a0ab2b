/** A value or a promise of it: the embedded store returns values, PostgreSQL returns promises. */
export type Awaitable<T> = T | Promise<T>;

/** Calls `next` synchronously when the value is there, so that the response leaves in the same event-loop tick. */
export function then<T, U>(value: Awaitable<T>, next: (value: T) => Awaitable<U>): Awaitable<U> {
  return value instanceof Promise ? value.then(next) : next(value);
}

/** Calls `onError` with what the task throws, or its promise rejects with. */
export function attempt<T>(
  task: () => Awaitable<T>,
  onError: (error: unknown) => Awaitable<T>,
): Awaitable<T> {
  try {
    const value = task();
    return value instanceof Promise ? value.catch(onError) : value;
  } catch (error) {
    return onError(error);
  }
}

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

/** Resolves when the work ends, at the latest after the time. Does not end the work itself. */
export async function atMost(timeoutMs: number, work: Promise<unknown> | undefined): Promise<void> {
  const { promise: timeout, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, timeoutMs);
  await Promise.race([work, timeout]);
  clearTimeout(timer);
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

/** Yields items until `failure` rejects, and then throws its error, also while the next item is slow to come. */
export async function* untilFailure<T>(
  items: AsyncIterable<T>,
  failure: Promise<never> | undefined,
): AsyncGenerator<T, void, undefined> {
  if (failure === undefined) return yield* items;
  const iterator = items[Symbol.asyncIterator]();
  let failed: { readonly error: unknown } | undefined;
  let rejectNext: (error: unknown) => void = () => {};
  // One handler for all items. With Promise.race, the failure would retain every item.
  failure.catch((error) => {
    failed = { error };
    rejectNext(error);
  });
  try {
    for (;;) {
      const next = await new Promise<IteratorResult<T>>((resolve, reject) => {
        rejectNext = reject;
        if (failed) reject(failed.error);
        else iterator.next().then(resolve, reject);
      });
      if (next.done) return;
      yield next.value;
    }
  } finally {
    // Not awaited: a read of standard input that has begun may take forever.
    iterator.return?.().catch(() => {});
  }
}
