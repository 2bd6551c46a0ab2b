import { join } from "node:path";
import type { Observer } from "../../watch/event.ts";
import type { WorkerTotals } from "../../watch/worker-totals.ts";
import { CommandError } from "../exit.ts";
import type { ProcessSettings } from "./settings.ts";
import { METRICS_REQUEST, WORKER_SETTINGS_VARIABLE, type WorkerMessage } from "./worker-protocol.ts";

/** A worker that ran this long is stable, and is replaced at once. */
const STABLE_AFTER_MS = 5000;
/** The delay for a worker that died before. It about doubles with each further one. */
const MIN_RESTART_DELAY_MS = 100;
const MAX_RESTART_DELAY_MS = 5000;
const METRICS_TIMEOUT_MS = 1000;

/** Runs one worker process at a time, and replaces it when it dies. */
export class WorkerSlot {
  /** The port of the first worker. Rejects when that worker does not start; it is then not replaced. */
  readonly listening: Promise<number>;
  readonly #listening = Promise.withResolvers<number>();
  #settings: ProcessSettings;
  #worker: Bun.Subprocess;
  #restartDelayMs = 0;
  #restartTimer: Timer | undefined;
  #hasListened = false;
  #isStopping = false;
  #pendingUpdate: Promise<void> | undefined;
  #onUpdated = () => {};
  #cutConnections = 0;

  constructor(
    settings: ProcessSettings,
    readonly totals: WorkerTotals,
    readonly observe: Observer,
  ) {
    this.#settings = settings;
    this.listening = this.#listening.promise;
    this.#worker = this.#start();
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
    const timer = setTimeout(resolve, METRICS_TIMEOUT_MS);
    try {
      this.#worker.send(METRICS_REQUEST);
      await promise;
    } catch {
      // The worker has just ended.
    } finally {
      clearTimeout(timer);
    }
  }

  reloadKeys(): void {
    this.#worker.kill("SIGHUP");
  }

  /** Returns the number of connections that were cut. */
  async stop(): Promise<number> {
    this.#isStopping = true;
    clearTimeout(this.#restartTimer);
    this.#worker.kill("SIGTERM");
    await this.#worker.exited;
    return this.#cutConnections;
  }

  #start(): Bun.Subprocess {
    const startedAtMs = performance.now();
    return Bun.spawn([process.execPath, ...process.execArgv, join(import.meta.dir, "worker.ts")], {
      // Arguments are visible to all users of the machine, and a database URL may contain a password.
      env: { ...process.env, [WORKER_SETTINGS_VARIABLE]: JSON.stringify(this.#settings) },
      stdin: "ignore",
      stdout: "inherit",
      stderr: "inherit",
      ipc: (message: WorkerMessage, { pid }) => this.#receive(message, pid),
      onExit: ({ pid }, code, signal) => {
        const reason = signal === null ? `exit ${code}` : `signal ${signal}`;
        this.#handleExit(pid, reason, performance.now() - startedAtMs);
      },
    });
  }

  #receive(message: WorkerMessage, pid: number): void {
    switch (message.kind) {
      case "metrics":
        this.totals.update(pid, message.snapshot);
        this.#onUpdated();
        break;
      case "stopped":
        this.#cutConnections = message.cutConnections;
        break;
      case "listening":
        // A replacement uses the same port.
        this.#settings = { ...this.#settings, port: message.port };
        this.#hasListened = true;
        this.#listening.resolve(message.port);
        break;
    }
  }

  #handleExit(pid: number, reason: string, lifetimeMs: number): void {
    this.totals.retire(pid);
    this.#onUpdated();
    if (this.#isStopping) return;
    if (!this.#hasListened) {
      this.#isStopping = true;
      this.#listening.reject(new CommandError(`a worker process could not start (${reason})`));
      return;
    }
    this.#restartDelayMs =
      lifetimeMs > STABLE_AFTER_MS
        ? 0
        : Math.min(this.#restartDelayMs * 2 + MIN_RESTART_DELAY_MS, MAX_RESTART_DELAY_MS);
    this.observe({ kind: "worker", state: "died", pid, reason });
    this.#restartTimer = setTimeout(() => {
      this.#worker = this.#start();
      this.observe({ kind: "worker", state: "replaced", pid: this.#worker.pid });
    }, this.#restartDelayMs);
  }
}
