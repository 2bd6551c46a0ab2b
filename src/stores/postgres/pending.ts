import type { Entry } from "../../catalog/port.ts";
import type { Isbn13 } from "../../onix/isbn.ts";

/** Bytes: enough that a round trip does not count, and little memory. */
const MUCH = 2 * 1024 * 1024;
/** What an item without an entry counts for. */
const NOTE = 200;

type What = Entry | "touched" | "removed";

interface Item {
  readonly what: What;
  readonly feed: number;
}

/** What an import has said of books and not yet written: of each, what was said last. */
export class Pending {
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

  put(entry: Entry, feed: number): void {
    this.#references.add(entry.reference);
    this.#set(entry.isbn, { what: entry, feed }, entry.body.length + entry.origin.length + NOTE);
  }

  /** It stays what it is about to be. */
  touch(isbn: Isbn13, feed: number): void {
    this.#set(isbn, { what: this.#items.get(isbn)?.what ?? "touched", feed }, NOTE);
  }

  remove(isbn: Isbn13, feed: number): void {
    this.#set(isbn, { what: "removed", feed }, NOTE);
  }

  /** What has been spoken of by which feed, and what becomes of it where it does not stay as it is. */
  sorted(): { notes: Notes; puts: Entry[]; removals: Isbn13[] } {
    const notes: Notes = { isbns: [], feeds: [] };
    const puts: Entry[] = [];
    const removals: Isbn13[] = [];
    for (const [isbn, { what, feed }] of this.#items) {
      notes.isbns.push(isbn);
      notes.feeds.push(feed);
      if (what === "removed") removals.push(isbn);
      else if (what !== "touched") puts.push(what);
    }
    return { notes, puts, removals };
  }

  #set(isbn: Isbn13, item: Item, weight: number): void {
    this.#items.set(isbn, item);
    this.#weight += weight;
  }
}

export interface Notes {
  readonly isbns: Isbn13[];
  readonly feeds: number[];
}
