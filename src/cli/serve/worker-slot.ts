import type { PublishedKeySource } from "../../api/auth/keys/public-key-source.ts";
import { ownCommand } from "../../lib/program-files.ts";
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
import { Heartbeat } from "./heartbeat.ts";
import type { RateMemory } from "./rate-memory.ts";
import type { ServeSettings } from "./settings.ts";

/** A worker that ran this long is stable, and is replaced at once. */
const STABLE_AFTER_MS = 5000;
/** The delay for a worker that died before. It about doubles with each further one. */
const MIN_RESTART_DELAY_MS = 100;
const MAX_RESTART_DELAY_MS = 5000;
const METRICS_TIMEOUT_MS = 1000;
/** A worker stops by itself within STOP_TIMEOUT_MS of `src/server/limits.ts`, unless it hangs. */
const KILL_TIMEOUT_MS = STOP_TIMEOUT_MS + 1000;

/** What the supervisor has for all workers. */
export interface SharedWithWorkers {
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
  #worker: Bun.Subprocess;
  #restartDelayMs = 0;
  #restartTimer: Timer | undefined;
  #hasListened = false;
  #isStopping = false;
  #pendingUpdate: Promise<void> | undefined;
  #onUpdated = () => {};
  #cutConnections = 0;
  #killReason = "";
  readonly #heartbeat = new Heartbeat({
    ping: () => this.send({ kind: "ping" }),
    onHung: (seconds) => this.#kill(`it had not responded for ${seconds} s`),
  });

  constructor(
    settings: ServeSettings,
    readonly totals: WorkerTotals,
    readonly observe: Observer,
    readonly shared: SharedWithWorkers,
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
    if (this.send({ kind: "metrics-request" })) await promise;
    clearTimeout(timer);
  }

  /** Returns whether the worker can receive the message. */
  send(message: SupervisorMessage): boolean {
    try {
      this.#worker.send(message);
      return true;
    } catch {
      // The worker has just ended.
      return false;
    }
  }

  /** For how many seconds no worker has listened and responded. */
  get notServingSeconds(): number {
    return this.#heartbeat.notServingSeconds;
  }

  /** Kills a worker that does not respond. Called once a second. */
  checkResponse(): void {
    if (!this.#isStopping) this.#heartbeat.check();
  }

  /** Returns the number of connections that were cut. */
  async stop(): Promise<number> {
    this.#isStopping = true;
    clearTimeout(this.#restartTimer);
    this.send({ kind: "stop" });
    const timer = setTimeout(() => this.#kill("it did not stop"), KILL_TIMEOUT_MS);
    await this.#worker.exited;
    clearTimeout(timer);
    return this.#cutConnections;
  }

  #start(): Bun.Subprocess {
    const startedAtMs = performance.now();
    this.#heartbeat.restart();
    this.#killReason = "";
    // A descriptor has the same number in the worker: the position in this array.
    const { inheritedFd } = this.#settings;
    const inheritedSockets = inheritedFd === undefined ? [] : [inheritedFd];
    const { rateMemory } = this.shared;
    rateMemory?.stampClocks();
    const stdio = ["ignore", "inherit", "inherit", ...inheritedSockets] as const;
    const settings = { ...this.#settings, rateMemoryFd: rateMemory && stdio.length };
    return Bun.spawn([...ownCommand(), WORKER_COMMAND], {
      // Arguments are visible to all users of the machine, and a database URL may contain a password.
      env: { ...process.env, [WORKER_SETTINGS_VARIABLE]: JSON.stringify(settings) },
      stdio: [...stdio, ...(rateMemory ? [rateMemory.descriptor] : [])],
      ipc: (message: WorkerMessage, { pid }) => this.#receive(message, pid),
      onExit: ({ pid }, code, signal) => {
        const reason = signal === null ? `exit ${code}` : `signal ${signal}${this.#killReason}`;
        this.#handleExit(pid, reason, performance.now() - startedAtMs);
      },
    });
  }

  /** Not with SIGTERM, which a stopped process does not handle. */
  #kill(reason: string): void {
    this.#killReason = `: ${reason}`;
    this.#worker.kill("SIGKILL");
  }

  #receive(message: WorkerMessage, pid: number): void {
    this.#heartbeat.respond();
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
        this.#heartbeat.listen();
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
