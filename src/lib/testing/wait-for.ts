const MIN_PAUSE_MS = 5;
const MAX_PAUSE_MS = 100;

/**
 * Waits until a condition holds. Throws, naming it, when it does not within the timeout. The pauses grow with the time
 * waited: a condition may send a request or read a file, which takes processor time from what it waits for.
 */
export async function waitFor(
  condition: string,
  holds: () => boolean | Promise<boolean>,
  timeoutMs = 120_000,
): Promise<void> {
  const start = performance.now();
  while (!(await holds())) {
    const waitedMs = performance.now() - start;
    if (waitedMs > timeoutMs) throw new Error(`Not true after ${timeoutMs} ms: ${condition}`);
    const pauseMs = Math.min(Math.max(MIN_PAUSE_MS, waitedMs / 10), MAX_PAUSE_MS);
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}
