import type { Entry, ImportTransaction, RecordStatus } from "../../../catalog/store.ts";
import type { Isbn13 } from "../../../onix/isbn.ts";
import { BloomFilter } from "../../bloom-filter.ts";
import type { DatabaseAddress } from "../connection.ts";
import { arrayOfIsbns, type EntryRow, entryOf, isbnOf } from "../rows.ts";
import { BatchWriter } from "./batch-writer.ts";
import { ImportConnection } from "./connection.ts";
import { type Before, PendingChanges } from "./pending-changes.ts";
import * as say from "./statements.ts";

/** Of the changes after which the planner's figures are made anew, rather than some time later by the server. */
const MANY = 1000;

/**
 * Batches that may wait for the server: so its pauses, when it makes room in its log or writes out what it has, do not
 * hold up those who read the feed; and memory stays flat.
 */
const AHEAD = 4;

const NOTHING: RecordStatus = { etag: undefined, etagBefore: undefined, lastFeed: 0, reference: undefined };

interface HeldRow {
  readonly etag: string | null;
  readonly reference: string | null;
  readonly feed: number | null;
  readonly before: string | null;
}

/**
 * An import is one transaction, from here to its commit: readers see nothing of it, and need not wait. Entries go
 * by COPY into the catalog's tables while the feed is being read.
 */
export class PostgresImportTransaction implements ImportTransaction {
  readonly revision: string;
  readonly #transaction: ImportConnection;
  readonly #whenEnded: (load: PostgresImportTransaction) => void;
  /** Of what was not there before the import, and has not been spoken of by it, nothing need be asked. */
  readonly #wasEmpty: boolean;
  readonly #spoken = new BloomFilter();
  /** From `held` to the change that follows it: the etags of books that the import has not spoken of. */
  readonly #known = new Map<Isbn13, string | null>();
  readonly #writer: BatchWriter;
  #pending = new PendingChanges();
  /** The ends of the last batches. */
  readonly #waiting: Promise<void>[] = [];

  private constructor(transaction: ImportConnection, ended: (load: PostgresImportTransaction) => void) {
    this.#transaction = transaction;
    this.#whenEnded = ended;
    this.revision = transaction.catalog.revision;
    this.#writer = new BatchWriter(Number(transaction.catalog.records));
    this.#wasEmpty = this.#writer.records === 0;
  }

  static async begin(
    place: DatabaseAddress,
    patience: number,
    ended: (load: PostgresImportTransaction) => void,
  ): Promise<PostgresImportTransaction> {
    return new PostgresImportTransaction(await ImportConnection.begin(place, patience), ended);
  }

  async statusOf(isbns: readonly Isbn13[]): Promise<readonly RecordStatus[]> {
    this.#transaction.mustGoOn();
    this.#known.clear();
    const isNew = !isbns.some((isbn) => this.#mayHaveSpokenOf(isbn));
    if (isNew && this.#wasEmpty) return isbns.map(() => NOTHING);
    const rows = await (isNew
      ? this.#transaction.askBefore<HeldRow>(say.HELD_BEFORE, [arrayOfIsbns(isbns)])
      : this.#askWritten<HeldRow>(say.HELD, [arrayOfIsbns(isbns)]));
    return rows.map(({ etag, reference, feed, before }, at) => {
      if (feed === null) this.#known.set(isbns[at]!, etag);
      return {
        etag: etag ?? undefined,
        before: (feed === null ? etag : before) ?? undefined,
        feed: feed ?? 0,
        reference: reference ?? undefined,
      };
    });
  }

  async entry(isbn: Isbn13): Promise<Entry | undefined> {
    this.#transaction.mustGoOn();
    const [row] = await (this.#mayHaveSpokenOf(isbn)
      ? this.#askWritten<EntryRow>(say.ENTRY, [isbn])
      : this.#transaction.askBefore<EntryRow>(say.ENTRY, [isbn]));
    return row ? entryOf(row) : undefined;
  }

  async byReference(reference: string): Promise<readonly Isbn13[]> {
    this.#transaction.mustGoOn();
    // A sender without references must not have all of its books taken for one.
    if (reference === "") return [];
    if (this.#pending.refers(reference)) this.#write();
    const found = await this.#referred(reference);
    if (!found.some((isbn) => this.#pending.has(isbn))) return found;
    this.#write();
    return await this.#referred(reference);
  }

  put(entries: readonly Entry[], feed: number): Promise<void> | undefined {
    this.#transaction.mustGoOn();
    for (const entry of entries) this.#pending.put(entry, feed, this.#speakOf(entry.isbn));
    return this.#writeWhenMuch();
  }

  markSeen(isbns: readonly Isbn13[], feed: number): Promise<void> | undefined {
    this.#transaction.mustGoOn();
    for (const isbn of isbns) this.#pending.touch(isbn, feed, this.#speakOf(isbn));
    return this.#writeWhenMuch();
  }

  remove(isbns: readonly Isbn13[], feed: number): Promise<void> | undefined {
    this.#transaction.mustGoOn();
    for (const isbn of isbns) this.#pending.remove(isbn, feed, this.#speakOf(isbn));
    return this.#writeWhenMuch();
  }

  /** Each batch is a query of its own: so a batch can be removed before the next one is asked for. */
  async *unseen(): AsyncGenerator<readonly { readonly isbn: Isbn13; readonly etag: string }[], void> {
    for (let last = "-1"; ; ) {
      this.#transaction.mustGoOn();
      const rows = await this.#askWritten<{ isbn: string; etag: string }>(say.UNTOUCHED, [last]);
      if (rows.length === 0) return;
      last = rows.at(-1)!.isbn;
      yield rows.map(({ isbn, etag }) => ({ isbn: isbnOf(isbn), etag }));
    }
  }

  async commit(revision: string): Promise<void> {
    this.#transaction.mustGoOn();
    try {
      this.#write();
      await this.#transaction.do((connection) => this.#writer.end(connection));
      const { records, changes } = this.#writer;
      if (changes > 0 || revision !== this.revision) {
        await this.#ask(say.END, [revision, String(records), new Date().toISOString()]);
      }
      await this.#transaction.commit();
      if (changes >= MANY) await this.#transaction.afterwards(say.FRESHEN_FIGURES);
    } finally {
      await this.#end();
    }
  }

  async abort(): Promise<void> {
    if (this.#transaction.hasEnded) return;
    await this.#transaction.rollback(() => this.#writer.stop());
    await this.#end();
  }

  #mayHaveSpokenOf(isbn: Isbn13): boolean {
    return this.#spoken.mayContain(Number(isbn));
  }

  /** From here on it has; what is known of the time before is given back, once. */
  #speakOf(isbn: Isbn13): Before {
    if (this.#spoken.add(Number(isbn))) return undefined;
    return this.#wasEmpty ? null : this.#known.get(isbn);
  }

  async #referred(reference: string): Promise<Isbn13[]> {
    const rows = await this.#ask<{ isbn: string }>(say.BY_REFERENCE, [reference]);
    return rows.map(({ isbn }) => isbnOf(isbn));
  }

  #askWritten<Row>(text: string, values: readonly string[]): Promise<Row[]> {
    this.#write();
    return this.#ask<Row>(text, values);
  }

  /** Behind all that is being written. */
  #ask<Row>(text: string, values: readonly string[]): Promise<Row[]> {
    return this.#transaction.do(async (connection) => {
      await this.#writer.settle(connection);
      return await connection.unsafe<Row[]>(text, [...values]);
    });
  }

  #writeWhenMuch(): Promise<void> | undefined {
    if (!this.#pending.isMuch) return undefined;
    this.#write();
    this.#waiting.push(this.#transaction.settled);
    return this.#waiting.length > AHEAD ? this.#waiting.shift() : undefined;
  }

  /** A failure is met by the next call, whichever it is. */
  #write(): void {
    if (this.#pending.isEmpty) return;
    const batch = this.#pending.sorted();
    this.#pending = new PendingChanges();
    this.#transaction.do((connection) => this.#writer.write(connection, batch)).catch(() => {});
  }

  async #end(): Promise<void> {
    await this.#transaction.close();
    this.#whenEnded(this);
  }
}
