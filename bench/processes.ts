/** Starting processes, and reading their CPU time and memory from /proc. */
import { readdirSync, readFileSync } from "node:fs";

/** USER_HZ, the unit of the times in proc_pid_stat(5). */
const TICKS_PER_SECOND = 100;

/** Returns the CPU seconds that the processes have used since they started. */
export function cpuSecondsOf(pids: readonly number[]): number {
  let ticks = 0;
  for (const pid of pids) {
    const fields = statFieldsOf(pid);
    ticks += Number(fields[11]) + Number(fields[12]);
  }
  return ticks / TICKS_PER_SECOND;
}

/** Returns the resident memory in MB: the current value and the peak. */
export function memoryOf(pid: number): { currentMB: number; peakMB: number } {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  const megabytes = (name: string) => Number(new RegExp(`${name}:\\s+(\\d+) kB`).exec(status)?.[1]) / 1000;
  return { currentMB: megabytes("VmRSS"), peakMB: megabytes("VmHWM") };
}

/** Returns all descendants of a process. */
export function descendantsOf(pid: number): number[] {
  const parents = new Map<number, number>();
  for (const name of readdirSync("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    try {
      parents.set(Number(name), Number(statFieldsOf(Number(name))[1]));
    } catch {
      // The process has ended since the folder was listed.
    }
  }
  const family = [pid];
  for (let index = 0; index < family.length; index++) {
    for (const [child, parent] of parents) if (parent === family[index]) family.push(child);
  }
  return family.slice(1);
}

/** Returns the fields of /proc/PID/stat behind the process name, which may contain spaces. */
function statFieldsOf(pid: number): string[] {
  return readFileSync(`/proc/${pid}/stat`, "utf8")
    .replace(/^.*\) /s, "")
    .split(" ");
}

export function isInstalled(command: string): boolean {
  return Bun.which(command) !== null;
}

/** Returns the command line that runs on the given cores only. Without `taskset` it runs on any core. */
export function pinnedTo(cores: string, command: readonly string[]): string[] {
  return isInstalled("taskset") ? ["taskset", "-c", cores, ...command] : [...command];
}

/** Polls until the URL responds with a 2xx status. Returns the seconds that it took. */
export async function waitUntilReady(
  url: string,
  headers: Record<string, string>,
  timeoutSeconds = 60,
): Promise<number> {
  const start = performance.now();
  for (;;) {
    try {
      const response = await fetch(url, { headers });
      await response.bytes();
      if (response.ok) return (performance.now() - start) / 1000;
      throw new Error(`${url}: ${response.status}`);
    } catch (error) {
      if (performance.now() - start > timeoutSeconds * 1000) throw error;
      await Bun.sleep(2);
    }
  }
}

/** Returns a port that is free at this moment. */
export function freePort(): number {
  const listener = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data() {} } });
  const { port } = listener;
  listener.stop(true);
  return port;
}
