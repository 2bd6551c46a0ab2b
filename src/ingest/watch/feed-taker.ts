/** Takes one feed: imports it, moves it, and calls the operator's command. The journal knows each step before it. */
import { dirname, join, relative } from "node:path";
import type { ImportRules } from "../../catalog/import.ts";
import type { Store } from "../../catalog/store.ts";
import { OutcomeUnknown, StoreError } from "../../catalog/store-errors.ts";
import { FeedRefused, FeedUnreadable, ImportError } from "../../feed/feed-error.ts";
import { errorMessage } from "../../lib/error-message.ts";
import { type ImportableStore, type ImportSummary, runImport } from "../import-run.ts";
import { ReportFile } from "../report-file.ts";
import type { Scanners } from "../scan/scanners.ts";
import { digestOf, FeedChanged, foundFeed, isUnchanged } from "./feed-file.ts";
import type { OrderedFeed } from "./feed-order.ts";
import { fileFeed, freeTarget, prepareFolders, removeReport, reportPath } from "./folder/filing.ts";
import { FolderProblem } from "./folder/folder-problem.ts";
import { contentKey, type FoundFile } from "./folder/folder-scan.ts";
import type { ImportHook } from "./import-hook.ts";
import type { Decision, Journal, JournalEntry } from "./journal.ts";
import type { FeedOutcome, WatchObserver } from "./watch-event.ts";

/** What a watcher needs of a store. */
export type WatchedStore = ImportableStore & Pick<Store, "appliedFeeds" | "close">;

interface TakerOptions {
  /** The absolute path of the watched folder. */
  readonly root: string;
  readonly journal: Journal;
  readonly rules: ImportRules;
  readonly hook: ImportHook | undefined;
  readonly observe: WatchObserver;
}

/** The texts of a feed that become environment variables: the system limits their length. */
const MAX_FACT_CHARS = 1000;

export class FeedTaker {
  /** The ids of entries that nobody is working on. */
  readonly #unsettled: Set<string>;

  constructor(readonly options: TakerOptions) {
    this.#unsettled = new Set(options.journal.entries().map(({ id }) => id));
  }

  /** Returns the entries that a crash, a lost connection or a failed move has left. */
  unsettled(): readonly JournalEntry[] {
    if (this.#unsettled.size === 0) return [];
    return this.options.journal.entries().filter(({ id }) => this.#unsettled.has(id));
  }

  /** Ends the entry of an import that was not applied, or of a feed that is gone. */
  forget({ id, name }: Pick<JournalEntry, "id" | "name">): void {
    const { root, journal } = this.options;
    removeReport(dirname(join(root, name)), id);
    journal.end(id);
    this.#unsettled.delete(id);
  }

  /**
   * The file stays where it is when the result is `left` or `failed`. When the outcome is unknown, or the file cannot be
   * moved, its entry is unsettled.
   * @throws {FolderProblem} when the journal cannot be written
   */
  async take(
    feed: OrderedFeed,
    store: WatchedStore,
    scanners: Scanners,
    signal: AbortSignal,
  ): Promise<FeedResult> {
    const { file } = feed;
    let sha256: string;
    try {
      prepareFolders(file.folder);
      sha256 = await digestOf(file, signal);
    } catch (error) {
      if (signal.aborted || !(await isUnchanged(file))) return { kind: "left" };
      return { kind: "failed", cause: "feed", error };
    }
    const lastNumber = (await store.appliedFeeds([sha256])).get(sha256) ?? 0;
    const id = crypto.randomUUID();
    const { name, stamp } = file;
    this.options.journal.begin({ id, name, contentKey: contentKey(stamp), sha256, lastNumber });
    this.#unsettled.add(id);
    return await this.#takeBegun(feed, id, store, scanners, signal);
  }

  async #takeBegun(
    { file, header }: OrderedFeed,
    id: string,
    store: WatchedStore,
    scanners: Scanners,
    signal: AbortSignal,
  ): Promise<FeedResult> {
    const { rules, observe, root } = this.options;
    const startMs = performance.now();
    const onWaiting = () =>
      observe({ kind: "watch", state: "waiting", folder: root, reason: "another import is in progress" });
    const report = reportPath(file.folder, id);
    const result = await importFoundFeed(file, { store, rules, scanners, signal, report, onWaiting });
    const seconds = (performance.now() - startMs) / 1000;
    const sender = header?.sender?.name;
    const senderFact = sender === undefined ? {} : { SENDER: sender };
    if (result.kind === "applied") {
      const { summary, reportFailure } = result;
      if (reportFailure !== undefined) {
        observe({ kind: "watch", state: "skipped", folder: root, reason: reportFailure });
      }
      const outcome = summary.changed ? "changed" : "unchanged";
      const numbers = { products: summary.products, rejected: summary.counts.rejected, seconds };
      const facts = { ...summaryFacts(summary), ...senderFact };
      return (await this.#end(file, id, outcome, facts, { sender, ...numbers })) ?? result;
    }
    if (result.kind === "refused") {
      const { reason } = result;
      const facts = { REASON: reason, ...senderFact };
      return (await this.#end(file, id, "refused", facts, { sender, seconds, reason })) ?? result;
    }
    if (result.kind === "left" || result.cause !== "unknown") this.forget({ id, name: file.name });
    return result;
  }

  /** Returns the failure when the file cannot be moved. */
  async #end(
    file: FoundFile,
    id: string,
    outcome: FeedOutcome,
    facts: Readonly<Record<string, string>>,
    details: object,
  ): Promise<FeedResult | undefined> {
    try {
      // A link may have been put in place of a folder while the import ran.
      prepareFolders(file.folder);
    } catch (error) {
      return failedMove(error);
    }
    const decision = { outcome, target: freeTarget(file, outcome), facts: bounded(facts) };
    this.options.journal.decide(id, decision);
    // A commit takes seconds. A file that was put in place meanwhile is another feed, and stays.
    const isInPlace = await isUnchanged(file);
    try {
      await this.settle({ id, name: file.name }, decision, file, isInPlace, details);
      return undefined;
    } catch (error) {
      return failedMove(error);
    }
  }

  /** Moves a feed as the journal says, and ends its entry after the operator's command. Can be repeated. */
  async settle(
    { id, name }: Pick<JournalEntry, "id" | "name">,
    { outcome, target, facts }: Decision,
    file: Pick<FoundFile, "folder" | "path">,
    isInPlace: boolean,
    details: object = {},
  ): Promise<void> {
    const { journal, hook, observe, root } = this.options;
    const { feed, report } = fileFeed(file, id, outcome, target, isInPlace);
    this.#unsettled.delete(id);
    observe({ kind: "feed", outcome, feed: name, ...details, movedTo: relative(root, feed) });
    if (!hook) {
      journal.end(id);
      return;
    }
    const paths = { OUTCOME: outcome, FEED: feed, FEED_NAME: name, REPORT: report };
    await hook.call({ feed: name, variables: variablesOf({ ...facts, ...paths }) }, () => journal.end(id));
  }
}

/** Throws errors that are no problem of the folder. */
function failedMove(error: unknown): FeedResult {
  if (!(error instanceof FolderProblem)) throw error;
  return { kind: "failed", cause: "feed", error };
}

function summaryFacts({ products, revision, counts }: ImportSummary): Record<string, string> {
  return { PRODUCTS: String(products), REJECTED: String(counts.rejected), REVISION: revision };
}

function bounded(facts: Readonly<Record<string, string>>): Record<string, string> {
  const entries = Object.entries(facts);
  return Object.fromEntries(entries.map(([name, text]) => [name, text.slice(0, MAX_FACT_CHARS)]));
}

function variablesOf(facts: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(facts).map(([name, text]) => [`COLOPHON_${name}`, text]));
}

type FeedResult =
  | { readonly kind: "applied"; readonly summary: ImportSummary; readonly reportFailure: string | undefined }
  | { readonly kind: "refused"; readonly reason: string }
  /** The file has changed, or the watcher was told to stop. */
  | { readonly kind: "left" }
  /** With `store`, other feeds would fail too. With `unknown`, the import may have been applied. */
  | { readonly kind: "failed"; readonly cause: "store" | "feed" | "unknown"; readonly error: unknown };

interface FeedImportOptions {
  readonly store: ImportableStore;
  readonly rules: ImportRules;
  readonly scanners: Scanners;
  readonly signal: AbortSignal;
  /** Where the report is written. */
  readonly report: string;
  /** Another import holds the lock of the store. */
  readonly onWaiting: () => void;
}

/** Never rejects: every failure is a result. */
async function importFoundFeed(file: FoundFile, options: FeedImportOptions): Promise<FeedResult> {
  let report: ReportFile | undefined;
  try {
    report = new ReportFile(options.report);
    const summary = await importWithReport(file, options, report);
    return { kind: "applied", summary, reportFailure: report.end(summary, true) };
  } catch (error) {
    const reason = errorMessage(error);
    if (error instanceof OutcomeUnknown) {
      report?.end({ unknown: reason }, null);
      return { kind: "failed", cause: "unknown", error };
    }
    report?.end({ refused: reason }, false);
    if (options.signal.aborted || error instanceof FeedChanged || !(await isUnchanged(file))) {
      return { kind: "left" };
    }
    if (error instanceof FeedRefused) return { kind: "refused", reason };
    return { kind: "failed", cause: isStoreFailure(error) ? "store" : "feed", error };
  }
}

async function importWithReport(
  file: FoundFile,
  { store, rules, scanners, signal, onWaiting }: FeedImportOptions,
  report: ReportFile,
): Promise<ImportSummary> {
  const observer = {
    waiting: onWaiting,
    complaint: report.add.bind(report),
    removed: report.addRemoved.bind(report),
    progress() {},
    /** The last moment before the commit. */
    async feedsRead() {
      if (!(await isUnchanged(file))) throw new FeedChanged(file);
    },
  };
  return await runImport(store, [foundFeed(file, signal)], rules, observer, scanners);
}

/** An unexpected error may come from the feed, which must not hold up other senders. */
function isStoreFailure(error: unknown): boolean {
  return error instanceof StoreError || (error instanceof ImportError && !(error instanceof FeedUnreadable));
}
