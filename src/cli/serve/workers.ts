/** Starts several worker processes on one port, and sums up their metrics. */
import type { PublishedKeySource } from "../../api/auth/keys/public-key-source.ts";
import type { Observer } from "../../telemetry/event.ts";
import type { MetricsSnapshot } from "../../telemetry/metric.ts";
import { WorkerTotals } from "../../telemetry/metrics.ts";
import { bind } from "./listen.ts";
import { createRateMemory } from "./rate-memory.ts";
import type { ServeSettings } from "./settings.ts";
import { WorkerSlot } from "./worker-slot.ts";

/** The API, in workers or in one process. */
export interface Service {
  readonly port: number;
  /**
   * Returns the metrics of all processes; `own` are those of this one. For a worker that is late, its previous metrics
   * count.
   */
  sumMetrics(own: MetricsSnapshot): Promise<MetricsSnapshot>;
  /** For how many seconds no process that serves the API has listened and responded. */
  readonly notServingSeconds: number;
  /** Lets other processes open the log file again. */
  reopenLog(): void;
  /** Lets other processes read the secret file again. */
  reloadSecret(): void;
  /** Waits for responses in flight. Returns the number of connections that were cut. */
  stop(): Promise<number>;
}

/** Resolves when all workers listen. Resolves with undefined, and without workers, when `stopSignal` comes before. */
export async function startWorkers(
  count: number,
  settings: ServeSettings,
  observe: Observer,
  keys: PublishedKeySource | undefined,
  stopSignal: Promise<string>,
): Promise<Service | undefined> {
  const totals = new WorkerTotals();
  // Workers listen with SO_REUSEPORT, which does not fail when another program has the port. This test does.
  const { sharePort, inheritedFd } = settings;
  const test = { hostname: settings.host, port: settings.port, socket: { data() {} } };
  if (!sharePort && inheritedFd === undefined) bind(settings, () => Bun.listen(test)).stop(true);
  const slots: WorkerSlot[] = [];
  const shared = { keys, rateMemory: settings.rate && createRateMemory(settings.rate) };
  if (keys) {
    keys.onPublication = (publication) => {
      for (const slot of slots) slot.send({ kind: "keys", keys: publication });
    };
  }
  let isStopping = false;
  const stop = async () => {
    isStopping = true;
    const cutConnections = await Promise.all(slots.map((slot) => slot.stop()));
    shared.rateMemory?.close();
    return cutConnections.reduce((sum, each) => sum + each, 0);
  };
  const startAll = async () => {
    // With port 0, the first worker finds a free port, and the others use it too.
    const first = new WorkerSlot(settings, totals, observe, shared);
    slots.push(first);
    const port = await first.listening;
    while (slots.length < count && !isStopping) {
      slots.push(new WorkerSlot({ ...settings, port }, totals, observe, shared));
    }
    await Promise.all(slots.map((slot) => slot.listening));
    if (sharePort) first.send({ kind: "take-over", listeners: count });
    return port;
  };
  try {
    const port = await Promise.race([startAll(), stopSignal.then(() => undefined)]);
    if (port === undefined) {
      await stop();
      return undefined;
    }
    return {
      port,
      stop,
      reopenLog() {
        for (const slot of slots) slot.send({ kind: "reopen-log" });
      },
      reloadSecret() {
        for (const slot of slots) slot.send({ kind: "reload-secret" });
      },
      get notServingSeconds() {
        return Math.min(...slots.map((slot) => slot.notServingSeconds));
      },
      async sumMetrics(own) {
        await Promise.all(slots.map((slot) => slot.updateTotals()));
        return totals.sumWith(own);
      },
    };
  } catch (error) {
    await stop();
    throw error;
  }
}
