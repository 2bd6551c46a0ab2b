import type { Maybe } from "../catalog/port.ts";

/**
 * `await` for what may be there already. An embedded store answers at once, and then so do we: a response that
 * is no promise saves the runtime a turn of its loop on every lookup.
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
