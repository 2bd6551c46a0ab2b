/** What the system says of a process, and processes that are measured. */
import { readdirSync, readFileSync } from "node:fs";

/** Seconds of CPU since its start, with those of its children that are alive. */
export function cpuOf(pids: readonly number[]): number {
  let ticks = 0;
  for (const pid of pids) {
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8")
      .replace(/^.*\) /s, "")
      .split(" ");
    ticks += Number(fields[11]) + Number(fields[12]);
  }
  return ticks / 100;
}

/** Resident memory in MB: now, and the most so far. */
export function memoryOf(pid: number): { now: number; most: number } {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  const megabytes = (name: string) => Number(new RegExp(`${name}:\\s+(\\d+) kB`).exec(status)?.[1]) / 1000;
  return { now: megabytes("VmRSS"), most: megabytes("VmHWM") };
}

/** A process and all below it. */
export function treeOf(pid: number): number[] {
  const parents = new Map<number, number>();
  for (const name of readdirSync("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    try {
      const stat = readFileSync(`/proc/${name}/stat`, "utf8").replace(/^.*\) /s, "");
      parents.set(Number(name), Number(stat.split(" ")[1]));
    } catch {
      // It has ended meanwhile.
    }
  }
  const found = [pid];
  for (let at = 0; at < found.length; at++) {
    for (const [child, parent] of parents) if (parent === found[at]) found.push(child);
  }
  return found;
}

export function has(command: string): boolean {
  return Bun.which(command) !== null;
}

/** On these cores, where the system can say so. */
export function pinned(cores: string, command: readonly string[]): string[] {
  return has("taskset") ? ["taskset", "-c", cores, ...command] : [...command];
}

/** Polls until the address answers, and gives the seconds it took. */
export async function answers(url: string, headers: Record<string, string>, patience = 60): Promise<number> {
  const begin = performance.now();
  for (;;) {
    try {
      const response = await fetch(url, { headers });
      await response.bytes();
      if (response.ok) return (performance.now() - begin) / 1000;
      throw new Error(`${url}: ${response.status}`);
    } catch (error) {
      if (performance.now() - begin > patience * 1000) throw error;
      await Bun.sleep(2);
    }
  }
}

/** A port that nobody has at this moment. */
export function freePort(): number {
  const listener = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data() {} } });
  const { port } = listener;
  listener.stop(true);
  return port;
}
