import type { Entry, StoredRecord } from "../../../catalog/store.ts";
import type { Isbn13 } from "../../../onix/isbn.ts";

/** Large enough that a round trip to the server does not matter, at little memory. */
const CHANGE_BATCH_BYTES = 2 * 1024 * 1024;
/** The weight of a change without its entry. */
const CHANGE_BYTES = 200;

/**
 * The etag of a record before the import; null when there was no record. Is undefined when the import does not know it,
 * or has changed the record before. Then the server reads it.
 */
export type KnownEtagBefore = string | null | undefined;

/** A record as `entries` has read it: the server need not send it again. */
type OldRecord = StoredRecord | undefined;

type Action = Entry | "mark" | "remove";

interface Change {
  readonly action: Action;
  readonly feed: number;
  /** The feed of the entry, which a later feed may mark as seen. */
  readonly putFeed: number;
  readonly before: KnownEtagBefore;
  readonly old: OldRecord;
}

/** The changes of an import that are not written yet: the last one for each ISBN. */
export class PendingChanges {
  readonly #changes = new Map<Isbn13, Change>();
  #bytes = 0;

  get isEmpty(): boolean {
    return this.#changes.size === 0;
  }

  /** True when there is enough for a batch. */
  get isFull(): boolean {
    return this.#bytes >= CHANGE_BATCH_BYTES;
  }

  put(entry: Entry, feed: number, before: KnownEtagBefore, old?: OldRecord): void {
    const { body, origin, summary } = entry;
    const bytes = body.length + origin.length + (summary?.body.length ?? 0) + CHANGE_BYTES;
    this.#set(entry.isbn, entry, feed, before, bytes, feed, old);
  }

  /** Marks a record as seen. A pending change of it stays. */
  markSeen(isbn: Isbn13, feed: number, before: KnownEtagBefore): void {
    const pending = this.#changes.get(isbn);
    this.#set(isbn, pending?.action ?? "mark", feed, before, CHANGE_BYTES, pending?.putFeed);
  }

  remove(isbn: Isbn13, feed: number, before: KnownEtagBefore): void {
    this.#set(isbn, "remove", feed, before, CHANGE_BYTES);
  }

  /** Sorts the changes by the statements that write them. */
  toBatch(): Batch {
    const batch: Batch = {
      firstSeen: [],
      seenBefore: { isbns: [], feeds: [] },
      puts: [],
      putFeeds: new Map(),
      removals: [],
      mayExist: [],
      oldRecords: new Map(),
    };
    for (const [isbn, { action, feed, putFeed, before, old }] of this.#changes) {
      if (before !== undefined) batch.firstSeen.push({ isbn, feed, before });
      else {
        batch.seenBefore.isbns.push(isbn);
        batch.seenBefore.feeds.push(feed);
      }
      if (action === "mark") continue;
      if (before !== null) batch.mayExist.push(isbn);
      if (old !== undefined) batch.oldRecords.set(isbn, old);
      if (action !== "remove") {
        batch.puts.push(action);
        batch.putFeeds.set(isbn, putFeed);
      } else if (before !== null) batch.removals.push(isbn);
    }
    return batch;
  }

  /** Sets the change of an ISBN. What is known of the record at its first change stays. */
  #set(
    isbn: Isbn13,
    action: Action,
    feed: number,
    before: KnownEtagBefore,
    bytes: number,
    putFeed = feed,
    old?: OldRecord,
  ): void {
    const known = this.#changes.get(isbn) ?? { before, old };
    this.#changes.set(isbn, { action, feed, putFeed, before: known.before, old: known.old });
    this.#bytes += bytes;
  }
}

/** A row of the temporary table `seen`. */
export interface SeenRow {
  readonly isbn: Isbn13;
  readonly feed: number;
  /** The etag before the import; null when there was no record. */
  readonly before: string | null;
}

export interface Batch {
  /** The records that the import changes or marks for the first time, and whose etag before it is known. */
  readonly firstSeen: SeenRow[];
  /** All others, with the feed of each. */
  readonly seenBefore: { readonly isbns: Isbn13[]; readonly feeds: number[] };
  readonly puts: Entry[];
  /** The feed of each entry. */
  readonly putFeeds: Map<Isbn13, number>;
  /** The removed ISBNs that may have a record. */
  readonly removals: Isbn13[];
  /** The put and removed ISBNs that may have a record. */
  readonly mayExist: Isbn13[];
  /** The replaced records as far as they are known. */
  readonly oldRecords: Map<Isbn13, StoredRecord>;
}
