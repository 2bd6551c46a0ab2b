/** Counts what happens in this process. */
import type { Stats } from "../catalog/store.ts";
import { type Answered, type Event, type Observe, REFUSALS, type Refusal } from "./event.ts";
import { BOUNDS, type HistogramCounts, type MetricsSnapshot, type RouteCounts } from "./metrics-snapshot.ts";

/** What is not counted but asked for. */
export interface Sources {
  readonly version: string;
  /** Connections that are open. */
  readonly connections?: (() => number) | undefined;
  /** Lines that the log has dropped. */
  readonly logDropped?: (() => number) | undefined;
  /** Milliseconds since 1970. */
  readonly now?: (() => number) | undefined;
}

export class Metrics {
  readonly #sources: Sources;
  readonly #now: () => number;
  readonly #started: number;
  readonly #routes = new Map<string, RouteTally>();
  readonly #store = new Histogram();
  readonly #refused = Object.fromEntries(REFUSALS.map((why) => [why, 0])) as Record<Refusal, number>;
  #failures = 0;
  #keysRead = 0;
  #keysFailed = 0;
  #workersDied = 0;

  constructor(sources: Sources) {
    this.#sources = sources;
    this.#now = sources.now ?? Date.now;
    this.#started = this.#now();
  }

  readonly observe: Observe = (event) => {
    if (event.kind === "answered") this.#answered(event);
    else if (event.kind === "store") this.#store.add(event.seconds);
    else this.#rare(event);
  };

  snapshot(catalog?: Stats): MetricsSnapshot {
    const { user, system } = process.cpuUsage();
    return {
      at: this.#now(),
      started: this.#started,
      version: this.#sources.version,
      counters: {
        routes: Object.fromEntries([...this.#routes].map(([id, tally]) => [id, tally.counts()])),
        store: this.#store.counts(),
        refused: { ...this.#refused },
        failures: this.#failures,
        keysRead: this.#keysRead,
        keysFailed: this.#keysFailed,
        workersDied: this.#workersDied,
        logDropped: this.#sources.logDropped?.() ?? 0,
        cpu: (user + system) / 1e6,
      },
      gauges: {
        processes: 1,
        connections: this.#sources.connections?.() ?? 0,
        memory: process.memoryUsage.rss(),
      },
      catalog,
    };
  }

  #answered(event: Answered): void {
    let tally = this.#routes.get(event.route);
    if (!tally) {
      tally = new RouteTally();
      this.#routes.set(event.route, tally);
    }
    tally.add(event);
  }

  #rare(event: Exclude<Event, { kind: "answered" | "store" }>): void {
    switch (event.kind) {
      case "refused":
        this.#refused[event.why]++;
        break;
      case "failed":
      case "fault":
        this.#failures++;
        break;
      case "keys":
        if (event.error === undefined) this.#keysRead++;
        else this.#keysFailed++;
        break;
      case "worker":
        if (event.state === "died") this.#workersDied++;
        break;
      case "started":
      case "stopping":
      case "stopped":
        break;
    }
  }
}

/** Statuses are three digits. */
const STATUSES = 1000;

class RouteTally {
  readonly #statuses = new Float64Array(STATUSES);
  readonly #latency = new Histogram();
  #bytes = 0;
  #hits = 0;
  #misses = 0;
  #broken = 0;

  add({ status, bytes, seconds, kept, whole }: Answered): void {
    this.#statuses[status]!++;
    this.#latency.add(seconds);
    this.#bytes += bytes;
    if (kept) this.#hits++;
    // An error is nothing that would be kept.
    else if (status === 200 || status === 304) this.#misses++;
    if (!whole) this.#broken++;
  }

  counts(): RouteCounts {
    const requests: Record<string, number> = {};
    this.#statuses.forEach((count, status) => {
      if (count > 0) requests[status] = count;
    });
    return {
      requests,
      latency: this.#latency.counts(),
      bytes: this.#bytes,
      hits: this.#hits,
      misses: this.#misses,
      broken: this.#broken,
    };
  }
}

class Histogram {
  readonly #counts = new Float64Array(BOUNDS.length + 1);
  #sum = 0;

  add(seconds: number): void {
    let at = 0;
    // Most are found in the first steps: there is nothing to halve.
    while (at < BOUNDS.length && seconds > BOUNDS[at]!) at++;
    this.#counts[at]!++;
    this.#sum += seconds;
  }

  counts(): HistogramCounts {
    return { counts: [...this.#counts], sum: this.#sum };
  }
}
