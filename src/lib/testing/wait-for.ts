const MIN_PAUSE_MS = 5;
const MAX_PAUSE_MS = 100;
/** Only for what never becomes true: a busy machine takes a minute where an idle one takes five seconds. */
const TIMEOUT_MS = 300_000;

/**
 * Waits until a condition holds. Throws, naming it, when it does not within five minutes. The pauses grow with the time
 * waited: a condition may send a request or read a file, which takes processor time from what it waits for.
 */
export async function waitFor(condition: string, holds: () => boolean | Promise<boolean>): Promise<void> {
  const start = performance.now();
  while (!(await holds())) {
    const waitedMs = performance.now() - start;
    if (waitedMs > TIMEOUT_MS) throw new Error(`Not true after ${TIMEOUT_MS} ms: ${condition}`);
    const pauseMs = Math.min(Math.max(MIN_PAUSE_MS, waitedMs / 10), MAX_PAUSE_MS);
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}
