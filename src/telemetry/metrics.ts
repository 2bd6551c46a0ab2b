/** Counts the events of this process, and merges the metrics of several. `metric-table.ts` declares the metrics. */
import type { Stats } from "../catalog/store.ts";
import type { Observer, RequestEvent } from "./event.ts";
import type {
  Labels,
  Metric,
  MetricsSnapshot,
  MetricsSources,
  MetricValue,
  RareEvent,
  Sample,
} from "./metric.ts";
import { METRICS } from "./metric-table.ts";
import { BUCKET_BOUNDS_SECONDS, Histogram, RequestCounts } from "./request-counts.ts";

const EVENT_METRICS = Object.entries(METRICS).filter(([, { count, set }]) => count || set);

export class Metrics {
  readonly #sources: MetricsSources;
  readonly #now: () => number;
  readonly #startedAtMs: number;
  readonly #routes = new Map<string, RequestCounts>();
  readonly #storeSeconds = new Histogram();
  /** The values of EVENT_METRICS, by the value of the label, which is empty for a metric without one. */
  readonly #values: Record<string, Record<string, number>> = {};

  constructor(sources: MetricsSources) {
    this.#sources = sources;
    this.#now = sources.now ?? Date.now;
    this.#startedAtMs = this.#now();
    for (const [name, { count, label: [, values] = ["", [""]] }] of EVENT_METRICS) {
      if (count) this.#values[name] = Object.fromEntries(values.map((value) => [value, 0]));
    }
  }

  readonly observe: Observer = (event) => {
    if (event.kind === "request") this.#observeRequest(event);
    else if (event.kind === "store") this.#storeSeconds.add(event.seconds);
    else this.#observeRare(event);
  };

  snapshot(catalog?: Stats): MetricsSnapshot {
    const state = {
      ...this.#sources,
      storeLoad: this.#sources.store?.load?.(),
      backup: this.#sources.backup?.(),
      routes: this.#routes,
      storeSeconds: this.#storeSeconds,
      startedAtMs: this.#startedAtMs,
      nowMs: this.#now(),
      catalog,
    };
    const snapshot: Record<string, Record<string, MetricValue>> = {};
    for (const [name, metric] of Object.entries(METRICS)) {
      const value = metric.read ? metric.read(state) : this.#samples(name, metric);
      const samples = typeof value === "number" ? [[{}, value] as const] : value;
      if (samples)
        snapshot[name] = Object.fromEntries(samples.map(([labels, each]) => [labelText(labels), each]));
    }
    return snapshot;
  }

  #observeRequest(event: RequestEvent): void {
    let counts = this.#routes.get(event.route);
    if (!counts) {
      counts = new RequestCounts();
      this.#routes.set(event.route, counts);
    }
    counts.add(event);
  }

  #observeRare(event: RareEvent): void {
    for (const [name, { count, set }] of EVENT_METRICS) {
      const counted = count?.(event);
      if (counted) this.#values[name]![counted === true ? "" : counted]!++;
      const value = set?.(event, this.#values[name]?.[""]);
      if (value !== undefined) this.#values[name] = { "": value };
    }
  }

  /** Returns undefined for a metric that no event has set yet. */
  #samples(name: string, { label }: Metric): readonly Sample[] | undefined {
    const values = this.#values[name];
    return (
      values && Object.entries(values).map(([value, count]) => [label ? { [label[0]]: value } : {}, count])
    );
  }
}

/** Merges snapshots as if one process had done all the work. A value that one process does not know is that of others. */
export function mergeSnapshots(snapshots: readonly MetricsSnapshot[]): MetricsSnapshot {
  const merged: Record<string, Record<string, MetricValue>> = {};
  for (const [name, series] of snapshots.flatMap((snapshot) => Object.entries(snapshot))) {
    const rule = METRICS[name]?.merge ?? ((one, other) => one + other);
    merged[name] ??= {};
    const values = merged[name];
    for (const [labels, value] of Object.entries(series)) {
      const before = values[labels];
      values[labels] = before === undefined ? value : mergeValues(before, value, rule);
    }
  }
  return merged;
}

function mergeValues(
  one: MetricValue,
  other: MetricValue,
  rule: (a: number, b: number) => number,
): MetricValue {
  if (typeof one === "number" || typeof other === "number") return rule(Number(one), Number(other));
  return one.map((value, index) => rule(value, other[index]!));
}

/** Sums the metrics of worker processes. Counters of a worker that has ended stay, so that no sum decreases. */
export class WorkerTotals {
  /** The latest snapshot of each running worker, by process id. */
  readonly #running = new Map<number, MetricsSnapshot>();
  #ended: MetricsSnapshot = {};

  update(pid: number, snapshot: MetricsSnapshot): void {
    this.#running.set(pid, snapshot);
  }

  /** Records that a worker has ended. Events after its latest snapshot are lost. */
  retire(pid: number): void {
    const metrics = Object.entries(this.#running.get(pid) ?? {});
    const counters = metrics.filter(([name]) => METRICS[name]?.type !== "gauge");
    this.#ended = mergeSnapshots([this.#ended, Object.fromEntries(counters)]);
    this.#running.delete(pid);
  }

  /** Returns the sum of all workers and the supervisor's own metrics. */
  sumWith(own: MetricsSnapshot): MetricsSnapshot {
    return mergeSnapshots([own, this.#ended, ...this.#running.values()]);
  }
}

/** The Prometheus text format, version 0.0.4. */
export const PROMETHEUS_CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8";

export function renderMetrics(snapshot: MetricsSnapshot): string {
  let text = "";
  for (const [name, { type, help, onlyWith = name, isSorted }] of Object.entries(METRICS)) {
    if (!snapshot[name] || !snapshot[onlyWith]) continue;
    text += `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n`;
    const series = Object.entries(snapshot[name]);
    if (isSorted) series.sort(([a], [b]) => (a < b ? -1 : 1));
    for (const [labels, value] of series) {
      text += typeof value === "number" ? line(name, labels, value) : histogram(name, labels, value);
    }
  }
  return text;
}

/** Prometheus expects cumulative buckets. */
function histogram(name: string, labels: string, [sum = 0, ...counts]: readonly number[]): string {
  let text = "";
  let total = 0;
  counts.forEach((count, bucket) => {
    total += count;
    const bound = labelText({ le: String(BUCKET_BOUNDS_SECONDS[bucket] ?? "+Inf") });
    text += line(`${name}_bucket`, labels === "" ? bound : `${labels},${bound}`, total);
  });
  return text + line(`${name}_sum`, labels, sum) + line(`${name}_count`, labels, total);
}

function line(name: string, labels: string, value: number): string {
  return `${name}${labels === "" ? "" : `{${labels}}`} ${value}\n`;
}

function labelText(labels: Labels): string {
  return Object.entries(labels)
    .map(([label, text]) => `${label}="${text.replace(/[\\"]/g, "\\$&").replace(/\n/g, "\\n")}"`)
    .join(",");
}
