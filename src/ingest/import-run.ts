/** Runs one import: all feeds, in order, in one transaction of the store. `check` runs a preview. */
import { tmpdir } from "node:os";
import type { PreparedProduct } from "../catalog/entry.ts";
import { Import, type ImportListener, type ImportResult, type ImportRules } from "../catalog/import.ts";
import { StartedImport } from "../catalog/import-run.ts";
import type { Counts } from "../catalog/report.ts";
import type { ImportPreview, ImportTransaction, Store } from "../catalog/store.ts";
import { ImportRefused, OutcomeUnknown } from "../catalog/store-errors.ts";
import type { KeepUndo } from "../catalog/undo/undo-step.ts";
import { FeedRefused, ImportError } from "../feed/feed-error.ts";
import { untilFailure, withTimeout } from "../lib/awaitable.ts";
import { errorMessage } from "../lib/error-message.ts";
import { DetailsCollector } from "./details-collector.ts";
import { requireSpaceFor } from "./disk-estimate.ts";
import type { FeedBatch } from "./feed-reader.ts";
import type { FeedSource } from "./feed-source.ts";
import { type Scanners, ThreadedScanners } from "./scan/scanners.ts";

export interface ImportObserver extends ImportListener {
  /** The store has not begun after two seconds. Usually another import holds its lock. */
  waiting(): void;
  /** Called with each batch before it is applied. */
  batchRead?(batch: FeedBatch): void;
  /** Called after each batch with the totals over all feeds. */
  progress(bytesRead: number, products: number): void;
  /** All feeds are read. The commit follows, which may take a while. */
  feedsRead(products: number): Promise<void>;
}

interface PreviewObserver extends Omit<ImportObserver, "waiting"> {
  /** All changes are known, and can be read until the promise resolves. */
  previewed(preview: ImportPreview): Promise<void>;
}

/** The members of the JSON report; see docs/contract.md. */
export interface ImportSummary extends ImportResult {
  readonly counts: Counts;
  readonly products: number;
  /** For a check: why the import would be refused. */
  readonly refused?: string;
}

export type ImportableStore = Pick<Store, "beginImport" | "recordFailedImport" | "load">;

/** A store that nobody else uses begins sooner than this. */
const WAITING_NOTICE_MS = 2000;
/** With fewer changed products than this in a batch, the next chunks are scanned without summaries. */
const MIN_CHANGED_SHARE = 0.125;
/** A store that has failed must not delay the message about it for long. */
const RECORD_TIMEOUT_MS = 5000;

/**
 * Throws an ImportError when a feed cannot be read, a rule refuses the import, or the store cannot be written. The
 * catalog is then unchanged. Without scanners, the import starts its own and ends them. Throws `OutcomeUnknown` when it cannot be found out whether the commit took effect.
 */
export async function runImport(
  store: ImportableStore,
  sources: readonly FeedSource[],
  rules: ImportRules,
  observer: ImportObserver,
  scanners?: Scanners,
): Promise<ImportSummary> {
  const run = new StartedImport();
  const collector = new DetailsCollector();
  const collecting: ImportObserver = {
    ...observer,
    complaint(complaint) {
      collector.addComplaint(complaint);
      observer.complaint(complaint);
    },
  };
  try {
    return await explainFailure(
      async () => {
        requireSpaceFor(sources, store);
        const transaction = await beginWithNotice(store, observer, rules.keepUndo);
        return await importFeeds(transaction, sources, rules, collecting, run, collector, scanners);
      },
      ({ message }) => unwritable(message, "import again"),
    );
  } catch (error) {
    if (!(error instanceof OutcomeUnknown)) await recordFailure(store, error, run, collector);
    throw error;
  }
}

export function unwritable(reason: string, remedy: string): string {
  return `the catalog cannot be written (${reason}); it is unchanged: make its disk writable, with free space, and ${remedy}`;
}

/** Stores the failure if the store can do so at once. What prevents it is not reported: the failure itself is. */
export async function recordFailure(
  store: Pick<Store, "recordFailedImport">,
  error: unknown,
  run = new StartedImport(),
  collector = new DetailsCollector(),
): Promise<void> {
  try {
    const recorded = store.recordFailedImport(run.failed(errorMessage(error)), collector.details(run));
    await withTimeout(recorded, RECORD_TIMEOUT_MS, () => new Error("timeout"));
  } catch {}
}

/** Finds out what `runImport` would do. Changes nothing, and neither waits for an import nor delays one. */
export async function previewImport(
  store: Pick<Store, "beginPreview">,
  sources: readonly FeedSource[],
  rules: ImportRules,
  observer: PreviewObserver,
): Promise<ImportSummary> {
  return await explainFailure(
    async () => previewFeeds(await store.beginPreview(), sources, rules, observer),
    (error) =>
      codeOf(error) === "SQLITE_FULL"
        ? `the temporary folder ${tmpdir()} is full; free space in it, or set TMPDIR to another folder`
        : `the check failed (${error.message}); nothing was changed`,
  );
}

/** Turns refusals, and errors that the operator can fix, into an ImportError. */
export async function explainFailure<T>(
  run: () => Promise<T>,
  describe: (error: Error) => string,
): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof ImportRefused) throw new FeedRefused(`${error.message} The catalog is unchanged.`);
    throw isFileFailure(error) ? new ImportError(describe(error)) : error;
  }
}

export async function beginWithNotice(
  store: Pick<Store, "beginImport">,
  observer: Pick<ImportObserver, "waiting">,
  keepUndo: KeepUndo | undefined,
): Promise<ImportTransaction> {
  const timer = setTimeout(() => observer.waiting(), WAITING_NOTICE_MS);
  try {
    return await store.beginImport(keepUndo);
  } finally {
    clearTimeout(timer);
  }
}

async function importFeeds(
  transaction: ImportTransaction,
  sources: readonly FeedSource[],
  rules: ImportRules,
  observer: ImportObserver,
  run: StartedImport,
  collector: DetailsCollector,
  scanners: Scanners | undefined,
): Promise<ImportSummary> {
  collector.revisionBefore = transaction.revision;
  try {
    const catalogImport = new Import(transaction, observer, rules);
    const { failure } = transaction;
    const products = await readFeeds(catalogImport, sources, observer, collector, failure, scanners);
    const result = await catalogImport.complete();
    const { keepDeletionsDays } = rules;
    const applied = run.applied(result.changed, catalogImport.counts, result.updates);
    const details = collector.details(run);
    await transaction.commit(result.revision, applied, { keepDeletionsDays, details });
    return { counts: catalogImport.counts, products, ...result };
  } finally {
    await transaction.abort();
  }
}

async function previewFeeds(
  preview: ImportPreview,
  sources: readonly FeedSource[],
  rules: ImportRules,
  observer: PreviewObserver,
): Promise<ImportSummary> {
  try {
    const catalogImport = new Import(preview, observer, { ...rules, reportsUnstored: true });
    const products = await readFeeds(catalogImport, sources, observer, new DetailsCollector());
    const result = await catalogImport.preview();
    await observer.previewed(preview);
    return { counts: catalogImport.counts, products, ...result };
  } finally {
    await preview.abort();
  }
}

type FeedObserver = Pick<ImportObserver, "batchRead" | "progress" | "feedsRead">;

/**
 * Applies the products of all feeds, which share their scanner threads. Returns their number. Does not wait for a slow
 * feed when `failure` rejects.
 */
async function readFeeds(
  catalogImport: Import,
  sources: readonly FeedSource[],
  observer: FeedObserver,
  collector: DetailsCollector,
  failure?: Promise<never>,
  shared?: Scanners,
): Promise<number> {
  const own = shared ? undefined : new ThreadedScanners({ checks: sources.some(({ checks }) => checks) });
  try {
    return await applyFeeds(catalogImport, sources, (shared ?? own)!, observer, collector, failure);
  } finally {
    own?.close();
    for (const source of sources) source.close?.();
  }
}

async function applyFeeds(
  catalogImport: Import,
  sources: readonly FeedSource[],
  scanners: Scanners,
  observer: FeedObserver,
  collector: DetailsCollector,
  failure: Promise<never> | undefined,
): Promise<number> {
  let bytesBefore = 0;
  let documentsBefore = 0;
  let products = 0;
  scanners.omitsExtracts = false;
  for (const source of sources) {
    let bytesRead = 0;
    let documents = 0;
    collector.beginSource(source);
    for await (const batch of untilFailure(source.batches(scanners), failure)) {
      observer.batchRead?.(batch);
      bytesRead = batch.bytesRead;
      documents = batch.document;
      const { file, header } = batch;
      catalogImport.reportComplaints(batch.complaints, { file });
      const number = documentsBefore + documents;
      collector.addBatch(source, number, batch);
      const { unchanged } = catalogImport.counts;
      if (header) await catalogImport.apply(batch.products, { file, number, header });
      const changed = batch.products.length - (catalogImport.counts.unchanged - unchanged);
      scanners.omitsExtracts = changed < batch.products.length * MIN_CHANGED_SHARE;
      if (catalogImport.copiesBytes) freeBytes(batch.products);
      products += batch.products.length;
      observer.progress(bytesBefore + bytesRead, products);
    }
    bytesBefore += bytesRead;
    documentsBefore += documents;
  }
  await observer.feedsRead(products);
  return products;
}

/** Recognises a full disk, a read-only file system and the like: the operator can fix these. */
function isFileFailure(error: unknown): error is Error {
  return /^(SQLITE_|ENOSPC|EFBIG|EDQUOT|EIO|EROFS)/.test(codeOf(error));
}

function codeOf(error: unknown): string {
  return String((error as { code?: unknown }).code ?? "");
}

/** The collector would let records and summaries of many batches pile up. A batch has one buffer for each of them. */
function freeBytes(products: readonly PreparedProduct[]): void {
  const buffers = new Set(products.flatMap(({ body, summary }) => [body.buffer, summary?.body.buffer]));
  for (const buffer of buffers) if (buffer instanceof ArrayBuffer && !buffer.detached) buffer.transfer(0);
}
