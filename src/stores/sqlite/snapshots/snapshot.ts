import type { SQLQueryBindings } from "bun:sqlite";
import type { BookChange, ChangeHistory, ChangePlace } from "../../../catalog/changes/change-history.ts";
import { isOfOtherBook } from "../../../catalog/entry.ts";
import type { ListKey, PagedList, Selection } from "../../../catalog/selection.ts";
import type { EditionLink, Entry, Imprint, Snapshot, View } from "../../../catalog/store.ts";
import { DamagedRecord, SnapshotExpired } from "../../../catalog/store-errors.ts";
import type { Awaitable } from "../../../lib/awaitable.ts";
import type { Day } from "../../../onix/date.ts";
import type { Isbn13 } from "../../../onix/isbn.ts";
import { isbnFromColumn } from "../../columns.ts";
import { batchesOf, countKeys, readKeys } from "../../lists.ts";
import { readChanges, readHistory } from "../history/change-log.ts";
import { SELECT_LAST_IMPORT } from "../history/import-runs.ts";
import type { RecordIds } from "../lookups/record-ids.ts";
import {
  dayToColumn,
  delimitLanguage,
  ENTRY_COLUMNS,
  type EntryRow,
  isbnToColumn,
  isIntactRow,
  type RecordRow,
  requireIntact,
  uncheckedEntryFromRow,
  VIEW_TABLES,
} from "../rows.ts";
import { readEditionLinks } from "./edition-links.ts";
import { pagedList } from "./paged-lists.ts";
import type { ReadTransaction, SharedState, StateReader } from "./read-transaction.ts";

/** A LEFT JOIN, because a record without a body is damaged; an inner join would hide it. */
const RECORDS: Readonly<Record<View, string>> = {
  record: `isbn, body, etag, checksum FROM record LEFT JOIN ${VIEW_TABLES.record} USING (id)`,
  summary: `isbn, body, etag, checksum FROM record LEFT JOIN ${VIEW_TABLES.summary} USING (id)`,
};
const ENTRIES = `${ENTRY_COLUMNS} FROM record LEFT JOIN ${VIEW_TABLES.record} USING (id)`;
const SELECT_RECORD_COUNT = "SELECT records FROM catalog";
const SELECT_IMPRINT_COUNT = "SELECT total(records) AS records FROM imprint WHERE slug = ?";
const LAST_DAY = 9999_12_31;

/** A selection by an index, not by ISBNs. */
type IndexedSelection = Exclude<Selection, { kind: "isbns" }>;

/** Less than every ISBN. */
const BEFORE_FIRST = -1;

type DatedColumns = RecordRow & { readonly published: number };

export class SqliteSnapshot implements Snapshot, StateReader {
  readonly revision: string;
  readonly openedAtMs = performance.now();
  readonly #generation: string;
  readonly #ids: RecordIds;
  readonly #onClose: () => void;
  /** Undefined when the snapshot is closed. */
  #state: SharedState | undefined;
  #expired: SnapshotExpired | undefined;
  /** The lists that are not yet read to their end. */
  readonly #openLists = new Set<{ close(): void }>();
  /** `missing` and `keys` fill it and `bodies` uses it, as the API calls one after the other. */
  readonly #bodyIds = new Map<Isbn13, number>();

  constructor(state: SharedState, ids: RecordIds, onClose: () => void) {
    this.#state = state;
    this.#generation = state.generation;
    this.#ids = ids;
    this.revision = state.revision;
    this.#onClose = onClose;
  }

  hasImprint(slug: string): boolean {
    return this.#openTransaction().hasImprint.get(slug) !== null;
  }

  missing(isbns: readonly Isbn13[]): readonly Isbn13[] {
    const missing = new Set<Isbn13>();
    for (const isbn of isbns) if (this.#bodyIdOf(isbn) === undefined) missing.add(isbn);
    return [...missing];
  }

  bodies(selection: Selection, view: View = "record"): Generator<readonly Uint8Array[], void> {
    return batchesOf(this.#bodies(selection, view), (body) => body.byteLength + 256);
  }

  editionLinks(nodes: readonly string[]): Promise<readonly EditionLink[]> {
    return readEditionLinks(() => this.#openTransaction(), nodes);
  }

  async keys(list: PagedList, after: ListKey | undefined, limit: number): Promise<readonly ListKey[]> {
    const keys = await readKeys(pagedList(list, this.#runQuery), after, limit);
    for (const { isbn, bodyId } of keys) this.#bodyIds.set(isbn, bodyId);
    return keys;
  }

  total(list: PagedList): Awaitable<number | undefined> {
    if (list.kind === "all") return this.#queryCount(SELECT_RECORD_COUNT);
    if (list.kind === "imprint" && list.language === undefined)
      return this.#queryCount(SELECT_IMPRINT_COUNT, list.slug);
    return countKeys(pagedList(list, this.#runQuery));
  }

  history(number: number): ChangeHistory {
    return readHistory(this.#runQuery, number);
  }

  changes(after: ChangePlace, deletionsAfter: number, limit: number): readonly BookChange[] {
    return readChanges(this.#runQuery, after, deletionsAfter, limit);
  }

  entries(selection?: Selection): Generator<readonly Entry[], void> {
    const entries = selection === undefined ? this.#allEntries() : this.#entries(selection);
    return batchesOf(entries, ({ body, origin }) => body.byteLength + origin.length + 512);
  }

  lastImportId(): string {
    for (const { id } of this.#list<{ id: string }>(SELECT_LAST_IMPORT, () => [])) return id;
    return "";
  }

  isbns(): Generator<readonly Isbn13[], void> {
    return batchesOf(this.#isbns(), () => 16);
  }

  imprints(): Generator<readonly Imprint[], void> {
    return batchesOf(this.#imprints(), () => 128);
  }

  close(): void {
    if (this.#state === undefined) return;
    this.#state = undefined;
    this.suspendLists();
    this.#onClose();
  }

  expire(reason?: string): void {
    this.#expired ??= new SnapshotExpired(reason);
    this.close();
  }

  suspendLists(): void {
    for (const list of this.#openLists) list.close();
  }

  *#bodies(selection: Selection, view: View): Generator<Uint8Array, void> {
    if (selection.kind === "isbns") yield* this.#bodiesOfIsbns(selection.isbns, view);
    else for (const { body } of this.#rows<RecordRow>(selection, RECORDS[view])) yield body;
  }

  *#entries(selection: Selection): Generator<Entry, void> {
    if (selection.kind === "isbns") yield* this.#entriesOfIsbns(selection.isbns);
    else for (const row of this.#rows<EntryRow>(selection, ENTRIES)) yield uncheckedEntryFromRow(row);
  }

  /** Yields the rows of a list. Their bodies are intact. */
  #rows<Row extends RecordRow>(selection: IndexedSelection, columns: string): Generator<Row, void> {
    return selection.kind === "imprint"
      ? this.#rowsOfImprint(selection.slug, selection.language, columns)
      : this.#rowsOfDates(selection.from, selection.to, columns);
  }

  #rowsOfDates<Row extends RecordRow>(from: Day, to: Day | undefined, columns: string): Generator<Row, void> {
    const sql = `SELECT published, ${columns} WHERE published BETWEEN ?1 AND ?2 AND NOT (published = ?2 AND isbn <= ?3)
      ORDER BY published DESC, isbn`;
    const lastDay = to === undefined ? LAST_DAY : dayToColumn(to);
    const rowsAfter = (last: (Row & DatedColumns) | undefined) => [
      dayToColumn(from),
      last?.published ?? lastDay,
      last?.isbn ?? BEFORE_FIRST,
    ];
    // No count of the records of a period is stored, so there is nothing to compare with.
    return this.#checkedRows<Row & DatedColumns>(sql, rowsAfter, () => {});
  }

  *#bodiesOfIsbns(isbns: readonly Isbn13[], view: View): Generator<Uint8Array, void> {
    for (const isbn of isbns) {
      // Ids that are not yet known are not noted, or the memory of an export would grow with the catalog.
      const id = this.#bodyIds.get(isbn) ?? this.#readBodyId(isbn);
      if (id === undefined) continue;
      const row = this.#openTransaction().bodies[view].get(id);
      if (row === null || !isIntactRow(row) || isOfOtherBook(isbn, row.body)) throw new DamagedRecord(isbn);
      yield row.body;
    }
  }

  *#entriesOfIsbns(isbns: readonly Isbn13[]): Generator<Entry, void> {
    const sql = `SELECT ${ENTRIES} WHERE isbn = ?`;
    for (const isbn of isbns) {
      for (const row of this.#list<EntryRow>(sql, () => [isbnToColumn(isbn)])) {
        if (!isIntactRow(row) || isOfOtherBook(isbn, row.body)) throw new DamagedRecord(isbn);
        yield uncheckedEntryFromRow(row);
        break;
      }
    }
  }

  #bodyIdOf(isbn: Isbn13): number | undefined {
    const id = this.#bodyIds.get(isbn) ?? this.#readBodyId(isbn);
    if (id !== undefined) this.#bodyIds.set(isbn, id);
    return id;
  }

  #readBodyId(isbn: Isbn13): number | undefined {
    return this.#ids.find(this.#generation, isbnToColumn(isbn), this.#searchBodyId);
  }

  readonly #searchBodyId = (isbn: number): number | undefined => this.#openTransaction().bodyId.get(isbn)?.id;

  #rowsOfImprint<Row extends RecordRow>(
    slug: string,
    language: string | undefined,
    columns: string,
  ): Generator<Row, void> {
    if (language === undefined) {
      const sql = `SELECT ${columns} WHERE imprint = ? AND isbn > ? ORDER BY isbn`;
      return this.#checkedRows<Row>(sql, afterIsbn(slug), (count) =>
        this.#requireCount(count, SELECT_IMPRINT_COUNT, slug),
      );
    }
    const sql = `SELECT ${columns} WHERE instr(languages, ?) > 0 AND imprint = ? AND isbn > ? ORDER BY isbn`;
    return this.#checkedRows<Row>(sql, afterIsbn(delimitLanguage(language), slug), () => {
      const count = this.#queryCount("SELECT count(*) AS records FROM record WHERE imprint = ?", slug);
      this.#requireCount(count, SELECT_IMPRINT_COUNT, slug);
    });
  }

  /** Yields the rows of a query, with their bodies checked. Calls `atEnd` with their number. */
  *#checkedRows<Row extends RecordRow>(
    sql: string,
    bindingsAfter: BindingsAfter<Row>,
    atEnd: (count: number) => void,
  ): Generator<Row, void> {
    let count = 0;
    for (const row of this.#list(sql, bindingsAfter)) {
      requireIntact(row);
      count++;
      yield row;
    }
    atEnd(count);
  }

  *#allEntries(): Generator<Entry, void> {
    const sql = `SELECT ${ENTRIES} WHERE isbn > ? ORDER BY isbn`;
    const rows = this.#checkedRows<EntryRow>(sql, afterIsbn(), (count) =>
      this.#requireCount(count, SELECT_RECORD_COUNT),
    );
    for (const row of rows) yield uncheckedEntryFromRow(row);
  }

  *#isbns(): Generator<Isbn13, void> {
    const sql = "SELECT isbn FROM record INDEXED BY record_outline WHERE isbn > ? ORDER BY isbn";
    let count = 0;
    for (const { isbn } of this.#list<{ isbn: number }>(sql, afterIsbn())) {
      count++;
      yield isbnFromColumn(isbn);
    }
    this.#requireCount(count, SELECT_RECORD_COUNT);
  }

  /** Compares the length of a list with the stored count: a damaged index may have lost entries. */
  #requireCount(count: number, expectedSql: string, ...bindings: string[]): void {
    const expected = this.#queryCount(expectedSql, ...bindings);
    if (expected !== count) {
      throw new Error(`The index is damaged: it has ${count} of ${expected} records`);
    }
  }

  #queryCount(sql: string, ...bindings: string[]): number {
    for (const { records } of this.#list<{ records: number }>(sql, () => bindings)) return records;
    throw new Error("The catalog has lost its record count");
  }

  /**
   * Names each imprint by its spelling with the most records. On a tie, the first in code point order wins: SQLite
   * compares UTF-8 bytes.
   */
  *#imprints(): Generator<Imprint, void> {
    let best: ImprintRow | undefined;
    const sql = "SELECT slug, name, records FROM imprint WHERE (slug, name) > (?, ?) ORDER BY slug, name";
    const rowsAfter = (last: ImprintRow | undefined) => [last?.slug ?? "", last?.name ?? ""];
    for (const row of this.#list<ImprintRow>(sql, rowsAfter)) {
      if (best?.slug === row.slug && best.records >= row.records) continue;
      if (best && best.slug !== row.slug) yield { slug: best.slug, name: best.name };
      best = row;
    }
    if (best) yield { slug: best.slug, name: best.name };
  }

  /** Lists the rows of a query. When the transaction was replaced, a new query continues after the last row. */
  *#list<Row>(sql: string, bindingsAfter: BindingsAfter<Row>): Generator<Row, void> {
    let last: Row | undefined;
    for (let isSuspended = true; isSuspended; ) {
      const rows = this.#openTransaction().list<Row>(sql, ...bindingsAfter(last));
      this.#openLists.add(rows);
      isSuspended = false;
      try {
        for (const row of rows) {
          last = row;
          yield row;
          isSuspended = !rows.isOpen;
          if (isSuspended) break;
        }
      } finally {
        this.#openLists.delete(rows);
      }
    }
  }

  readonly #runQuery = <Row>(sql: string, ...bindings: SQLQueryBindings[]): Row[] => [
    ...this.#openTransaction().list<Row>(sql, ...bindings),
  ];

  #openTransaction(): ReadTransaction {
    if (!this.#state) throw this.#expired ?? new Error("The snapshot is closed");
    // A read without the transaction would return another state.
    if (!this.#state.transaction.isOpen) {
      throw new Error("The snapshot was lost: another reader of its transaction met a disk error");
    }
    return this.#state.transaction;
  }
}

/** Returns the bindings of a query for the rows after this one; without it, for all rows. */
type BindingsAfter<Row> = (last: Row | undefined) => readonly SQLQueryBindings[];

/** Returns bindings whose last one is the ISBN that the rows come after. */
function afterIsbn(...bindings: SQLQueryBindings[]): BindingsAfter<{ readonly isbn: number | string }> {
  return (last) => [...bindings, last?.isbn ?? BEFORE_FIRST];
}

interface ImprintRow {
  readonly slug: string;
  readonly name: string;
  readonly records: number;
}
