/** The growth of a task must stay below this: 4 is linear, 16 is quadratic. */
export const MAX_LINEAR_GROWTH = 10;
const RUNS = 3;

/**
 * Returns how many times the CPU time of a size a task takes for four times that size. The speed of the machine cancels
 * out, and the shortest of some runs is the least disturbed. The tasks must be synchronous.
 */
export function growthOf(size: number, taskOf: (size: number) => () => void): number {
  const [small, large] = [taskOf(size), taskOf(4 * size)];
  small();
  return shortest(large) / shortest(small);
}

function shortest(task: () => void): number {
  return Math.min(...Array.from({ length: RUNS }, () => cpuMicroseconds(task)));
}

function cpuMicroseconds(task: () => void): number {
  const before = process.cpuUsage();
  task();
  const { user, system } = process.cpuUsage(before);
  return user + system;
}
