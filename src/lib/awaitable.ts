/** A value, or a promise of it: the embedded store answers synchronously, PostgreSQL asynchronously. */
export type Awaitable<T> = T | Promise<T>;

/**
 * `await` for what may be there already. An embedded store answers at once, and then so do we: the answer goes out in
 * the turn of the loop in which the request was read.
 */
export function then<T, U>(value: Awaitable<T>, next: (value: T) => Awaitable<U>): Awaitable<U> {
  return value instanceof Promise ? value.then(next) : next(value);
}

/** The same for what may fail, now or later. */
export function attempt<T>(task: () => Awaitable<T>, failed: (error: unknown) => Awaitable<T>): Awaitable<T> {
  try {
    const value = task();
    return value instanceof Promise ? value.catch(failed) : value;
  } catch (error) {
    return failed(error);
  }
}
