/** Applies the products of feeds to a catalog, and reports what they did. */
import type { Complaint } from "../onix/complaint.ts";
import type { Isbn13 } from "../onix/isbn.ts";
import type { MessageHeader } from "../onix/message-header.ts";
import { entryOfProduct, type PreparedProduct } from "./entry.ts";
import { noUpdates, type UpdateCounts } from "./history/update-counts.ts";
import { type Counts, ImportTally, type ReportedComplaint } from "./report.ts";
import { ComplaintReporter, MESSAGE_START } from "./rules/complaint-reporter.ts";
import { freeMerged, mergeUpdate } from "./rules/merge-update.ts";
import {
  describeMessage,
  isOlderMessage,
  nextMark,
  SAMPLE_SENDER,
  withoutFuture,
} from "./rules/message-order.ts";
import type { OwnerRules } from "./rules/other-senders.ts";
import { findTargets, type Target, takeDifferent, writesWhole } from "./rules/target-books.ts";
import { changedByOther, explainMissingBook, referenceMoved } from "./rules/target-complaints.ts";
import type { Entry, ImportSteps } from "./store.ts";
import { ImportRefused } from "./store-errors.ts";
import type { KeepUndo } from "./undo/undo-step.ts";

export interface ImportedFeed {
  readonly file: string;
  /** Counted from 1 within the import. */
  readonly number: number;
  readonly header: MessageHeader;
}

export interface ImportRules extends OwnerRules {
  /** Removes every record that no feed contains. */
  readonly replace: boolean;
  /** Allows `replace` to remove more than half of the catalog. */
  readonly allowRemovals: boolean;
  /** Refuses a message that is older than the last one of its sender. */
  readonly inOrder: boolean;
  /** How long the store remembers deletions for those who follow its changes. Default: `KEEP_DELETIONS_DAYS`. */
  readonly keepDeletionsDays?: number | undefined;
  /** The limits of what the store keeps to undo the last imports. Default: `KEEP_UNDO`. */
  readonly keepUndo?: KeepUndo | undefined;
  /** Reports complaints about deletions, rejected products and updates of missing books, too. By default only what is stored has complaints. */
  readonly reportsUnstored?: boolean;
}

export interface ImportListener {
  complaint(complaint: ReportedComplaint): void;
  /** Called with the records that `replace` removes, in batches. */
  removed(isbns: readonly Isbn13[]): void;
  /** Called at the end when the catalog also holds books of the sample, which no feed contains. */
  sampleKept?(books: number): void;
}

export interface ImportResult {
  readonly revision: string;
  /** False when the revision is the one that the import began with. */
  readonly changed: boolean;
  /** The updated books by what has changed. */
  readonly updates: UpdateCounts;
}

/** What the products of a batch do to the store. */
interface Changes {
  readonly put: Entry[];
  readonly unchanged: Isbn13[];
  readonly removed: Isbn13[];
  /** Records that another sender does not change, and that `replace` must not remove. */
  readonly kept: Isbn13[];
}

/** One import of one or several feeds. It is fed with products in order, then completed or previewed as a whole. */
export class Import {
  readonly counts: Counts;
  private readonly complaints: ComplaintReporter;
  private readonly tally: ImportTally;
  /** The number of the feed that was begun last. */
  private lastFeed = 0;

  constructor(
    private readonly transaction: ImportSteps,
    private readonly listener: ImportListener,
    private readonly rules: ImportRules,
  ) {
    this.tally = new ImportTally(transaction.revision);
    this.counts = this.tally.counts;
    this.complaints = new ComplaintReporter(this.counts, listener, rules.reportsUnstored ?? false);
  }

  /** True when the bytes of products can be freed as soon as they are applied. */
  get copiesBytes(): boolean {
    return this.transaction.copiesBytes ?? false;
  }

  /** Applies products in their order. Throws `ImportRefused` when the rules do not allow the message. */
  async apply(products: readonly PreparedProduct[], feed: ImportedFeed): Promise<void> {
    if (feed.number !== this.lastFeed) await this.beginFeed(feed);
    for (let rest = products; rest.length > 0; ) {
      const different = takeDifferent(rest);
      const targets = await findTargets(
        this.transaction,
        different,
        feed.header.sender?.key ?? "",
        this.rules,
      );
      await this.applyTargets(targets, feed);
      rest = rest.slice(targets.length);
    }
  }

  /**
   * Reports complaints about a file as a whole, not about one of its products. Throws `ImportRefused` when a feed was
   * skipped, and `replace` would remove its books.
   */
  reportComplaints(complaints: readonly Complaint[], { file }: Pick<ImportedFeed, "file">): void {
    const skipped = complaints.find(({ kind }) => kind === "skipped-feed");
    if (skipped !== undefined && this.rules.replace) {
      throw new ImportRefused(
        `${file}: ${skipped.text} --replace would remove its books. ` +
          "Rename it, so that no part of its path begins with a dot, or remove it from the archive.",
      );
    }
    this.complaints.reportFile(complaints, file);
  }

  /** Completes the import, so that the caller can commit it. Throws `ImportRefused` when the rules do not allow it. */
  async complete(): Promise<ImportResult> {
    const refusal = await this.removalRefusal();
    if (refusal !== undefined) throw new ImportRefused(refusal);
    return await this.finish();
  }

  /** Completes a preview. Returns the result that `complete` would have, with the reason when it would be refused. */
  async preview(): Promise<ImportResult & { readonly refused?: string }> {
    const refused = await this.removalRefusal();
    const result = await this.finish();
    return { ...result, ...(refused !== undefined && { refused }) };
  }

  /** Compares the message with the last one of its sender, and remembers it unless it is older. */
  private async beginFeed(feed: ImportedFeed): Promise<void> {
    this.lastFeed = feed.number;
    const { sender, sent, messageNumber } = feed.header;
    const key = sender?.key ?? "";
    const mark = { sent, messageNumber };
    const last = await this.transaction.lastMessage(key);
    if (last === undefined || !isOlderMessage(mark, last)) {
      await this.transaction.setLastMessage(key, nextMark(withoutFuture(mark, Date.now()), last));
      return;
    }
    const name = sender === undefined ? "" : ` of "${sender.name}"`;
    const text = `The message (${describeMessage(mark)}) is older than the last one${name} (${describeMessage(last)}).`;
    if (this.rules.inOrder) {
      throw new ImportRefused(
        `${feed.file}: ${text} Import feeds in the order in which they were sent, or omit --in-order.`,
      );
    }
    this.complaints.report({ severity: "warning", kind: "older-message", text }, MESSAGE_START, feed.file);
  }

  /** Returns why the removals of `replace` are refused, or undefined when they are allowed. */
  private async removalRefusal(): Promise<string | undefined> {
    const { rules, transaction, counts } = this;
    if (!rules.replace || rules.allowRemovals) return undefined;
    // The sample is there to be replaced: its books do not count.
    const ofSample = await transaction.unseenCount(SAMPLE_SENDER);
    const removals = counts.deleted + (await transaction.unseenCount()) - ofSample;
    const records = transaction.records - ofSample;
    if (removals * 2 <= records) return undefined;
    const noun = records === 1 ? "record" : "records";
    return (
      `--replace would remove ${removals} of ${records} ${noun}, more than half of the catalog. ` +
      "Check that the feeds are complete, or allow it with --allow-removals."
    );
  }

  private async finish(): Promise<ImportResult> {
    if (this.rules.replace) {
      for await (const batch of this.transaction.unseen()) {
        for (const { etag } of batch) this.tally.revision.change(etag, undefined);
        const isbns = batch.map(({ isbn }) => isbn);
        await this.transaction.remove(isbns, 0);
        this.listener.removed(isbns);
        this.counts.deleted += batch.length;
        this.counts.removed += batch.length;
      }
    } else await this.reportSample();
    const revision = this.tally.revision.toString();
    const updates = this.counts.updated > 0 ? await this.transaction.updateCounts() : noUpdates();
    return { revision, changed: revision !== this.transaction.revision, updates };
  }

  private async reportSample(): Promise<void> {
    if (this.listener.sampleKept === undefined) return;
    const books = await this.transaction.unseenCount(SAMPLE_SENDER);
    if (books > 0) this.listener.sampleKept(books);
  }

  /** Applies products to books that are all different, but for updates that later ones supersede. */
  private async applyTargets(targets: readonly Target[], feed: ImportedFeed): Promise<void> {
    const lastByIsbn = new Map(targets.map((target) => [target.isbn, target]));
    const isLast = (target: Target) => lastByIsbn.get(target.isbn) === target;
    const merged = targets.filter(
      (target) => target.product.action === "update" && target.status.etag && isLast(target),
    );
    const stored = await this.transaction.entries(merged.map(({ isbn }) => isbn!));
    const storedByIsbn = new Map(stored.map((entry) => [entry?.isbn, entry]));
    const changes: Changes = { put: [], unchanged: [], removed: [], kept: [] };
    for (const target of targets) {
      const { product, isbn, status } = target;
      if (product.action === "test") this.counts.tests++;
      else if (product.action === "rejection") {
        const kind = isbn === undefined ? "no-isbn" : "unknown-notification";
        this.complaints.report({ severity: "rejected", kind, text: product.rejection }, product, feed.file);
        this.complaints.reportUnstored(product, feed.file);
        if (this.rules.replace && isbn !== undefined) changes.kept.push(isbn);
      } else if (target.isByOther && this.isKept(target, feed, changes)) this.counts.kept++;
      else if (writesWhole(product, status)) this.replaceRecord(target, feed, changes);
      else if (status.etag === undefined) this.reportMissing(target, feed);
      else if (product.action === "deletion") {
        this.complaints.reportDeleted(product, feed.file);
        this.tally.count(status, undefined);
        changes.removed.push(isbn!);
      } else if (!isLast(target)) {
        this.complaints.reportStored(product, isbn!, feed.file, true);
        this.counts.repeated++;
      } else this.put(target, mergeUpdate(storedByIsbn.get(isbn)!, product), feed, changes);
    }
    const { put, unchanged, removed, kept } = changes;
    if (kept.length > 0) {
      const statuses = await this.transaction.statusOf(kept);
      // The others have been seen, and their feeds count.
      const unseen = kept.filter((_, index) => statuses[index]!.lastFeed === 0);
      await this.transaction.markSeen(unseen, 0);
    }
    if (unchanged.length > 0) await this.transaction.markSeen(unchanged, feed.number);
    if (put.length > 0) await this.transaction.put(put, feed.number);
    if (removed.length > 0) await this.transaction.remove(removed, feed.number);
    if (this.copiesBytes) freeMerged(stored, put);
  }

  /** Reports a change of a book of another sender. Returns whether the book stays as it is. */
  private isKept(target: Target, feed: ImportedFeed, { kept }: Changes): boolean {
    const { product, isbn } = target;
    const { rules } = this;
    this.complaints.report(changedByOther(target, feed.header.sender, rules), product, feed.file);
    if (rules.otherSenders !== "keep") return false;
    this.complaints.reportUnstored(product, feed.file);
    if (rules.replace) kept.push(isbn!);
    return true;
  }

  /** Adds a record, or replaces it as a whole. */
  private replaceRecord(target: Target, feed: ImportedFeed, changes: Changes): void {
    const { product, isbn, status, others } = target;
    if (status.lastFeed === feed.number) {
      const text = `${isbn} occurs earlier in this feed.`;
      this.complaints.report({ severity: "warning", kind: "same-isbn-twice", text }, product, feed.file);
    }
    if (others.length > 0) this.complaints.report(referenceMoved(target), product, feed.file);
    this.put(target, entryOfProduct(product, isbn!, feed.header.sender?.key ?? ""), feed, changes);
  }

  /**
   * Reference, sender and origin are not part of the record that the API serves, but updates are matched by them and
   * the ONIX export needs them. So an entry that differs only in them is written, and counts as unchanged.
   */
  private put({ product, status }: Target, entry: Entry, feed: ImportedFeed, changes: Changes): void {
    this.complaints.reportStored(product, entry.isbn, feed.file, !writesWhole(product, status));
    this.tally.count(status, entry.etag);
    const isSame =
      status.etag === entry.etag &&
      status.reference === entry.reference &&
      status.sender === entry.sender &&
      status.origin === entry.origin;
    if (isSame) changes.unchanged.push(entry.isbn);
    else changes.put.push(entry);
  }

  /** Reports an update or a deletion that changes nothing. */
  private reportMissing(target: Target, feed: ImportedFeed): void {
    const found = explainMissingBook(target);
    if (found.severity === "warning") this.counts.ignored++;
    this.complaints.report(found, target.product, feed.file);
    this.complaints.reportUnstored(target.product, feed.file);
  }
}
