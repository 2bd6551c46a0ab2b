/** The types of the metrics: how one is declared, what it is read from, and its values. */
import type { Stats, Store } from "../catalog/store.ts";
import type { StoreLoad } from "../catalog/store-load.ts";
import type { BackupStatus } from "./backup-status.ts";
import type { ServiceEvent } from "./event.ts";
import type { Histogram, RequestCounts } from "./request-counts.ts";

/** The declaration of a metric. It is read when a snapshot is taken, or it counts events, or an event sets it. */
export interface Metric {
  readonly type: "counter" | "gauge" | "histogram";
  readonly help: string;
  /** Makes one number of those of two processes. When omitted, they are added. */
  readonly merge?: ((one: number, other: number) => number) | undefined;
  /** Returns undefined for a value that is not known: the metric is then omitted. */
  readonly read?: (process: ProcessState) => number | readonly Sample[] | undefined;
  /** Returns whether the event counts, or the value of the label for which it counts. */
  readonly count?: (event: RareEvent) => boolean | string;
  /** The label of `count` and all its values, which are exposed from the start. */
  readonly label?: readonly [name: string, values: readonly string[]] | undefined;
  /** Returns the value after the event, or undefined when the event does not change it. */
  readonly set?: (event: RareEvent, before: number | undefined) => number | undefined;
  /** Without that other metric, this one is omitted. */
  readonly onlyWith?: string;
  /** The samples are sorted, because each process has met the routes in an order of its own. */
  readonly isSorted?: true;
}

/** Requests and store lookups are frequent. They are counted by `RequestCounts` and `Histogram`. */
export type RareEvent = Exclude<ServiceEvent, { kind: "request" | "store" }>;

/** The value of a histogram is its sum, followed by the counts of its buckets. */
export type MetricValue = number | readonly number[];
export type Labels = Readonly<Record<string, string>>;
export type Sample = readonly [labels: Labels, value: MetricValue];

/** The metrics of one process or several at one moment, by name and the text of the labels. Workers send it as data. */
export type MetricsSnapshot = Readonly<Record<string, Readonly<Record<string, MetricValue>>>>;

/** The parts of a process whose state is read when a snapshot is taken. */
export interface MetricsSources {
  readonly version: string;
  readonly log?: { readonly droppedLines: number };
  server?: { readonly connections: number; readonly requestsInFlight: number };
  /** The lists in flight: the memory that they are estimated to take, and those that wait for memory. */
  lists?: { readonly usedBytes: number; readonly waiting: number };
  store?: Pick<Store, "load">;
  /** Returns what became of the last backup, `none` before the first. */
  backup?: () => BackupStatus | "none";
  /** Returns milliseconds since 1970. */
  readonly now?: () => number;
}

interface ProcessState extends Omit<MetricsSources, "backup"> {
  /** Undefined when nobody has said where backups are. */
  readonly backup: BackupStatus | "none" | undefined;
  readonly storeLoad: StoreLoad | undefined;
  readonly routes: ReadonlyMap<string, RequestCounts>;
  readonly storeSeconds: Histogram;
  /** Milliseconds since 1970. */
  readonly startedAtMs: number;
  readonly nowMs: number;
  /** Undefined when the store was not queried or did not respond. */
  readonly catalog: Stats | undefined;
}
