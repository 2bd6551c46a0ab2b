/** Imports one feed of a watched folder, and tells a refusal from a failure that may pass. */
import type { ImportRules } from "../../catalog/import.ts";
import { OutcomeUnknown, StoreError } from "../../catalog/store-errors.ts";
import { FeedRefused, FeedUnreadable, ImportError } from "../../feed/feed-error.ts";
import { errorMessage } from "../../lib/error-message.ts";
import { type ImportableStore, type ImportSummary, runImport } from "../import-run.ts";
import { ReportFile } from "../report-file.ts";
import type { Scanners } from "../scan/scanners.ts";
import { FeedChanged, foundFeed, isUnchanged } from "./feed-file.ts";
import type { FoundFile } from "./folder/folder-scan.ts";

export type FeedResult =
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
export async function importFoundFeed(file: FoundFile, options: FeedImportOptions): Promise<FeedResult> {
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
