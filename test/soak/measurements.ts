/** What a soak run watches: memory, descriptors and the size of the write-ahead log. */
import { readdirSync, readFileSync, statSync } from "node:fs";

export interface Sample {
  readonly seconds: number;
  readonly residentBytes: number;
  readonly descriptors: number;
  readonly logBytes: number;
}

/** Sums over the service's processes. A process that has just ended counts as nothing. */
export function takeSample(seconds: number, supervisor: number, db: string): Sample {
  const pids = [supervisor, ...childrenOf(supervisor)];
  const sum = (value: (pid: number) => number) =>
    pids.reduce((total, pid) => {
      try {
        return total + value(pid);
      } catch {
        return total;
      }
    }, 0);
  return {
    seconds,
    residentBytes: sum((pid) => {
      const status = readFileSync(`/proc/${pid}/status`, "utf8");
      return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1] ?? 0) * 1024;
    }),
    descriptors: sum((pid) => readdirSync(`/proc/${pid}/fd`).length),
    logBytes: statSync(`${db}-wal`, { throwIfNoEntry: false })?.size ?? 0,
  };
}

export function childrenOf(pid: number): number[] {
  const list = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8");
  return list.split(/\s+/).filter(Boolean).map(Number);
}

/** The largest value of each quarter of a run: what grows without end is largest in the last. */
export function quarterPeaks(samples: readonly Sample[], value: (sample: Sample) => number): number[] {
  const quarter = Math.ceil(samples.length / 4);
  return [0, 1, 2, 3].map((index) =>
    Math.max(0, ...samples.slice(index * quarter, (index + 1) * quarter).map(value)),
  );
}
