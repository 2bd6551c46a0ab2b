/** The program of one worker process. `workers.ts` starts and ends it. */
import { ReceivedKeys } from "../../api/auth/keys/received-keys.ts";
import type { RunningServer } from "../../server/server.ts";
import type { Metrics } from "../../telemetry/metrics.ts";
import { openStore } from "../config/store-location.ts";
import { readTokenConfig } from "../config/token-config.ts";
import { EXIT, UsageError } from "../terminal/arguments.ts";
import {
  type SupervisorMessage,
  WORKER_COMMAND,
  WORKER_SETTINGS_VARIABLE,
  type WorkerMessage,
} from "./child-protocol.ts";
import { listen } from "./listen.ts";
import { closeLog, createObservability } from "./observability.ts";
import { attachRateBuckets } from "./rate-memory.ts";
import type { WorkerSettings } from "./settings.ts";

/** `colophon serve-worker`: serves until the supervisor says stop, or ends. */
export async function workerCommand(): Promise<number> {
  const settings = process.env[WORKER_SETTINGS_VARIABLE];
  if (settings === undefined || !process.send)
    throw new UsageError(`"${WORKER_COMMAND}" is started by "serve --workers" only`);
  try {
    await runWorker(JSON.parse(settings));
    return EXIT.ok;
  } finally {
    process.disconnect?.();
  }
}

async function runWorker(settings: WorkerSettings): Promise<void> {
  const { promise: stopRequested, resolve: requestStop } = Promise.withResolvers<void>();
  // Ctrl-C sends SIGINT to the whole process group, and systemd SIGTERM. The supervisor decides when workers stop.
  // A terminal that closes sends SIGHUP. Only the supervisor acts on it.
  for (const signal of ["SIGHUP", "SIGINT", "SIGTERM"] as const) process.on(signal, () => {});
  // The supervisor has died. Without it, nobody would stop this process.
  process.once("disconnect", () => requestStop());
  let server: RunningServer | undefined;
  let metrics: Metrics | undefined;
  let reopenLog = () => {};
  let reloadSecret = () => {};
  const keys = new ReceivedKeys({ request: (refresh) => send({ kind: "keys-request", refresh }) });
  process.on("message", (message: SupervisorMessage) => {
    switch (message.kind) {
      case "ping":
        send({ kind: "pong" });
        break;
      case "metrics-request":
        if (metrics) send({ kind: "metrics", snapshot: metrics.snapshot() });
        break;
      case "keys":
        void keys.receive(message.keys);
        break;
      case "take-over":
        server?.takeOver(message.listeners);
        break;
      case "reopen-log":
        reopenLog();
        break;
      case "reload-secret":
        reloadSecret();
        break;
      case "stop":
        requestStop();
        break;
    }
  });
  const store = await openStore(settings.storeLocation, {
    create: false,
    isService: true,
    registry: "required",
    // The supervisor notices the same, and logs it once.
    onCatalogChange: () => {},
    onReadonly: () => {},
  });
  try {
    const observability = createObservability(settings);
    reopenLog = () => void observability.reopenLog();
    observability.sources.store = store;
    const tokenConfig = await readTokenConfig(settings.storeLocation, { receiveKeys: () => keys.start() });
    reloadSecret = () => void tokenConfig.keys.reload();
    const { rate, rateMemoryFd } = settings;
    const rateBuckets =
      rate && rateMemoryFd !== undefined ? attachRateBuckets(rateMemoryFd, rate) : undefined;
    server = await listen({ store, tokenConfig, settings, reusePort: true, observability, rateBuckets });
    metrics = observability.metrics;
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
