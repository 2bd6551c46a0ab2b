/** Runs an import and shows it: progress and complaints on standard error, and the report file. */
import type { ImportRules } from "../../catalog/import.ts";
import type { ImportPreview, Store } from "../../catalog/store.ts";
import { OutcomeUnknown } from "../../catalog/store-errors.ts";
import type { FeedSource } from "../../ingest/feed-source.ts";
import {
  type ImportableStore,
  type ImportObserver,
  type ImportSummary,
  previewImport,
  runImport,
} from "../../ingest/import-run.ts";
import { ReportFile } from "../../ingest/report-file.ts";
import type { CheckResult } from "../check/check-result.ts";
import { ComplaintPrinter } from "./complaint-printer.ts";
import { formatCount, formatCountOf } from "./format.ts";
import { Progress } from "./progress.ts";
import { RemovalPrinter } from "./removal-printer.ts";

export interface ImportDisplayOptions extends ImportRules {
  /** The path of `--report`. When omitted, no report is written. */
  readonly report?: string | undefined;
}

export interface PreviewDisplayOptions extends ImportDisplayOptions {
  /** Collects complaints and batches. Only rejections are printed beside it. */
  readonly checkResult: CheckResult;
  /** Reads the changes. Before it prints any, it clears the progress line. */
  readonly previewed: (preview: ImportPreview, clearProgress: () => void) => Promise<void>;
}

export function runImportWithDisplay(
  store: ImportableStore,
  sources: readonly FeedSource[],
  options: ImportDisplayOptions,
): Promise<ImportSummary> {
  return runWithDisplay(sources, options, undefined, (observer) =>
    runImport(store, sources, options, observer),
  );
}

export function previewImportWithDisplay(
  store: Pick<Store, "beginPreview">,
  sources: readonly FeedSource[],
  options: PreviewDisplayOptions,
): Promise<ImportSummary> {
  return runWithDisplay(sources, options, options.checkResult, (observer, clearProgress) =>
    previewImport(store, sources, options, {
      ...observer,
      previewed: (preview) => options.previewed(preview, clearProgress),
    }),
  );
}

/** With checkResult it is a preview. */
async function runWithDisplay(
  sources: readonly FeedSource[],
  options: ImportDisplayOptions,
  checkResult: CheckResult | undefined,
  run: (observer: ImportObserver, clearProgress: () => void) => Promise<ImportSummary>,
): Promise<ImportSummary> {
  const write = checkResult === undefined;
  const report = options.report === undefined ? undefined : new ReportFile(options.report);
  const progress = new Progress(totalSize(sources));
  const complaints = new ComplaintPrinter((line) => progress.printLine(line));
  const removals = new RemovalPrinter();
  let sampleBooks = 0;
  const observer: ImportObserver = {
    waiting: () => progress.printLine("Waiting: another import may be in progress…"),
    complaint(complaint) {
      report?.add(complaint);
      checkResult?.addComplaint(complaint);
      if (!checkResult || complaint.severity === "rejected") complaints.add(complaint);
    },
    removed(isbns) {
      report?.addRemoved(isbns);
      removals.add(isbns);
    },
    ...(write && {
      sampleKept: (books: number) => {
        sampleBooks = books;
      },
    }),
    batchRead: (batch) => checkResult?.addBatch(batch),
    progress: (bytesRead, products) => progress.update(bytesRead, products),
    feedsRead: (products) => progress.showCommit(products, write),
  };
  try {
    const summary = await run(observer, () => progress.clear());
    progress.clear();
    complaints.printWarnings();
    removals.print((line) => progress.printLine(line), write);
    if (sampleBooks > 0) progress.printLine(sampleNote(sampleBooks));
    const quality = checkResult && { quality: checkResult.quality.scores() };
    const failure = report?.end({ ...summary, ...quality }, write);
    const done = write ? "import was applied" : "check is complete";
    if (failure !== undefined) console.error(`colophon: ${failure}; the ${done} nevertheless`);
    return summary;
  } catch (error) {
    progress.clear();
    const { message } = error as Error;
    const failure =
      error instanceof OutcomeUnknown
        ? report?.end({ unknown: message }, null)
        : report?.end({ refused: message }, false);
    if (failure !== undefined) console.error(`colophon: ${failure}`);
    throw error;
  }
}

/**
 * Formats the line that import and check print at the end. The counts before the semicolon add up to the number of
 * products.
 */
export function formatSummary(summary: ImportSummary, unchangedNotice: string): string {
  const { counts, products, revision, changed } = summary;
  const { added, updated, unchanged, deleted, removed, rejected, repeated, ignored, tests, warnings } =
    counts;
  const ofProducts = [
    ...countUnlessZero(added, "added"),
    ...countUnlessZero(updated, "updated"),
    ...countUnlessZero(unchanged, "unchanged"),
    ...countUnlessZero(deleted - removed, "deleted"),
    ...countUnlessZero(rejected, "rejected"),
    ...countUnlessZero(repeated, "repeated"),
    ...countUnlessZero(ignored, "ignored"),
    ...(tests > 0 ? [formatCountOf(tests, "test record")] : []),
  ];
  const others = [
    ...(removed > 0 ? [`${formatCountOf(removed, "other book")} removed`] : []),
    ...(warnings > 0 ? [formatCountOf(warnings, "warning")] : []),
  ];
  const total = formatCountOf(products, "product");
  const parts = [ofProducts.length > 0 ? `${total}: ${ofProducts.join(", ")}` : total, ...others];
  return `${parts.join("; ")}. ${changed ? `Revision ${revision}.` : unchangedNotice}`;
}

function sampleNote(books: number): string {
  return `The catalog also holds ${formatCountOf(books, "book")} of the sample; to remove them, import all your feeds once with --replace.`;
}

function countUnlessZero(count: number, word: string): string[] {
  return count === 0 ? [] : [`${formatCount(count)} ${word}`];
}

/** Returns undefined when the size of any feed is unknown. */
function totalSize(sources: readonly FeedSource[]): number | undefined {
  let total = 0;
  for (const { sizeBytes } of sources) {
    if (sizeBytes === undefined) return undefined;
    total += sizeBytes;
  }
  return total;
}
