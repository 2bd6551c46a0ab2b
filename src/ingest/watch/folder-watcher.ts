/** Watches a folder: takes feeds that are complete, in the order in which each sender has sent them. */
import { resolve } from "node:path";
import type { ImportRules } from "../../catalog/import.ts";
import { OutcomeUnknown } from "../../catalog/store-errors.ts";
import { sleepUntilAborted } from "../../lib/awaitable.ts";
import { errorMessage } from "../../lib/error-message.ts";
import { ThreadedScanners } from "../scan/scanners.ts";
import { Backoff } from "./backoff.ts";
import type { OrderedFeed } from "./feed-order.ts";
import { FeedQueue } from "./feed-queue.ts";
import { FeedTaker, type WatchedStore } from "./feed-taker.ts";
import { FolderProblem, requireFolder } from "./folder/folder-problem.ts";
import { scanFolder } from "./folder/folder-scan.ts";
import { EMPTY_SETTLE_FACTOR } from "./folder/settling.ts";
import { WakeUp } from "./folder/wake-up.ts";
import { ImportHook } from "./import-hook.ts";
import { Journal } from "./journal.ts";
import { recover } from "./recovery.ts";
import type { WatchObserver } from "./watch-event.ts";

export interface WatchOptions {
  readonly folder: string;
  /** How long a file must be still before it counts as complete. */
  readonly settleMs: number;
  readonly rules: ImportRules;
  /** The operator's command. */
  readonly onImport?: string | undefined;
  readonly openStore: () => Promise<WatchedStore>;
  readonly observe: WatchObserver;
  readonly pollMs?: number | undefined;
  /** The delay before the first attempt to repeat what has failed. */
  readonly retryMs?: number | undefined;
}

/** What became of the feeds of one run. */
export interface WatchTotals {
  changed: number;
  unchanged: number;
  refused: number;
  /** Products of all feeds. */
  rejected: number;
  /** Attempts that failed for another reason than the feed. */
  failed: number;
  unknown: number;
}

const POLL_MS = 1000;
const RETRY_MS = 1000;
/** The key of failures that concern all feeds. */
const ALL = "";

export class FolderWatcher {
  readonly totals: WatchTotals = { changed: 0, unchanged: 0, refused: 0, rejected: 0, failed: 0, unknown: 0 };
  readonly #options: WatchOptions;
  readonly #root: string;
  readonly #pollMs: number;
  readonly #journal: Journal;
  readonly #hook: ImportHook | undefined;
  readonly #taker: FeedTaker;
  readonly #queue: FeedQueue;
  readonly #backoff: Backoff;
  /** Names of feeds whose import was interrupted. Others go first, in case that such a feed ends the process. */
  readonly #interrupted = new Set<string>();
  /** The reasons why feeds were postponed, by name. Each is reported once. */
  readonly #postponed = new Map<string, string>();
  #blockedReason: string | undefined;
  #store: WatchedStore | undefined;
  #scanners: ThreadedScanners | undefined;

  /**
   * Locks the folder.
   * @throws {FolderProblem} when the folder cannot be used, or another process watches it
   */
  constructor(options: WatchOptions) {
    this.#options = options;
    this.#root = resolve(options.folder);
    this.#pollMs = options.pollMs ?? POLL_MS;
    requireFolder(this.#root);
    this.#journal = new Journal(this.#root);
    const { rules, observe, onImport } = options;
    this.#hook = onImport === undefined ? undefined : new ImportHook(onImport, observe);
    this.#taker = new FeedTaker({
      root: this.#root,
      journal: this.#journal,
      rules,
      hook: this.#hook,
      observe,
    });
    this.#queue = new FeedQueue(this.#root, options.settleMs, observe);
    this.#backoff = new Backoff(options.retryMs ?? RETRY_MS);
  }

  /**
   * Takes feeds until the signal is aborted.
   * @throws {FolderProblem} when the folder was removed or replaced, so that its lock is lost
   */
  async run(signal: AbortSignal): Promise<void> {
    const wakeUp = new WakeUp(this.#root, this.#pollMs);
    this.#options.observe({ kind: "watch", state: "watched", folder: this.#root });
    try {
      while (!signal.aborted) {
        if (await this.#pass(signal)) continue;
        await this.#closeStore();
        await wakeUp.next(signal);
      }
    } finally {
      wakeUp.close();
      await this.#closeStore();
      await this.#hook?.stop();
    }
    this.#options.observe({ kind: "watch", state: "left", folder: this.#root });
  }

  /** Takes the feeds that are there. Feeds that are still being written, or fail, stay. */
  async runOnce(signal: AbortSignal): Promise<WatchTotals> {
    try {
      const { files, problems } = await scanFolder(this.#root);
      this.totals.failed += problems.length;
      await this.#pass(signal);
      const { settleMs } = this.#options;
      const waits = [files.length > 0 ? settleMs : 0];
      // Nobody else would say that a file has stayed empty: the next process begins to wait anew.
      if (files.some(({ stamp }) => stamp.sizeBytes === 0)) waits.push(settleMs * (EMPTY_SETTLE_FACTOR - 1));
      for (const waitMs of waits) {
        if (waitMs > 0) await sleepUntilAborted(waitMs, signal);
        while (!signal.aborted && (await this.#pass(signal)));
      }
    } finally {
      await this.#closeStore();
      await (signal.aborted ? this.#hook?.stop() : this.#hook?.idle());
    }
    return this.totals;
  }

  /** Gives the lock back. */
  close(): void {
    this.#journal.close();
  }

  /** Returns whether the next pass can follow at once. */
  async #pass(signal: AbortSignal): Promise<boolean> {
    if (!this.#journal.isInPlace) {
      throw new FolderProblem(
        `${this.#root} was removed, unmounted or replaced while it was watched; start again when it is there.`,
      );
    }
    if (this.#backoff.isWaiting(ALL, performance.now())) return false;
    try {
      const isBusy = await this.#takeFeeds(signal);
      if (this.#blockedReason !== undefined) {
        this.#blockedReason = undefined;
        this.#options.observe({ kind: "watch", state: "watched", folder: this.#root });
      }
      this.#backoff.succeed(ALL);
      return isBusy;
    } catch (error) {
      this.totals[error instanceof OutcomeUnknown ? "unknown" : "failed"]++;
      await this.#block(errorMessage(error));
      return false;
    }
  }

  /** Nothing is taken until the problem is solved, which is tried again and again. */
  async #block(reason: string): Promise<void> {
    this.#backoff.fail(ALL, performance.now());
    // A store or a thread that has failed is not used again.
    await this.#closeStore();
    if (reason === this.#blockedReason) return;
    this.#blockedReason = reason;
    this.#options.observe({ kind: "watch", state: "blocked", folder: this.#root, reason });
  }

  async #takeFeeds(signal: AbortSignal): Promise<boolean> {
    const startMs = performance.now();
    const { interrupted, unmoved } = await recover(this.#taker, () => this.#openStore());
    for (const name of interrupted) this.#interrupted.add(name);
    for (const [name, reason] of unmoved) this.#reportPostponed(name, reason);
    this.totals.failed += unmoved.size;
    const unsettled = new Set(this.#taker.unsettled().map(({ name }) => name));
    const feeds = await this.#queue.find(unsettled, this.#interrupted);
    this.#forgetOthers(new Set([...unsettled, ...feeds.map(({ file }) => file.name)]));
    const heldSenders = new Set<string>();
    let hasTaken = false;
    for (const feed of feeds) {
      if (signal.aborted) return false;
      if (heldSenders.has(feed.sender)) continue;
      if (!feed.isComplete || this.#backoff.isWaiting(feed.file.name, performance.now())) {
        heldSenders.add(feed.sender);
        continue;
      }
      // Feeds that have arrived since the scan may come before the others.
      if (hasTaken && performance.now() - startMs > this.#pollMs) return true;
      if (await this.#take(feed, signal)) hasTaken = true;
      else heldSenders.add(feed.sender);
    }
    return hasTaken;
  }

  /** Returns whether the feed was taken. Throws when other feeds would fail too. */
  async #take(feed: OrderedFeed, signal: AbortSignal): Promise<boolean> {
    const store = await this.#openStore();
    this.#scanners ??= new ThreadedScanners({ checks: false });
    const result = await this.#taker.take(feed, store, this.#scanners, signal);
    if (result.kind === "applied") {
      this.totals[result.summary.changed ? "changed" : "unchanged"]++;
      this.totals.rejected += result.summary.counts.rejected;
    } else if (result.kind === "refused") this.totals.refused++;
    else if (result.kind === "failed") {
      if (result.cause !== "feed") throw result.error;
      this.totals.failed++;
      await this.#postpone(feed, errorMessage(result.error));
    }
    return result.kind === "applied" || result.kind === "refused";
  }

  /** The feed stays where it is, and those of its sender that follow wait for it. */
  async #postpone({ file, header }: OrderedFeed, reason: string): Promise<void> {
    this.#backoff.fail(file.name, performance.now());
    // A thread that has failed is not used again.
    await this.#closeStore();
    this.#reportPostponed(file.name, reason, header?.sender?.name);
  }

  #reportPostponed(feed: string, reason: string, sender?: string): void {
    if (this.#postponed.get(feed) === reason) return;
    this.#postponed.set(feed, reason);
    this.#options.observe({ kind: "feed", outcome: "postponed", feed, sender, reason });
  }

  async #openStore(): Promise<WatchedStore> {
    this.#store ??= await this.#options.openStore();
    return this.#store;
  }

  /** An idle watcher holds neither the store nor threads. */
  async #closeStore(): Promise<void> {
    const store = this.#store;
    this.#store = undefined;
    this.#scanners?.close();
    this.#scanners = undefined;
    await store?.close();
  }

  #forgetOthers(names: ReadonlySet<string>): void {
    for (const known of [this.#postponed, this.#interrupted]) {
      for (const name of known.keys()) if (!names.has(name)) known.delete(name);
    }
    this.#backoff.retain(new Set([...names, ALL]));
  }
}
