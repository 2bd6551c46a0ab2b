/** Applies the products of feeds to a catalog, and reports what they did. */
import type { Isbn13 } from "../onix/isbn.ts";
import { type Product, replaceBlocks } from "../onix/record.ts";
import type { Remark } from "../onix/remark.ts";
import {
  createEntryWithRemarks,
  type Deletion,
  type FullRecord,
  type PreparedProduct,
  type ProductLocation,
} from "./prepare-product.ts";
import {
  ADVICE,
  type Complaint,
  type ComplaintKind,
  type Counts,
  emptyCounts,
  type Severity,
} from "./report.ts";
import { RevisionSum } from "./revision.ts";
import type { Entry, ImportTransaction, RecordStatus } from "./store.ts";

/** A feed of the import. */
export interface ImportedFeed {
  readonly file: string;
  /** Counted from 1 within the import. */
  readonly number: number;
}

export interface ImportResult {
  readonly revision: string;
  /** Is false when the revision is the one that the import began with. */
  readonly changed: boolean;
}

/** One import of one or several feeds. It is fed with products in order, then committed or previewed as a whole. */
export class Import {
  readonly counts: Counts = emptyCounts();
  private readonly revision: RevisionSum;

  constructor(
    private readonly transaction: ImportTransaction,
    private readonly report: (complaint: Complaint) => void,
  ) {
    this.revision = new RevisionSum(transaction.revision);
  }

  /** Applies products in their order. Consecutive full records of different books go to the store as one batch. */
  async apply(products: readonly PreparedProduct[], feed: ImportedFeed): Promise<void> {
    const batch = new Map<Isbn13, FullRecord>();
    const flush = async () => {
      if (batch.size > 0) await this.put([...batch.values()], feed);
      batch.clear();
    };
    for (const product of products) {
      switch (product.kind) {
        case "full-record":
          if (batch.has(product.entry.isbn)) await flush();
          batch.set(product.entry.isbn, product);
          break;
        case "block-update":
          await flush();
          await this.update(product.product, feed);
          break;
        case "deletion":
          await flush();
          await this.delete(product, feed);
          break;
        case "rejection":
          this.complain(product.location, feed, "rejected", "no-isbn", product.text);
          break;
        case "test-record":
          this.counts.tests++;
          break;
      }
    }
    await flush();
  }

  /** Reports remarks about the message as a whole, not about one of its products. */
  reportRemarks(remarks: readonly Remark[], feed: ImportedFeed): void {
    this.warn(remarks, { reference: "", isbn: undefined }, feed);
  }

  /** Commits the import. With `replace`, it first removes the records that no feed contains. */
  async commit(replace: boolean): Promise<ImportResult> {
    const result = await this.finish(replace);
    await this.transaction.commit(result.revision);
    return result;
  }

  /** Returns the result that `commit` would have, and discards the import. */
  async preview(replace: boolean): Promise<ImportResult> {
    const result = await this.finish(replace);
    await this.transaction.abort();
    return result;
  }

  private async finish(replace: boolean): Promise<ImportResult> {
    if (replace) {
      for await (const batch of this.transaction.unseen()) {
        for (const { etag } of batch) this.revision.change(etag, undefined);
        const isbns = batch.map(({ isbn }) => isbn);
        await this.transaction.remove(isbns, 0);
        this.counts.deleted += batch.length;
      }
    }
    const revision = this.revision.toString();
    return { revision, changed: revision !== this.transaction.revision };
  }

  /** Adds and replaces records, and marks those that are unchanged. No ISBN occurs twice in a batch. */
  private async put(batch: readonly FullRecord[], feed: ImportedFeed): Promise<void> {
    const statuses = await this.transaction.statusOf(batch.map(({ entry }) => entry.isbn));
    const changed: Entry[] = [];
    const unchanged: Isbn13[] = [];
    batch.forEach((product, index) => {
      const { entry, remarks, line, column } = product;
      const { isbn, reference } = entry;
      const status = statuses[index]!;
      if (remarks.length > 0) this.warn(remarks, entry, feed);
      if (status.lastFeed === feed.number) {
        const text = `${isbn} occurs earlier in this feed.`;
        this.complain({ reference, isbn, line, column }, feed, "warning", "same-isbn-twice", text);
      }
      this.count(status, entry.etag);
      // The sender's reference is not part of the record, but later updates are matched by it.
      if (status.etag === entry.etag && status.reference === reference) unchanged.push(isbn);
      else changed.push(entry);
    });
    if (unchanged.length > 0) await this.transaction.markSeen(unchanged, feed.number);
    if (changed.length > 0) await this.transaction.put(changed, feed.number);
  }

  /** Replaces the blocks that a block update contains (NotificationType 04). */
  private async update(product: Product, feed: ImportedFeed): Promise<void> {
    const isbn = await this.find(product);
    const old = isbn && (await this.transaction.entry(isbn));
    if (!old) {
      const text = "The update is for a product that is not in the catalog.";
      this.complain(product, feed, "rejected", "partial-update-of-nothing", text);
      return;
    }
    const stored = { record: JSON.parse(decoder.decode(old.body)), origin: JSON.parse(old.origin) };
    const { record, origin } = replaceBlocks(stored, product);
    const { entry, remarks } = createEntryWithRemarks(record, old.reference, origin, product);
    this.warn(remarks, product, feed);
    const [status] = await this.transaction.statusOf([old.isbn]);
    this.count(status!, entry.etag);
    if (status!.etag === entry.etag) await this.transaction.markSeen([old.isbn], feed.number);
    else await this.transaction.put([entry], feed.number);
  }

  private async delete({ location }: Deletion, feed: ImportedFeed): Promise<void> {
    const isbn = await this.find(location);
    if (isbn === undefined) {
      const text = "The product to delete is not in the catalog.";
      this.complain(location, feed, "warning", "deletion-of-nothing", text);
      return;
    }
    const [status] = await this.transaction.statusOf([isbn]);
    this.count(status!, undefined);
    await this.transaction.remove([isbn], feed.number);
  }

  /** Finds a record by the sender's reference, then by ISBN. A reference that several books share is ignored. */
  private async find({ reference, isbn }: ProductName): Promise<Isbn13 | undefined> {
    const matches = reference === "" ? [] : await this.transaction.byReference(reference);
    if (matches.length === 1) return matches[0];
    const [status] = isbn === undefined ? [] : await this.transaction.statusOf([isbn]);
    return status?.etag === undefined ? undefined : isbn;
  }

  /** Updates the revision and the counts for a record that becomes `after`. Undoes an earlier count of this import. */
  private count(status: RecordStatus, after: string | undefined): void {
    this.revision.change(status.etag, after);
    const counted = status.lastFeed === 0 ? undefined : changeOf(status.etagBefore, status.etag);
    const change = changeOf(status.etagBefore, after);
    if (counted) this.counts[counted]--;
    if (change) this.counts[change]++;
  }

  private warn(remarks: readonly Remark[], { reference, isbn }: ProductName, feed: ImportedFeed): void {
    for (const { kind, text, line, column } of remarks) {
      this.complain({ reference, isbn, line, column }, feed, "warning", kind, text);
    }
  }

  private complain(
    { line, column, reference, isbn }: ProductLocation,
    { file }: ImportedFeed,
    severity: Severity,
    kind: ComplaintKind,
    text: string,
  ): void {
    this.counts[severity === "rejected" ? "rejected" : "warnings"]++;
    this.report({ severity, kind, file, line, column, reference, isbn, text, advice: ADVICE[kind] });
  }
}

type ProductName = Pick<ProductLocation, "reference" | "isbn">;

const decoder = new TextDecoder();

/** Returns the count that a change from one etag to another belongs to. */
function changeOf(before: string | undefined, after: string | undefined) {
  if (before === undefined) return after === undefined ? undefined : "added";
  if (after === undefined) return "deleted";
  return before === after ? "unchanged" : "updated";
}
