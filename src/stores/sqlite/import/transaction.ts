import type { Database } from "bun:sqlite";
import { KEEP_DELETIONS_DAYS } from "../../../catalog/changes/change-history.ts";
import { NO_DETAILS } from "../../../catalog/history/import-details.ts";
import type { UpdateCounts } from "../../../catalog/history/update-counts.ts";
import type { ImportRun } from "../../../catalog/import-run.ts";
import type { MessageMark, RecordStatus } from "../../../catalog/import-state.ts";
import type { CommitOptions, Entry, ImportTransaction } from "../../../catalog/store.ts";
import { KEEP_UNDO, type KeepUndo, type UndoStep } from "../../../catalog/undo/undo-step.ts";
import type { Isbn13 } from "../../../onix/isbn.ts";
import { isbnFromColumn } from "../../columns.ts";
import { type DatabaseFile, isInPlace, replacedFile } from "../connection.ts";
import { ChangeLog, type RemovedNumbers } from "../history/change-log.ts";
import { addImportRun, nextImportNumber } from "../history/import-runs.ts";
import { readSteps, UndoLog } from "../history/undo-log.ts";
import { isbnToColumn } from "../rows.ts";
import { SearchIndexWriter } from "../search/index-writer.ts";
import type { AppendedRecords } from "./appended-records.ts";
import { CatalogIndexes } from "./catalog-indexes.ts";
import { CountWriter } from "./count-writer.ts";
import { CurrentRecords } from "./current-records.ts";
import { EditionLinkWriter } from "./edition-link-writer.ts";
import { overwriteFailedCommit } from "./failed-commit.ts";
import { RecordWriter, type Removal, type Update } from "./record-writer.ts";
import { Senders } from "./senders.ts";
import {
  CREATE_SEEN,
  type CurrentState,
  etagBefore,
  etagOf,
  type GroupUpdate,
  type ImportStatements,
  prepareStatements,
  prepareUpdates,
} from "./statements.ts";

const NO_NUMBERS: RemovedNumbers = { before: null, added: null };

/**
 * An import on a connection that has begun a transaction.
 *
 * An import into an empty catalog drops the indexes, appends records without any lookup, and creates the indexes at its
 * end. A set of numbers tells whether an ISBN may occur for the second time; the first one that may ends this mode. When
 * a reference may, the index of references is created, and the others are not.
 */
export class SqliteImportTransaction implements ImportTransaction {
  readonly revision: string;
  readonly records: number;
  readonly copiesBytes = true;
  readonly #db: Database;
  readonly #file: DatabaseFile;
  readonly #sql: ImportStatements;
  readonly #updates: readonly GroupUpdate[];
  readonly #senders: Senders;
  readonly #imprintCounts: CountWriter;
  readonly #changes: ChangeLog;
  readonly #undo: UndoLog;
  readonly #searchIndex: SearchIndexWriter;
  readonly #editionLinks: EditionLinkWriter;
  readonly #writer: RecordWriter;
  readonly #onEnd: (isCommitted: boolean) => Promise<void>;
  readonly #indexes: CatalogIndexes;
  /** Undefined when the catalog had records. */
  readonly #appended: AppendedRecords | undefined;
  readonly #current: CurrentRecords;
  /** The number of records with the changes so far. */
  #recordsNow: number;
  #lastId: number;
  /** A removed record may be added again, with another id. The revision is then the same, but ids have changed. */
  #hasRemoved = false;
  #hasEnded = false;

  constructor(
    db: Database,
    file: DatabaseFile,
    onEnd: (isCommitted: boolean) => Promise<void>,
    keepUndo: KeepUndo = KEEP_UNDO,
  ) {
    this.#db = db;
    this.#file = file;
    this.#onEnd = onEnd;
    // The table is created within the transaction: its pages are new to SQLite, so none is copied into a journal.
    db.run(CREATE_SEEN);
    this.#sql = prepareStatements(db);
    this.#updates = prepareUpdates(db);
    this.#senders = new Senders(db);
    this.#imprintCounts = new CountWriter(db, "imprint");
    this.#changes = new ChangeLog(db, nextImportNumber(db));
    this.#undo = new UndoLog(db, this.#changes.number, keepUndo);
    this.#searchIndex = new SearchIndexWriter(db);
    this.#editionLinks = new EditionLinkWriter(db);
    this.#writer = new RecordWriter(
      this.#sql,
      this.#updates,
      this.#senders,
      this.#imprintCounts,
      this.#searchIndex,
      this.#editionLinks,
    );
    const catalog = this.#sql.catalog.get()!;
    this.revision = catalog.revision;
    this.records = catalog.records;
    this.#recordsNow = catalog.records;
    this.#lastId = this.#sql.lastId.get()!.id ?? 0;
    this.#indexes = new CatalogIndexes(db, this.#changes, this.#searchIndex);
    if (this.records === 0) this.#appended = this.#indexes.drop();
    this.#current = new CurrentRecords(this.#sql, this.#indexes, this.#senders, this.#appended);
  }

  statusOf(isbns: readonly Isbn13[]): readonly RecordStatus[] {
    this.#requireOpen();
    return this.#current.statusOf(isbns);
  }

  entries(isbns: readonly Isbn13[]): readonly (Entry | undefined)[] {
    this.#requireOpen();
    return this.#current.entries(isbns);
  }

  byReferences(sender: string, references: readonly string[]): readonly (readonly Isbn13[])[] {
    this.#requireOpen();
    return this.#current.byReferences(sender, references);
  }

  lastMessage(sender: string): MessageMark | undefined {
    this.#requireOpen();
    return this.#senders.lastMessage(sender);
  }

  setLastMessage(sender: string, mark: MessageMark): void {
    this.#requireOpen();
    this.#undo.steps.message(sender, this.#senders.lastMessage(sender));
    this.#senders.setLastMessage(sender, mark);
  }

  put(entries: readonly Entry[], feed: number): void {
    this.#requireOpen();
    const updates: Update[] = [];
    for (const entry of entries) {
      const isbn = isbnToColumn(entry.isbn);
      const state = this.#current.take(isbn);
      if (!this.#indexes.exist && !state.record) {
        const id = ++this.#lastId;
        this.#writer.insert(id, isbn, entry, this.#changes.newSource(feed));
        this.#recordsNow++;
        this.#appended!.append(id, isbn, entry.sender, entry.reference, feed);
        this.#undo.added(isbn);
        continue;
      }
      const bodyBefore = this.#keepOld(isbn, state, entry);
      const { source, before } = this.#changes.put(isbn, entry, state, feed, bodyBefore);
      if (state.record) updates.push({ id: state.record.id, entry, source, columns: state.columns });
      else {
        this.#writer.insert(++this.#lastId, isbn, entry, source);
        this.#recordsNow++;
      }
      this.#sql.markSeen.run(isbn, feed, etagBefore(state), before, null);
    }
    this.#writer.update(updates);
  }

  markSeen(isbns: readonly Isbn13[], feed: number): void {
    this.#requireOpen();
    for (const isbn of isbns) {
      const number = isbnToColumn(isbn);
      this.#noteSeen(number, this.#current.take(number), feed, NO_NUMBERS);
    }
  }

  remove(isbns: readonly Isbn13[], feed: number): void {
    this.#requireOpen();
    const removals: (Removal & { readonly state: CurrentState })[] = [];
    for (const each of new Set(isbns)) {
      const isbn = isbnToColumn(each);
      const state = this.#current.take(isbn);
      if (state.record) removals.push({ id: state.record.id, isbn, state });
      else this.#noteSeen(isbn, state, feed, NO_NUMBERS);
    }
    if (removals.length === 0) return;
    removals.sort((a, b) => a.id - b.id);
    for (const { isbn, state } of removals) {
      this.#keepOld(isbn, state);
      this.#noteSeen(isbn, state, feed, this.#changes.remove(isbn, state));
    }
    this.#writer.remove(removals);
    this.#hasRemoved = true;
    this.#recordsNow -= removals.length;
  }

  /** Runs a query for each batch, so that the caller can remove a batch before the next. */
  *unseen(): Generator<readonly { readonly isbn: Isbn13; readonly etag: string }[], void> {
    for (let last = -1; ; ) {
      this.#requireOpen();
      const rows = this.#indexes.statements.unseen.all(last, this.#appended?.lastId ?? 0);
      if (rows.length === 0) return;
      last = rows.at(-1)!.isbn;
      yield rows.map((row) => ({ isbn: isbnFromColumn(row.isbn), etag: etagOf(row) }));
    }
  }

  /** Subtracts the seen records that were there before from all that were. */
  unseenCount(sender?: string): number {
    this.#requireOpen();
    if (sender === undefined) return this.records - this.#sql.seenBefore.get()!.records;
    // A catalog that was empty has no unseen record, and its indexes are created at the end.
    const id = this.records === 0 ? undefined : this.#senders.find(sender);
    return id === undefined ? 0 : this.#indexes.statements.unseenOfSender.get(id)!.records;
  }

  undoSteps(number: number): Generator<readonly UndoStep[], void> {
    this.#requireOpen();
    return readSteps(this.#db, number);
  }

  updateCounts(): UpdateCounts {
    return this.#changes.updates;
  }

  async commit(
    revision: string,
    run: ImportRun,
    { keepDeletionsDays = KEEP_DELETIONS_DAYS, details = NO_DETAILS, undoes }: CommitOptions = {},
  ): Promise<void> {
    this.#requireOpen();
    let [isCommitted, mayBeInLog] = [false, false];
    try {
      this.#searchIndex.flush(this.#recordsNow >= 2 * this.records);
      this.#indexes.create();
      this.#imprintCounts.write();
      const at = new Date().toISOString();
      if (revision !== this.revision || this.#hasRemoved)
        this.#sql.updateCatalog.run(revision, this.#recordsNow, at);
      this.#changes.finish(at, keepDeletionsDays);
      const begun = { ...details, revisionBefore: this.revision };
      addImportRun(this.#db, this.#changes.number, run, begun, revision);
      this.#undo.finish(at, undoes);
      // A commit into a file that is no longer under its path would be lost.
      if (!isInPlace(this.#file)) throw replacedFile(this.#file.path);
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

  /** Keeps what a change replaces, so that it can be undone. Returns the old body when it differs and was read. */
  #keepOld(isbn: number, { record, columns }: CurrentState, entry?: Entry): Uint8Array | undefined {
    if (!record) this.#undo.added(isbn);
    if (!record || (entry?.changedBlocks !== undefined && !this.#undo.steps.isKept)) return undefined;
    const isSame = entry !== undefined && entry.etag === record.etag;
    const body = isSame ? entry.body : (columns ?? this.#sql.body.get(record.id))?.body;
    const old = { sender: this.#senders.keyOf(record.sender), body };
    this.#undo.replaced(isbn, record, old, entry?.body);
    return body;
  }

  #noteSeen(isbn: number, state: CurrentState, feed: number, { before, added }: RemovedNumbers): void {
    this.#appended?.markSeen(isbn);
    this.#sql.markSeen.run(isbn, feed, etagBefore(state), before, added);
  }

  async #end(isCommitted: boolean, mayBeInLog: boolean): Promise<void> {
    this.#hasEnded = true;
    this.#senders.close();
    this.#imprintCounts[Symbol.dispose]();
    this.#changes.close();
    this.#undo.close();
    this.#searchIndex[Symbol.dispose]();
    this.#editionLinks[Symbol.dispose]();
    this.#indexes.close();
    for (const { statement } of this.#updates) statement.finalize();
    for (const statement of Object.values(this.#sql)) statement.finalize();
    try {
      if (this.#db.inTransaction) this.#db.run("ROLLBACK");
      if (mayBeInLog && !isCommitted) overwriteFailedCommit(this.#db);
    } finally {
      await this.#onEnd(isCommitted);
    }
  }

  /** On a full disk SQLite ends the transaction by itself, and later writes would be visible to readers at once. */
  #requireOpen(): void {
    if (this.#hasEnded || !this.#db.inTransaction) throw new Error("The import has ended");
  }
}
