/**
 * A catalog in memory, for tests: the import side of the store port in plain maps. The rules of an import are tested
 * on it, and the contract suite compares the engines with it.
 */
import type { Isbn13 } from "../../onix/isbn.ts";
import { changedBlocks } from "../history/changed-blocks.ts";
import { countUpdate, noUpdates, type UpdateCounts } from "../history/update-counts.ts";
import type { ImportRun } from "../import-run.ts";
import type { MessageMark, RecordStatus } from "../import-state.ts";
import { EMPTY_REVISION } from "../revision.ts";
import type { Entry, ImportTransaction } from "../store.ts";

export class MemoryCatalog {
  revision = EMPTY_REVISION;
  entries: ReadonlyMap<Isbn13, Entry> = new Map();
  lastMessages: ReadonlyMap<string, MessageMark> = new Map();
  lastImport: ImportRun | undefined;

  beginImport(): MemoryImport {
    return new MemoryImport(this);
  }
}

export class MemoryImport implements ImportTransaction {
  readonly revision: string;
  readonly records: number;
  /** The records with the changes of this import. */
  readonly entriesNow: Map<Isbn13, Entry>;
  readonly #catalog: MemoryCatalog;
  readonly #lastFeeds = new Map<Isbn13, number>();
  readonly #lastMessages: Map<string, MessageMark>;

  constructor(catalog: MemoryCatalog) {
    this.#catalog = catalog;
    this.revision = catalog.revision;
    this.records = catalog.entries.size;
    this.entriesNow = new Map(catalog.entries);
    this.#lastMessages = new Map(catalog.lastMessages);
  }

  statusOf(isbns: readonly Isbn13[]): readonly RecordStatus[] {
    return isbns.map((isbn) => {
      const entry = this.entriesNow.get(isbn);
      return {
        etag: entry?.etag,
        etagBefore: this.#catalog.entries.get(isbn)?.etag,
        lastFeed: this.#lastFeeds.get(isbn) ?? 0,
        sender: entry?.sender,
        reference: entry?.reference,
        origin: entry?.origin,
      };
    });
  }

  entries(isbns: readonly Isbn13[]): readonly (Entry | undefined)[] {
    return isbns.map((isbn) => this.entriesNow.get(isbn));
  }

  byReferences(sender: string, references: readonly string[]): readonly (readonly Isbn13[])[] {
    return references.map((reference) => {
      if (reference === "") return [];
      const matches = byIsbn(this.entriesNow).filter(
        (entry) => entry.sender === sender && entry.reference === reference,
      );
      return matches.map(({ isbn }) => isbn);
    });
  }

  lastMessage(sender: string): MessageMark | undefined {
    return this.#lastMessages.get(sender);
  }

  setLastMessage(sender: string, mark: MessageMark): void {
    if (mark.sent === undefined && mark.messageNumber === undefined) this.#lastMessages.delete(sender);
    else this.#lastMessages.set(sender, mark);
  }

  put(entries: readonly Entry[], feed: number): void {
    for (const entry of entries) {
      this.entriesNow.set(entry.isbn, entry);
      this.#lastFeeds.set(entry.isbn, feed);
    }
  }

  markSeen(isbns: readonly Isbn13[], feed: number): void {
    for (const isbn of isbns) this.#lastFeeds.set(isbn, feed);
  }

  remove(isbns: readonly Isbn13[], feed: number): void {
    for (const isbn of isbns) {
      this.entriesNow.delete(isbn);
      this.#lastFeeds.set(isbn, feed);
    }
  }

  unseen(): (readonly { readonly isbn: Isbn13; readonly etag: string }[])[] {
    const unseen = byIsbn(this.entriesNow).filter(({ isbn }) => !this.#lastFeeds.has(isbn));
    return [unseen.map(({ isbn, etag }) => ({ isbn, etag }))];
  }

  unseenCount(sender?: string): number {
    const isCounted = ({ isbn }: { readonly isbn: Isbn13 }) =>
      sender === undefined || this.entriesNow.get(isbn)!.sender === sender;
    return this.unseen().flat().filter(isCounted).length;
  }

  updateCounts(): UpdateCounts {
    const counts = noUpdates();
    for (const { isbn, body, etag } of this.entriesNow.values()) {
      const before = this.#catalog.entries.get(isbn);
      if (before && before.etag !== etag) countUpdate(counts, changedBlocks(before.body, body));
    }
    return counts;
  }

  undoSteps(): [] {
    return [];
  }

  async commit(revision: string, run: ImportRun): Promise<void> {
    this.#catalog.entries = this.entriesNow;
    this.#catalog.lastMessages = this.#lastMessages;
    this.#catalog.revision = revision;
    this.#catalog.lastImport = run;
  }

  async abort(): Promise<void> {}
}

/** Returns the entries in ascending order of ISBN. */
export function byIsbn(entries: ReadonlyMap<Isbn13, Entry>): Entry[] {
  return [...entries.values()].sort((a, b) => (a.isbn < b.isbn ? -1 : 1));
}
