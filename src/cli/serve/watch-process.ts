/** Runs the process of `serve --watch`: imports in it do not disturb lookups. What it does is measured from outside. */
import { readFileSync } from "node:fs";
import { FolderBacklog } from "../../ingest/watch/folder/folder-backlog.ts";
import type { WatchEvent } from "../../ingest/watch/watch-event.ts";
import type { Observer } from "../../telemetry/event.ts";
import { importEnvironment } from "../terminal/engine-options.ts";
import { WATCH_PROCESS_VARIABLE, type WatchMessage, type WatchProcessSettings } from "./child-protocol.ts";
import { SupervisedProcess } from "./supervised-process.ts";

/** A feed that ends the process may do so again and again, so replacements come more and more slowly. */
const RESTART_DELAY_MS = { minRestartDelayMs: 500, maxRestartDelayMs: 60_000 };
/** A feed that is being read is left at once, but a commit ends first. The journal knows an import that is killed. */
const KILL_TIMEOUT_MS = 6000;

export class WatchProcess {
  readonly #observe: Observer;
  readonly #backlog: FolderBacklog;
  readonly #process: SupervisedProcess<WatchMessage>;
  /** The last event of the process that says whether it takes feeds. */
  #state: WatchEvent | undefined;
  #cpuTicks: number | undefined;
  #isStopping = false;

  constructor(settings: WatchProcessSettings, observe: Observer) {
    this.#observe = observe;
    const { folder } = settings.watch;
    this.#backlog = new FolderBacklog(folder, observe);
    this.#process = new SupervisedProcess({
      command: "watch",
      spawnOptions: () => ({
        env: { ...importEnvironment(), [WATCH_PROCESS_VARIABLE]: JSON.stringify(settings) },
      }),
      receive: (message) => this.#receive(message),
      onExit: (_, reason) => {
        if (!this.#isStopping) observe({ kind: "watch", state: "died", folder, reason });
        return !this.#isStopping;
      },
      isWorking: () => this.#isWorking(),
      onSilent: (seconds) =>
        observe({ kind: "watch", state: "silent", folder, reason: `no response for ${seconds} s` }),
      onHeard: () => this.#state && observe(this.#state),
      killTimeoutMs: KILL_TIMEOUT_MS,
      ...RESTART_DELAY_MS,
    });
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    this.#backlog.close();
    await this.#process.stop();
  }

  #receive(message: WatchMessage): void {
    this.#process.ready();
    if (message.kind === "pong") return;
    const { event } = message;
    // While an import lasts, the process does not look into the folder.
    if (event.kind === "backlog") return;
    if (event.kind === "watch" && event.state !== "waiting" && event.state !== "skipped") this.#state = event;
    this.#observe(event);
  }

  /**
   * Returns whether the process has used the processor since the last call, or waits for a disk. One SQL statement, such
   * as the creation of an index, blocks its event loop for minutes in a large catalog.
   */
  #isWorking(): boolean {
    try {
      // The name of the program is in parentheses, and may contain spaces.
      const stat = readFileSync(`/proc/${this.#process.pid}/stat`, "utf8").replace(/^.*\) /s, "");
      const [state, ...fields] = stat.split(" ");
      const before = this.#cpuTicks;
      // Fields 14 and 15 of proc_pid_stat(5): user and system time.
      this.#cpuTicks = Number(fields[10]) + Number(fields[11]);
      return state === "D" || this.#cpuTicks !== before;
    } catch {
      return false;
    }
  }
}
