/** One of several processes on one port: started by `workers.ts`, and ended by it. */
import type { MetricsSnapshot } from "../../watch/metrics-snapshot.ts";
import { keysFor } from "../config/keys.ts";
import { listen, reloadOnSignal } from "./listen.ts";
import type { HostAndPort, Settings } from "./settings.ts";
import { endLog, watching } from "./observability.ts";
import { openStore } from "../config/store-location.ts";

export interface WorkerTask extends HostAndPort, Settings {
  readonly where: string;
}

/** The variable that has it, as JSON. */
export const TASK = "COLOPHON_WORKER";

/**
 * What a worker says: that it listens; what it has counted, each time that it is asked; and in the end, how many
 * connections it has cut off.
 */
export type Said =
  | { readonly port: number }
  | { readonly counted: MetricsSnapshot }
  | { readonly cut: number };

async function work(task: WorkerTask): Promise<void> {
  const { promise: end, resolve: stop } = Promise.withResolvers<void>();
  process.once("SIGTERM", () => stop());
  // Who presses Ctrl-C sends it to all of them: the supervisor's word counts.
  process.on("SIGINT", () => {});
  // Without a supervisor nobody would ever end this process.
  process.once("disconnect", () => stop());
  const store = openStore(task.where, { create: false });
  try {
    const watch = watching(task);
    const trust = await keysFor(task.where, watch.onStale);
    const server = await listen(store, trust, { ...task, shared: true }, task, watch);
    reloadOnSignal(trust, watch);
    const say = (said: Said) => process.send!(said);
    process.on("message", () => say({ counted: watch.metrics.snapshot() }));
    say({ port: server.port });
    await end;
    say({ cut: await server.stop() });
    await endLog(watch.log);
  } finally {
    await store.close();
  }
}

if (import.meta.main) {
  await work(JSON.parse(process.env[TASK]!)).catch((error) => {
    console.error(`colophon: ${error.message}`);
    process.exitCode = 1;
  });
  process.disconnect?.();
}
