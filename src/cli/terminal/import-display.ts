/** Runs an import and shows it: progress and complaints on standard error, and the report file. */
import type { ImportRules } from "../../catalog/import.ts";
import { ComplaintGroups } from "../../catalog/quality/complaint-groups.ts";
import type { ReportedComplaint } from "../../catalog/report.ts";
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
import type { ComplaintKind } from "../../onix/complaint.ts";
import type { Isbn13 } from "../../onix/isbn.ts";
import { escapeControls } from "../../telemetry/printable.ts";
import type { CheckResult } from "../check/result-text.ts";
import { formatCount, formatCountOf, formatUpdated } from "./format.ts";
import { Progress } from "./progress.ts";

interface ImportDisplayOptions extends ImportRules {
  /** The path of `--report`. When omitted, no report is written. */
  readonly report?: string | undefined;
}

interface PreviewDisplayOptions extends ImportDisplayOptions {
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
  const { counts, updates, products, revision, changed } = summary;
  const { added, updated, unchanged, deleted, removed, rejected, repeated, ignored, kept, tests, warnings } =
    counts;
  const ofProducts = [
    ...countUnlessZero(added, "added"),
    ...(updated > 0 ? [formatUpdated(updated, updates)] : []),
    ...countUnlessZero(unchanged, "unchanged"),
    ...countUnlessZero(deleted - removed, "deleted"),
    ...countUnlessZero(rejected, "rejected"),
    ...countUnlessZero(repeated, "repeated"),
    ...countUnlessZero(ignored, "ignored"),
    ...countUnlessZero(kept, "kept"),
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

const MAX_PRINTED_PER_KIND = 5;
const MAX_PRINTED_PAIRS = 10;
/** A feed that has one of these has thousands: one example is enough. */
const SYSTEMATIC: ReadonlySet<ComplaintKind> = new Set(["decimal-comma", "bad-amount"]);

/**
 * Prints every rejected product at once, and the first few warnings of each kind at the end. Warnings about other
 * senders are printed for each pair of senders, those with the most warnings first.
 */
class ComplaintPrinter {
  private readonly warnings = new Map<ComplaintKind, { total: number; first: ReportedComplaint[] }>();

  private readonly bySenders = new ComplaintGroups();

  constructor(private readonly printLine: (line: string) => void) {}

  add(complaint: ReportedComplaint): void {
    if (complaint.severity === "rejected") this.printLine(`rejected: ${formatComplaint(complaint)}`);
    else if (complaint.kind === "other-sender") this.bySenders.add(complaint);
    else this.addWarning(complaint);
  }

  private addWarning(complaint: ReportedComplaint): void {
    const warnings = this.warnings.get(complaint.kind) ?? { total: 0, first: [] };
    this.warnings.set(complaint.kind, warnings);
    const maxPrinted = SYSTEMATIC.has(complaint.kind) ? 1 : MAX_PRINTED_PER_KIND;
    if (++warnings.total <= maxPrinted) warnings.first.push(complaint);
  }

  printWarnings(): void {
    for (const { total, first } of this.warnings.values()) this.print(first, total, "of this kind");
    const pairs = this.bySenders.sorted();
    for (const { count, first } of pairs.slice(0, MAX_PRINTED_PAIRS)) {
      this.print(first, count, `of these two senders, ${formatCount(count)} in all`);
    }
    const others = pairs
      .slice(MAX_PRINTED_PAIRS)
      .reduce((sum, { count }) => sum + count, this.bySenders.ungrouped);
    this.print([], others, "of other senders");
  }

  private print(first: readonly ReportedComplaint[], total: number, noun: string): void {
    for (const complaint of first) this.printLine(`warning: ${formatComplaint(complaint)}`);
    const more = total - first.length;
    if (more > 0)
      this.printLine(`warning: … and ${formatCount(more)} more ${noun} (--report lists them all)`);
  }
}

function formatComplaint({ file, line, column, reference, isbn, text, advice }: ReportedComplaint): string {
  const product = [isbn, reference && reference !== isbn ? reference : ""].filter(Boolean).join(", ");
  return escapeControls(`${file}:${line}:${column}: ${product ? `[${product}] ` : ""}${text} ${advice}`);
}

const MAX_PRINTED = 10;

/** Prints how many records `--replace` removes, and the first of them. */
class RemovalPrinter {
  private readonly first: Isbn13[] = [];
  private total = 0;

  add(isbns: readonly Isbn13[]): void {
    this.first.push(...isbns.slice(0, MAX_PRINTED - this.first.length));
    this.total += isbns.length;
  }

  print(printLine: (line: string) => void, isApplied: boolean): void {
    if (this.total === 0) return;
    const more = this.total - this.first.length;
    const rest = more > 0 ? ` and ${formatCount(more)} more (--report lists them all)` : "";
    const verb = isApplied ? "removed" : "would remove";
    printLine(`--replace ${verb} ${formatCountOf(this.total, "record")}: ${this.first.join(", ")}${rest}`);
  }
}
