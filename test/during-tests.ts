import { afterAll, beforeAll } from "bun:test";

/**
 * Starts something before the tests of a file or a `describe` block, and disposes of it after them. Returns a stand-in
 * for it, which has its properties as soon as it is started.
 */
export function duringTests<T extends Partial<AsyncDisposable> & object>(start: () => Promise<T>): T {
  let started: T | undefined;
  beforeAll(async () => {
    started = await start();
  });
  afterAll(() => started?.[Symbol.asyncDispose]?.());
  return new Proxy({} as T, {
    get(_, key) {
      if (!started) throw new Error(`${String(key)} is read before the tests begin`);
      return Reflect.get(started, key);
    },
  });
}
