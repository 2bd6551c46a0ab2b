/** The queries of the admin port to the store. Each has a timeout that is shorter than that of usual probes. */
import type { Stats, Store } from "../catalog/store.ts";
import { withTimeout } from "../lib/awaitable.ts";
import { errorMessage } from "../lib/error-message.ts";

const PROBE_TIMEOUT_MS = 2000;

class ProbeTimeout extends Error {}

/** Returns a function that resolves with the reason why the service is not ready, or undefined when it is ready. */
export function createReadinessProbe(
  store: Pick<Store, "revision">,
  isStopping: () => boolean,
  timeoutMs = PROBE_TIMEOUT_MS,
): () => Promise<string | undefined> {
  return async () => {
    if (isStopping()) return "stopping";
    try {
      await withTimeout(store.revision(), timeoutMs, () => new ProbeTimeout());
      return isStopping() ? "stopping" : undefined;
    } catch (error) {
      if (error instanceof ProbeTimeout) return `the store did not respond within ${timeoutMs / 1000} s`;
      return `the store failed: ${errorMessage(error)}`;
    }
  };
}

/** Returns undefined when the store fails or does not respond in time. */
export async function readStats(
  store: Pick<Store, "stats">,
  timeoutMs = PROBE_TIMEOUT_MS,
): Promise<Stats | undefined> {
  try {
    return await withTimeout(store.stats(), timeoutMs, () => new ProbeTimeout());
  } catch {
    return undefined;
  }
}
