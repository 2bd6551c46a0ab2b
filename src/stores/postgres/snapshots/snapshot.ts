import type { BookChange, ChangeHistory, ChangePlace } from "../../../catalog/changes/change-history.ts";
import type { ListKey, PagedList, Selection } from "../../../catalog/selection.ts";
import {
  type EditionLink,
  type Entry,
  type Imprint,
  MAX_NODE_LINKS,
  type Snapshot,
  type View,
} from "../../../catalog/store.ts";
import { DamagedRecord, SnapshotExpired } from "../../../catalog/store-errors.ts";
import type { Isbn13 } from "../../../onix/isbn.ts";
import { isbnFromColumn, type RecordColumns, requireIntact } from "../../columns.ts";
import { countKeys, readKeys } from "../../lists.ts";
import { QueryTimeout } from "../connection.ts";
import { WrongResult } from "../errors.ts";
import { readChanges, readHistory } from "../history/change-log.ts";
import { SELECT_LAST_IMPORT } from "../history/import-runs.ts";
import { type EntryRow, entryFromRow, isbnArray } from "../rows.ts";
import type { Pool } from "../session/pool.ts";
import type { QueryValue } from "../session/session.ts";
import {
  type CatalogVersion,
  type Result,
  type Statement,
  statementWithVersion,
} from "../session/statement.ts";
import { pagedList } from "./paged-lists.ts";
import { BEFORE_FIRST_ISBN, keysetPages, pagesOfIsbns } from "./pages.ts";
import type { ReadTransaction } from "./read-transaction.ts";
import { type BodyRow, ENTRIES, orderOf, SUMMARY_STARTS, VIEWS } from "./selected-rows.ts";

/** The links of the nodes in $1. Each node is looked up by the index of its direction. */
const EDITION_LINKS = statementWithVersion(`
  SELECT link.isbn, link.target FROM unnest($1::text[]) AS node (name), LATERAL (
    (SELECT isbn, target FROM colophon.edition_link
      WHERE isbn = CASE WHEN node.name ~ '^[0-9]{13}$' THEN node.name::bigint END
      ORDER BY target LIMIT ${MAX_NODE_LINKS})
    UNION ALL
    (SELECT isbn, target FROM colophon.edition_link WHERE target = node.name COLLATE "C"
      ORDER BY isbn LIMIT ${MAX_NODE_LINKS})
  ) AS link`);

/** About as many bytes as a page of records. */
const PAGE_ISBNS = 8192;
const PAGE_IMPRINTS = 1000;
const CHANGED_BEHIND_POOLER =
  "an import has changed the catalog, and through a pooler no list holds its state";
const CHANGED_AFTER_EARLY_END =
  "an import has changed the catalog, and the transaction of the list had ended early";

/** Built once; a list has no other text than these and those of `keysetPages`. */
const HAS_IMPRINT = statementWithVersion(
  "SELECT 1 AS one FROM colophon.imprint WHERE left(slug, 256) = left($1, 256) AND slug = $1 LIMIT 1",
);
const RECORD_COUNT = statementWithVersion("SELECT records FROM colophon.catalog");
const IMPRINT_COUNT = statementWithVersion(`SELECT coalesce(sum(records), 0) AS records FROM colophon.imprint
  WHERE left(slug, 256) = left($1, 256) AND slug = $1`);
const LAST_IMPORT = statementWithVersion(SELECT_LAST_IMPORT);
const EXISTING = statementWithVersion("SELECT isbn FROM colophon.record WHERE isbn = ANY ($1::bigint[])");
/** One row for a page: thousands of rows would cost more than their ISBNs. */
const ISBN_PAGE = statementWithVersion(`SELECT string_agg(isbn::text, ',' ORDER BY isbn) AS isbns
  FROM (SELECT isbn FROM colophon.record WHERE isbn > $1::bigint ORDER BY isbn LIMIT ${PAGE_ISBNS}) AS page`);
/**
 * The index has only the beginning of the slug. The order by the beginning and the whole is the order of the slugs, and
 * lets the server sort no more than the slugs of a page.
 */
const IMPRINT_PAGE = statementWithVersion(`SELECT DISTINCT ON (left(slug, 256), slug) slug, name
  FROM colophon.imprint WHERE left(slug, 256) >= left($1, 256) AND slug > $1
  ORDER BY left(slug, 256), slug, records DESC, name LIMIT ${PAGE_IMPRINTS}`);

/**
 * One state of the catalog. A transaction holds it for a while. Afterwards, and where none can be had, each page is a
 * statement of its own, and the snapshot ends when the catalog has another version than before.
 */
export class PostgresSnapshot implements Snapshot {
  readonly revision: string;
  readonly openedAtMs = performance.now();
  readonly #wasHeld: boolean;
  #isClosed = false;

  constructor(
    private readonly version: CatalogVersion,
    private transaction: ReadTransaction | undefined,
    private readonly pool: Pool,
    private readonly mayReadAhead: () => boolean,
    private readonly onClose: (snapshot: PostgresSnapshot) => void,
  ) {
    this.revision = version.revision;
    this.#wasHeld = transaction !== undefined;
    transaction?.addReader();
  }

  async hasImprint(slug: string): Promise<boolean> {
    return (await this.#query(HAS_IMPRINT, [slug])).length > 0;
  }

  async missing(isbns: readonly Isbn13[]): Promise<readonly Isbn13[]> {
    const rows = await this.#query<{ isbn: string }>(EXISTING, [isbnArray(isbns)]);
    const found = new Set(rows.map(({ isbn }) => isbnFromColumn(isbn)));
    return [...new Set(isbns.filter((isbn) => !found.has(isbn)))];
  }

  async *bodies(selection: Selection, view: View = "record"): AsyncGenerator<readonly Uint8Array[], void> {
    const pages =
      selection.kind === "isbns"
        ? pagesOfIsbns<BodyRow>(this.#runQuery, selection.isbns, VIEWS[view])
        : keysetPages<BodyRow>(this.#runQuery, VIEWS[view], orderOf(selection), this.mayReadAhead);
    for await (const page of this.#whileOpen(pages)) yield page.map(checkedBody);
  }

  async *summaryStarts(isbns: readonly Isbn13[]): AsyncGenerator<readonly Uint8Array[], void> {
    const unread = new Set(isbns);
    const pages = pagesOfIsbns<Pick<BodyRow, "isbn" | "body">>(this.#runQuery, isbns, SUMMARY_STARTS);
    for await (const page of this.#whileOpen(pages)) {
      for (const { isbn } of page) unread.delete(isbnFromColumn(isbn));
      yield page.map(({ body }) => body);
    }
    if (unread.size === 0) return;
    for (const isbn of await this.missing([...unread])) unread.delete(isbn);
    for (const isbn of unread) throw new DamagedRecord(isbn);
  }

  async editionLinks(nodes: readonly string[]): Promise<readonly EditionLink[]> {
    const rows = await this.#query<EditionLink>(EDITION_LINKS, [nodes]);
    return rows.map(({ isbn, target }) => ({ isbn: isbnFromColumn(isbn), target }));
  }

  async keys(list: PagedList, after: ListKey | undefined, limit: number): Promise<readonly ListKey[]> {
    return await readKeys(pagedList(list, this.#runQuery), after, limit);
  }

  async total(list: PagedList, timeoutMs?: number): Promise<number | undefined> {
    if (list.kind === "all") return await this.#queryCount(RECORD_COUNT, []);
    if (list.kind === "imprint" && list.language === undefined)
      return await this.#queryCount(IMPRINT_COUNT, [list.slug]);
    return await countKeys(pagedList(list, this.#runQuery), timeoutMs);
  }

  async #queryCount(statement: Statement, values: readonly QueryValue[]): Promise<number> {
    const [row] = await this.#query<{ records: string }>(statement, values);
    return Number(row!.records);
  }

  async history(number: number): Promise<ChangeHistory> {
    return await readHistory(this.#runQuery, number);
  }

  async changes(after: ChangePlace, deletionsAfter: number, limit: number): Promise<readonly BookChange[]> {
    return await readChanges(this.#runQuery, after, deletionsAfter, limit);
  }

  async *entries(selection?: Selection): AsyncGenerator<readonly Entry[], void> {
    const pages =
      selection?.kind === "isbns"
        ? pagesOfIsbns<EntryRow>(this.#runQuery, selection.isbns, ENTRIES)
        : keysetPages<EntryRow>(this.#runQuery, ENTRIES, orderOf(selection), this.mayReadAhead);
    for await (const page of this.#whileOpen(pages)) yield page.map(entryFromRow);
  }

  async lastImportId(): Promise<string> {
    const [row] = await this.#query<{ id: string }>(LAST_IMPORT, []);
    return row?.id ?? "";
  }

  async *isbns(): AsyncGenerator<readonly Isbn13[], void> {
    for (let last = BEFORE_FIRST_ISBN; ; ) {
      const [row] = await this.#query<{ isbns: string | null }>(ISBN_PAGE, [last]);
      const isbns = row!.isbns?.split(",") ?? [];
      if (isbns.length === 0) return;
      last = isbns.at(-1)!;
      yield isbns.map(isbnFromColumn);
      if (isbns.length < PAGE_ISBNS) return;
    }
  }

  async *imprints(): AsyncGenerator<readonly Imprint[], void> {
    for (let last = ""; ; ) {
      const rows = await this.#query<Imprint>(IMPRINT_PAGE, [last]);
      if (rows.length === 0) return;
      last = rows.at(-1)!.slug;
      yield rows.map(({ slug, name }) => ({ slug, name }));
      if (rows.length < PAGE_IMPRINTS) return;
    }
  }

  /** Releases the transaction. The snapshot can be read on while the catalog stays the same. */
  endHold(): void {
    const transaction = this.transaction;
    this.transaction = undefined;
    transaction?.removeReader();
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.endHold();
    this.onClose(this);
  }

  /** Throws after `close`, even when a page has arrived before: the list must not look complete. */
  async *#whileOpen<Page>(pages: AsyncIterable<Page>): AsyncGenerator<Page, void> {
    for await (const page of pages) {
      this.#requireOpen();
      yield page;
    }
    this.#requireOpen();
  }

  readonly #runQuery = <Row>(query: string, values: readonly QueryValue[]) =>
    this.#query<Row>(statementWithVersion(query), values);

  async #query<Row>(statement: Statement, values: readonly QueryValue[]): Promise<Row[]> {
    this.#requireOpen();
    const { rows, version } = await this.#execute<Row>(statement, values);
    this.#requireOpen();
    // Both are compared: after a failover, another import can have the same generation.
    const { generation, revision } = this.version;
    if (version?.generation !== generation || version.revision !== revision) throw this.#expired();
    return rows;
  }

  #expired(): SnapshotExpired {
    if (!this.#wasHeld) return new SnapshotExpired(CHANGED_BEHIND_POOLER);
    return this.transaction ? new SnapshotExpired(CHANGED_AFTER_EARLY_END) : new SnapshotExpired();
  }

  /** Reads in the transaction, or without one after it has ended. */
  async #execute<Row>(statement: Statement, values: readonly QueryValue[]): Promise<Result<Row>> {
    const transaction = this.transaction;
    if (transaction && !transaction.hasEnded) {
      try {
        return await transaction.execute<Row>(statement, values);
      } catch (error) {
        // The server may end an idle transaction, or one that conflicts with replication. A timeout would come again.
        if (error instanceof QueryTimeout || error instanceof WrongResult) throw error;
        this.#requireOpen();
      }
    }
    return await this.pool.execute<Row>(statement, values);
  }

  #requireOpen(): void {
    if (this.#isClosed) throw new Error("The snapshot is closed");
  }
}

function checkedBody(row: RecordColumns): Uint8Array {
  requireIntact(row);
  return row.body;
}
