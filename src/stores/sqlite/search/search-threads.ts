/**
 * Runs searches on threads, because a search can take longer than the event loop may be blocked. The threads start with
 * the first search. A search that waits or takes too long fails, and a thread that does not respond is replaced.
 */
import type { CatalogQuality } from "../../../catalog/quality/catalog-quality.ts";
import type { FacetRequest, Facets, SearchRequest, SearchResult } from "../../../catalog/search/search.ts";
import { SearchTooBroad, SearchUnavailable } from "../../../catalog/store-errors.ts";
import { threadModule } from "../../../lib/program-files.ts";
import type { DatabaseFile } from "../connection.ts";
import type { SearchMessage, SearchOutcome, SearchReply, SearchTask } from "./search.worker.ts";

export interface SearchThreadOptions {
  readonly threads: number;
  /** How many searches can wait for a thread. */
  readonly maxWaiting: number;
  /** How long a search may take, with the time that it waits. */
  readonly timeoutMs: number;
  /** A thread that has not responded for this long is replaced. */
  readonly stuckAfterMs: number;
}

const DEFAULTS: SearchThreadOptions = { threads: 2, maxWaiting: 64, timeoutMs: 2000, stuckAfterMs: 10_000 };

/** A search that is waiting or running. */
interface Job {
  readonly task: SearchTask;
  readonly resolve: (result: SearchOutcome) => void;
  readonly reject: (error: Error) => void;
  timer?: Timer;
}

export class SearchThreads {
  readonly #file: DatabaseFile;
  readonly #options: SearchThreadOptions;
  readonly #threads = new Set<SearchThread>();
  readonly #waiting = new Set<Job>();
  #isClosed = false;

  constructor(file: DatabaseFile, options: Partial<SearchThreadOptions> = {}) {
    this.#file = file;
    this.#options = { ...DEFAULTS, ...options };
  }

  async search(request: SearchRequest): Promise<SearchResult> {
    return (await this.#run({ kind: "search", request, deadlineMs: this.#deadline() })) as SearchResult;
  }

  async facets(request: FacetRequest): Promise<Facets> {
    return (await this.#run({ kind: "facets", request, deadlineMs: this.#deadline() })) as Facets;
  }

  async quality(): Promise<CatalogQuality> {
    return (await this.#run({ kind: "quality", deadlineMs: this.#deadline() })) as CatalogQuality;
  }

  /** Ends the threads when they have finished what they are doing. Searches that wait fail. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const job of this.#waiting) this.#settle(job, () => job.reject(new Error("The store is closed")));
    await Promise.all([...this.#threads].map((thread) => thread.close(this.#options.stuckAfterMs)));
    this.#threads.clear();
  }

  #deadline(): number {
    return Date.now() + this.#options.timeoutMs;
  }

  #run(task: SearchTask): Promise<SearchOutcome> {
    if (this.#isClosed) return Promise.reject(new Error("The store is closed"));
    if (this.#waiting.size >= this.#options.maxWaiting) {
      return Promise.reject(new SearchUnavailable("busy"));
    }
    const { promise, resolve, reject } = Promise.withResolvers<SearchOutcome>();
    const job: Job = { task, resolve, reject };
    job.timer = setTimeout(
      () => this.#settle(job, () => reject(new SearchUnavailable("timeout"))),
      this.#options.timeoutMs,
    );
    this.#waiting.add(job);
    this.#startNext();
    return promise;
  }

  /** Gives the search that has waited longest to a thread that is free. */
  #startNext(): void {
    const [job] = this.#waiting;
    const thread = job && this.#freeThread();
    if (!thread) return;
    this.#waiting.delete(job);
    thread.run(job.task, (reply) => {
      this.#settle(job, () => finish(job, reply));
      this.#startNext();
    });
  }

  #freeThread(): SearchThread | undefined {
    for (const thread of this.#threads) if (!thread.isBusy) return thread;
    if (this.#threads.size >= this.#options.threads) return undefined;
    const thread: SearchThread = new SearchThread(this.#file, this.#options.stuckAfterMs, () => {
      this.#threads.delete(thread);
      this.#startNext();
    });
    this.#threads.add(thread);
    return thread;
  }

  #settle(job: Job, settle: () => void): void {
    clearTimeout(job.timer);
    this.#waiting.delete(job);
    settle();
  }
}

function finish({ resolve, reject }: Job, reply: SearchReply): void {
  if (reply.kind === "result") resolve(reply.result);
  else if (reply.kind === "too broad") reject(new SearchTooBroad());
  else if (reply.kind === "failed") reject(Object.assign(new Error(reply.message), { code: reply.code }));
  else reject(reply.kind === "timeout" ? new SearchUnavailable("timeout") : new Error("The store is closed"));
}

class SearchThread {
  readonly #worker = new Worker(threadModule("src/stores/sqlite/search/search.worker.ts"));
  readonly #stuckAfterMs: number;
  readonly #onEnd: () => void;
  #onReply: ((reply: SearchReply) => void) | undefined;
  #stuckTimer: Timer | undefined;

  /** `onEnd` is called when the thread can be used no longer. */
  constructor(file: DatabaseFile, stuckAfterMs: number, onEnd: () => void) {
    this.#stuckAfterMs = stuckAfterMs;
    this.#onEnd = onEnd;
    this.#worker.unref();
    this.#worker.onmessage = ({ data }: MessageEvent<SearchReply>) => this.#reply(data);
    this.#worker.onerror = ({ message }) => this.#abandon(`a search thread has failed: ${message}`);
    this.#send({ kind: "open", file });
  }

  get isBusy(): boolean {
    return this.#onReply !== undefined;
  }

  run(message: SearchTask | { readonly kind: "close" }, onReply: (reply: SearchReply) => void): void {
    this.#onReply = onReply;
    this.#stuckTimer = setTimeout(
      () => this.#abandon("a search thread does not respond"),
      this.#stuckAfterMs,
    );
    // A running search keeps the process alive, an idle thread does not.
    this.#worker.ref();
    this.#send(message);
  }

  /** Lets the thread close its connection: SQLite removes the log with the last one. */
  async close(timeoutMs: number): Promise<void> {
    const deadlineMs = performance.now() + timeoutMs;
    while (this.isBusy && performance.now() < deadlineMs) await Bun.sleep(1);
    if (!this.isBusy) {
      const { promise, resolve } = Promise.withResolvers<SearchReply>();
      this.run({ kind: "close" }, resolve);
      await promise;
    }
    this.#worker.terminate();
  }

  #reply(reply: SearchReply): void {
    clearTimeout(this.#stuckTimer);
    const onReply = this.#onReply;
    this.#onReply = undefined;
    this.#worker.unref();
    onReply?.(reply);
  }

  #abandon(message: string): void {
    this.#worker.terminate();
    this.#onEnd();
    this.#reply({ kind: "failed", message, code: "" });
  }

  #send(message: SearchMessage): void {
    this.#worker.postMessage(message);
  }
}
