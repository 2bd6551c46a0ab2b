/** Says when to look into a folder again: when the system reports a change, and always after a while. */
import { type FSWatcher, watch } from "node:fs";
import { sleepUntilAborted } from "../../../lib/awaitable.ts";

/** A file that is being written changes all the time. */
const MIN_INTERVAL_MS = 100;

export class WakeUp {
  readonly #pollMs: number;
  #watcher: FSWatcher | undefined;
  #hasChanged = false;
  #wake = () => {};

  constructor(
    readonly folder: string,
    pollMs: number,
  ) {
    this.#pollMs = pollMs;
    this.#watch();
  }

  /** Resolves with the next change or after the interval. Changes on network file systems are often not reported. */
  async next(signal: AbortSignal): Promise<void> {
    await sleepUntilAborted(MIN_INTERVAL_MS, signal);
    if (!this.#hasChanged) await this.#changeOrInterval(signal);
    this.#hasChanged = false;
    this.#watch();
  }

  close(): void {
    this.#watcher?.close();
  }

  async #changeOrInterval(signal: AbortSignal): Promise<void> {
    const { promise: change, resolve } = Promise.withResolvers<void>();
    this.#wake = resolve;
    await sleepUntilAborted(this.#pollMs, signal, change);
  }

  /** A watch that cannot be set, or has failed, is tried again at the next interval. */
  #watch(): void {
    if (this.#watcher) return;
    try {
      this.#watcher = watch(this.folder, () => {
        this.#hasChanged = true;
        this.#wake();
      });
      this.#watcher.on("error", () => {
        this.#watcher?.close();
        this.#watcher = undefined;
      });
    } catch {
      this.#watcher = undefined;
    }
  }
}
