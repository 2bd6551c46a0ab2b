import type { SQLQueryBindings, Statement } from "bun:sqlite";
import type { BookChange, ChangeHistory, ChangePlace } from "../../../catalog/changes/change-history.ts";
import { isOfOtherBook } from "../../../catalog/entry.ts";
import type { ListKey, PagedList, Selection } from "../../../catalog/selection.ts";
import type { EditionLink, Entry, Imprint, Snapshot, View } from "../../../catalog/store.ts";
import { DamagedRecord, SnapshotExpired } from "../../../catalog/store-errors.ts";
import type { Awaitable } from "../../../lib/awaitable.ts";
import { type Isbn13, isThirteenDigits } from "../../../onix/isbn.ts";
import { isbnFromColumn } from "../../columns.ts";
import { batchesOf, countKeys, readKeys } from "../../lists.ts";
import { readChanges, readHistory } from "../history/change-log.ts";
import { SELECT_LAST_IMPORT } from "../history/import-runs.ts";
import type { RecordIds } from "../lookups/record-ids.ts";
import {
  ENTRY_COLUMNS,
  type EntryRow,
  isbnToColumn,
  isIntactRow,
  type RecordRow,
  uncheckedEntryFromRow,
  VIEW_TABLES,
} from "../rows.ts";
import { nextTurn, pagedList } from "./paged-lists.ts";
import type { ReadTransaction, SharedState, StateReader } from "./read-transaction.ts";
import {
  allIsbns,
  type BindingsAfter,
  imprints,
  type ListRows,
  recordCount,
  selectedRows,
} from "./selected-rows.ts";

/** About a millisecond of reading. */
const MAX_ISBNS_PER_TICK = 250;
const MAX_ROWS_PER_TICK = 1000;
/** A node without links takes as long as some rows. */
const ROWS_PER_NODE = 10;

/** `transaction` returns that of the snapshot, or throws when it has ended. */
async function readEditionLinks(
  transaction: () => ReadTransaction,
  nodes: readonly string[],
): Promise<readonly EditionLink[]> {
  const links: EditionLink[] = [];
  let rows = 0;
  for (const node of nodes) {
    const isbn = isThirteenDigits(node) ? isbnToColumn(node) : null;
    const found = transaction().editionLinks.all(isbn, node);
    for (const { isbn, target } of found) links.push({ isbn: isbnFromColumn(isbn), target });
    rows += ROWS_PER_NODE + found.length;
    if (rows < MAX_ROWS_PER_TICK) continue;
    rows = 0;
    await nextTurn();
  }
  if (rows > MAX_ROWS_PER_TICK / 4) await nextTurn();
  return links;
}

/** A LEFT JOIN, because a record without a body is damaged; an inner join would hide it. */
const RECORDS: Readonly<Record<View, string>> = {
  record: `isbn, body, etag, checksum FROM record LEFT JOIN ${VIEW_TABLES.record} USING (id)`,
  summary: `isbn, body, etag, checksum FROM record LEFT JOIN ${VIEW_TABLES.summary} USING (id)`,
};
const ENTRIES = `${ENTRY_COLUMNS} FROM record LEFT JOIN ${VIEW_TABLES.record} USING (id)`;

export class SqliteSnapshot implements Snapshot, StateReader {
  readonly revision: string;
  readonly openedAtMs = performance.now();
  readonly #generation: string;
  readonly #ids: RecordIds;
  readonly #onClose: () => void;
  /** Undefined when the snapshot is closed. */
  #state: SharedState | undefined;
  #expired: SnapshotExpired | undefined;
  /** Those of lists that are not yet read to their end. They hold the transaction and the write-ahead log. */
  readonly #openStatements = new Set<Pick<Statement, "finalize">>();
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

  missing(isbns: readonly Isbn13[]): Awaitable<readonly Isbn13[]> {
    const isMissing = (isbn: Isbn13) => this.#bodyIdOf(isbn) === undefined;
    if (isbns.length <= MAX_ISBNS_PER_TICK) return [...new Set(isbns.filter(isMissing))];
    return Bun.sleep(0).then(async () => {
      const missing = isbns.slice(0, MAX_ISBNS_PER_TICK).filter(isMissing);
      missing.push(...(await this.missing(isbns.slice(MAX_ISBNS_PER_TICK))));
      return [...new Set(missing)];
    });
  }

  bodies(selection: Selection, view: View = "record"): Generator<readonly Uint8Array[], void> {
    return batchesOf(this.#bodies(selection, view), (body) => body.byteLength + 256);
  }

  summaryStarts(isbns: readonly Isbn13[]): Generator<readonly Uint8Array[], void> {
    return batchesOf(this.#bodiesOfIsbns(isbns, "summaryStart"), (body) => body.byteLength + 256);
  }

  editionLinks(nodes: readonly string[]): Promise<readonly EditionLink[]> {
    return readEditionLinks(() => this.#openTransaction(), nodes);
  }

  async keys(list: PagedList, after: ListKey | undefined, limit: number): Promise<readonly ListKey[]> {
    const keys = await readKeys(pagedList(list, this.#runQuery), after, limit);
    for (const { isbn, bodyId } of keys) this.#bodyIds.set(isbn, bodyId);
    return keys;
  }

  total(list: PagedList, timeoutMs?: number): Awaitable<number | undefined> {
    if (list.kind === "all") return recordCount(this.#list);
    if (list.kind === "imprint" && list.language === undefined) return recordCount(this.#list, list.slug);
    return countKeys(pagedList(list, this.#runQuery), timeoutMs);
  }

  history(number: number): ChangeHistory {
    return readHistory(this.#runQuery, number);
  }

  changes(after: ChangePlace, deletionsAfter: number, limit: number): readonly BookChange[] {
    return readChanges(this.#runQuery, after, deletionsAfter, limit);
  }

  entries(selection?: Selection): Generator<readonly Entry[], void> {
    return batchesOf(this.#entries(selection), ({ body, origin }) => body.byteLength + origin.length + 512);
  }

  lastImportId(): string {
    for (const { id } of this.#list<{ id: string }>(SELECT_LAST_IMPORT, () => [])) return id;
    return "";
  }

  isbns(): Generator<readonly Isbn13[], void> {
    return batchesOf(allIsbns(this.#list), () => 16);
  }

  imprints(): Generator<readonly Imprint[], void> {
    return batchesOf(imprints(this.#list), () => 128);
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
    for (const statement of this.#openStatements) this.#finalize(statement);
  }

  #finalize(statement: Pick<Statement, "finalize">): void {
    if (this.#openStatements.delete(statement)) statement.finalize();
  }

  *#bodies(selection: Selection, view: View): Generator<Uint8Array, void> {
    if (selection.kind === "isbns") yield* this.#bodiesOfIsbns(selection.isbns, view);
    else for (const { body } of selectedRows<RecordRow>(this.#list, selection, RECORDS[view])) yield body;
  }

  *#entries(selection: Selection | undefined): Generator<Entry, void> {
    if (selection?.kind === "isbns") yield* this.#entriesOfIsbns(selection.isbns);
    else
      for (const row of selectedRows<EntryRow>(this.#list, selection, ENTRIES))
        yield uncheckedEntryFromRow(row);
  }

  *#bodiesOfIsbns(isbns: readonly Isbn13[], view: View | "summaryStart"): Generator<Uint8Array, void> {
    for (const isbn of isbns) {
      // Ids that are not yet known are not noted, or the memory of an export would grow with the catalog.
      const id = this.#bodyIds.get(isbn) ?? this.#readBodyId(isbn);
      if (id === undefined) continue;
      const row = this.#openTransaction().bodies[view].get(id);
      const isDamaged = row === null || (view !== "summaryStart" && !isIntactRow(row));
      if (isDamaged || isOfOtherBook(isbn, row.body)) throw new DamagedRecord(isbn);
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

  /** Lists the rows of a query. When the transaction was replaced, a new query continues after the last row. */
  readonly #list: ListRows = (sql, bindingsAfter) => this.#continuedList(sql, bindingsAfter);

  *#continuedList<Row>(sql: string, bindingsAfter: BindingsAfter<Row>): Generator<Row, void> {
    let last: Row | undefined;
    for (let isSuspended = true; isSuspended; ) {
      const statement = this.#openTransaction().prepare<Row>(sql);
      this.#openStatements.add(statement);
      isSuspended = false;
      try {
        for (const row of statement.iterate(...bindingsAfter(last))) {
          last = row;
          yield row;
          isSuspended = !this.#openStatements.has(statement);
          if (isSuspended) break;
        }
      } finally {
        this.#finalize(statement);
      }
    }
  }

  readonly #runQuery = <Row>(sql: string, ...bindings: SQLQueryBindings[]): Row[] => {
    using statement = this.#openTransaction().prepare<Row>(sql);
    return statement.all(...bindings);
  };

  #openTransaction(): ReadTransaction {
    if (!this.#state) throw this.#expired ?? new Error("The snapshot is closed");
    // A read without the transaction would return another state.
    if (!this.#state.transaction.isOpen) {
      throw new Error("The snapshot was lost: another reader of its transaction met a disk error");
    }
    return this.#state.transaction;
  }
}
