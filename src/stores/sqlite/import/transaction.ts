import type { Database } from "bun:sqlite";
import type { Entry, ImportTransaction, RecordStatus } from "../../../catalog/store.ts";
import type { Isbn13 } from "../../../onix/isbn.ts";
import { BloomFilter } from "../../bloom-filter.ts";
import { imprintFromColumns, isbnFromColumn } from "../../columns.ts";
import { dayToColumn, entryFromRow, isbnToColumn, languagesToColumn } from "../rows.ts";
import { CATALOG, INDEXES } from "../schema.ts";
import { ImprintCounts } from "./imprint-counts.ts";
import {
  CREATE_SEEN,
  type ImportStatements,
  type IndexStatements,
  prepareIndexStatements,
  prepareStatements,
  type RecordOutline,
  type SeenRow,
} from "./statements.ts";

/** The rows of an ISBN at one moment of an import. */
interface CurrentState {
  readonly record: RecordOutline | undefined;
  readonly seen: SeenRow | undefined;
}

const UNKNOWN: CurrentState = { record: undefined, seen: undefined };

/**
 * An import on a connection that has begun a transaction.
 *
 * An import into an empty catalog drops the indexes, appends records without any lookup, and creates the indexes at its
 * end. A Bloom filter tells whether an ISBN may occur for the second time; the first one that may ends this mode.
 */
export class SqliteImportTransaction implements ImportTransaction {
  readonly revision: string;
  readonly #db: Database;
  readonly #sql: ImportStatements;
  readonly #imprintCounts: ImprintCounts;
  readonly #onEnd: (isCommitted: boolean) => Promise<void>;
  /** Is undefined as long as the indexes are dropped. */
  #indexSql: IndexStatements | undefined;
  readonly #appendedIsbns: BloomFilter | undefined;
  /** The first id of each feed among the records that were appended without indexes. */
  readonly #appendedFeeds: { readonly feed: number; readonly firstId: number }[] = [];
  #lastAppendedId = 0;
  /** The results of `statusOf`, for the change that follows it. */
  readonly #states = new Map<number, CurrentState>();
  #records: number;
  #lastId: number;
  #hasEnded = false;

  constructor(db: Database, onEnd: (isCommitted: boolean) => Promise<void>) {
    this.#db = db;
    this.#onEnd = onEnd;
    // The table is created within the transaction: its pages are new to SQLite, so none is copied into a journal.
    db.run(CREATE_SEEN);
    this.#sql = prepareStatements(db);
    this.#imprintCounts = new ImprintCounts(db);
    const catalog = this.#sql.catalog.get()!;
    this.revision = catalog.revision;
    this.#records = catalog.records;
    this.#lastId = this.#sql.lastId.get()!.id ?? 0;
    if (this.#records === 0) {
      for (const name of INDEXES.names) db.run(`DROP INDEX ${name}`);
      this.#appendedIsbns = new BloomFilter();
    } else this.#indexSql = prepareIndexStatements(db);
  }

  statusOf(isbns: readonly Isbn13[]): readonly RecordStatus[] {
    this.#requireOpen();
    this.#states.clear();
    return isbns.map((isbn) => {
      const number = isbnToColumn(isbn);
      const state = this.#readState(number);
      this.#states.set(number, state);
      const { record, seen } = state;
      return {
        etag: record?.etag,
        etagBefore: etagBefore(state) ?? undefined,
        lastFeed: seen?.feed ?? 0,
        reference: record?.reference,
      };
    });
  }

  entry(isbn: Isbn13): Entry | undefined {
    this.#requireOpen();
    const { record } = this.#readState(isbnToColumn(isbn));
    return record && entryFromRow(this.#sql.entry.get(record.id)!);
  }

  byReference(reference: string): readonly Isbn13[] {
    this.#requireOpen();
    // All books of a sender without references would match.
    if (reference === "") return [];
    const rows = this.#withIndexes().byReference.all(reference);
    return rows.map(({ isbn }) => isbnFromColumn(isbn));
  }

  put(entries: readonly Entry[], feed: number): void {
    this.#requireOpen();
    for (const entry of entries) {
      const isbn = isbnToColumn(entry.isbn);
      const state = this.#takeState(isbn);
      const { imprint, body } = entry;
      const columns = [
        imprint?.slug ?? null,
        imprint?.name ?? null,
        languagesToColumn(entry.languages),
        entry.published === undefined ? null : dayToColumn(entry.published),
        entry.reference,
        entry.etag,
        entry.origin,
      ] as const;
      const id = state.record?.id ?? ++this.#lastId;
      if (state.record) {
        this.#uncountImprint(id);
        this.#sql.update.run(...columns, id);
      } else {
        this.#sql.insert.run(id, isbn, ...columns);
        this.#records++;
      }
      this.#sql.putBody.run(id, body);
      if (this.#indexSql) this.#sql.markSeen.run(isbn, feed, etagBefore(state));
      else this.#noteAppended(id, feed);
      if (imprint) this.#imprintCounts.add(imprint, 1);
    }
  }

  markSeen(isbns: readonly Isbn13[], feed: number): void {
    this.#requireOpen();
    for (const isbn of isbns) {
      const number = isbnToColumn(isbn);
      this.#sql.markSeen.run(number, feed, etagBefore(this.#takeState(number)));
    }
  }

  remove(isbns: readonly Isbn13[], feed: number): void {
    this.#requireOpen();
    for (const isbn of isbns) {
      const number = isbnToColumn(isbn);
      const state = this.#takeState(number);
      this.#sql.markSeen.run(number, feed, etagBefore(state));
      if (!state.record) continue;
      const { id } = state.record;
      this.#uncountImprint(id);
      this.#sql.remove.run(id);
      this.#sql.removeBody.run(id);
      this.#records--;
    }
  }

  /** Runs a query for each batch, so that the caller can remove a batch before the next. */
  *unseen(): Generator<readonly { readonly isbn: Isbn13; readonly etag: string }[], void> {
    for (let last = -1; ; ) {
      this.#requireOpen();
      const rows = this.#withIndexes().unseen.all(last, this.#lastAppendedId);
      if (rows.length === 0) return;
      last = rows.at(-1)!.isbn;
      yield rows.map(({ isbn, etag }) => ({ isbn: isbnFromColumn(isbn), etag }));
    }
  }

  async commit(revision: string): Promise<void> {
    this.#requireOpen();
    let [isCommitted, mayBeInLog] = [false, false];
    try {
      this.#withIndexes();
      this.#imprintCounts.write();
      if (revision !== this.revision) {
        this.#sql.updateCatalog.run(revision, this.#records, new Date().toISOString());
      }
      mayBeInLog = true;
      this.#db.run("COMMIT");
      isCommitted = true;
    } finally {
      await this.#end(isCommitted, mayBeInLog);
    }
  }

  async abort(): Promise<void> {
    if (!this.#hasEnded) await this.#end(false, false);
  }

  #readState(isbn: number): CurrentState {
    if (!this.#indexSql && !this.#appendedIsbns!.add(isbn)) return UNKNOWN;
    const record = this.#withIndexes().outline.get(isbn) ?? undefined;
    const seen = this.#sql.seen.get(isbn) ?? undefined;
    return { record, seen: seen ?? (record && this.#seenWhenAppended(record.id)) };
  }

  /** Returns the state that `statusOf` has read, or reads it. */
  #takeState(isbn: number): CurrentState {
    const state = this.#states.get(isbn);
    this.#states.delete(isbn);
    return state ?? this.#readState(isbn);
  }

  /** Replaces the row in `seen`: the ids of appended records ascend with the feeds. */
  #noteAppended(id: number, feed: number): void {
    if (this.#appendedFeeds.at(-1)?.feed !== feed) this.#appendedFeeds.push({ feed, firstId: id });
    this.#lastAppendedId = id;
  }

  #seenWhenAppended(id: number): SeenRow | undefined {
    if (id > this.#lastAppendedId) return undefined;
    const { feed } = this.#appendedFeeds.findLast(({ firstId }) => firstId <= id)!;
    return { feed, before: null };
  }

  #withIndexes(): IndexStatements {
    if (!this.#indexSql) {
      this.#db.run(INDEXES.create);
      this.#indexSql = prepareIndexStatements(this.#db);
    }
    return this.#indexSql;
  }

  #uncountImprint(id: number): void {
    const imprint = imprintFromColumns(this.#sql.imprint.get(id)!);
    if (imprint) this.#imprintCounts.add(imprint, -1);
  }

  async #end(isCommitted: boolean, mayBeInLog: boolean): Promise<void> {
    this.#hasEnded = true;
    this.#states.clear();
    this.#imprintCounts.close();
    const statements = [...Object.values(this.#sql), ...Object.values(this.#indexSql ?? {})];
    for (const statement of statements) statement.finalize();
    try {
      if (this.#db.inTransaction) this.#db.run("ROLLBACK");
      if (mayBeInLog && !isCommitted) this.#overwriteFailedCommit();
    } finally {
      await this.#onEnd(isCommitted);
    }
  }

  /**
   * Overwrites a commit that failed at fsync. No reader sees it, but it is in the log, and would take effect when the
   * log is recovered after a crash. The write must change nothing, and SQLite skips a row that stays equal; so it sets
   * the format version.
   */
  #overwriteFailedCommit(): void {
    try {
      this.#db.run(`PRAGMA user_version = ${CATALOG.migrations.length}`);
    } catch {
      // The fsync fails here as well, but the log is overwritten by then.
    }
  }

  /** On a full disk SQLite ends the transaction by itself, and later writes would be visible to readers at once. */
  #requireOpen(): void {
    if (this.#hasEnded || !this.#db.inTransaction) throw new Error("The import has ended");
  }
}

/** The row in `seen` has the etag before the import; without one, the record is as it was. */
function etagBefore({ record, seen }: CurrentState): string | null {
  return seen ? seen.before : (record?.etag ?? null);
}
