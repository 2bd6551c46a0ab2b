/** CPU time that the host of a virtual machine gives to other machines ("steal" in proc_stat(5)). */
import { existsSync, readFileSync } from "node:fs";

const STAT_FILE = "/proc/stat";
/** The fields of the `cpu` line: cpu, user, nice, system, idle, iowait, irq, softirq, steal. */
const STEAL_FIELD = 8;
const MAX_ATTEMPTS = 10;

/**
 * Repeats a run until the host has stolen no CPU time during it, at most 10 times.
 * A pause of one hundredth of the run is enough to become its p99.
 */
export async function withoutStolenCpu<T>(run: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    const before = stolenTicks();
    const result = await run();
    if (stolenTicks() === before || attempt === MAX_ATTEMPTS) return result;
  }
}

/** Returns the stolen ticks (10 ms each) of all cores. Returns 0 on systems without /proc/stat. */
function stolenTicks(): number {
  if (!existsSync(STAT_FILE)) return 0;
  const [allCores] = readFileSync(STAT_FILE, "utf8").split("\n", 1);
  return Number(allCores!.split(/\s+/)[STEAL_FIELD] ?? 0);
}
