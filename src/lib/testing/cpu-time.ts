/**
 * Returns the CPU time that a task takes, in milliseconds. Other work on the machine does not count, so a test can
 * have a limit that tells linear from quadratic time. The task must be synchronous.
 */
export function cpuMilliseconds(task: () => void): number {
  const before = process.cpuUsage();
  task();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
