import type { Database } from "bun:sqlite";
import {
  type BookChange,
  type ChangeHistory,
  type ChangePlace,
  forgetBefore,
  newChangeId,
} from "../../../catalog/changes/change-history.ts";
import { changedBlocks, joinBlocks } from "../../../catalog/history/changed-blocks.ts";
import { countUpdate, noUpdates } from "../../../catalog/history/update-counts.ts";
import type { Entry } from "../../../catalog/store.ts";
import { type ChangeRow, changeFromRow, changeHistoryFromRow, type HistoryRow } from "../../history-rows.ts";
import { type CurrentState, etagBefore } from "../import/statements.ts";
import { AFTER_LAST_ISBN, isbnToColumn } from "../rows.ts";
import type { RunQuery } from "../snapshots/paged-lists.ts";

/** Where a record comes from, as its row has it. */
export interface RecordSource {
  /** The number of the import that has changed it last. */
  readonly changed: number;
  /** The feed of that import; null when it is not known. */
  readonly feed: number | null;
  /** The feed of the import that has added the record; null when it is not known. Is written with a new row only. */
  readonly added_feed: number | null;
  /** What the last change has changed; see `changedBlocks`. */
  readonly blocks: string | null;
}

/** What a change of a record does to its number. */
interface NumberChange {
  /** The source of the record from now on. */
  readonly source: RecordSource;
  /** The number before the import; null when there was no record. */
  readonly before: number | null;
}

/** What the removal of a record must remember, in case that the import adds it again. */
export interface RemovedNumbers {
  readonly before: number | null;
  readonly added: number | null;
}

/** A record whose number changes. */
interface Move {
  readonly isbn: number;
  readonly from: number | null;
  readonly to: number;
}

/** Bounds the memory of a large update, to some megabytes. */
const MAX_MOVES = 50_000;

type ChangedEntry = Pick<Entry, "etag" | "body" | "changedBlocks">;

/** Fills `change` after the appended records of an import into an empty catalog have their index. */
const ADD_APPENDED =
  "INSERT OR REPLACE INTO change SELECT ?1, isbn, ?1 FROM record INDEXED BY record_by_isbn ORDER BY isbn";

/**
 * Maintains the tables `change`, `deletion` and `change_run`. A record that has the same bytes at the end of the import
 * as before it keeps its number, whatever feeds did in between.
 */
export class ChangeLog {
  readonly number: number;
  /** The records that the import has updated so far, by what has changed. */
  readonly updates = noUpdates();
  readonly #db: Database;
  readonly #sql: ReturnType<typeof prepare>;
  /** Changes of numbers that are not written yet, by ISBN. */
  readonly #moves = new Map<number, Move>();

  constructor(db: Database, number: number) {
    this.#db = db;
    this.number = number;
    this.#sql = prepare(db);
  }

  /** Adds the records that were appended without this log. */
  addAppended(): void {
    this.#db.run(ADD_APPENDED, [this.number]);
  }

  newSource(feed: number): RecordSource {
    return { changed: this.number, feed, added_feed: feed, blocks: null };
  }

  /**
   * Notes that a record is added, or becomes one with this etag and body. `bodyBefore` is needed when neither the etag
   * is the same nor the entry says what has changed.
   */
  put(
    isbn: number,
    entry: ChangedEntry,
    state: CurrentState,
    feed: number,
    bodyBefore?: Uint8Array,
  ): NumberChange {
    const { record, seen } = state;
    const { etag } = entry;
    const etagBeforeImport = etagBefore(state);
    const now = record?.changed ?? null;
    const before = etagBeforeImport === null ? null : (seen?.changed ?? now);
    const changed = before !== null && etag === etagBeforeImport ? before : this.number;
    if (record) this.#move(isbn, now, changed);
    else {
      // The import has removed it before.
      if (etagBeforeImport !== null) this.#sql.forgetDeletion.run(isbn);
      this.#sql.insert.run(changed, isbn, seen?.added ?? this.number);
    }
    const source = this.#sourceAfter(changed, entry, state, feed, bodyBefore);
    this.#uncount(state);
    if (etagBeforeImport !== null && changed === this.number) countUpdate(this.updates, source.blocks);
    return { source, before };
  }

  #sourceAfter(
    changed: number,
    entry: ChangedEntry,
    { record, seen }: CurrentState,
    feed: number,
    bodyBefore: Uint8Array | undefined,
  ): RecordSource {
    if (record?.etag === entry.etag) return { ...record, changed: record.changed ?? changed };
    // The import has removed the record, or restores its old state: where that came from is not remembered.
    const isRestored = changed !== this.number;
    const source = { changed, feed: isRestored ? null : feed, blocks: null };
    if (!record) return { ...source, added_feed: seen?.added == null ? feed : null };
    const { added_feed } = record;
    if (isRestored || record.etag === null) return { ...source, added_feed };
    const blocks = entry.changedBlocks ?? changedBlocks(bodyBefore!, entry.body);
    const isAgain = record.changed === this.number;
    return { ...source, added_feed, blocks: isAgain ? joinBlocks(record.blocks, blocks) : blocks };
  }

  /** Notes that a record is removed. */
  remove(isbn: number, state: CurrentState): RemovedNumbers {
    const now = state.record?.changed ?? null;
    this.#uncount(state);
    if (this.#moves.has(isbn)) this.#writeMoves();
    const removed = now === null ? null : this.#sql.remove.get(now, isbn);
    if (removed === null) this.#sql.removeLost.run(isbn);
    if (etagBefore(state) === null) return { before: null, added: null };
    this.#sql.addDeletion.run(isbn, this.number);
    return { before: state.seen?.changed ?? now, added: removed?.added ?? null };
  }

  /** Stores the import when it has changed records, and forgets deletions that are too old. */
  finish(at: string, keepDeletionsDays: number): void {
    this.#writeMoves();
    if (this.#sql.anyDeletion.get() !== null) this.#sql.forgetAdded.run(this.number);
    this.#sql.addRun.run(this.number, newChangeId(), at);
    const { number } = this.#sql.forgettable.get(forgetBefore(at, keepDeletionsDays))!;
    if (number === null) return;
    this.#sql.forgetUpTo.run(number);
    this.#sql.setForgotten.run(number);
  }

  close(): void {
    for (const statement of Object.values(this.#sql)) statement.finalize();
  }

  /** A record that changes again may have been counted before. */
  #uncount(state: CurrentState): void {
    const { record } = state;
    if (record?.changed !== this.number || etagBefore(state) === null) return;
    countUpdate(this.updates, record.blocks, -1);
  }

  #move(isbn: number, from: number | null, to: number): void {
    if (from === to) return;
    const pending = this.#moves.get(isbn);
    this.#moves.set(isbn, { isbn, from: pending ? pending.from : from, to });
    if (this.#moves.size >= MAX_MOVES) this.#writeMoves();
  }

  /** Writes in the order of the table, so that the many moves of a large update write each page once. */
  #writeMoves(): void {
    const moves = [...this.#moves.values()].sort((a, b) => (a.from ?? 0) - (b.from ?? 0) || a.isbn - b.isbn);
    this.#moves.clear();
    for (const { isbn, from, to } of moves) {
      if (from === to || (from !== null && this.#sql.move.run(to, from, isbn).changes > 0)) continue;
      // A damaged catalog has lost the number of the record, or its row in the log.
      this.#sql.removeLost.run(isbn);
      this.#sql.insert.run(to, isbn, to);
    }
  }
}

function prepare(db: Database) {
  return {
    insert: db.prepare<unknown, [number, number, number]>("INSERT OR REPLACE INTO change VALUES (?, ?, ?)"),
    move: db.prepare<unknown, [number, number, number]>(
      "UPDATE OR REPLACE change SET number = ? WHERE number = ? AND isbn = ?",
    ),
    remove: db.prepare<{ added: number }, [number, number]>(
      "DELETE FROM change WHERE number = ? AND isbn = ? RETURNING added",
    ),
    removeLost: db.prepare<unknown, [number]>("DELETE FROM change WHERE isbn = ?"),
    addDeletion: db.prepare<unknown, [number, number]>(
      "INSERT INTO deletion VALUES (?, ?) ON CONFLICT DO UPDATE SET number = excluded.number",
    ),
    forgetDeletion: db.prepare<unknown, [number]>("DELETE FROM deletion WHERE isbn = ?"),
    anyDeletion: db.prepare<{ found: 1 }, []>("SELECT 1 AS found FROM deletion LIMIT 1"),
    // A deletion stays until the end of the import that adds the book again: a later feed may delete it once more.
    forgetAdded: db.prepare<unknown, [number]>(
      "DELETE FROM deletion WHERE isbn IN (SELECT isbn FROM change WHERE number = ?)",
    ),
    addRun: db.prepare<unknown, [number, string, string]>(
      `INSERT INTO change_run SELECT ?1, ?2, ?3 WHERE EXISTS (SELECT 1 FROM change WHERE number = ?1)
         OR EXISTS (SELECT 1 FROM deletion WHERE number = ?1)`,
    ),
    forgettable: db.prepare<{ number: number | null }, [string]>(
      `SELECT max(number) AS number FROM deletion WHERE number <= (
         SELECT max(number) FROM change_run, catalog WHERE number > forgotten_change AND at < ?)`,
    ),
    forgetUpTo: db.prepare<unknown, [number]>("DELETE FROM deletion WHERE number <= ?"),
    setForgotten: db.prepare<unknown, [number]>("UPDATE catalog SET forgotten_change = ?"),
  };
}

const HISTORY = `SELECT forgotten_change AS forgotten, newest.number, newest.id,
    (SELECT id FROM change_run WHERE number = ?) AS known_id
  FROM catalog LEFT JOIN (SELECT number, id FROM change_run ORDER BY number DESC LIMIT 1) AS newest`;

/** The time comes from a subquery, because a join would hide a change whose import is lost. */
const AT = "(SELECT at FROM change_run WHERE change_run.number = change.number) AS at";
const CHANGED = `SELECT number, isbn, added, ${AT} FROM change WHERE (number, isbn) > (?, ?)
  ORDER BY number, isbn LIMIT ?`;
const DELETED = `SELECT number, isbn, NULL AS added, ${AT} FROM deletion AS change WHERE (number, isbn) > (?, ?)
  ORDER BY number, isbn LIMIT ?`;

export function readHistory(runQuery: RunQuery, number: number): ChangeHistory {
  return changeHistoryFromRow(runQuery<HistoryRow>(HISTORY, number)[0]!, false);
}

/** Reads no more rows than a page has. */
export function readChanges(
  runQuery: RunQuery,
  after: ChangePlace,
  deletionsAfter: number,
  limit: number,
): readonly BookChange[] {
  const deletionPlace = after.number > deletionsAfter ? after : { number: deletionsAfter, isbn: undefined };
  const rows = [
    ...runQuery<ChangeRow>(CHANGED, ...columnsOf(after), limit),
    ...runQuery<ChangeRow>(DELETED, ...columnsOf(deletionPlace), limit),
  ];
  rows.sort((a, b) => a.number - b.number || Number(a.isbn) - Number(b.isbn));
  return rows.slice(0, limit).map(changeFromRow);
}

function columnsOf({ number, isbn }: ChangePlace): readonly [number, number] {
  return [number, isbn === undefined ? AFTER_LAST_ISBN : isbnToColumn(isbn)];
}
