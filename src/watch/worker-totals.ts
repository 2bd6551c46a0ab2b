/** The sum over workers that come and go. It never goes down: what one has counted stays when it has ended. */
import { type MetricsSnapshot, merge, past } from "./metrics-snapshot.ts";

export class Totals {
  /** By process id: the last that each has sent. */
  readonly #workers = new Map<number, MetricsSnapshot>();
  #past: MetricsSnapshot | undefined;

  update(worker: number, snapshot: MetricsSnapshot): void {
    this.#workers.set(worker, snapshot);
  }

  /** What it has counted since it was last heard of is lost. */
  ended(worker: number): void {
    const last = this.#workers.get(worker);
    if (!last) return;
    this.#workers.delete(worker);
    this.#past = this.#past ? merge([this.#past, past(last)]) : past(last);
  }

  /** With the supervisor's own. */
  with(own: MetricsSnapshot): MetricsSnapshot {
    return merge([own, ...(this.#past ? [this.#past] : []), ...this.#workers.values()]);
  }
}
