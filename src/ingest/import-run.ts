/** Runs one import: all feeds, in order, in one transaction of the store. `check` runs it without the commit. */
import { Import, type ImportListener, type ImportRules } from "../catalog/import.ts";
import { ImportRefused } from "../catalog/import-refused.ts";
import type { Counts } from "../catalog/report.ts";
import type { ImportTransaction, Store } from "../catalog/store.ts";
import type { FeedSource } from "./feed-source.ts";
import { ImportError } from "./import-error.ts";

export interface ImportOptions extends ImportRules {
  /** False rolls everything back at the end. */
  readonly write: boolean;
}

export interface ImportObserver extends ImportListener {
  /** The store has not begun after two seconds. Usually another import holds its lock. */
  waiting(): void;
  /** Is called after each batch with the totals over all feeds. */
  progress(bytesRead: number, products: number): void;
  /** All feeds are read. The commit follows, which may take a while. */
  feedsRead(products: number): Promise<void>;
}

/** The members of the JSON report; see docs/contract.md. */
export interface ImportSummary {
  readonly counts: Counts;
  readonly products: number;
  readonly revision: string;
  readonly changed: boolean;
  /** For a check: why the import would be refused. */
  readonly refused?: string;
}

/** A store that nobody else uses begins sooner than this. */
const WAITING_NOTICE_MS = 2000;

/**
 * Throws an ImportError when a feed cannot be read, a rule refuses the import, or the store cannot be written. The
 * catalog is then unchanged.
 */
export async function runImport(
  store: Store,
  sources: readonly FeedSource[],
  options: ImportOptions,
  observer: ImportObserver,
): Promise<ImportSummary> {
  try {
    const transaction = await beginWithNotice(store, observer);
    try {
      return await importFeeds(transaction, sources, options, observer);
    } catch (error) {
      await transaction.abort();
      throw error;
    }
  } catch (error) {
    if (error instanceof ImportRefused) throw new ImportError(`${error.message} The catalog is unchanged.`);
    throw isWriteFailure(error)
      ? new ImportError(`the catalog cannot be written (${error.message}); it is unchanged`)
      : error;
  }
}

async function beginWithNotice(store: Store, observer: ImportObserver): Promise<ImportTransaction> {
  const timer = setTimeout(() => observer.waiting(), WAITING_NOTICE_MS);
  try {
    return await store.beginImport();
  } finally {
    clearTimeout(timer);
  }
}

async function importFeeds(
  transaction: ImportTransaction,
  sources: readonly FeedSource[],
  options: ImportOptions,
  observer: ImportObserver,
): Promise<ImportSummary> {
  const catalogImport = new Import(transaction, observer, options);
  let bytesBefore = 0;
  let documentsBefore = 0;
  let products = 0;
  for (const source of sources) {
    let bytesRead = 0;
    let documents = 0;
    for await (const batch of source.batches()) {
      bytesRead = batch.bytesRead;
      documents = batch.document;
      const { file, header } = batch;
      catalogImport.reportRemarks(batch.remarks, { file });
      const number = documentsBefore + documents;
      if (header) await catalogImport.apply(batch.products, { file, number, header });
      products += batch.products.length;
      observer.progress(bytesBefore + bytesRead, products);
    }
    bytesBefore += bytesRead;
    documentsBefore += documents;
  }
  await observer.feedsRead(products);
  const result = options.write ? await catalogImport.commit() : await catalogImport.preview();
  return { counts: catalogImport.counts, products, ...result };
}

/** Recognises a full disk, a read-only file system and the like: the operator can fix these. */
function isWriteFailure(error: unknown): error is Error {
  const code = String((error as { code?: unknown }).code ?? "");
  return /^(SQLITE_|ENOSPC|EFBIG|EDQUOT|EIO|EROFS)/.test(code);
}
