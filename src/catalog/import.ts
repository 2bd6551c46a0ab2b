/** What a feed does to a catalog. */
import type { Isbn13 } from "../onix/isbn.ts";
import type { ReadBatch } from "../onix/reader.ts";
import { type BookRecord, isWhole, type Product, readProduct, recordOf, withBlocks } from "../onix/record.ts";
import type { Release } from "../onix/release.ts";
import { entryOf, unreadableDate } from "./entry.ts";
import type { Entry, Held, Load } from "./port.ts";
import {
  ADVICE,
  type Complaint,
  type ComplaintKind,
  type Counts,
  noCounts,
  type Severity,
} from "./report.ts";
import { RevisionSum } from "./revision.ts";

/** Where products come from. */
export interface Source {
  readonly file: string;
  /** Counted from 1 within the import. */
  readonly feed: number;
  readonly release: Release;
}

/** NotificationType, list 1. */
const WHOLE: ReadonlySet<string> = new Set(["01", "02", "03", "08", "09"]);
const UPDATE = "04";
const DELETE = "05";
const TESTS: ReadonlySet<string> = new Set(["88", "89"]);

/** One import, of one feed or several: products go in, in order; at the end it is committed or aborted whole. */
export class Import {
  readonly counts: Counts = noCounts();
  private readonly revision: RevisionSum;

  constructor(
    private readonly load: Load,
    private readonly complain: (complaint: Complaint) => void,
  ) {
    this.revision = new RevisionSum(load.revision);
  }

  async take({ products, remarks }: Pick<ReadBatch, "products" | "remarks">, source: Source): Promise<void> {
    for (const { kind, text, line, column } of remarks) {
      this.about({ line, column, reference: "", isbn: undefined }, source, "warning", kind, text);
    }
    const whole = new Map<Isbn13, Whole>();
    const flush = async () => {
      if (whole.size > 0) await this.put([...whole.values()], source);
      whole.clear();
    };
    for (const element of products) {
      const product = readProduct(element, source.release);
      if (TESTS.has(product.notification)) {
        this.counts.tests++;
        continue;
      }
      const part = product.notification === UPDATE && !isWhole(product);
      if (part || isDeletion(product)) {
        await flush();
        await (part ? this.update(product, source) : this.delete(product, source));
      } else if (product.isbn === undefined) {
        this.about(product, source, "rejected", "no-isbn", "The product has no ISBN.");
      } else {
        if (whole.has(product.isbn)) await flush();
        whole.set(product.isbn, this.wholeOf(product, product.isbn, source));
      }
    }
    await flush();
  }

  /** With `replace`, what no feed has spoken of goes. Then all of it takes effect, at once and for good. */
  async commit(replace: boolean): Promise<Result> {
    const result = await this.finish(replace);
    await this.load.commit(result.revision);
    return result;
  }

  /** What a commit would come to; nothing takes effect. */
  async preview(replace: boolean): Promise<Result> {
    const result = await this.finish(replace);
    await this.load.abort();
    return result;
  }

  private async finish(replace: boolean): Promise<Result> {
    if (replace) {
      for await (const batch of this.load.untouched()) {
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

  private wholeOf(product: Product, isbn: Isbn13, source: Source): Whole {
    this.remarks(product, source);
    if (product.notification === "") {
      this.about(product, source, "warning", "no-notification", "The product has no NotificationType.");
    } else if (!WHOLE.has(product.notification) && product.notification !== UPDATE) {
      const text = `NotificationType ${product.notification} is not in list 1.`;
      this.about(product, source, "warning", "unknown-notification", text);
    }
    const { record, origin } = recordOf(product, isbn);
    return { product, entry: this.entry(record, product, product.reference, origin, source) };
  }

  private entry(
    record: BookRecord,
    product: Product,
    reference: string,
    origin: Product["origin"],
    source: Source,
  ): Entry {
    const date = unreadableDate(record);
    if (date)
      this.about(product, source, "warning", "bad-date", `The date of publication "${date}" is no date.`);
    return entryOf(record, reference, origin);
  }

  /** Adds and replaces; what is there already stays as it is. No ISBN stands twice among these. */
  private async put(whole: readonly Whole[], source: Source): Promise<void> {
    const held = await this.load.held(whole.map(({ entry }) => entry.isbn));
    const changed: Entry[] = [];
    const same: Isbn13[] = [];
    whole.forEach(({ product, entry }, at) => {
      const before = held[at]!;
      if (before.feed === source.feed) {
        this.about(product, source, "warning", "same-isbn-twice", `${entry.isbn} was in this feed before.`);
      }
      this.count(before, entry.etag);
      // The sender's reference is no part of the record, but updates are found by it.
      if (before.etag === entry.etag && before.reference === entry.reference) same.push(entry.isbn);
      else changed.push(entry);
    });
    if (same.length > 0) await this.load.touch(same, source.feed);
    if (changed.length > 0) await this.load.put(changed, source.feed);
  }

  private async update(product: Product, source: Source): Promise<void> {
    const isbn = await this.find(product);
    const old = isbn && (await this.load.entry(isbn));
    if (!old) {
      const text = "The product is a part of one that is not in the catalog.";
      this.about(product, source, "rejected", "partial-update-of-nothing", text);
      return;
    }
    this.remarks(product, source);
    const held = { record: JSON.parse(decoder.decode(old.body)), origin: JSON.parse(old.origin) };
    const { record, origin } = withBlocks(held, product);
    const entry = this.entry(record, product, old.reference, origin, source);
    const [before] = await this.load.held([old.isbn]);
    this.count(before!, entry.etag);
    if (before!.etag === entry.etag) await this.load.touch([old.isbn], source.feed);
    else await this.load.put([entry], source.feed);
  }

  private async delete(product: Product, source: Source): Promise<void> {
    const isbn = await this.find(product);
    if (isbn === undefined) {
      const text = "The product to be deleted is not in the catalog.";
      this.about(product, source, "warning", "deletion-of-nothing", text);
      return;
    }
    const [before] = await this.load.held([isbn]);
    this.count(before!, undefined);
    await this.load.remove([isbn], source.feed);
  }

  /** By the sender's reference, then by ISBN. A reference that stands for many books names none of them. */
  private async find({ reference, isbn }: Product): Promise<Isbn13 | undefined> {
    const referred = reference === "" ? [] : await this.load.byReference(reference);
    if (referred.length === 1) return referred[0];
    const [held] = isbn === undefined ? [] : await this.load.held([isbn]);
    return held?.etag === undefined ? undefined : isbn;
  }

  /** A record becomes `after`: the sum and the counts follow, the latter net of what this import did before. */
  private count(held: Held, after: string | undefined): void {
    this.revision.change(held.etag, after);
    const was = held.feed === 0 ? undefined : outcome(held.before, held.etag);
    const is = outcome(held.before, after);
    if (was) this.counts[was]--;
    if (is) this.counts[is]++;
  }

  private remarks(product: Product, source: Source): void {
    for (const { kind, text, line, column } of product.remarks) {
      this.about({ ...product, line, column }, source, "warning", kind, text);
    }
  }

  private about(
    product: Subject,
    { file }: Source,
    severity: Severity,
    kind: ComplaintKind,
    text: string,
  ): void {
    this.counts[severity === "rejected" ? "rejected" : "warnings"]++;
    const { line, column, reference, isbn } = product;
    this.complain({ severity, kind, file, line, column, reference, isbn, text, advice: ADVICE[kind] });
  }
}

export interface Result {
  readonly revision: string;
  readonly changed: boolean;
}

type Subject = Pick<Product, "line" | "column" | "reference" | "isbn">;

interface Whole {
  readonly product: Product;
  readonly entry: Entry;
}

const decoder = new TextDecoder();

function isDeletion({ notification, fields }: Product): boolean {
  return notification === DELETE || "DeletionText" in fields;
}

function outcome(before: string | undefined, after: string | undefined) {
  if (before === undefined) return after === undefined ? undefined : "added";
  if (after === undefined) return "deleted";
  return before === after ? "unchanged" : "updated";
}
