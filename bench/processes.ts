/** Running processes, and reading their CPU time and memory from /proc. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** The program under test. */
export const COLOPHON = join(import.meta.dir, "../bin/colophon");

/** The cores of the measurements: lists for `taskset -c`. */
export const SERVER_CORE = "0";
export const CLIENT_CORE = "1";
export const BOTH_CORES = "0,1";

/** USER_HZ, the unit of the times in proc_pid_stat(5). */
const TICKS_PER_SECOND = 100;
const MEMORY_INTERVAL_MS = 10;

export interface CommandResult {
  readonly seconds: number;
  /** Of all threads. Other programs of the machine change it less than the wall time. */
  readonly cpuSeconds: number;
  readonly peakMB: number;
  readonly stdout: string;
}

interface CommandOptions {
  /** The exit codes that are no failure. */
  readonly exitCodes?: readonly number[];
  readonly stdin?: string;
  readonly env?: Record<string, string | undefined>;
}

/** Runs a command to its end and measures it. Throws when it ends with an unexpected exit code. */
export async function runCommand(
  command: readonly string[],
  { exitCodes = [0], stdin, env }: CommandOptions = {},
): Promise<CommandResult> {
  const start = performance.now();
  const child = Bun.spawn([...command], {
    ...(env && { env }),
    stdin: stdin === undefined ? "ignore" : Buffer.from(stdin),
    stdout: "pipe",
    stderr: "pipe",
  });
  let peakMB: number | undefined;
  // The maxRSS of a child is never below the memory that its parent had when it started the child.
  const watching = setInterval(() => {
    peakMB = peakOf(child.pid) ?? peakMB;
  }, MEMORY_INTERVAL_MS);
  const [stdout, stderr] = await Promise.all([child.stdout.text(), child.stderr.text()]);
  const exitCode = await child.exited;
  const seconds = (performance.now() - start) / 1000;
  clearInterval(watching);
  if (!exitCodes.includes(exitCode))
    throw new Error(`${command.join(" ")} has failed: ${stderr.slice(-2000)}`);
  const { cpuTime, maxRSS } = child.resourceUsage()!;
  return { seconds, cpuSeconds: Number(cpuTime.total) / 1e6, peakMB: peakMB ?? maxRSS / 1e6, stdout };
}

/** Returns the CPU seconds that the processes have used since they started. */
export function cpuSecondsOf(pids: readonly number[]): number {
  let ticks = 0;
  for (const pid of pids) {
    const fields = statFieldsOf(pid);
    ticks += Number(fields[11]) + Number(fields[12]);
  }
  return ticks / TICKS_PER_SECOND;
}

/** Returns the CPU seconds of a process, of its descendants, and of those of its children that have ended. */
export function cpuSecondsOfTree(pid: number): number {
  let seconds = cpuSecondsOf([pid]);
  for (const each of descendantsOf(pid)) {
    try {
      seconds += cpuSecondsOf([each]);
    } catch {
      // It has ended since it was listed, and counts below.
    }
  }
  const [user, system] = statFieldsOf(pid).slice(13, 15).map(Number);
  return seconds + (user! + system!) / TICKS_PER_SECOND;
}

/** Returns undefined when this machine has no such process. */
export function parentOf(pid: number): number | undefined {
  try {
    return Number(statFieldsOf(pid)[1]);
  } catch {
    return undefined;
  }
}

/** Returns the resident memory in MB: the current value and the peak. */
export function memoryOf(pid: number): { currentMB: number; peakMB: number } {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  const megabytes = (name: string) => Number(new RegExp(`${name}:\\s+(\\d+) kB`).exec(status)?.[1]) / 1000;
  return { currentMB: megabytes("VmRSS"), peakMB: megabytes("VmHWM") };
}

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

/** Returns the command line that runs on the given cores only. Without cores or `taskset` it runs on any core. */
export function pinnedTo(cores: string | undefined, command: readonly string[]): string[] {
  return cores && Bun.which("taskset") ? ["taskset", "-c", cores, ...command] : [...command];
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

/** Finds the largest process of Colophon among all that a run of the benchmark starts. */
class MemoryWatch {
  /** The row or step that runs now. Peaks that rise from now on are attributed to it. */
  subject = "start";
  /** The largest peak, and the server that had it with what it was doing. */
  max = { megabytes: 0, where: "nothing" };
  readonly #processes = new Map<number, { name: string; peakMB: number }>();

  watch(name: string, pids: readonly number[]): void {
    for (const pid of pids) this.#processes.set(pid, { name, peakMB: 0 });
  }

  /** Reads the peaks of all watched processes. Must run before a process ends. */
  sample(): void {
    for (const [pid, process] of this.#processes) {
      const peakMB = peakOf(pid);
      if (peakMB === undefined) {
        this.#processes.delete(pid);
        continue;
      }
      // The kernel keeps the peak since the start of the process: an equal one belongs to an earlier subject.
      if (peakMB > process.peakMB && peakMB > this.max.megabytes) {
        this.max = { megabytes: peakMB, where: `${process.name}, ${this.subject}` };
      }
      process.peakMB = peakMB;
    }
  }
}

/** Returns undefined when the process has ended. */
function peakOf(pid: number): number | undefined {
  try {
    const { peakMB } = memoryOf(pid);
    return Number.isNaN(peakMB) ? undefined : peakMB;
  } catch {
    return undefined;
  }
}

/** Watches the processes that bench/servers/colophon.ts starts. */
export const colophonMemory = new MemoryWatch();
