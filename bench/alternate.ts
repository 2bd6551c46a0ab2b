/** Measures servers in alternation, so that other load on the machine affects all of them alike. */
import { median } from "./median.ts";
import type { MeasuredValue } from "./result-row.ts";
import type { ServerUnderTest } from "./server-under-test.ts";
import { withoutStolenCpu } from "./stolen-cpu.ts";
import { type WrkOptions, type WrkResult, wrk } from "./wrk.ts";

/** A rate changes little by a short pause. Runs with longer ones are repeated. */
const MAX_STOLEN_SHARE = 0.03;

const NATIVE_WARM_UP_SECONDS = 1;

/** How rates are measured. */
export interface RateOptions {
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

function medians(runs: readonly WrkResult[]): WrkResult {
  const of = (key: keyof WrkResult) => median(runs.map((run) => run[key]));
  return {
    requestsPerSecond: of("requestsPerSecond"),
    bytesPerSecond: of("bytesPerSecond"),
    p99Ms: of("p99Ms"),
    cpuMicroseconds: of("cpuMicroseconds"),
  };
}

/** Returns one value for each server, in the order of the servers. */
export function valuesOf(
  servers: readonly ServerUnderTest[],
  results: ReadonlyMap<string, WrkResult>,
  pick: (result: WrkResult) => number,
): MeasuredValue[] {
  return servers.map(({ name }) => {
    const result = results.get(name);
    return result
      ? { label: name, value: pick(result), cpuMicroseconds: result.cpuMicroseconds }
      : { label: name, value: undefined, reason: "not supported" };
  });
}
