/** What was counted up to a moment, as plain data: workers send it to their supervisor, which sums it. */
import type { Stats } from "../catalog/store.ts";
import type { Refusal } from "./event.ts";

/** Seconds: from an answer that was kept ready to a list that is read slowly. */
export const BOUNDS = [
  0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60,
] as const;

export interface HistogramCounts {
  /** How many lie up to each bound and above the one before it; the last are those above all. */
  readonly counts: readonly number[];
  readonly sum: number;
}

export interface RouteCounts {
  /** By status. */
  readonly requests: Readonly<Record<string, number>>;
  readonly latency: HistogramCounts;
  readonly bytes: number;
  readonly hits: number;
  readonly misses: number;
  /** Answers that broke off. */
  readonly broken: number;
}

/** Never goes down, but with a new process. */
export interface Counters {
  readonly routes: Readonly<Record<string, RouteCounts>>;
  readonly store: HistogramCounts;
  readonly refused: Readonly<Record<Refusal, number>>;
  /** Requests that failed, and errors of no request. */
  readonly failures: number;
  readonly keysRead: number;
  readonly keysFailed: number;
  readonly workersDied: number;
  readonly logDropped: number;
  /** Seconds. */
  readonly cpu: number;
}

/** As it is now. */
export interface Gauges {
  readonly processes: number;
  readonly connections: number;
  /** Bytes, resident. */
  readonly memory: number;
}

export interface MetricsSnapshot {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly started: number;
  readonly version: string;
  readonly counters: Counters;
  readonly gauges: Gauges;
  /** Undefined where the store was not asked, or did not answer. */
  readonly catalog?: Stats | undefined;
}

/** All of them as if they were one process; of a catalog, the last that any has seen. */
export function merge(snapshots: readonly MetricsSnapshot[]): MetricsSnapshot {
  const [first, ...others] = snapshots;
  if (!first) throw new RangeError("nothing to merge");
  return others.reduce(mergeTwo, first);
}

/** What is left of a process that has ended: what it counted, so that no sum goes down. */
export function past(snapshot: MetricsSnapshot): MetricsSnapshot {
  const { at, started, version, counters } = snapshot;
  return { at, started, version, counters, gauges: { processes: 0, connections: 0, memory: 0 } };
}

function mergeTwo(a: MetricsSnapshot, b: MetricsSnapshot): MetricsSnapshot {
  return {
    at: Math.max(a.at, b.at),
    started: Math.min(a.started, b.started),
    version: a.version,
    counters: {
      ...sums(a.counters, b.counters, NUMBERS),
      routes: routes(a.counters.routes, b.counters.routes),
      store: histogram(a.counters.store, b.counters.store),
      refused: numbers(a.counters.refused, b.counters.refused),
    },
    gauges: sums(a.gauges, b.gauges, ["processes", "connections", "memory"]),
    catalog: laterOf(a.catalog, b.catalog),
  };
}

const NUMBERS = ["failures", "keysRead", "keysFailed", "workersDied", "logDropped", "cpu"] as const;

function sums<K extends string>(a: Record<K, number>, b: Record<K, number>, names: readonly K[]) {
  return Object.fromEntries(names.map((name) => [name, a[name] + b[name]])) as Record<K, number>;
}

function numbers<K extends string>(a: Readonly<Record<K, number>>, b: Readonly<Record<K, number>>) {
  const names = [...new Set([...Object.keys(a), ...Object.keys(b)])] as K[];
  return Object.fromEntries(names.map((name) => [name, (a[name] ?? 0) + (b[name] ?? 0)])) as Record<
    K,
    number
  >;
}

function histogram(a: HistogramCounts, b: HistogramCounts): HistogramCounts {
  return { counts: a.counts.map((count, at) => count + (b.counts[at] ?? 0)), sum: a.sum + b.sum };
}

function routes(a: Counters["routes"], b: Counters["routes"]): Counters["routes"] {
  const names = [...new Set([...Object.keys(a), ...Object.keys(b)])];
  return Object.fromEntries(
    names.map((name) => {
      const [one, other] = [a[name], b[name]];
      return [name, one && other ? route(one, other) : (one ?? other)!];
    }),
  );
}

function route(a: RouteCounts, b: RouteCounts): RouteCounts {
  return {
    ...sums(a, b, ["bytes", "hits", "misses", "broken"]),
    requests: numbers(a.requests, b.requests),
    latency: histogram(a.latency, b.latency),
  };
}

/** ISO 8601 in UTC is in the order of time. */
function laterOf(a: Stats | undefined, b: Stats | undefined): Stats | undefined {
  if (!a || !b) return a ?? b;
  return (b.imported ?? "") > (a.imported ?? "") ? b : a;
}
