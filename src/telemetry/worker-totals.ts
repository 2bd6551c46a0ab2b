import { type MetricsSnapshot, mergeSnapshots, withoutGauges } from "./metrics-snapshot.ts";

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
