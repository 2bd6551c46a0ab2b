/** Statistics, and measurements in alternation, so that other load on the machine affects all servers alike. */
import { existsSync, readFileSync } from "node:fs";
import type { MeasuredValue } from "./results/rows.ts";
import type { ServerUnderTest } from "./servers/server.ts";
import { type WrkOptions, type WrkResult, wrk } from "./wrk.ts";

/** Returns the median. For an even number of values, returns the mean of the middle two. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/** Returns the smallest value that is not below this share of the values. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
}

/** Returns p50, p90, p99 and the largest of some milliseconds, as text. */
export function formatPercentiles(timesMs: readonly number[]): string {
  const at = (share: number) => percentile(timesMs, share).toFixed(1);
  return `p50 ${at(0.5)} ms, p90 ${at(0.9)} ms, p99 ${at(0.99)} ms, max ${at(1)} ms`;
}

/** Calls the functions in turns, and returns the values of each. */
export async function inTurns<T>(
  rounds: number,
  ...measures: readonly (() => Promise<T>)[]
): Promise<readonly T[][]> {
  const values: T[][] = measures.map(() => []);
  for (let round = 0; round < rounds; round++) {
    for (const [index, measure] of measures.entries()) values[index]!.push(await measure());
  }
  return values;
}

/** How rates are measured. */
interface RateOptions {
  readonly workFolder: string;
  /** How often each server is measured. The median counts. */
  readonly rounds: number;
  /** The length of one measurement. */
  readonly seconds: number;
  /** How often a measurement with stolen CPU time is repeated, at most. */
  readonly maxAttempts: number;
  /** The length of a measurement before the first one, which is dropped. 0: other rows have warmed up the servers. */
  readonly warmUpSeconds: number;
}

export interface BenchOptions extends RateOptions {
  /** How often a latency is measured, alone and beside a load. */
  readonly latencyRounds: number;
  /** For how long slow readers read while the memory of the server is measured. */
  readonly slowReadersSeconds: number;
  /** The length of one measurement that begins with cold caches, and how often it is made. */
  readonly coldSeconds: number;
  readonly coldRounds: number;
}

/** A rate changes little by a short pause. Runs with longer ones are repeated. */
const MAX_STOLEN_SHARE = 0.03;
const NATIVE_WARM_UP_SECONDS = 1;

/** Returns the load for a server. Returns undefined when the server has no such endpoint. */
export type LoadFor = (server: ServerUnderTest) => Omit<WrkOptions, "seconds"> | undefined;

/** Returns the medians of each server by its name. Servers without a load are left out. */
export async function alternate(
  servers: readonly ServerUnderTest[],
  { workFolder, rounds, seconds, maxAttempts, warmUpSeconds }: RateOptions,
  loadFor: LoadFor,
): Promise<Map<string, WrkResult>> {
  const results = new Map<string, WrkResult[]>(servers.map(({ name }) => [name, []]));
  // Round -1 warms up.
  for (let round = warmUpSeconds > 0 ? -1 : 0; round < rounds; round++) {
    for (const server of servers) {
      const load = loadFor(server);
      if (!load) continue;
      const others = servers.filter(({ pids }) => !pids.some((pid) => server.pids.includes(pid)));
      const isWarmUp = round < 0;
      const warmUp = server.isNative ? Math.min(NATIVE_WARM_UP_SECONDS, warmUpSeconds) : warmUpSeconds;
      const measure = () => wrk(server, workFolder, { ...load, seconds: isWarmUp ? warmUp : seconds });
      const result = await whileStopped(others, () =>
        isWarmUp ? measure() : withoutStolenCpu(measure, { maxStolenShare: MAX_STOLEN_SHARE, maxAttempts }),
      );
      if (!isWarmUp) results.get(server.name)!.push(result);
    }
  }
  const measured = [...results].filter(([, runs]) => runs.length > 0);
  return new Map(measured.map(([name, runs]) => [name, medians(runs)]));
}

/** Stops the other servers (SIGSTOP): one that still works on earlier requests would share the core. */
async function whileStopped<T>(others: readonly ServerUnderTest[], measure: () => Promise<T>): Promise<T> {
  const signal = (name: "SIGSTOP" | "SIGCONT") => {
    for (const pid of others.flatMap(({ pids }) => pids)) process.kill(pid, name);
  };
  signal("SIGSTOP");
  try {
    return await measure();
  } finally {
    signal("SIGCONT");
  }
}

export function medians(runs: readonly WrkResult[]): WrkResult {
  const of = (key: keyof WrkResult) => median(runs.map((run) => run[key]));
  return {
    requestsPerSecond: of("requestsPerSecond"),
    bytesPerSecond: of("bytesPerSecond"),
    p99Ms: of("p99Ms"),
    cpuMicroseconds: of("cpuMicroseconds"),
  };
}

/** Returns one value for each server, in the order of the servers: its rate, unless `pick` returns another figure. */
export function valuesOf(
  servers: readonly ServerUnderTest[],
  results: ReadonlyMap<string, WrkResult>,
  pick: (result: WrkResult, name: string) => number = ({ requestsPerSecond }) => requestsPerSecond,
  reason = "not supported",
): MeasuredValue[] {
  return servers.map(({ name }) => {
    const result = results.get(name);
    return result
      ? { label: name, value: pick(result, name), cpuMicroseconds: result.cpuMicroseconds }
      : { label: name, value: undefined, reason };
  });
}

const STAT_FILE = "/proc/stat";
/** The fields of the `cpu` line: user, nice, system, idle, iowait, irq, softirq, steal (proc_stat(5)). */
const STEAL_FIELD = 7;

/** The ticks (10 ms each) of all cores since the start of the system, and those that the host gave to other machines. */
interface CpuTicks {
  readonly all: number;
  readonly stolen: number;
}

/** How much stolen time a run may have, from 0 to 1, and how often it is repeated. */
interface Tolerance {
  readonly maxStolenShare: number;
  readonly maxAttempts: number;
}

/** Repeats a run until the host has stolen little CPU time during it. Returns the result with the least of it. */
export async function withoutStolenCpu<T>(
  run: () => Promise<T>,
  { maxStolenShare, maxAttempts }: Tolerance,
): Promise<T> {
  let best: { result: T; share: number } | undefined;
  for (let attempt = 1; ; attempt++) {
    const before = cpuTicks();
    const result = await run();
    const share = stolenShareSince(before);
    if (best === undefined || share < best.share) best = { result, share };
    if (best.share <= maxStolenShare || attempt === maxAttempts) return best.result;
  }
}

/** Returns the stolen share of all CPU time since then, from 0 to 1. */
export function stolenShareSince(before: CpuTicks): number {
  const { all, stolen } = cpuTicks();
  return (stolen - before.stolen) / Math.max(1, all - before.all);
}

/** Returns zeros on systems without /proc/stat. */
export function cpuTicks(): CpuTicks {
  if (!existsSync(STAT_FILE)) return { all: 0, stolen: 0 };
  const [allCores] = readFileSync(STAT_FILE, "utf8").split("\n", 1);
  // The guest times behind "steal" are part of "user" and "nice".
  const ticks = allCores!
    .split(/\s+/)
    .slice(1, STEAL_FIELD + 2)
    .map(Number);
  return { all: ticks.reduce((sum, count) => sum + count, 0), stolen: ticks[STEAL_FIELD] ?? 0 };
}
