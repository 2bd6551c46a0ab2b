/**
 * Runs searches on threads, because a search can take longer than the event loop may be blocked. The threads start with
 * the first search, and a thread that does not respond is replaced.
 */
import type { SearchClient } from "../../../catalog/search/search.ts";
import { SearchTooBroad } from "../../../catalog/store-errors.ts";
import { threadModule } from "../../../lib/program-files.ts";
import {
  PREEMPTED,
  SCHEDULER_LIMITS,
  type ScheduledSearch,
  type SchedulerLimits,
  SearchScheduler,
} from "../../search-scheduler.ts";
import type { DatabaseFile } from "../connection.ts";
import type { SearchOutcome, SearchTask } from "./search.ts";
import type { SearchMessage, SearchReply } from "./search.worker.ts";

/** The slots are threads. */
export interface SearchThreadOptions extends SchedulerLimits {
  /** A thread that has not responded for this long is replaced. */
  readonly stuckAfterMs: number;
}

const DEFAULTS: SearchThreadOptions = { ...SCHEDULER_LIMITS, slots: 2, stuckAfterMs: 10_000 };

export class SearchThreads {
  readonly #file: DatabaseFile;
  readonly #options: SearchThreadOptions;
  readonly #scheduler: SearchScheduler;
  readonly #threads: (SearchThread | undefined)[] = [];
  #searches = 0;

  constructor(file: DatabaseFile, options: Partial<SearchThreadOptions> = {}) {
    this.#file = file;
    this.#options = { ...DEFAULTS, ...options };
    this.#scheduler = new SearchScheduler(this.#options, true);
  }

  async run<Kind extends SearchTask["kind"]>(
    task: SearchTask & { readonly kind: Kind },
    client?: SearchClient,
  ): Promise<SearchOutcome<Kind>> {
    const id = ++this.#searches;
    let thread: SearchThread | undefined;
    const search: ScheduledSearch<SearchOutcome> = {
      run: async (slot) => {
        thread = this.#thread(slot);
        return outcomeOf(await thread.send({ kind: "run", id, task }));
      },
      interrupt: (reason) => thread?.interrupt(id, reason),
    };
    return (await this.#scheduler.run(search, client)) as SearchOutcome<Kind>;
  }

  /** Ends the threads when they have finished what they are doing. Searches that wait fail. */
  async close(): Promise<void> {
    this.#scheduler.close();
    const threads = this.#threads.splice(0);
    await Promise.all(threads.map((thread) => thread?.close(this.#options.stuckAfterMs)));
  }

  #thread(slot: number): SearchThread {
    this.#threads[slot] ??= new SearchThread(this.#file, this.#options.stuckAfterMs, () => {
      this.#threads[slot] = undefined;
    });
    return this.#threads[slot];
  }
}

function outcomeOf(reply: SearchReply): SearchOutcome | typeof PREEMPTED {
  if (reply.kind === "result") return reply.result;
  if (reply.kind === "paused") return PREEMPTED;
  if (reply.kind === "too broad") throw new SearchTooBroad();
  if (reply.kind === "failed") throw Object.assign(new Error(reply.message), { code: reply.code });
  throw new Error("The store is closed");
}

class SearchThread {
  readonly #worker = new Worker(threadModule("src/stores/sqlite/search/search.worker.ts"));
  readonly #interrupt = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  readonly #stuckAfterMs: number;
  readonly #onEnd: () => void;
  #running: { readonly id: number | undefined; readonly onReply: (reply: SearchReply) => void } | undefined;
  #stuckTimer: Timer | undefined;

  /** `onEnd` is called when the thread can be used no longer. */
  constructor(file: DatabaseFile, stuckAfterMs: number, onEnd: () => void) {
    this.#stuckAfterMs = stuckAfterMs;
    this.#onEnd = onEnd;
    this.#worker.unref();
    this.#worker.onmessage = ({ data }: MessageEvent<SearchReply>) => this.#reply(data);
    this.#worker.onerror = ({ message }) => this.#abandon(`a search thread has failed: ${message}`);
    this.#post({ kind: "open", file, interrupt: this.#interrupt });
  }

  /** The thread is free: it has replied to the message before. */
  send(message: Extract<SearchMessage, { kind: "run" | "close" }>): Promise<SearchReply> {
    const { promise, resolve } = Promise.withResolvers<SearchReply>();
    this.#running = { id: message.kind === "run" ? message.id : undefined, onReply: resolve };
    this.#stuckTimer = setTimeout(
      () => this.#abandon("a search thread does not respond"),
      this.#stuckAfterMs,
    );
    Atomics.store(this.#interrupt, 0, 0);
    // A running search keeps the process alive, an idle thread does not.
    this.#worker.ref();
    this.#post(message);
    return promise;
  }

  /** The messages are read in their order, so a running search is forgotten when it is paused. */
  interrupt(id: number, reason: "pause" | "cancel"): void {
    if (this.#running?.id === id) Atomics.store(this.#interrupt, 0, 1);
    if (reason === "cancel") this.#post({ kind: "forget", id });
  }

  /** Lets the thread close its connection: SQLite removes the log with the last one. */
  async close(timeoutMs: number): Promise<void> {
    const deadlineMs = performance.now() + timeoutMs;
    while (this.#running && performance.now() < deadlineMs) await Bun.sleep(1);
    if (!this.#running) await this.send({ kind: "close" });
    this.#worker.terminate();
  }

  #reply(reply: SearchReply): void {
    clearTimeout(this.#stuckTimer);
    const running = this.#running;
    this.#running = undefined;
    this.#worker.unref();
    running?.onReply(reply);
  }

  #abandon(message: string): void {
    this.#worker.terminate();
    this.#onEnd();
    this.#reply({ kind: "failed", message, code: "" });
  }

  #post(message: SearchMessage): void {
    this.#worker.postMessage(message);
  }
}
