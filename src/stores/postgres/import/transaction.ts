import { KEEP_DELETIONS_DAYS } from "../../../catalog/changes/change-history.ts";
import { NO_DETAILS } from "../../../catalog/history/import-details.ts";
import type { UpdateCounts } from "../../../catalog/history/update-counts.ts";
import type { ImportRun } from "../../../catalog/import-run.ts";
import type { MessageMark, RecordStatus } from "../../../catalog/import-state.ts";
import type { CommitOptions, Entry, ImportTransaction, StoredRecord } from "../../../catalog/store.ts";
import { KEEP_UNDO, type KeepUndo, type UndoStep } from "../../../catalog/undo/undo-step.ts";
import { freeBuffer } from "../../../lib/free-buffer.ts";
import type { Isbn13 } from "../../../onix/isbn.ts";
import { isbnFromColumn } from "../../columns.ts";
import type { DatabaseAddress } from "../connection.ts";
import { ChangeLog, UPDATE_COUNTS } from "../history/change-log.ts";
import { completeImportRun } from "../history/import-runs.ts";
import { readSteps, UndoLog } from "../history/undo-log.ts";
import { ChangeWriter } from "./change-writer.ts";
import { ImportConnection, type QueryValues, type RunQuery } from "./connection.ts";
import { CurrentRecords } from "./current-records.ts";
import { PendingChanges } from "./pending-changes.ts";
import type { ImportDeadlines } from "./session.ts";
import * as statements from "./statements.ts";

/**
 * When the number of books changes by as many, and by such a part of the catalog, the planner's statistics are updated at
 * once, and not later by autovacuum. Plans hardly depend on what updates change. The samples are smaller than autovacuum's:
 * 30,000 books take 0.5 s, and took 1.6 s.
 */
const ANALYZE_BOOKS = 1000;
const ANALYZE_PART = 0.1;

/**
 * The batches that may wait for the server. They bridge its pauses (checkpoints, log segments), so that the feed is read
 * on meanwhile, and they bound the memory.
 */
const MAX_BATCHES_AHEAD = 4;

export interface ImportSettings {
  /** How long an import waits for another one. */
  readonly lockTimeoutMs: number;
  readonly deadlines: ImportDeadlines;
  readonly keepUndo?: KeepUndo | undefined;
  /** Called when the response to a commit was lost, and the import was found to be applied. */
  readonly onCommitFound: () => void;
}

/**
 * An import as one transaction: readers see nothing of it, and never wait for it. Records are sent by COPY in batches,
 * while the feed is being read.
 */
export class PostgresImportTransaction implements ImportTransaction {
  readonly revision: string;
  readonly records: number;
  readonly copiesBytes = true;
  readonly #connection: ImportConnection;
  readonly #onCommitFound: () => void;
  readonly #onEnd: (transaction: PostgresImportTransaction) => void;
  readonly #current: CurrentRecords;
  readonly #undo: UndoLog;
  readonly #writer: ChangeWriter;
  #pending = new PendingChanges();
  /** The number that the import took, once it is rolled back. The sequence does not give it again. */
  unusedNumber: number | undefined;
  /** Resolve with the last batches. */
  readonly #batchesAhead: Promise<void>[] = [];

  private constructor(
    connection: ImportConnection,
    { onCommitFound, keepUndo = KEEP_UNDO }: Pick<ImportSettings, "onCommitFound" | "keepUndo">,
    onEnd: (transaction: PostgresImportTransaction) => void,
  ) {
    this.#connection = connection;
    this.#onCommitFound = onCommitFound;
    this.#onEnd = onEnd;
    this.revision = connection.catalog.revision;
    const changeLog = new ChangeLog(connection.catalog.number, this.#queryBefore);
    this.#undo = new UndoLog(connection.catalog.number, keepUndo);
    const { records } = connection.catalog;
    this.#writer = new ChangeWriter(Number(records), connection.address, changeLog, this.#undo);
    this.records = this.#writer.records;
    const { senders } = this.#writer;
    this.#current = new CurrentRecords(this.records === 0, senders, this.#queryBefore, this.#queryWritten);
    connection.startHeartbeat(() => this.#writer.endInsert());
  }

  static async begin(
    address: DatabaseAddress,
    settings: ImportSettings,
    onEnd: (transaction: PostgresImportTransaction) => void,
  ): Promise<PostgresImportTransaction> {
    const connection = await ImportConnection.begin(address, settings.lockTimeoutMs, settings.deadlines);
    return new PostgresImportTransaction(connection, settings, onEnd);
  }

  get failure(): Promise<never> {
    return this.#connection.failure;
  }

  async statusOf(isbns: readonly Isbn13[]): Promise<readonly RecordStatus[]> {
    this.#connection.requireOpen();
    return await this.#current.statusOf(isbns);
  }

  async entries(isbns: readonly Isbn13[]): Promise<readonly (Entry | undefined)[]> {
    this.#connection.requireOpen();
    return await this.#current.entries(isbns, this.#undo.steps.isKept);
  }

  async byReferences(sender: string, references: readonly string[]): Promise<readonly (readonly Isbn13[])[]> {
    this.#connection.requireOpen();
    return await this.#current.byReferences(sender, references);
  }

  async lastMessage(sender: string): Promise<MessageMark | undefined> {
    this.#connection.requireOpen();
    return await this.#writer.senders.lastMessage(sender, this.#queryBefore);
  }

  setLastMessage(sender: string, mark: MessageMark): void {
    this.#connection.requireOpen();
    this.#writer.senders.setLastMessage(sender, mark);
  }

  put(entries: readonly Entry[], feed: number): Promise<void> | undefined {
    this.#connection.requireOpen();
    for (const entry of entries) {
      const { before, old } = this.#current.put(entry);
      const { summary } = entry;
      const copy = { ...entry, ...copyOf(entry), summary: summary && copyOf(summary) };
      this.#pending.put(copy, feed, before, old && copyOf(old));
    }
    return this.#writeWhenFull();
  }

  markSeen(isbns: readonly Isbn13[], feed: number): Promise<void> | undefined {
    this.#connection.requireOpen();
    for (const isbn of isbns) this.#pending.markSeen(isbn, feed, this.#current.markSeen(isbn));
    return this.#writeWhenFull();
  }

  remove(isbns: readonly Isbn13[], feed: number): Promise<void> | undefined {
    this.#connection.requireOpen();
    for (const isbn of isbns) this.#pending.remove(isbn, feed, this.#current.remove(isbn));
    return this.#writeWhenFull();
  }

  /** Runs a query for each batch, so that the caller can remove a batch before the next. */
  async *unseen(): AsyncGenerator<readonly { readonly isbn: Isbn13; readonly etag: string }[], void> {
    for (let last = "-1"; ; ) {
      this.#connection.requireOpen();
      const rows = await this.#queryWritten<{ isbn: string; etag: string }>(statements.UNSEEN, [last]);
      if (rows.length === 0) return;
      last = rows.at(-1)!.isbn;
      yield rows.map(({ isbn, etag }) => ({ isbn: isbnFromColumn(isbn), etag }));
    }
  }

  /** Subtracts the seen records that were there before from all that were. */
  async unseenCount(sender?: string): Promise<number> {
    this.#connection.requireOpen();
    if (sender !== undefined) return await this.#unseenOfSender(sender);
    const [row] = await this.#queryWritten<{ records: string }>(statements.SEEN_BEFORE, []);
    return this.records - Number(row!.records);
  }

  async #unseenOfSender(sender: string): Promise<number> {
    const id = this.records === 0 ? undefined : await this.#writer.senders.find(sender, this.#queryBefore);
    if (id === undefined) return 0;
    const [row] = await this.#queryWritten<{ records: string }>(statements.UNSEEN_OF_SENDER, [String(id)]);
    return Number(row!.records);
  }

  undoSteps(number: number): AsyncGenerator<readonly UndoStep[], void> {
    this.#connection.requireOpen();
    return readSteps(this.#queryBefore, number);
  }

  async updateCounts(): Promise<UpdateCounts> {
    this.#connection.requireOpen();
    const number = String(this.#connection.catalog.number);
    return { ...(await this.#queryWritten<UpdateCounts>(UPDATE_COUNTS, [number]))[0]! };
  }

  async commit(
    revision: string,
    run: ImportRun,
    { keepDeletionsDays = KEEP_DELETIONS_DAYS, details = NO_DETAILS, undoes }: CommitOptions = {},
  ): Promise<void> {
    this.#connection.requireOpen();
    try {
      this.#write();
      const at = new Date().toISOString();
      await this.#connection.run((connection) => this.#writer.finish(connection, at, keepDeletionsDays));
      const { records, changes } = this.#writer;
      if (changes > 0 || revision !== this.revision) {
        await this.#query(statements.UPDATE_CATALOG, [revision, String(records), at]);
      }
      const begun = { ...details, revisionBefore: this.revision };
      const { number } = this.#connection.catalog;
      await this.#connection.run((connection) => completeImportRun(connection, number, run, begun, revision));
      await this.#connection.run((connection) => this.#undo.finish(connection, at, undoes));
      if ((await this.#connection.commit(run.id)) === "search") this.#onCommitFound();
      else if (Math.abs(records - this.records) >= Math.max(ANALYZE_BOOKS, ANALYZE_PART * this.records))
        await this.#connection.runAfterCommit(statements.ANALYZE);
    } finally {
      this.#end();
    }
  }

  async abort(): Promise<void> {
    if (this.#connection.hasEnded) return;
    await this.#connection.rollback(() => this.#writer.abort());
    this.unusedNumber = this.#connection.catalog.number;
    this.#end();
  }

  /** Queries the catalog with all changes of this import. */
  readonly #queryWritten: RunQuery = (text, values) => {
    this.#write();
    return this.#query(text, values);
  };

  /** Queries the catalog with the changes that were sent. */
  readonly #query: RunQuery = <Row>(text: string, values: QueryValues) =>
    this.#connection.run(async (connection) => {
      await this.#writer.flush(connection);
      return await connection.unsafe<Row[]>(text, [...values]);
    });

  readonly #queryBefore: RunQuery = (text, values) => this.#connection.queryBefore(text, values);

  /** Returns a promise when the caller should wait for the server. */
  #writeWhenFull(): Promise<void> | undefined {
    if (!this.#pending.isFull) return undefined;
    this.#write();
    this.#batchesAhead.push(this.#connection.idle);
    return this.#batchesAhead.length > MAX_BATCHES_AHEAD ? this.#batchesAhead.shift() : undefined;
  }

  /** Sends the pending changes. An error fails the next call of any member. */
  #write(): void {
    if (this.#pending.isEmpty) return;
    const batch = this.#pending.toBatch();
    this.#pending = new PendingChanges();
    this.#connection
      .run(async (connection) => {
        await this.#writer.write(connection, batch);
        for (const { body, summary } of batch.puts)
          for (const bytes of [body, summary?.body]) if (bytes) freeBuffer(bytes);
      })
      .catch(() => {});
  }

  #end(): void {
    this.#connection.close();
    this.#onEnd(this);
  }
}

/** Returns a record with a body of its own, which can be freed when it is written. */
function copyOf({ body, etag }: StoredRecord): StoredRecord {
  return { body: new Uint8Array(body), etag };
}
