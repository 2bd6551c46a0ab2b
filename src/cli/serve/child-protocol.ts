/** The settings and messages between `serve` and its child processes: workers, and that of `--watch`. */
import type { KeyPublication } from "../../api/auth/keys/public-key-source.ts";
import type { WatchEvent } from "../../ingest/watch/watch-event.ts";
import type { MetricsSnapshot } from "../../telemetry/metric.ts";
import type { WatchSettings } from "../config/watch-settings.ts";

/** The command that `serve` gives its worker processes. It is not for operators. */
export const WORKER_COMMAND = "serve-worker";

/** The environment variable with the WorkerSettings as JSON. */
export const WORKER_SETTINGS_VARIABLE = "COLOPHON_WORKER";

/** The messages to a worker. The signals of a process group reach workers too, so they do not stop on signals. */
export type SupervisorMessage =
  /** Requests the message `pong`. */
  | { readonly kind: "ping" }
  | { readonly kind: "metrics-request" }
  /** The public keys: after each read, and as the response to `keys-request`. */
  | { readonly kind: "keys"; readonly keys: KeyPublication }
  /** Directs new connections to the newest listeners on the port. */
  | { readonly kind: "take-over"; readonly listeners: number }
  /** Opens the log file again. */
  | { readonly kind: "reopen-log" }
  /** Reads the secret file again. Public keys come with `keys`. */
  | { readonly kind: "reload-secret" }
  | { readonly kind: "stop" };

export type WorkerMessage =
  | { readonly kind: "listening"; readonly port: number }
  | { readonly kind: "pong" }
  /** Requests the public keys. With `refresh`, a token has an unknown `kid`. */
  | { readonly kind: "keys-request"; readonly refresh: boolean }
  | { readonly kind: "metrics"; readonly snapshot: MetricsSnapshot }
  /** The last message: the number of connections that were cut while a response was in flight. */
  | { readonly kind: "stopped"; readonly cutConnections: number };

/** The environment variable with the settings as JSON: arguments are visible to all users of the machine. */
export const WATCH_PROCESS_VARIABLE = "COLOPHON_WATCH_PROCESS";

export interface WatchProcessSettings {
  readonly storeLocation: string;
  readonly watch: WatchSettings;
}

/** From the child to `serve`, which sends it `ping` and `stop`. */
export type WatchMessage = { readonly kind: "pong" } | { readonly kind: "event"; readonly event: WatchEvent };
