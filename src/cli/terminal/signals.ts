/** The signals of the command line. */

/** Lets SIGUSR1 and SIGUSR2 do nothing. Without a handler they end the process. */
export function ignoreUserSignals(): void {
  for (const signal of ["SIGUSR1", "SIGUSR2"] as const) process.on(signal, () => {});
}

/** How often the parent process is looked at. */
const PARENT_INTERVAL_MS = 250;

/**
 * Ends the process as SIGTERM does when its parent ends and npm started it. `npm start` and `npx` start a shell that
 * starts this process. On SIGTERM, npm ends the shell, and nobody would end this process.
 */
export function endWithNpm(): void {
  if (process.env.npm_command === undefined) return;
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    process.kill(process.pid, "SIGTERM");
  }, PARENT_INTERVAL_MS);
  timer.unref();
}

export interface StopSignals {
  /** Resolves with the name of the first signal. */
  readonly first: Promise<string>;
  /** Resolves with the second signal. Later ones have no effect. */
  readonly second: Promise<string>;
}

/** Receives SIGINT and SIGTERM instead of letting them end the process. */
export function receiveStopSignals(): StopSignals {
  const [first, second] = [Promise.withResolvers<string>(), Promise.withResolvers<string>()];
  let count = 0;
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.on(signal, () => (++count === 1 ? first : second).resolve(signal));
  }
  return { first: first.promise, second: second.promise };
}
