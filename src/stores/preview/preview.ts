import { changedBlocks } from "../../catalog/history/changed-blocks.ts";
import { countUpdate, noUpdates, type UpdateCounts } from "../../catalog/history/update-counts.ts";
import type { MessageMark, RecordChange, RecordStatus } from "../../catalog/import-state.ts";
import { EMPTY_REVISION } from "../../catalog/revision.ts";
import type { Batches, Entry, ImportPreview, Store } from "../../catalog/store.ts";
import type { Isbn13 } from "../../onix/isbn.ts";
import type { CatalogReader, RecordOutline } from "./catalog-reader.ts";
import { Overlay, type OverlayState } from "./overlay.ts";

/** The matches of a reference that an import sees; see `ImportTransaction.byReferences`. */
const MAX_MATCHES = 100;

/**
 * An import that is never applied. It reads one state of the catalog and collects the changes in an overlay, so that
 * other imports and servers go on meanwhile.
 */
export class Preview implements ImportPreview {
  readonly revision: string;
  readonly records: number;
  readonly copiesBytes = true;
  readonly #reader: CatalogReader;
  readonly #overlay = new Overlay();
  readonly #onEnd: (preview: Preview) => void;
  /** The etags that `statusOf` has read of untouched ISBNs, for the change that follows it. */
  readonly #etagsBefore = new Map<Isbn13, string | null>();
  /** The marks that the feeds have set. An import has few senders. */
  readonly #lastMessages = new Map<string, MessageMark>();
  #hasEnded = false;

  constructor(reader: CatalogReader, onEnd: (preview: Preview) => void) {
    this.#reader = reader;
    this.#onEnd = onEnd;
    this.revision = reader.revision;
    this.records = reader.records;
  }

  async statusOf(isbns: readonly Isbn13[]): Promise<readonly RecordStatus[]> {
    this.#requireOpen();
    this.#etagsBefore.clear();
    const states = isbns.map((isbn) => this.#overlay.state(isbn));
    const fromCatalog = isbns.filter((_, index) => isAsBefore(states[index]));
    const outlines = await this.#outlines(fromCatalog);
    let next = 0;
    return isbns.map((isbn, index) => {
      const state = states[index];
      if (!isAsBefore(state)) return this.#changedStatus(state!);
      const outline = outlines[next++];
      if (state === undefined) this.#etagsBefore.set(isbn, outline?.etag ?? null);
      return {
        etag: outline?.etag,
        etagBefore: outline?.etag,
        lastFeed: state?.feed ?? 0,
        sender: outline?.sender,
        reference: outline?.reference,
        origin: outline?.origin,
      };
    });
  }

  async entries(isbns: readonly Isbn13[]): Promise<readonly (Entry | undefined)[]> {
    this.#requireOpen();
    const states = isbns.map((isbn) => this.#overlay.state(isbn));
    const fromCatalog = isbns.filter((_, index) => isAsBefore(states[index]));
    const isUnneeded = fromCatalog.length === 0 || this.records === 0;
    const stored = (isUnneeded ? [] : await this.#reader.entries(fromCatalog)).values();
    return states.map((state) => {
      if (isAsBefore(state)) return stored.next().value;
      return state!.entry === null ? undefined : this.#overlay.entry(state!.entry);
    });
  }

  async byReferences(sender: string, references: readonly string[]): Promise<readonly (readonly Isbn13[])[]> {
    this.#requireOpen();
    const named = references.filter((reference) => reference !== "");
    const stored = this.records === 0 ? [] : await this.#reader.byReferences(sender, named, MAX_MATCHES);
    let next = 0;
    const matches: (readonly Isbn13[])[] = [];
    for (const reference of references) {
      if (reference === "") matches.push([]);
      else matches.push(await this.#matches(sender, reference, stored[next++] ?? []));
    }
    return matches;
  }

  async lastMessage(sender: string): Promise<MessageMark | undefined> {
    this.#requireOpen();
    const mark = this.#lastMessages.get(sender);
    if (mark === undefined) return await this.#reader.lastMessage(sender);
    return mark.sent === undefined && mark.messageNumber === undefined ? undefined : mark;
  }

  setLastMessage(sender: string, mark: MessageMark): void {
    this.#requireOpen();
    this.#lastMessages.set(sender, mark);
  }

  async put(entries: readonly Entry[], feed: number): Promise<void> {
    const isbns = entries.map(({ isbn }) => isbn);
    let index = 0;
    await this.#change(isbns, (_, state, before) =>
      this.#overlay.put(entries[index++]!, feed, state, before),
    );
  }

  async markSeen(isbns: readonly Isbn13[], feed: number): Promise<void> {
    await this.#change(isbns, (isbn, state, before) => this.#overlay.markSeen(isbn, feed, state, before));
  }

  async remove(isbns: readonly Isbn13[], feed: number): Promise<void> {
    await this.#change(isbns, (isbn, state, before) => this.#overlay.remove(isbn, feed, state, before));
  }

  async *unseen(): AsyncGenerator<readonly { readonly isbn: Isbn13; readonly etag: string }[], void> {
    this.#requireOpen();
    for await (const batch of this.#reader.isbns()) {
      this.#requireOpen();
      const seen = this.#overlay.seenBetween(batch[0]!, batch.at(-1)!);
      const unseen = batch.filter((isbn) => !seen.has(isbn));
      if (unseen.length === 0) continue;
      const outlines = await this.#outlines(unseen);
      yield unseen.map((isbn, index) => ({ isbn, etag: outlines[index]?.etag ?? EMPTY_REVISION }));
    }
  }

  async unseenCount(sender?: string): Promise<number> {
    this.#requireOpen();
    if (sender === undefined) return this.records - this.#overlay.seenBefore();
    let count = 0;
    for await (const batch of this.#reader.isbns(sender)) {
      count += batch.filter((isbn) => this.#overlay.state(isbn) === undefined).length;
    }
    return count;
  }

  /** Compares the records: what an import compares while it writes, a preview has not compared before. */
  async updateCounts(): Promise<UpdateCounts> {
    const counts = noUpdates();
    for (const batch of this.#overlay.changes()) {
      this.#requireOpen();
      const changed = batch.filter(({ before, etag }) => before !== null && etag !== null);
      // What a book that was removed in between has changed is not known to an import either.
      for (const { removed } of changed) if (removed === 1) countUpdate(counts, null);
      const isbns = changed.flatMap(({ isbn, removed }) => (removed === 1 ? [] : [isbn]));
      let index = 0;
      for await (const bodies of this.bodiesBefore(isbns)) {
        for (const before of bodies) {
          const after = this.bodyAfter(isbns[index++]!);
          countUpdate(counts, before ? changedBlocks(before, after) : null);
        }
      }
    }
    return counts;
  }

  *changes(): Generator<readonly RecordChange[], void> {
    this.#requireOpen();
    for (const batch of this.#overlay.changes()) {
      yield batch.map(({ isbn, before, etag }) => ({
        isbn,
        kind: before === null ? "added" : etag === null ? "deleted" : "changed",
      }));
      this.#requireOpen();
    }
  }

  bodiesBefore(isbns: readonly Isbn13[]): Batches<Uint8Array | undefined> {
    this.#requireOpen();
    return isbns.length === 0 ? [] : this.#reader.bodies(isbns);
  }

  bodyAfter(isbn: Isbn13): Uint8Array {
    this.#requireOpen();
    return this.#overlay.body(isbn);
  }

  async abort(): Promise<void> {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#etagsBefore.clear();
    this.#overlay.close();
    this.#reader.close();
    this.#onEnd(this);
  }

  async #outlines(isbns: readonly Isbn13[]): Promise<readonly (RecordOutline | undefined)[]> {
    return isbns.length === 0 || this.records === 0 ? [] : await this.#reader.outlines(isbns);
  }

  #changedStatus(state: OverlayState): RecordStatus {
    const entry = state.entry === null ? undefined : this.#overlay.outline(state.entry);
    return {
      etag: state.etag ?? undefined,
      etagBefore: state.before ?? undefined,
      lastFeed: state.feed,
      sender: entry?.sender ?? undefined,
      reference: entry?.reference,
      origin: entry?.origin,
    };
  }

  /** Returns the ISBNs that have the reference now. `stored` are those of the catalog. */
  async #matches(sender: string, reference: string, stored: readonly Isbn13[]): Promise<readonly Isbn13[]> {
    const isUntouched = (isbn: Isbn13) => isAsBefore(this.#overlay.state(isbn));
    let limit = MAX_MATCHES;
    let all = stored;
    let matches = all.filter(isUntouched);
    // Matches that the feeds have changed make room for those beyond the limit.
    while (all.length === limit && matches.length < MAX_MATCHES) {
      limit *= 2;
      all = (await this.#reader.byReferences(sender, [reference], limit))[0]!;
      matches = all.filter(isUntouched);
    }
    const put = this.#overlay.byReference(sender, reference, MAX_MATCHES);
    return put.length === 0
      ? matches.slice(0, MAX_MATCHES)
      : [...matches, ...put].sort().slice(0, MAX_MATCHES);
  }

  /** Calls `apply` for each ISBN in order, with its state in the overlay and its etag before the import. */
  async #change(
    isbns: readonly Isbn13[],
    apply: (isbn: Isbn13, state: OverlayState | undefined, before: string | null) => void,
  ): Promise<void> {
    this.#requireOpen();
    const unknown = isbns.filter((isbn) => !this.#etagsBefore.has(isbn) && !this.#overlay.state(isbn));
    const outlines = await this.#outlines(unknown);
    this.#requireOpen();
    for (const [index, isbn] of unknown.entries()) this.#etagsBefore.set(isbn, outlines[index]?.etag ?? null);
    for (const isbn of isbns) {
      // An ISBN may occur twice in a call, so its state is read right before the change.
      apply(isbn, this.#overlay.state(isbn), this.#etagsBefore.get(isbn) ?? null);
    }
  }

  #requireOpen(): void {
    if (this.#hasEnded) throw new Error("The preview has ended");
  }
}

/** Returns whether the record is that of the catalog. No feed has put or removed it. */
function isAsBefore(state: OverlayState | undefined): boolean {
  return state === undefined || (state.entry === null && state.etag !== null);
}

const EMPTY_READER: CatalogReader = {
  revision: EMPTY_REVISION,
  records: 0,
  outlines: (isbns) => isbns.map(() => undefined),
  entries: (isbns) => isbns.map(() => undefined),
  byReferences: (_, references) => references.map(() => []),
  lastMessage: () => undefined,
  isbns: () => [],
  bodies: () => [],
  close() {},
};

/** Stands for a catalog that does not exist. An import into it can be previewed. */
export const NO_CATALOG: Pick<Store, "beginPreview" | "close"> = {
  beginPreview: async () => new Preview(EMPTY_READER, () => {}),
  close: async () => {},
};
