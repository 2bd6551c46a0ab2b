/** What a feed does to a catalog. */
import type { Isbn13 } from "../onix/isbn.ts";
import { type Product, replaceBlocks } from "../onix/record.ts";
import {
  createEntryWithWarnings,
  type Deletion,
  type FullRecord,
  type PreparedProduct,
  type ProductLocation,
  type Warning,
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

/** Where products come from. */
export interface ImportedFeed {
  readonly file: string;
  /** Counted from 1 within the import. */
  readonly feed: number;
}

export interface ImportResult {
  readonly revision: string;
  readonly changed: boolean;
}

/** One import, of one feed or several: products go in, in order; at the end it is committed or aborted whole. */
export class Import {
  readonly counts: Counts = emptyCounts();
  private readonly revision: RevisionSum;

  constructor(
    private readonly load: ImportTransaction,
    private readonly complain: (complaint: Complaint) => void,
  ) {
    this.revision = new RevisionSum(load.revision);
  }

  async apply(products: readonly PreparedProduct[], source: ImportedFeed): Promise<void> {
    const whole = new Map<Isbn13, FullRecord>();
    const flush = async () => {
      if (whole.size > 0) await this.put([...whole.values()], source);
      whole.clear();
    };
    for (const product of products) {
      switch (product.kind) {
        case "whole":
          if (whole.has(product.entry.isbn)) await flush();
          whole.set(product.entry.isbn, product);
          break;
        case "update":
          await flush();
          await this.update(product.product, source);
          break;
        case "deletion":
          await flush();
          await this.delete(product, source);
          break;
        case "rejection":
          this.about(product.subject, source, "rejected", "no-isbn", product.text);
          break;
        case "test":
          this.counts.tests++;
          break;
      }
    }
    await flush();
  }

  /** Tells of the message as a whole. */
  reportWarnings(notes: readonly Warning[], source: ImportedFeed): void {
    this.tell(notes, { reference: "", isbn: undefined }, source);
  }

  /** With `replace`, what no feed has spoken of goes. Then all of it takes effect, at once and for good. */
  async commit(replace: boolean): Promise<ImportResult> {
    const result = await this.finish(replace);
    await this.load.commit(result.revision);
    return result;
  }

  /** What a commit would come to; nothing takes effect. */
  async preview(replace: boolean): Promise<ImportResult> {
    const result = await this.finish(replace);
    await this.load.abort();
    return result;
  }

  private async finish(replace: boolean): Promise<ImportResult> {
    if (replace) {
      for await (const batch of this.load.unseen()) {
        for (const { etag } of batch) this.revision.change(etag, undefined);
        await this.load.remove(
          batch.map(({ isbn }) => isbn),
          0,
        );
        this.counts.deleted += batch.length;
      }
    }
    const revision = this.revision.toString();
    return { revision, changed: revision !== this.load.revision };
  }

  /** Adds and replaces; what is there already stays as it is. No ISBN stands twice among these. */
  private async put(whole: readonly FullRecord[], source: ImportedFeed): Promise<void> {
    const held = await this.load.statusOf(whole.map(({ entry }) => entry.isbn));
    const changed: Entry[] = [];
    const same: Isbn13[] = [];
    whole.forEach((product, at) => {
      const { entry, warnings: notes } = product;
      const before = held[at]!;
      if (notes.length > 0) this.tell(notes, entry, source);
      if (before.lastFeed === source.feed) {
        const subject = { ...entry, line: product.line, column: product.column };
        this.about(subject, source, "warning", "same-isbn-twice", `${entry.isbn} was in this feed before.`);
      }
      this.count(before, entry.etag);
      // The sender's reference is no part of the record, but updates are found by it.
      if (before.etag === entry.etag && before.reference === entry.reference) same.push(entry.isbn);
      else changed.push(entry);
    });
    if (same.length > 0) await this.load.markSeen(same, source.feed);
    if (changed.length > 0) await this.load.put(changed, source.feed);
  }

  private async update(product: Product, source: ImportedFeed): Promise<void> {
    const isbn = await this.find(product);
    const old = isbn && (await this.load.entry(isbn));
    if (!old) {
      const text = "The product is a part of one that is not in the catalog.";
      this.about(product, source, "rejected", "partial-update-of-nothing", text);
      return;
    }
    const held = { record: JSON.parse(decoder.decode(old.body)), origin: JSON.parse(old.origin) };
    const { record, origin } = replaceBlocks(held, product);
    const { entry, notes } = createEntryWithWarnings(record, old.reference, origin, product);
    this.tell(notes, product, source);
    const [before] = await this.load.statusOf([old.isbn]);
    this.count(before!, entry.etag);
    if (before!.etag === entry.etag) await this.load.markSeen([old.isbn], source.feed);
    else await this.load.put([entry], source.feed);
  }

  private async delete({ subject }: Deletion, source: ImportedFeed): Promise<void> {
    const isbn = await this.find(subject);
    if (isbn === undefined) {
      const text = "The product to be deleted is not in the catalog.";
      this.about(subject, source, "warning", "deletion-of-nothing", text);
      return;
    }
    const [before] = await this.load.statusOf([isbn]);
    this.count(before!, undefined);
    await this.load.remove([isbn], source.feed);
  }

  /** By the sender's reference, then by ISBN. A reference that stands for many books names none of them. */
  private async find({
    reference,
    isbn,
  }: Pick<ProductLocation, "reference" | "isbn">): Promise<Isbn13 | undefined> {
    const referred = reference === "" ? [] : await this.load.byReference(reference);
    if (referred.length === 1) return referred[0];
    const [held] = isbn === undefined ? [] : await this.load.statusOf([isbn]);
    return held?.etag === undefined ? undefined : isbn;
  }

  /** A record becomes `after`: the sum and the counts follow, the latter net of what this import did before. */
  private count(held: RecordStatus, after: string | undefined): void {
    this.revision.change(held.etag, after);
    const was = held.lastFeed === 0 ? undefined : outcome(held.etagBefore, held.etag);
    const is = outcome(held.etagBefore, after);
    if (was) this.counts[was]--;
    if (is) this.counts[is]++;
  }

  private tell(
    notes: readonly Warning[],
    whom: Pick<ProductLocation, "reference" | "isbn">,
    source: ImportedFeed,
  ): void {
    const { reference, isbn } = whom;
    for (const { kind, text, line, column } of notes) {
      this.about({ reference, isbn, line, column }, source, "warning", kind, text);
    }
  }

  private about(
    subject: ProductLocation,
    { file }: ImportedFeed,
    severity: Severity,
    kind: ComplaintKind,
    text: string,
  ): void {
    this.counts[severity === "rejected" ? "rejected" : "warnings"]++;
    const { line, column, reference, isbn } = subject;
    this.complain({ severity, kind, file, line, column, reference, isbn, text, advice: ADVICE[kind] });
  }
}

const decoder = new TextDecoder();

function outcome(before: string | undefined, after: string | undefined) {
  if (before === undefined) return after === undefined ? undefined : "added";
  if (after === undefined) return "deleted";
  return before === after ? "unchanged" : "updated";
}
