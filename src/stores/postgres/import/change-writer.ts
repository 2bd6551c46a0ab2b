/** Writes the changes of an import to the server, batch by batch. */
import type { ReservedSQL } from "bun";
import { summaryOfEntry } from "../../../catalog/entry.ts";
import { changedBlocks } from "../../../catalog/history/changed-blocks.ts";
import type { Entry } from "../../../catalog/store.ts";
import type { Isbn13 } from "../../../onix/isbn.ts";
import { type ImprintColumns, imprintFromColumns, isbnFromColumn } from "../../columns.ts";
import type { DatabaseAddress } from "../connection.ts";
import type { ChangeLog } from "../history/change-log.ts";
import type { UndoLog } from "../history/undo-log.ts";
import { isbnArray } from "../rows.ts";
import { SearchIndexWriter } from "../search/index-writer.ts";
import { CopyStream, copyRows } from "./copy.ts";
import { BinaryWriter, CopyRows, writeSummary } from "./copy-rows.ts";
import { CountWriter } from "./count-writer.ts";
import { EditionLinkWriter } from "./edition-link-writer.ts";
import type { Batch, SeenRow } from "./pending-changes.ts";
import { Senders } from "./senders.ts";
import * as statements from "./statements.ts";

/** The rows of `seen` that wait for one COPY: little memory, and enough that its round trips do not matter. */
const MAX_SEEN_ROWS = 10_000;

/** The summaries that wait for one COPY. */
const MAX_SUMMARY_BYTES = 2 * 1024 * 1024;

interface ExistingRow extends ImprintColumns {
  readonly isbn: string;
  readonly recency: number | null;
  readonly etag: string;
  readonly reference: string;
  readonly origin: string;
  /** Null when a damaged catalog has lost it. */
  readonly sender: string | null;
  /** Null for a record that is not compared. */
  readonly body: Uint8Array | null;
}

export class ChangeWriter {
  records: number;
  /** How many records were added, replaced or removed. */
  changes = 0;
  readonly senders = new Senders();
  readonly #rows = new CopyRows();
  readonly #imprintCounts = new CountWriter("imprint");
  /** One COPY takes new records until another statement is needed, so that the server hardly waits for the client. */
  #insertStream: CopyStream | undefined;
  #seenRows: SeenRow[] = [];
  /** The rows are copies: entries would keep whole chunks of the feed in memory. */
  readonly #summaryRows = new BinaryWriter();
  readonly #searchIndex: SearchIndexWriter;
  readonly #editionLinks = new EditionLinkWriter();

  constructor(
    records: number,
    address: DatabaseAddress,
    private readonly changeLog: ChangeLog,
    private readonly undo: UndoLog,
  ) {
    this.records = records;
    this.#searchIndex = new SearchIndexWriter(address, records === 0);
  }

  async write(connection: ReservedSQL, batch: Batch): Promise<void> {
    const { firstSeen, seenBefore, puts, putFeeds, mayExist } = batch;
    for (const row of firstSeen) this.#seenRows.push(row);
    if (!this.senders.areKnown(puts)) {
      await this.flush(connection);
      await this.senders.addMissing(puts, connection);
    }
    const needsQuery = seenBefore.isbns.length > 0 || mayExist.length > 0;
    const existing = needsQuery ? await this.#readAndRemove(connection, batch) : [];
    const existingIsbns = new Set(existing.map(({ isbn }) => isbnFromColumn(isbn)));
    this.#keepOld(existing, batch);
    const added = existing.length === 0 ? puts : puts.filter(({ isbn }) => !existingIsbns.has(isbn));
    const replaced = existing.length === 0 ? [] : puts.filter(({ isbn }) => existingIsbns.has(isbn));
    for (const { isbn } of added) this.undo.steps.added(Number(isbn));
    const unindexed = await this.#searchIndex.update(connection, existing, puts);
    const putsByIsbn = new Map(replaced.map((entry) => [entry.isbn, entry]));
    await this.#editionLinks.update(connection, existing, putsByIsbn);
    this.#editionLinks.add(added);
    if (replaced.length > 0) await this.#replace(connection, replaced, putFeeds, existing);
    if (added.length > 0) await this.#insert(connection, added, putFeeds);
    this.records += puts.length - existing.length;
    this.changes += puts.length + existing.length - replaced.length;
    this.#countImprints(puts, existing);
    this.#addSummaries(added);
    if (puts.length > 0 && seenBefore.isbns.length > 0) {
      await this.endInsert();
      await this.changeLog.correct(connection, batch);
    }
    this.#searchIndex.add(unindexed);
    const isFull = this.#seenRows.length >= MAX_SEEN_ROWS || this.#summaryRows.length >= MAX_SUMMARY_BYTES;
    if (this.#imprintCounts.isFull || this.#searchIndex.isFull || this.#editionLinks.isFull || isFull)
      await this.flush(connection);
    if (!this.undo.steps.isFull) return;
    await this.endInsert();
    await this.undo.write(connection);
  }

  /** Ends a COPY of new records. The next ones begin another. */
  async endInsert(): Promise<void> {
    const insertStream = this.#insertStream;
    this.#insertStream = undefined;
    await insertStream?.end();
  }

  /** Writes all records, summaries and `seen` rows to their tables. Afterwards the connection can run queries. */
  async flush(connection: ReservedSQL): Promise<void> {
    await this.endInsert();
    const seenRows = this.#seenRows;
    this.#seenRows = [];
    if (seenRows.length > 0) await copyRows(connection, statements.COPY_SEEN, this.#rows.ofSeen(seenRows));
    if (this.#summaryRows.length > 0) {
      await copyRows(connection, statements.COPY_SUMMARIES, this.#summaryRows.written());
      this.#summaryRows.clear();
    }
    await this.#searchIndex.flush(connection);
    await this.#editionLinks.flush(connection);
    if (this.#imprintCounts.isFull) await this.#imprintCounts.write(connection);
  }

  /** Writes everything that is left. The commit follows, at the given time. */
  async finish(connection: ReservedSQL, at: string, keepDeletionsDays: number): Promise<void> {
    await this.flush(connection);
    await this.#imprintCounts.write(connection);
    await this.senders.writeMarks(connection, this.undo.steps);
    await this.changeLog.finish(connection, at, keepDeletionsDays);
    await this.#searchIndex.finish(connection);
  }

  /** Ends a COPY, so that the connection can run a rollback. */
  async abort(): Promise<void> {
    await this.#insertStream?.abort();
  }

  /** Marks the records of the batch as seen and applies its removals. Returns the records that existed before. */
  async #readAndRemove(
    connection: ReservedSQL,
    { seenBefore, removals, puts, mayExist, oldRecords }: Batch,
  ): Promise<ExistingRow[]> {
    await this.flush(connection);
    if (seenBefore.isbns.length > 0) {
      const feeds = `{${seenBefore.feeds.join(",")}}`;
      await connection.unsafe(statements.MARK_SEEN, [isbnArray(seenBefore.isbns), feeds]);
    }
    if (mayExist.length === 0) return [];
    const { isKept } = this.undo.steps;
    const isRead = ({ isbn, changedBlocks: blocks }: Entry) =>
      blocks === undefined || (isKept && !oldRecords.has(isbn));
    const read = [...puts.filter(isRead).map(({ isbn }) => isbn), ...(isKept ? removals : [])];
    const isbns = [isbnArray(mayExist), isbnArray(read)];
    const existing = await connection.unsafe<ExistingRow[]>(statements.EXISTING, isbns);
    if (removals.length > 0) {
      await connection.unsafe(statements.REMOVE, [isbnArray(removals), this.changeLog.number]);
      await connection.unsafe(statements.REMOVE_SUMMARIES, [isbnArray(removals)]);
    }
    return existing;
  }

  /** Keeps what the batch replaces and removes, so that it can be undone. */
  #keepOld(existing: readonly ExistingRow[], { puts, oldRecords }: Batch): void {
    const { steps } = this.undo;
    if (!steps.isKept || existing.length === 0) return;
    const entries = new Map(puts.map((entry) => [entry.isbn, entry]));
    for (const row of existing) {
      const isbn = isbnFromColumn(row.isbn);
      const [entry, known] = [entries.get(isbn), oldRecords.get(isbn)];
      const { sender, reference, origin, etag } = row;
      const body = row.body ?? [entry, known].find((each) => each?.etag === etag)?.body;
      if (sender === null || body === undefined) steps.giveUp();
      else steps.changed(Number(isbn), { sender, reference, origin, body }, entry?.body);
    }
  }

  async #insert(connection: ReservedSQL, entries: readonly Entry[], feeds: Batch["putFeeds"]): Promise<void> {
    this.#insertStream ??= await CopyStream.begin(connection, statements.COPY_NEW);
    await this.#insertStream.write(this.#encode(entries, feeds));
  }

  async #replace(
    connection: ReservedSQL,
    entries: readonly Entry[],
    feeds: Batch["putFeeds"],
    existing: readonly ExistingRow[],
  ): Promise<void> {
    const bodies = new Map(existing.map(({ isbn, body }) => [isbnFromColumn(isbn), body]));
    await copyRows(connection, statements.COPY_REPLACED, this.#encode(entries, feeds, bodies));
    await connection.unsafe(statements.REPLACE_FROM_STAGING);
    await connection.unsafe(statements.REPLACE_SUMMARIES);
    await connection.unsafe(statements.EMPTY_STAGING);
  }

  #addSummaries(entries: readonly Entry[]): void {
    for (const entry of entries) writeSummary(this.#summaryRows, entry.isbn, summaryOfEntry(entry));
  }

  /** `bodies` are those of the records that the entries replace. */
  #encode(
    entries: readonly Entry[],
    feeds: Batch["putFeeds"],
    bodies?: ReadonlyMap<Isbn13, Uint8Array | null>,
  ): Uint8Array {
    const blocksOf = ({ isbn, body, changedBlocks: known }: Entry) => {
      const before = bodies?.get(isbn);
      return known ?? (before ? changedBlocks(before, body) : null);
    };
    const sourceOf = (entry: Entry) => ({
      sender: this.senders.columnOf(entry),
      feed: feeds.get(entry.isbn)!,
      blocks: bodies ? blocksOf(entry) : null,
    });
    return this.#rows.ofEntries(entries, sourceOf, this.changeLog.number, bodies && summaryOfEntry);
  }

  #countImprints(puts: readonly Entry[], existing: readonly ExistingRow[]): void {
    for (const { imprint } of puts) if (imprint) this.#imprintCounts.addImprint(imprint, 1);
    for (const row of existing) {
      const imprint = imprintFromColumns(row);
      if (imprint) this.#imprintCounts.addImprint(imprint, -1);
    }
  }
}
