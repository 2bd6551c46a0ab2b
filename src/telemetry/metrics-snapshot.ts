/** The metrics of a process at one moment, as plain data. Workers send it to the supervisor, which merges it. */
import type { Stats } from "../catalog/store.ts";
import type { StoreLoad } from "../catalog/store-load.ts";
import type { FeedOutcome, RefusalReason } from "./event.ts";

/** The upper bounds of the histogram buckets: from a cache hit to a list that is read slowly. */
export const BUCKET_BOUNDS_SECONDS = [
  0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60,
] as const;

export interface HistogramCounts {
  /** The number of values in each bucket, not cumulative. The last bucket has no upper bound. */
  readonly counts: readonly number[];
  readonly sum: number;
}

export interface RouteCounts {
  readonly requestsByStatus: Readonly<Record<string, number>>;
  readonly durationSeconds: HistogramCounts;
  readonly firstByteSeconds: HistogramCounts;
  readonly bodyBytes: number;
  readonly cacheHits: number;
  readonly cacheMisses: number;
  /** Responses that were cut off. */
  readonly incomplete: number;
}

/** Values that never decrease while the process runs. */
export interface Counters {
  readonly routes: Readonly<Record<string, RouteCounts>>;
  readonly storeSeconds: HistogramCounts;
  readonly refused: Readonly<Record<RefusalReason, number>>;
  /** Failed requests, and errors that belong to no request. */
  readonly failures: number;
  readonly keyReloads: number;
  readonly failedKeyReloads: number;
  readonly workersDied: number;
  /** Feeds of the watched folder. */
  readonly feeds: Readonly<Record<FeedOutcome, number>>;
  readonly droppedLogLines: number;
  readonly cpuSeconds: number;
}

/** The load of the stores, as far as it is known. */
export type KnownLoad = { readonly [Name in keyof StoreLoad]?: StoreLoad[Name] | undefined };

/** The watched folder, as the process that watches it has last reported. */
export interface WatchGauges {
  /** False while nothing can be taken. */
  readonly isUp: boolean;
  /** The feeds that are not taken yet. */
  readonly feeds: number;
  /** For how long the oldest of them has been there. */
  readonly oldestSeconds: number;
}

export interface Gauges {
  readonly processes: number;
  readonly connections: number;
  readonly requestsInFlight: number;
  /** The estimated memory of the lists in flight. */
  readonly listBytes: number;
  /** The lists that wait for memory. */
  readonly waitingLists: number;
  readonly residentBytes: number;
  /** The descriptors of the process that has the most. Undefined where the system does not tell. */
  readonly openDescriptors?: number | undefined;
  /** The limit of one process. */
  readonly maxDescriptors?: number | undefined;
  readonly storeLoad: KnownLoad;
  /** Only one process has it. */
  readonly watch?: WatchGauges | undefined;
}

export interface MetricsSnapshot {
  /** Milliseconds since 1970. */
  readonly takenAtMs: number;
  /** Milliseconds since 1970. */
  readonly startedAtMs: number;
  readonly version: string;
  readonly counters: Counters;
  readonly gauges: Gauges;
  /** Undefined when the store was not queried or did not respond. */
  readonly catalog?: Stats | undefined;
}

/** Merges snapshots as if one process had done all the work. The catalog is that of the latest import. */
export function mergeSnapshots(snapshots: readonly MetricsSnapshot[]): MetricsSnapshot {
  const [first, ...others] = snapshots;
  if (!first) throw new RangeError("nothing to merge");
  return others.reduce(mergeTwo, first);
}

/** Returns what remains of a process that has ended: its counters, so that no sum decreases. */
export function withoutGauges(snapshot: MetricsSnapshot): MetricsSnapshot {
  const { takenAtMs, startedAtMs, version, counters } = snapshot;
  return {
    takenAtMs,
    startedAtMs,
    version,
    counters,
    gauges: { ...NO_GAUGES, storeLoad: {} },
  };
}

function mergeTwo(a: MetricsSnapshot, b: MetricsSnapshot): MetricsSnapshot {
  return {
    takenAtMs: Math.max(a.takenAtMs, b.takenAtMs),
    startedAtMs: Math.min(a.startedAtMs, b.startedAtMs),
    version: a.version,
    counters: {
      ...addMembers(a.counters, b.counters, PLAIN_COUNTERS),
      routes: mergeRoutes(a.counters.routes, b.counters.routes),
      storeSeconds: addHistograms(a.counters.storeSeconds, b.counters.storeSeconds),
      refused: addRecords(a.counters.refused, b.counters.refused),
      feeds: addRecords(a.counters.feeds, b.counters.feeds),
    },
    gauges: mergeGauges(a.gauges, b.gauges),
    catalog: latestCatalog(a.catalog, b.catalog),
  };
}

const SUMMED_GAUGES = [
  "processes",
  "connections",
  "requestsInFlight",
  "listBytes",
  "waitingLists",
  "residentBytes",
] as const;

const NO_GAUGES: Readonly<Record<(typeof SUMMED_GAUGES)[number], number>> = {
  processes: 0,
  connections: 0,
  requestsInFlight: 0,
  listBytes: 0,
  waitingLists: 0,
  residentBytes: 0,
};

function mergeGauges(a: Gauges, b: Gauges): Gauges {
  return {
    ...addMembers(a, b, SUMMED_GAUGES),
    openDescriptors: combine(Math.max, a.openDescriptors, b.openDescriptors),
    maxDescriptors: combine(Math.min, a.maxDescriptors, b.maxDescriptors),
    storeLoad: mergeLoads(a.storeLoad, b.storeLoad),
    watch: a.watch ?? b.watch,
  };
}

/** Lists and connections belong to a process. The file and its log are the same for all. */
function mergeLoads(a: KnownLoad, b: KnownLoad): KnownLoad {
  return {
    openLists: combine(sum, a.openLists, b.openLists),
    oldestListMs: combine(Math.max, a.oldestListMs, b.oldestListMs),
    poolConnections: combine(sum, a.poolConnections, b.poolConnections),
    fileBytes: combine(Math.max, a.fileBytes, b.fileBytes),
    logBytes: combine(Math.max, a.logBytes, b.logBytes),
  };
}

function sum(one: number, other: number): number {
  return one + other;
}

/** A value that one process does not know is that of the other. */
function combine(
  rule: (one: number, other: number) => number,
  a: number | undefined,
  b: number | undefined,
): number | undefined {
  return a === undefined || b === undefined ? (a ?? b) : rule(a, b);
}

const PLAIN_COUNTERS = [
  "failures",
  "keyReloads",
  "failedKeyReloads",
  "workersDied",
  "droppedLogLines",
  "cpuSeconds",
] as const;

function addMembers<K extends string>(a: Record<K, number>, b: Record<K, number>, names: readonly K[]) {
  return Object.fromEntries(names.map((name) => [name, a[name] + b[name]])) as Record<K, number>;
}

/** Adds records that may have different members. */
function addRecords<K extends string>(a: Readonly<Record<K, number>>, b: Readonly<Record<K, number>>) {
  const names = [...new Set([...Object.keys(a), ...Object.keys(b)])] as K[];
  const sums = names.map((name) => [name, (a[name] ?? 0) + (b[name] ?? 0)]);
  return Object.fromEntries(sums) as Record<K, number>;
}

function addHistograms(a: HistogramCounts, b: HistogramCounts): HistogramCounts {
  return { counts: a.counts.map((count, index) => count + (b.counts[index] ?? 0)), sum: a.sum + b.sum };
}

function mergeRoutes(a: Counters["routes"], b: Counters["routes"]): Counters["routes"] {
  const names = [...new Set([...Object.keys(a), ...Object.keys(b)])];
  return Object.fromEntries(
    names.map((name) => {
      const [one, other] = [a[name], b[name]];
      return [name, one && other ? addRoutes(one, other) : (one ?? other)!];
    }),
  );
}

function addRoutes(a: RouteCounts, b: RouteCounts): RouteCounts {
  return {
    ...addMembers(a, b, ["bodyBytes", "cacheHits", "cacheMisses", "incomplete"]),
    requestsByStatus: addRecords(a.requestsByStatus, b.requestsByStatus),
    durationSeconds: addHistograms(a.durationSeconds, b.durationSeconds),
    firstByteSeconds: addHistograms(a.firstByteSeconds, b.firstByteSeconds),
  };
}

/** Compares ISO 8601 times in UTC, which sort as text. */
function latestCatalog(a: Stats | undefined, b: Stats | undefined): Stats | undefined {
  if (!a || !b) return a ?? b;
  return (b.imported ?? "") > (a.imported ?? "") ? b : a;
}

/** Sums the metrics of worker processes. Counters of a worker that has ended stay, so that no sum decreases. */
export class WorkerTotals {
  /** The latest snapshot of each running worker, by process id. */
  readonly #running = new Map<number, MetricsSnapshot>();
  #ended: MetricsSnapshot | undefined;

  update(pid: number, snapshot: MetricsSnapshot): void {
    this.#running.set(pid, snapshot);
  }

  /** Records that a worker has ended. Events after its latest snapshot are lost. */
  retire(pid: number): void {
    const snapshot = this.#running.get(pid);
    if (!snapshot) return;
    this.#running.delete(pid);
    const counters = withoutGauges(snapshot);
    this.#ended = this.#ended ? mergeSnapshots([this.#ended, counters]) : counters;
  }

  /** Returns the sum of all workers and the supervisor's own metrics. */
  sumWith(own: MetricsSnapshot): MetricsSnapshot {
    return mergeSnapshots([own, ...(this.#ended ? [this.#ended] : []), ...this.#running.values()]);
  }
}
