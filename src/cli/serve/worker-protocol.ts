/** The messages between `serve` and its worker processes. */
import type { MetricsSnapshot } from "../../watch/metrics-snapshot.ts";

/** The environment variable with the worker's ProcessSettings as JSON. */
export const WORKER_SETTINGS_VARIABLE = "COLOPHON_WORKER";

/** Requests the worker's metrics. It is the only message to a worker; the rest is done with signals. */
export const METRICS_REQUEST = { kind: "metrics-request" } as const;

export type WorkerMessage =
  | { readonly kind: "listening"; readonly port: number }
  | { readonly kind: "metrics"; readonly snapshot: MetricsSnapshot }
  /** The last message: the number of connections that were cut while a response was in flight. */
  | { readonly kind: "stopped"; readonly cutConnections: number };
