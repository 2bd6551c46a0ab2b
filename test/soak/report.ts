/** What a soak run watches: memory, descriptors, the write-ahead log and lookups; and the section of docs/reliability.md about it. */
import { readdirSync, readFileSync, statSync } from "node:fs";
import { availableParallelism, loadavg } from "node:os";
import type { LookupTime, SoakCounts } from "./clients.ts";

export interface SoakResult {
  readonly seconds: number;
  readonly counts: SoakCounts;
  readonly samples: readonly Sample[];
  readonly lookupTimes: readonly LookupTime[];
  /** The output of `colophon verify` when it found damage. */
  readonly damage: string | undefined;
  readonly exitCode: number;
}

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

/** The p99 of lookups in each quarter of a run, in milliseconds. */
export function quarterP99({ seconds, lookupTimes }: Pick<SoakResult, "seconds" | "lookupTimes">): number[] {
  const quarters = Map.groupBy(lookupTimes, (lookup) => Math.floor((lookup.seconds / seconds) * 4));
  return [0, 1, 2, 3].map((quarter) => {
    const sorted = (quarters.get(quarter) ?? []).map(({ ms }) => ms).sort((a, b) => a - b);
    return sorted[Math.floor(sorted.length * 0.99)] ?? 0;
  });
}

const BEGIN = "<!-- soak: written by `npm run soak` -->";
const END = "<!-- end of soak -->";

/** Returns the section of docs/reliability.md about a run. */
export function soakSection(result: SoakResult): string {
  const { seconds, counts, samples } = result;
  const number = (value: number) => value.toLocaleString("en-US");
  const megabytes = (bytes: number) => `${number(Math.round(bytes / 1e6))} MB`;
  const row = (
    label: string,
    value: (sample: (typeof samples)[number]) => number,
    unit: (value: number) => string,
  ) => `| ${label} | ${quarterPeaks(samples, value).map(unit).join(" | ")} |`;
  const day = new Date().toISOString().slice(0, 10);
  return `${BEGIN}
## Soak

\`npm run soak\`, ${day}, ${number(Math.round(seconds / 60))} minutes, two workers, linux ${process.arch}, load average ${loadavg()[2]!.toFixed(0)} on ${availableParallelism()} cores. Meanwhile: ${number(counts.lookups)} lookups, ${number(counts.lists)} lists, ${number(counts.searches)} searches and ${number(counts.suggestions)} suggestions, each checked; ${number(counts.slowReaders)} lists read at 20 kB/s; ${number(counts.silentReaders)} lists of which nothing was read; ${number(counts.imports)} imports, of which ${number(counts.undoneImports)} were undone, and ${number(counts.killedImports)} killed ones; ${number(counts.revocations)} revoked tokens; ${number(counts.killedWorkers)} killed and ${number(counts.stoppedWorkers)} stopped workers. No response was wrong, ${number(counts.cut)} were refused or cut off because workers were killed or stopped, or by an import, ${number(counts.refused)} got 503. \`colophon verify\` found no damage.

| Largest value in | first quarter | second | third | last |
|---|---|---|---|---|
${row("resident memory of all processes", (sample) => sample.residentBytes, megabytes)}
${row("open descriptors", (sample) => sample.descriptors, number)}
${row("write-ahead log", (sample) => sample.logBytes, megabytes)}
| p99 of lookups | ${quarterP99(result)
    .map((ms) => `${ms.toFixed(1)} ms`)
    .join(" | ")} |
${END}`;
}

/** Replaces the section, or appends it to a page that has none. */
export function replaceSoakSection(page: string, section: string): string {
  const old = soakSectionOf(page);
  return old === undefined ? `${page.trimEnd()}\n\n${section}\n` : page.replace(old, () => section);
}

export function soakSectionOf(page: string): string | undefined {
  const [from, to] = [page.indexOf(BEGIN), page.indexOf(END)];
  return from < 0 || to < from ? undefined : page.slice(from, to + END.length);
}
