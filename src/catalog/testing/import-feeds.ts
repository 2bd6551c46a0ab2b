/** Imports small feeds into a catalog, for tests: the reader and the rules, without threads. */
import type { Isbn13 } from "../../onix/isbn.ts";
import { ChunkScanner } from "../../onix/reader/chunk-scanner.ts";
import { message } from "../../onix/testing/message.ts";
import { etagOf, type PreparedProduct } from "../entry.ts";
import { Import, type ImportedFeed, type ImportRules } from "../import.ts";
import type { Counts, ReportedComplaint } from "../report.ts";
import type { ImportSteps, ImportTransaction } from "../store.ts";
import { anyRun } from "./import-runs.ts";

export interface ImportFeedsOptions extends Partial<ImportRules> {
  /** False for a preview. */
  readonly commit?: boolean;
}

export interface ImportableCatalog {
  beginImport(): Promise<ImportTransaction> | ImportTransaction;
  /** When omitted, a preview is an import that is not committed. */
  beginPreview?(): Promise<ImportSteps>;
}

/** Reads a feed. Throws when it is not well-formed. */
export function readFeed(xml: string): {
  products: readonly PreparedProduct[];
  feed: Omit<ImportedFeed, "number">;
} {
  const result = new ChunkScanner().scan(new TextEncoder().encode(xml), undefined, true);
  if (result.kind === "error") throw new Error(result.message);
  const products = result.products.map((product) => ({
    ...product,
    etag: product.body.length === 0 ? "" : etagOf(product.body),
  }));
  return { products, feed: { file: "feed.xml", header: result.context!.header } };
}

/** Imports the feeds in one transaction. Returns the counts that are not zero, and the complaints. */
export async function importFeeds(
  catalog: ImportableCatalog,
  feeds: string | readonly string[],
  options: ImportFeedsOptions = {},
) {
  const { commit = true, ...given } = options;
  const rules = { replace: false, allowRemovals: false, inOrder: false, ...given };
  if (commit || !catalog.beginPreview) {
    const transaction = await catalog.beginImport();
    return await applyFeeds(transaction, [feeds].flat(), rules, commit ? transaction : undefined);
  }
  return await applyFeeds(await catalog.beginPreview(), [feeds].flat(), rules, undefined);
}

async function applyFeeds(
  steps: ImportSteps,
  feeds: readonly string[],
  rules: ImportRules,
  committed: ImportTransaction | undefined,
) {
  const complaints: ReportedComplaint[] = [];
  const removed: Isbn13[] = [];
  let sampleKept = 0;
  const listener = {
    complaint: (complaint: ReportedComplaint) => complaints.push(complaint),
    removed: (isbns: readonly Isbn13[]) => removed.push(...isbns),
    sampleKept: (books: number) => {
      sampleKept = books;
    },
  };
  try {
    const run = new Import(steps, listener, rules);
    let productCount = 0;
    for (const [index, xml] of feeds.entries()) {
      const { products, feed } = readFeed(xml);
      await run.apply(products, { ...feed, file: `${index + 1}.xml`, number: index + 1 });
      productCount += products.length;
    }
    const result = await (committed ? run.complete() : run.preview());
    await committed?.commit(result.revision, anyRun());
    const { warnings, ...counts } = run.counts;
    return {
      ...result,
      products: productCount,
      allCounts: run.counts,
      counts: nonZero(counts),
      warnings,
      complaints,
      removed,
      sampleKept,
      kinds: complaints.map(({ severity, kind }) => `${severity}: ${kind}`),
      texts: complaints.map(({ text }) => text),
    };
  } finally {
    await steps.abort();
  }
}

function nonZero(counts: Partial<Counts>): Partial<Counts> {
  return Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0));
}

/** Replaces what `message` has in its header. */
export function messageFrom(
  { sender = "Test", sent = "20240101", number = "" },
  ...products: readonly string[]
): string {
  const header =
    `<Header><Sender><SenderName>${sender}</SenderName></Sender>` +
    `${number === "" ? "" : `<MessageNumber>${number}</MessageNumber>`}<SentDateTime>${sent}</SentDateTime></Header>`;
  return message(...products).replace(/<Header>.*<\/Header>/s, header);
}
