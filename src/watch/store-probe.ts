/** What the admin port asks of the store: each time anew, and never for longer than a probe waits. */
import type { Stats, Store } from "../catalog/store.ts";
import type { Awaitable } from "../lib/awaitable.ts";

/** Milliseconds. */
export const PATIENCE = 2000;

class Late extends Error {}

/** Why the service is not ready to take requests, in one line; undefined when it is. */
export function readiness(
  store: Pick<Store, "revision">,
  isStopping: () => boolean,
  patience = PATIENCE,
): () => Promise<string | undefined> {
  return async () => {
    if (isStopping()) return "stopping";
    try {
      await within(patience, () => store.revision());
      return isStopping() ? "stopping" : undefined;
    } catch (error) {
      if (error instanceof Late) return `the store does not answer within ${patience / 1000} s`;
      return `the store cannot answer: ${error instanceof Error ? error.message : String(error)}`;
    }
  };
}

/** Undefined when the store does not say. */
export async function statsOf(store: Pick<Store, "stats">, patience = PATIENCE): Promise<Stats | undefined> {
  try {
    return await within(patience, () => store.stats());
  } catch {
    return undefined;
  }
}

async function within<T>(patience: number, question: () => Awaitable<T>): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Late()), patience);
  try {
    return await Promise.race([question(), late]);
  } finally {
    clearTimeout(timer);
  }
}
