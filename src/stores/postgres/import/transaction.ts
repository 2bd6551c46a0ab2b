import { KEEP_DELETIONS_DAYS } from "../../../catalog/changes/change-history.ts";
import { isIntact } from "../../../catalog/entry.ts";
import { NO_DETAILS } from "../../../catalog/history/import-details.ts";
import type { UpdateCounts } from "../../../catalog/history/update-counts.ts";
import type { ImportRun } from "../../../catalog/import-run.ts";
import {
  type CommitOptions,
  type Entry,
  type ImportTransaction,
  type MessageMark,
  NO_RECORD,
  type RecordStatus,
  type StoredRecord,
} from "../../../catalog/store.ts";
import { KEEP_UNDO, type KeepUndo, type UndoStep } from "../../../catalog/undo/undo-step.ts";
import type { Isbn13 } from "../../../onix/isbn.ts";
import { isbnFromColumn } from "../../columns.ts";
import { NumberSet, ReferenceSet } from "../../number-set.ts";
import type { DatabaseAddress } from "../connection.ts";
import { ChangeLog, UPDATE_COUNTS } from "../history/change-log.ts";
import { completeImportRun } from "../history/import-runs.ts";
import { readSteps, UndoLog } from "../history/undo-log.ts";
import { type EntryRow, entryFromRow, isbnArray } from "../rows.ts";
import { ChangeWriter } from "./change-writer.ts";
import { ImportConnection, type QueryValues, type RunQuery } from "./connection.ts";
import { type KnownEtagBefore, PendingChanges } from "./pending-changes.ts";
import type { ImportDeadlines } from "./session.ts";
import * as statements from "./statements.ts";

/** From so many changes on, the planner's statistics are updated at once, and not later by autovacuum. */
const ANALYZE_CHANGES = 1000;

/**
 * The batches that may wait for the server. They bridge its pauses (checkpoints, log segments), so that the feed is read
 * on meanwhile, and they bound the memory.
 */
const MAX_BATCHES_AHEAD = 4;

/** The matches of a reference that an import sees. */
const MAX_MATCHES = 100;

export interface ImportSettings {
  /** How long an import waits for another one. */
  readonly lockTimeoutMs: number;
  readonly deadlines: ImportDeadlines;
  readonly keepUndo?: KeepUndo | undefined;
  /** Called when the response to a commit was lost, and the import was found to be applied. */
  readonly onCommitFound: () => void;
}

interface ReferenceRow {
  /** The index in the requested references, counted from 1. */
  readonly ordinal: string;
  readonly isbn: string;
}

interface StatusRow {
  readonly etag: string | null;
  readonly sender: string | null;
  readonly reference: string | null;
  readonly origin: string | null;
  readonly feed: number | null;
  readonly before: string | null;
}

interface SummarizedRow extends EntryRow {
  /** This and the body are null when a damaged catalog has lost the summary. */
  readonly summary_etag: string | null;
  readonly summary: Uint8Array | null;
}

/**
 * An import as one transaction: readers see nothing of it, and never wait for it. Records are sent by COPY in batches,
 * while the feed is being read.
 */
export class PostgresImportTransaction implements ImportTransaction {
  readonly revision: string;
  readonly records: number;
  readonly #connection: ImportConnection;
  readonly #onCommitFound: () => void;
  readonly #onEnd: (transaction: PostgresImportTransaction) => void;
  /** In a catalog that was empty, ISBNs that the import has not seen need no query. */
  readonly #wasEmpty: boolean;
  /** The ISBNs that were put, marked or removed. */
  readonly #seen = new NumberSet();
  /** The references of the records that were put. */
  readonly #references = new ReferenceSet();
  /** The etags that `statusOf` has read of unseen ISBNs, for the change that follows it. */
  readonly #etagsBefore = new Map<Isbn13, string | null>();
  /** The records that `entries` has read, for the change that follows it. */
  readonly #oldRecords = new Map<Isbn13, StoredRecord>();
  readonly #undo: UndoLog;
  readonly #writer: ChangeWriter;
  #pending = new PendingChanges();
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
    this.#wasEmpty = this.records === 0;
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
    this.#etagsBefore.clear();
    const areUnseen = !isbns.some((isbn) => this.#mayHaveSeen(isbn));
    if (areUnseen && this.#wasEmpty) return isbns.map(() => NO_RECORD);
    const rows = await (areUnseen
      ? this.#connection.queryBefore<StatusRow>(statements.STATUS_OF_UNSEEN, [isbnArray(isbns)])
      : this.#queryWritten<StatusRow>(statements.STATUS_OF_ISBNS, [isbnArray(isbns)]));
    return rows.map(({ etag, sender, reference, origin, feed, before }, index) => {
      if (feed === null) this.#etagsBefore.set(isbns[index]!, etag);
      return {
        etag: etag ?? undefined,
        etagBefore: (feed === null ? etag : before) ?? undefined,
        lastFeed: feed ?? 0,
        sender: sender ?? undefined,
        reference: reference ?? undefined,
        origin: origin ?? undefined,
      };
    });
  }

  async entries(isbns: readonly Isbn13[]): Promise<readonly (Entry | undefined)[]> {
    this.#connection.requireOpen();
    if (isbns.length === 0) return [];
    const rows = await (isbns.some((isbn) => this.#mayHaveSeen(isbn))
      ? this.#queryWritten<SummarizedRow>(statements.ENTRIES, [isbnArray(isbns)])
      : this.#connection.queryBefore<SummarizedRow>(statements.ENTRIES, [isbnArray(isbns)]));
    const byIsbn = new Map(rows.map((row) => [isbnFromColumn(row.isbn), row]));
    this.#oldRecords.clear();
    if (this.#undo.steps.isKept) for (const [isbn, row] of byIsbn) this.#oldRecords.set(isbn, row);
    return isbns.map((isbn) => {
      const row = byIsbn.get(isbn);
      return row && { ...entryFromRow(row), summary: intactSummary(row) };
    });
  }

  /** References that the import has not put are looked up in the catalog as it was, while a batch is written. */
  async byReferences(sender: string, references: readonly string[]): Promise<readonly (readonly Isbn13[])[]> {
    this.#connection.requireOpen();
    if (!references.some((reference) => this.#mayHavePut(sender, reference))) {
      const found = this.#wasEmpty ? [] : await this.#queryReferences(this.#queryBefore, sender, references);
      if (!found.some(({ isbn }) => this.#mayHaveSeen(isbnFromColumn(isbn)))) {
        return isbnsByReference(references, found);
      }
    }
    this.#write();
    return isbnsByReference(references, await this.#queryReferences(this.#query, sender, references));
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
      this.#pending.put(entry, feed, this.#markSeen(entry.isbn), this.#oldRecords.get(entry.isbn));
      this.#oldRecords.delete(entry.isbn);
      this.#references.add(entry.sender, entry.reference);
    }
    return this.#writeWhenFull();
  }

  markSeen(isbns: readonly Isbn13[], feed: number): Promise<void> | undefined {
    this.#connection.requireOpen();
    for (const isbn of isbns) this.#pending.markSeen(isbn, feed, this.#markSeen(isbn));
    return this.#writeWhenFull();
  }

  remove(isbns: readonly Isbn13[], feed: number): Promise<void> | undefined {
    this.#connection.requireOpen();
    for (const isbn of isbns) {
      this.#pending.remove(isbn, feed, this.#markSeen(isbn));
      this.#oldRecords.delete(isbn);
    }
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
    const id = this.#wasEmpty ? undefined : await this.#writer.senders.find(sender, this.#queryBefore);
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
      else if (changes >= ANALYZE_CHANGES) await this.#connection.runAfterCommit(statements.ANALYZE);
    } finally {
      this.#end();
    }
  }

  async abort(): Promise<void> {
    if (this.#connection.hasEnded) return;
    await this.#connection.rollback(() => this.#writer.abort());
    this.#end();
  }

  /** Returns false when the import has certainly not put, marked or removed the ISBN. */
  #mayHaveSeen(isbn: Isbn13): boolean {
    return this.#seen.has(Number(isbn));
  }

  /** Marks the ISBN as seen. Returns its etag before the import when this is the first time and it is known. */
  #markSeen(isbn: Isbn13): KnownEtagBefore {
    if (this.#seen.add(Number(isbn))) return undefined;
    return this.#wasEmpty ? null : this.#etagsBefore.get(isbn);
  }

  #mayHavePut(sender: string, reference: string): boolean {
    return reference !== "" && this.#references.mayContain(sender, reference);
  }

  async #queryReferences(runQuery: RunQuery, sender: string, references: readonly string[]) {
    const id = await this.#writer.senders.find(sender, runQuery);
    return id === undefined
      ? []
      : await runQuery<ReferenceRow>(statements.BY_REFERENCES, [id, references, MAX_MATCHES]);
  }

  /** Queries the catalog with all changes of this import. */
  #queryWritten<Row>(text: string, values: readonly string[]): Promise<Row[]> {
    this.#write();
    return this.#query<Row>(text, values);
  }

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
    this.#connection.run((connection) => this.#writer.write(connection, batch)).catch(() => {});
  }

  #end(): void {
    this.#connection.close();
    this.#onEnd(this);
  }
}

/** Returns undefined for a damaged summary, which is then made again. */
function intactSummary({ summary, summary_etag }: SummarizedRow): StoredRecord | undefined {
  if (summary === null || summary_etag === null) return undefined;
  const stored = { body: summary, etag: summary_etag };
  return isIntact(stored) ? stored : undefined;
}

/** Returns the ISBNs of each reference, in the order of the references. */
function isbnsByReference(
  references: readonly string[],
  rows: readonly ReferenceRow[],
): readonly (readonly Isbn13[])[] {
  const isbns = references.map((): Isbn13[] => []);
  for (const { ordinal, isbn } of rows) isbns[Number(ordinal) - 1]!.push(isbnFromColumn(isbn));
  return isbns;
}
