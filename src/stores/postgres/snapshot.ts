import type { Entry, Imprint, Selection, Snapshot, StoredRecord } from "../../catalog/store.ts";
import type { Day } from "../../onix/date.ts";
import type { Isbn13 } from "../../onix/isbn.ts";
import { isbnFromColumn, type RecordColumns, requireIntact } from "../columns.ts";
import { ALL_ENTRIES, BEFORE_FIRST_ISBN, type KeysetQuery, keysetPages, pagesOfIsbns } from "./pages.ts";
import type { QueryValue, ReadTransaction } from "./read-transaction.ts";
import { entryFromRow, isbnArray, recencyFromDay } from "./rows.ts";

/** About as many bytes as a page of records. */
const PAGE_ISBNS = 8192;
const PAGE_IMPRINTS = 1000;
/** The `recency` of 31 December 9999. */
const MAX_DAY_RECENCY = -9999_12_31;

export class PostgresSnapshot implements Snapshot {
  readonly revision: string;
  #transaction: ReadTransaction | undefined;

  constructor(transaction: ReadTransaction) {
    this.revision = transaction.revision;
    this.#transaction = transaction;
  }

  async hasImprint(slug: string): Promise<boolean> {
    const sql = "SELECT 1 FROM colophon.imprint WHERE left(slug, 256) = left($1, 256) AND slug = $1 LIMIT 1";
    return (await this.#query(sql, [slug])).length > 0;
  }

  async missing(isbns: readonly Isbn13[]): Promise<readonly Isbn13[]> {
    const sql = "SELECT isbn FROM colophon.record WHERE isbn = ANY ($1::bigint[])";
    const rows = await this.#query<{ isbn: string }>(sql, [isbnArray(isbns)]);
    const found = new Set(rows.map(({ isbn }) => isbnFromColumn(isbn)));
    return [...new Set(isbns.filter((isbn) => !found.has(isbn)))];
  }

  async *bodies(selection: Selection): AsyncGenerator<readonly Uint8Array[], void> {
    const pages =
      selection.kind === "isbns"
        ? pagesOfIsbns(this.#runQuery, selection.isbns)
        : keysetPages<BodyRow>(this.#runQuery, listQuery(selection));
    for await (const page of this.#whileOpen(pages)) yield page.map(checkedBody);
  }

  async *entries(): AsyncGenerator<readonly Entry[], void> {
    const pages = keysetPages(this.#runQuery, ALL_ENTRIES);
    for await (const page of this.#whileOpen(pages)) yield page.map(entryFromRow);
  }

  async *isbns(): AsyncGenerator<readonly Isbn13[], void> {
    const sql = `SELECT isbn FROM colophon.record WHERE isbn > $1::bigint ORDER BY isbn LIMIT ${PAGE_ISBNS}`;
    for (let last = BEFORE_FIRST_ISBN; ; ) {
      const rows = await this.#query<{ isbn: string }>(sql, [last]);
      if (rows.length === 0) return;
      last = rows.at(-1)!.isbn;
      yield rows.map(({ isbn }) => isbnFromColumn(isbn));
      if (rows.length < PAGE_ISBNS) return;
    }
  }

  /** Reads from a cursor. No index has the order, because slugs may be longer than their indexed part. */
  async *imprints(): AsyncGenerator<readonly Imprint[], void> {
    const cursor = this.#openTransaction().nextCursorName();
    await this.#query(
      `DECLARE ${cursor} NO SCROLL CURSOR FOR
       SELECT DISTINCT ON (slug) slug, name FROM colophon.imprint ORDER BY slug, records DESC, name`,
      [],
    );
    for (;;) {
      const rows = await this.#query<Imprint>(`FETCH ${PAGE_IMPRINTS} FROM ${cursor}`, []);
      if (rows.length > 0) yield rows.map(({ slug, name }) => ({ slug, name }));
      if (rows.length < PAGE_IMPRINTS) break;
    }
    await this.#query(`CLOSE ${cursor}`, []);
  }

  close(): void {
    const transaction = this.#transaction;
    this.#transaction = undefined;
    transaction?.removeReader();
  }

  /** Throws after `close`, even when a page has arrived before: the list must not look complete. */
  async *#whileOpen<Page>(pages: AsyncIterable<Page>): AsyncGenerator<Page, void> {
    for await (const page of pages) {
      this.#openTransaction();
      yield page;
    }
    this.#openTransaction();
  }

  readonly #runQuery = <Row>(sql: string, values: readonly QueryValue[]) => this.#query<Row>(sql, values);

  async #query<Row>(sql: string, values: readonly QueryValue[]): Promise<Row[]> {
    const rows = await this.#openTransaction().query<Row>(sql, values);
    this.#openTransaction();
    return rows;
  }

  #openTransaction(): ReadTransaction {
    if (!this.#transaction) throw new Error("The snapshot is closed");
    return this.#transaction;
  }
}

interface BodyRow extends StoredRecord {
  readonly isbn: string;
  readonly recency: number;
  readonly size: number;
}

function checkedBody(row: RecordColumns): Uint8Array {
  requireIntact(row);
  return row.body;
}

function listQuery(selection: Exclude<Selection, { kind: "isbns" }>): KeysetQuery<BodyRow> {
  return selection.kind === "date"
    ? dateQuery(selection.from, selection.to)
    : imprintQuery(selection.slug, selection.language);
}

function dateQuery(from: Day, to: Day | undefined): KeysetQuery<BodyRow> {
  return {
    columns: "isbn, recency, size, etag, body",
    bytes: "size",
    where: "(recency, isbn) > ($3::integer, $4::bigint) AND recency <= $5::integer",
    order: "recency, isbn",
    start: [to === undefined ? MAX_DAY_RECENCY : recencyFromDay(to), BEFORE_FIRST_ISBN],
    keyOf: ({ recency, isbn }) => [recency, isbn],
    fixed: [recencyFromDay(from)],
  };
}

/**
 * The order has both columns of the index. With the ISBN alone, the planner may scan the whole catalog to find a small
 * imprint. For the same reason, the condition has `<=` instead of `=`.
 */
function imprintQuery(slug: string, language: string | undefined): KeysetQuery<BodyRow> {
  return {
    columns: "isbn, size, etag, body",
    bytes: "size",
    where: `(left(imprint, 256), isbn) > (left($4, 256), $3::bigint) AND left(imprint, 256) <= left($4, 256)
      AND imprint = $4${language === undefined ? "" : " AND $5 = ANY (languages)"}`,
    order: "left(imprint, 256), isbn",
    start: [BEFORE_FIRST_ISBN],
    keyOf: ({ isbn }) => [isbn],
    fixed: language === undefined ? [slug] : [slug, language],
  };
}
