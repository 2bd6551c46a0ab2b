/** The program of one worker process. `workers.ts` starts and ends it. */
import { openStore } from "../config/store-location.ts";
import { readTokenConfig } from "../config/token-config.ts";
import { listen } from "./listen.ts";
import { closeLog, createObservability } from "./observability.ts";
import type { ProcessSettings } from "./settings.ts";
import { WORKER_SETTINGS_VARIABLE, type WorkerMessage } from "./worker-protocol.ts";

async function runWorker(settings: ProcessSettings): Promise<void> {
  const { promise: stopRequested, resolve: requestStop } = Promise.withResolvers<void>();
  process.once("SIGTERM", () => requestStop());
  // Ctrl-C sends SIGINT to the whole process group. The supervisor then stops its workers with SIGTERM.
  process.on("SIGINT", () => {});
  // The supervisor has died. Without it, nobody would stop this process.
  process.once("disconnect", () => requestStop());
  const store = openStore(settings.storeLocation, {
    create: false,
    registry: "required",
    // The supervisor notices the same, and logs it once.
    onCatalogChange: () => {},
  });
  try {
    const observability = createObservability(settings);
    observability.watchStore(store);
    const tokenConfig = await readTokenConfig(settings.storeLocation, observability.onKeyRefreshError);
    const server = await listen({ store, tokenConfig, settings, reusePort: true, observability });
    // Every message is a METRICS_REQUEST.
    process.on("message", () => send({ kind: "metrics", snapshot: observability.metrics.snapshot() }));
    send({ kind: "listening", port: server.port });
    await stopRequested;
    send({ kind: "stopped", cutConnections: await server.stop() });
    await closeLog(observability.log);
  } finally {
    await store.close();
  }
}

function send(message: WorkerMessage): void {
  process.send!(message);
}

if (import.meta.main) {
  await runWorker(JSON.parse(process.env[WORKER_SETTINGS_VARIABLE]!)).catch((error) => {
    console.error(`colophon: ${error.message}`);
    process.exitCode = 1;
  });
  process.disconnect?.();
}
