/** Measures contestants in turns, so that what else the machine does hits all of them alike. */
import type { Contestant } from "./contestant.ts";
import { median, type Value } from "./row.ts";
import { type Load, type Measured, wrk } from "./wrk.ts";

export interface Setting {
  readonly folder: string;
  readonly rounds: number;
  readonly seconds: number;
}

/** Undefined: this contestant has no such thing. */
export type LoadFor = (contestant: Contestant) => Omit<Load, "seconds"> | undefined;

export async function inTurns(
  contestants: readonly Contestant[],
  setting: Setting,
  loadFor: LoadFor,
): Promise<Map<string, Measured>> {
  const all = new Map<string, Measured[]>(contestants.map(({ name }) => [name, []]));
  // The first round is for compilers and caches, and does not count.
  for (let round = -1; round < setting.rounds; round++) {
    for (const contestant of contestants) {
      const load = loadFor(contestant);
      if (!load) continue;
      const others = contestants.filter((one) => one !== contestant);
      const measured = await alone(others, () =>
        wrk(contestant, setting.folder, { ...load, seconds: setting.seconds }),
      );
      if (round >= 0) all.get(contestant.name)!.push(measured);
    }
  }
  const medians = new Map<string, Measured>();
  for (const [name, runs] of all) {
    if (runs.length === 0) continue;
    const of = (key: keyof Measured) => median(runs.map((run) => run[key]));
    medians.set(name, {
      requests: of("requests"),
      bytes: of("bytes"),
      p50: of("p50"),
      p99: of("p99"),
      cpu: of("cpu"),
    });
  }
  return medians;
}

/** The others stand still: one that is still busy with what it was asked before would share the core. */
async function alone<T>(others: readonly Contestant[], measure: () => Promise<T>): Promise<T> {
  const send = (signal: "SIGSTOP" | "SIGCONT") => {
    for (const pid of others.flatMap(({ pids }) => pids)) process.kill(pid, signal);
  };
  send("SIGSTOP");
  try {
    return await measure();
  } finally {
    send("SIGCONT");
  }
}

export function valuesOf(
  contestants: readonly Contestant[],
  measured: ReadonlyMap<string, Measured>,
  pick: (measured: Measured) => number,
): Value[] {
  return contestants.map(({ name }) => {
    const run = measured.get(name);
    return run
      ? { contestant: name, value: pick(run), cpu: run.cpu }
      : { contestant: name, value: undefined, why: "it has no such thing" };
  });
}
