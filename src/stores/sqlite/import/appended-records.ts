import { NumberSet, ReferenceSet } from "../../number-set.ts";

/**
 * The records that an import appends to an empty catalog, as long as there are no indexes. It tells whether an ISBN or
 * a reference may occur for the second time, and which feed a record came from.
 */
export class AppendedRecords {
  /** Undefined as soon as there are indexes, which know more. */
  #known: { readonly isbns: NumberSet; readonly references: ReferenceSet } | undefined = {
    isbns: new NumberSet(),
    references: new ReferenceSet(),
  };
  /** The first id of each feed. The ids ascend with the feeds. */
  readonly #feeds: { readonly feed: number; readonly firstId: number }[] = [];
  /** The id of the last appended record. */
  lastId = 0;

  /** Returns false when the import has certainly not put, marked or removed the ISBN. */
  mayHaveSeen(isbn: number): boolean {
    return this.#known?.isbns.has(isbn) ?? true;
  }

  /** Returns false when certainly no appended record has the reference. */
  mayHaveReference(sender: string, reference: string): boolean {
    return this.#known?.references.mayContain(sender, reference) ?? true;
  }

  markSeen(isbn: number): void {
    this.#known?.isbns.add(isbn);
  }

  /** Frees 16 MB for a million records, before the indexes are sorted. */
  forget(): void {
    this.#known?.isbns.free();
    this.#known?.references.free();
    this.#known = undefined;
  }

  append(id: number, isbn: number, sender: string, reference: string, feed: number): void {
    this.#known?.isbns.add(isbn);
    this.#known?.references.add(sender, reference);
    if (this.#feeds.at(-1)?.feed !== feed) this.#feeds.push({ feed, firstId: id });
    this.lastId = id;
  }

  /** Returns the feed of an appended record. Is undefined for another record. */
  feedOf(id: number): number | undefined {
    if (id > this.lastId) return undefined;
    return this.#feeds.findLast(({ firstId }) => firstId <= id)?.feed;
  }
}
