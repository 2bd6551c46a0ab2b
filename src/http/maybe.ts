import type { Maybe } from "../catalog/port.ts";

/**
 * `await` for what may be there already. An embedded store answers at once, and then so do we: the answer goes out in
 * the turn of the loop in which the request was read.
 */
export function then<T, U>(value: Maybe<T>, next: (value: T) => Maybe<U>): Maybe<U> {
  return value instanceof Promise ? value.then(next) : next(value);
}

/** The same for what may fail, now or later. */
export function attempt<T>(task: () => Maybe<T>, failed: (error: unknown) => Maybe<T>): Maybe<T> {
  try {
    const value = task();
    return value instanceof Promise ? value.catch(failed) : value;
  } catch (error) {
    return failed(error);
  }
}
