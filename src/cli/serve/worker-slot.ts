import type { PublishedKeySource } from "../../api/auth/keys/public-key-source.ts";
import { atMost } from "../../lib/awaitable.ts";
import { STOP_TIMEOUT_MS } from "../../server/limits.ts";
import type { Observer } from "../../telemetry/event.ts";
import type { WorkerTotals } from "../../telemetry/metrics.ts";
import { CommandError } from "../terminal/arguments.ts";
import {
  type SupervisorMessage,
  WORKER_COMMAND,
  WORKER_SETTINGS_VARIABLE,
  type WorkerMessage,
} from "./child-protocol.ts";
import type { RateMemory } from "./rate-memory.ts";
import type { ServeSettings } from "./settings.ts";
import { SupervisedProcess } from "./supervised-process.ts";

/** Workers serve all requests, so they are replaced soon, whatever happens. */
const RESTART_DELAY_MS = { minRestartDelayMs: 100, maxRestartDelayMs: 5000 };
/** The descriptors that every process has. */
const STANDARD_STREAMS = 3;
const METRICS_TIMEOUT_MS = 1000;
/** A worker stops by itself within STOP_TIMEOUT_MS of `src/server/limits.ts`, unless it hangs. */
const KILL_TIMEOUT_MS = STOP_TIMEOUT_MS + 1000;

/** What the supervisor has for all workers. */
interface SharedWithWorkers {
  /** The public keys that tokens are verified with. Each worker reads a secret by itself. */
  readonly keys: PublishedKeySource | undefined;
  readonly rateMemory: RateMemory | undefined;
}

/** Runs one worker process at a time, and replaces it when it dies or hangs. */
export class WorkerSlot {
  /** The port of the first worker. Rejects when that worker does not start; it is then not replaced. */
  readonly listening: Promise<number>;
  readonly #listening = Promise.withResolvers<number>();
  #settings: ServeSettings;
  readonly #process: SupervisedProcess<WorkerMessage>;
  #hasListened = false;
  #isStopping = false;
  #pendingUpdate: Promise<void> | undefined;
  #onUpdated = () => {};
  #cutConnections = 0;

  constructor(
    settings: ServeSettings,
    readonly totals: WorkerTotals,
    readonly observe: Observer,
    readonly shared: SharedWithWorkers,
  ) {
    this.#settings = settings;
    this.listening = this.#listening.promise;
    this.#process = new SupervisedProcess({
      command: WORKER_COMMAND,
      spawnOptions: () => this.#spawnOptions(),
      receive: (message, pid) => this.#receive(message, pid),
      onExit: (pid, reason) => this.#handleExit(pid, reason),
      onReplaced: (pid) => this.observe({ kind: "worker", state: "replaced", pid }),
      killTimeoutMs: KILL_TIMEOUT_MS,
      ...RESTART_DELAY_MS,
    });
  }

  /** Updates the totals with the worker's metrics. Gives up after a second, or when the worker ends. */
  updateTotals(): Promise<void> {
    // Concurrent calls share one request.
    this.#pendingUpdate ??= this.#requestMetrics().finally(() => {
      this.#pendingUpdate = undefined;
    });
    return this.#pendingUpdate;
  }

  async #requestMetrics(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#onUpdated = resolve;
    if (this.send({ kind: "metrics-request" })) await atMost(METRICS_TIMEOUT_MS, promise);
  }

  /** Returns whether the worker can receive the message. */
  send(message: SupervisorMessage): boolean {
    return this.#process.send(message);
  }

  /** For how many seconds no worker has listened and responded. */
  get notServingSeconds(): number {
    return this.#process.notServingSeconds;
  }

  /** Returns the number of connections that were cut. */
  async stop(): Promise<number> {
    this.#isStopping = true;
    await this.#process.stop();
    return this.#cutConnections;
  }

  #spawnOptions() {
    const { inheritedFd } = this.#settings;
    const inheritedSockets = inheritedFd === undefined ? [] : [inheritedFd];
    const { rateMemory } = this.shared;
    rateMemory?.stampClocks();
    const rateMemoryFd = rateMemory && STANDARD_STREAMS + inheritedSockets.length;
    return {
      env: { [WORKER_SETTINGS_VARIABLE]: JSON.stringify({ ...this.#settings, rateMemoryFd }) },
      descriptors: [...inheritedSockets, ...(rateMemory ? [rateMemory.descriptor] : [])],
    };
  }

  #receive(message: WorkerMessage, pid: number): void {
    switch (message.kind) {
      case "metrics":
        this.totals.update(pid, message.snapshot);
        this.#onUpdated();
        break;
      case "keys-request":
        void this.#sendKeys(message.refresh);
        break;
      case "stopped":
        this.#cutConnections = message.cutConnections;
        break;
      case "listening":
        // A replacement uses the same port.
        this.#settings = { ...this.#settings, port: message.port };
        this.#hasListened = true;
        this.#process.ready();
        this.#listening.resolve(message.port);
        break;
    }
  }

  /** All workers get keys that have been read again; this one also gets them when nothing was read. */
  async #sendKeys(refresh: boolean): Promise<void> {
    const { keys } = this.shared;
    if (refresh) await keys?.refresh();
    if (keys) this.send({ kind: "keys", keys: keys.publication() });
  }

  #handleExit(pid: number, reason: string): boolean {
    this.totals.retire(pid);
    this.#onUpdated();
    if (this.#isStopping) return false;
    if (!this.#hasListened) {
      this.#listening.reject(new CommandError(`a worker process could not start (${reason})`));
      return false;
    }
    this.observe({ kind: "worker", state: "died", pid, reason });
    return true;
  }
}
