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
