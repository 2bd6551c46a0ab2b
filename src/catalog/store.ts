/** What a store gives to the catalog: an engine fills this in, and nothing else knows the engine. */
import type { Awaitable } from "../lib/awaitable.ts";
import type { Day } from "../onix/date.ts";
import type { Isbn13 } from "../onix/isbn.ts";
import type { TokenRegistry } from "./token-registry.ts";

/** A record as it is served: the bytes of its JSON, and 32 hexadecimal digits that change with them. */
export interface StoredRecord {
  readonly body: Uint8Array;
  readonly etag: string;
}

/** Everything that a store keeps of one book. All but `body`, `reference` and `origin` is there to find it by. */
export interface Entry extends StoredRecord {
  readonly isbn: Isbn13;
  /** The sender's own RecordReference: updates and deletions are matched by it. */
  readonly reference: string;
  readonly imprint: { readonly slug: string; readonly name: string } | undefined;
  /** Languages of the text (LanguageRole 01). */
  readonly languages: readonly string[];
  readonly published: Day | undefined;
  /** JSON: what `onix/writer` needs beside the record to write the product as it came. */
  readonly origin: string;
}

/** Which records, in which order. */
export type Selection =
  /** In the order given, repeated where repeated. */
  | { readonly kind: "isbns"; readonly isbns: readonly Isbn13[] }
  /** By ISBN. */
  | { readonly kind: "imprint"; readonly slug: string; readonly language?: string | undefined }
  /** Newest first, then by ISBN; both ends included. */
  | { readonly kind: "date"; readonly from: Day; readonly to?: Day | undefined };

/** Items in handy batches, in the engine's own time. Left early, it is closed with `return()`. */
export type Batches<T> = Iterable<readonly T[]> | AsyncIterable<readonly T[]>;

export interface Imprint {
  readonly slug: string;
  readonly name: string;
}

/** A read transaction around several calls of `record`: they see one state and share one set of locks. */
export interface LookupTransaction {
  /** Begins a transaction, and ends the one before. Returns the revision that it reads. */
  begin(): string;
  /** Ends the transaction; does nothing when none is open. */
  end(): void;
}

/** A store, open for reading. */
export interface Store {
  /** Returns the catalog's revision: 32 hexadecimal digits, equal wherever the records are equal. */
  revision(): Awaitable<string>;
  /**
   * Returns the record of an ISBN: its latest state or, while a lookup transaction is open, the state that the
   * transaction reads. The caller owns a body that is returned synchronously; a promised one may be shared.
   */
  record(isbn: Isbn13): Awaitable<StoredRecord | undefined>;
  /** Is undefined when the store answers asynchronously. */
  readonly lookupTransaction?: LookupTransaction | undefined;
  /** One state of the catalog, to be read in several steps while imports go on. To be closed. */
  snapshot(): Awaitable<Snapshot>;
  stats(): Awaitable<Stats>;
  readonly tokens: TokenRegistry;
  /** Starts an import; waits for one that is under way. */
  beginImport(): Promise<ImportTransaction>;
  close(): Promise<void>;
}

export interface Snapshot {
  readonly revision: string;
  hasImprint(slug: string): Awaitable<boolean>;
  /** Those that the catalog does not have, in the order given, each once. */
  missing(isbns: readonly Isbn13[]): Awaitable<readonly Isbn13[]>;
  /** The bodies of records. They are the caller's own: the store does not look at them again. */
  bodies(selection: Selection): Batches<Uint8Array>;
  /** All entries, by ISBN. */
  entries(): Batches<Entry>;
  /** All ISBNs, ascending. */
  isbns(): Batches<Isbn13>;
  /** Imprints that have records, by slug; the name is the spelling most of them use. */
  imprints(): Batches<Imprint>;
  close(): void;
}

export interface Stats {
  readonly revision: string;
  readonly records: number;
  readonly imprints: number;
  /** When the last import that changed something ended: ISO 8601. */
  readonly imported: string | undefined;
}

/** What the catalog has of an ISBN, within an import. */
export interface RecordStatus {
  /** Of the record now, with what this import has done so far; undefined when there is none. */
  readonly etag: string | undefined;
  /** Of the record before this import. */
  readonly etagBefore: string | undefined;
  /** The feed of this import (counted from 1) that has last spoken of it; 0 when none has. */
  readonly lastFeed: number;
  readonly reference: string | undefined;
}

/** One import: nothing of it is seen before `commit`, and nothing ever without. */
export interface ImportTransaction {
  /** The revision that the import starts from. */
  readonly revision: string;
  /** One for each ISBN, in their order. */
  statusOf(isbns: readonly Isbn13[]): Awaitable<readonly RecordStatus[]>;
  /** The whole entry, for a block update. */
  entry(isbn: Isbn13): Awaitable<Entry | undefined>;
  /**
   * The books that have this reference of their sender, at most 100 of them: one, as ONIX wants it; some
   * senders use one for many. None for an empty reference.
   */
  byReference(reference: string): Awaitable<readonly Isbn13[]>;
  /** Adds or replaces. No ISBN stands twice in a batch. */
  put(entries: readonly Entry[], feed: number): Awaitable<void>;
  /** These were in the feed, and stay as they are. */
  markSeen(isbns: readonly Isbn13[], feed: number): Awaitable<void>;
  remove(isbns: readonly Isbn13[], feed: number): Awaitable<void>;
  /** ISBN and etag of the records that no feed of this import has spoken of, in batches. */
  unseen(): Batches<{ readonly isbn: Isbn13; readonly etag: string }>;
  /** Makes it so, durably: once this has returned, a power cut changes nothing of it. */
  commit(revision: string): Promise<void>;
  abort(): Promise<void>;
}
