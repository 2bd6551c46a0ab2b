/** Starts several worker processes on one port, and sums up their metrics. */
import type { Observer } from "../../watch/event.ts";
import type { MetricsSnapshot } from "../../watch/metrics-snapshot.ts";
import { WorkerTotals } from "../../watch/worker-totals.ts";
import { bind } from "./bind.ts";
import type { ProcessSettings } from "./settings.ts";
import { WorkerSlot } from "./worker-slot.ts";

export interface Workers {
  readonly port: number;
  /** Sums the metrics of all workers and the supervisor. For a worker that is late, its previous metrics count. */
  sumMetrics(own: MetricsSnapshot): Promise<MetricsSnapshot>;
  reloadKeys(): void;
  /** Waits for responses in flight. Returns the number of connections that were cut. */
  stop(): Promise<number>;
}

/** Resolves when all workers listen. */
export async function startWorkers(
  count: number,
  settings: ProcessSettings,
  observe: Observer,
): Promise<Workers> {
  const totals = new WorkerTotals();
  // Workers listen with SO_REUSEPORT, which does not fail when another program has the port. This test does.
  const test = { hostname: settings.host, port: settings.port, socket: { data() {} } };
  if (!settings.sharePort) bind(settings, () => Bun.listen(test)).stop(true);
  const slots: WorkerSlot[] = [];
  const stop = async () => {
    const cutConnections = await Promise.all(slots.map((slot) => slot.stop()));
    return cutConnections.reduce((sum, each) => sum + each, 0);
  };
  try {
    // With port 0, the first worker finds a free port, and the others use it too.
    const first = new WorkerSlot(settings, totals, observe);
    slots.push(first);
    const port = await first.listening;
    while (slots.length < count) slots.push(new WorkerSlot({ ...settings, port }, totals, observe));
    await Promise.all(slots.map((slot) => slot.listening));
    return {
      port,
      stop,
      async sumMetrics(own) {
        await Promise.all(slots.map((slot) => slot.updateTotals()));
        return totals.sumWith(own);
      },
      reloadKeys() {
        for (const slot of slots) slot.reloadKeys();
      },
    };
  } catch (error) {
    await stop();
    throw error;
  }
}
