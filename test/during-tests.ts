import { afterAll, beforeAll } from "bun:test";
import { completeIsbn13, type Isbn13 } from "../src/onix/isbn.ts";

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

/** Returns a valid ISBN that contains the number, so that ISBNs sort like their numbers. */
export function numberedIsbn(number: number): Isbn13 {
  return completeIsbn13(`97912${String(number).padStart(7, "0")}`);
}
