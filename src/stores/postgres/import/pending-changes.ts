import type { Entry } from "../../../catalog/store.ts";
import type { Isbn13 } from "../../../onix/isbn.ts";

/** Bytes: enough that a round trip does not count, and little memory. */
const MUCH = 2 * 1024 * 1024;
/** What an item without an entry counts for. */
const NOTE = 200;

/**
 * The etag that a book had before the import, or null when it was not there. Undefined where the import has spoken
 * of the book before, or does not know: then the server does.
 */
export type Before = string | null | undefined;

type What = Entry | "touched" | "removed";

interface Item {
  readonly what: What;
  readonly feed: number;
  readonly before: Before;
}

/** What an import has said of books and not yet written: of each, what was said last. */
export class PendingChanges {
  readonly #items = new Map<Isbn13, Item>();
  readonly #references = new Set<string>();
  #weight = 0;

  get isEmpty(): boolean {
    return this.#items.size === 0;
  }

  get isMuch(): boolean {
    return this.#weight >= MUCH;
  }

  has(isbn: Isbn13): boolean {
    return this.#items.has(isbn);
  }

  refers(reference: string): boolean {
    return this.#references.has(reference);
  }

  put(entry: Entry, feed: number, before: Before): void {
    this.#references.add(entry.reference);
    this.#set(entry.isbn, entry, feed, before, entry.body.length + entry.origin.length + NOTE);
  }

  /** It stays what it is about to be. */
  touch(isbn: Isbn13, feed: number, before: Before): void {
    this.#set(isbn, this.#items.get(isbn)?.what ?? "touched", feed, before, NOTE);
  }

  remove(isbn: Isbn13, feed: number, before: Before): void {
    this.#set(isbn, "removed", feed, before, NOTE);
  }

  sorted(): Batch {
    const batch: Batch = {
      first: [],
      again: { isbns: [], feeds: [] },
      puts: [],
      removals: [],
      mayBeThere: [],
    };
    for (const [isbn, { what, feed, before }] of this.#items) {
      if (before !== undefined) batch.first.push({ isbn, feed, before });
      else {
        batch.again.isbns.push(isbn);
        batch.again.feeds.push(feed);
      }
      if (what === "touched") continue;
      if (before !== null) batch.mayBeThere.push(isbn);
      if (what !== "removed") batch.puts.push(what);
      else if (before !== null) batch.removals.push(isbn);
    }
    return batch;
  }

  /** What was before the import is known at the first word of a book, and stays. */
  #set(isbn: Isbn13, what: What, feed: number, before: Before, weight: number): void {
    const said = this.#items.get(isbn);
    this.#items.set(isbn, { what, feed, before: said ? said.before : before });
    this.#weight += weight;
  }
}

export interface SeenRow {
  readonly isbn: Isbn13;
  readonly feed: number;
  readonly before: string | null;
}

export interface Batch {
  /** Books that the import speaks of for the first time, with what is known of them. */
  readonly first: SeenRow[];
  /** All others, and which feed has spoken of each. */
  readonly again: { readonly isbns: Isbn13[]; readonly feeds: number[] };
  readonly puts: Entry[];
  /** Of what may be there. */
  readonly removals: Isbn13[];
  /** Of all that are put or removed. */
  readonly mayBeThere: Isbn13[];
}
