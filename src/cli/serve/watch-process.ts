/** Runs the process of `serve --watch`: imports in it do not disturb lookups. Replaces it when it ends. */
import { ownCommand } from "../../lib/program-files.ts";
import type { Observer } from "../../telemetry/event.ts";
import { WATCH_PROCESS_VARIABLE, type WatchMessage, type WatchProcessSettings } from "./child-protocol.ts";

/** A process that ran this long is stable, and is replaced soon. */
const STABLE_AFTER_MS = 60_000;
/** The delay before the first replacement. It doubles with each further one. */
const MIN_RESTART_DELAY_MS = 500;
const MAX_RESTART_DELAY_MS = 60_000;
/** A feed that is being read is left at once, but a commit ends first. The journal knows an import that is killed. */
const KILL_TIMEOUT_MS = 6000;

export class WatchProcess {
  readonly #settings: WatchProcessSettings;
  readonly #observe: Observer;
  #child: Bun.Subprocess | undefined;
  #restartTimer: Timer | undefined;
  #restartDelayMs = MIN_RESTART_DELAY_MS;
  #isStopping = false;

  constructor(settings: WatchProcessSettings, observe: Observer) {
    this.#settings = settings;
    this.#observe = observe;
    this.#start();
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    clearTimeout(this.#restartTimer);
    const child = this.#child;
    if (!child) return;
    try {
      child.send({ kind: "stop" });
    } catch {
      // It has just ended.
    }
    const timer = setTimeout(() => child.kill("SIGKILL"), KILL_TIMEOUT_MS);
    await child.exited;
    clearTimeout(timer);
  }

  #start(): void {
    const startedAtMs = performance.now();
    this.#child = Bun.spawn([...ownCommand(), "watch"], {
      env: { ...process.env, [WATCH_PROCESS_VARIABLE]: JSON.stringify(this.#settings) },
      stdio: ["ignore", "inherit", "inherit"],
      ipc: ({ event }: WatchMessage) => this.#observe(event),
      onExit: (_, code, signal) => {
        const reason = signal === null ? `exit ${code}` : `signal ${signal}`;
        this.#handleExit(reason, performance.now() - startedAtMs);
      },
    });
  }

  #handleExit(reason: string, lifetimeMs: number): void {
    this.#child = undefined;
    if (this.#isStopping) return;
    const { folder } = this.#settings.watch;
    if (lifetimeMs > STABLE_AFTER_MS) this.#restartDelayMs = MIN_RESTART_DELAY_MS;
    this.#observe({ kind: "watch", state: "died", folder, reason });
    this.#restartTimer = setTimeout(() => this.#start(), this.#restartDelayMs);
    this.#restartDelayMs = Math.min(this.#restartDelayMs * 2, MAX_RESTART_DELAY_MS);
  }
}
