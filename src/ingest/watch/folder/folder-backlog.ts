/** Counts the feeds that wait in a watched folder, from another process than the watcher, which may hang or import. */
import type { WatchObserver } from "../watch-event.ts";
import { scanFolder } from "./folder-scan.ts";
import { Settling } from "./settling.ts";

const INTERVAL_MS = 1000;
/** A scan of many files, or of a slow network folder, is followed by a rest of this many times its duration. */
const REST_FACTOR = 50;

export class FolderBacklog {
  readonly #folder: string;
  readonly #settling = new Settling(0);
  readonly #timer: Timer;
  #feeds = 0;
  /** When the oldest feed was found first. */
  #oldestSinceMs = 0;
  #nextScanMs = 0;

  constructor(folder: string, observe: WatchObserver) {
    this.#folder = folder;
    this.#timer = setInterval(() => {
      void this.#scan();
      const oldestMs = this.#feeds === 0 ? 0 : performance.now() - this.#oldestSinceMs;
      observe({ kind: "backlog", feeds: this.#feeds, oldestSeconds: oldestMs / 1000 });
    }, INTERVAL_MS);
    this.#timer.unref();
  }

  close(): void {
    clearInterval(this.#timer);
  }

  /** A folder that cannot be read, or hangs, keeps its feeds: they grow older. The watcher says what is wrong. */
  async #scan(): Promise<void> {
    const startMs = performance.now();
    if (startMs < this.#nextScanMs) return;
    this.#nextScanMs = Number.POSITIVE_INFINITY;
    try {
      const scan = await scanFolder(this.#folder);
      this.#feeds = scan.files.length;
      this.#oldestSinceMs = startMs - this.#settling.update(scan, startMs).oldestMs;
    } catch {
      // It is tried again.
    }
    this.#nextScanMs = performance.now() + REST_FACTOR * (performance.now() - startMs);
  }
}
