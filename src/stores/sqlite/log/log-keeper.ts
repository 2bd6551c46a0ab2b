/**
 * Truncates the write-ahead log after a reader that held it has left. An import truncates the log at its end, but a
 * reader of an older state prevents that, and nothing else would do it before the next import.
 */
import type { Database } from "bun:sqlite";
import { statSync } from "node:fs";
import { threadModule } from "../../../lib/program-files.ts";
import type { DatabaseFile } from "../connection.ts";

const LOOK_MS = 2000;
/** The longest pause between two attempts while a reader holds the log. */
const MAX_PAUSE_MS = 16_000;

/** The size and the time of the last change. */
interface LogState {
  readonly size: number;
  readonly mtimeMs: number;
}

export class LogKeeper {
  readonly #file: DatabaseFile;
  readonly #timer: Timer;
  readonly #lookMs: number;
  #last: LogState = { size: 0, mtimeMs: 0 };
  #thread: Worker | undefined;
  #pauseMs: number;
  #nextAttemptMs = 0;

  constructor(file: DatabaseFile, lookMs = LOOK_MS) {
    this.#file = file;
    this.#lookMs = lookMs;
    this.#pauseMs = lookMs;
    this.#timer = setInterval(() => this.#look(), lookMs).unref();
  }

  /** A truncation in progress is left to its end, or to that of the process. */
  stop(): void {
    clearInterval(this.#timer);
  }

  #look(): void {
    if (this.#thread) return;
    const log = statSync(logPath(this.#file.path), { throwIfNoEntry: false });
    const { size, mtimeMs } = log ?? { size: 0, mtimeMs: 0 };
    // While an import writes, the log must stay.
    const isQuiet = size === this.#last.size && mtimeMs === this.#last.mtimeMs;
    this.#last = { size, mtimeMs };
    if (size <= MAX_IDLE_LOG_BYTES || !isQuiet) this.#pauseMs = this.#lookMs;
    else if (performance.now() >= this.#nextAttemptMs) this.#truncate();
  }

  /** Uses a thread, because copying hundreds of megabytes into the file would block the event loop. */
  #truncate(): void {
    const thread = new Worker(threadModule("src/stores/sqlite/log/log-truncation.worker.ts"));
    this.#thread = thread;
    thread.unref();
    const end = () => {
      thread.terminate();
      this.#thread = undefined;
      this.#nextAttemptMs = performance.now() + this.#pauseMs;
      this.#pauseMs = Math.min(2 * this.#pauseMs, MAX_PAUSE_MS);
    };
    // Whether it succeeded is seen at the next look.
    thread.onmessage = end;
    thread.onerror = end;
    thread.postMessage(this.#file);
  }
}

const RETRY_MS = 10;

/** Moves the log into the file, and truncates it. Returns false when readers of older states prevent it for this time. */
export async function truncateLog(db: Database, timeoutMs: number): Promise<boolean> {
  using statement = db.prepare<{ busy: number }, []>("PRAGMA wal_checkpoint(TRUNCATE)");
  const deadlineMs = performance.now() + timeoutMs;
  while (statement.get()!.busy !== 0) {
    if (performance.now() >= deadlineMs) return false;
    await Bun.sleep(RETRY_MS);
  }
  return true;
}

/** A log up to this size is left alone: the next import writes it again from its start. */
export const MAX_IDLE_LOG_BYTES = 16 * 1024 * 1024;

/** A log of this size, and larger than several rewrites of the whole file, must be cut even if lists are lost by it. */
const MAX_LOG_BYTES = 1024 ** 3;
const MAX_LOG_TO_FILE_RATIO = 4;

export function logPath(path: string): string {
  return `${path}-wal`;
}

/** Returns the size from the folder, not from the database; 0 for a file that does not exist. */
export function bytesOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

export function logBytes(path: string): number {
  return bytesOf(logPath(path));
}

export function isLogOversized(path: string): boolean {
  const bytes = logBytes(path);
  return bytes > MAX_LOG_BYTES && bytes > MAX_LOG_TO_FILE_RATIO * bytesOf(path);
}
