import { DamagedRecord, isIntact } from "../../catalog/damaged-record.ts";
import type { Entry, Imprint, Selection, Snapshot, StoredRecord } from "../../catalog/store.ts";
import type { Isbn13 } from "../../onix/isbn.ts";
import { keysetPages, pagesOfIsbns } from "./pages.ts";
import type { ReadTransaction, Value } from "./read-transaction.ts";
import { arrayOfIsbns, ENTRY_COLUMNS, type EntryRow, entryOf, isbnOf, recencyOf } from "./rows.ts";

/** ISBNs of a page: as many bytes as a page of records, about. */
const ISBNS = 8192;
const IMPRINTS = 1000;

export class PostgresSnapshot implements Snapshot {
  readonly revision: string;
  #snapshot: ReadTransaction | undefined;

  constructor(snapshot: ReadTransaction) {
    this.revision = snapshot.revision;
    this.#snapshot = snapshot;
  }

  async hasImprint(slug: string): Promise<boolean> {
    const sql = "SELECT 1 FROM colophon.imprint WHERE left(slug, 256) = left($1, 256) AND slug = $1 LIMIT 1";
    return (await this.#ask(sql, [slug])).length > 0;
  }

  async missing(isbns: readonly Isbn13[]): Promise<readonly Isbn13[]> {
    const rows = await this.#ask<{ isbn: string }>(
      "SELECT isbn FROM colophon.record WHERE isbn = ANY ($1::bigint[])",
      [arrayOfIsbns(isbns)],
    );
    const there = new Set(rows.map(({ isbn }) => isbnOf(isbn)));
    return [...new Set(isbns.filter((isbn) => !there.has(isbn)))];
  }

  async *bodies(selection: Selection): AsyncGenerator<readonly Uint8Array[], void> {
    const pages =
      selection.kind === "isbns"
        ? pagesOfIsbns(this.#asking, selection.isbns)
        : keysetPages<BodyRow>(this.#asking, queryOf(selection));
    for await (const page of this.#whileOpen(pages)) yield page.map(bodyOf);
  }

  async *entries(): AsyncGenerator<readonly Entry[], void> {
    const pages = keysetPages<EntryRow>(this.#asking, {
      columns: ENTRY_COLUMNS,
      weight: "size + octet_length(origin)",
      where: "isbn > $3::bigint",
      order: "isbn",
      start: ["-1"],
      next: ({ isbn }) => [isbn],
      fixed: [],
    });
    for await (const page of this.#whileOpen(pages)) yield page.map(entryOf);
  }

  async *isbns(): AsyncGenerator<readonly Isbn13[], void> {
    const sql = `SELECT isbn FROM colophon.record WHERE isbn > $1::bigint ORDER BY isbn LIMIT ${ISBNS}`;
    for (let last = "-1"; ; ) {
      const rows = await this.#ask<{ isbn: string }>(sql, [last]);
      if (rows.length === 0) return;
      last = rows.at(-1)!.isbn;
      yield rows.map(({ isbn }) => isbnOf(isbn));
      if (rows.length < ISBNS) return;
    }
  }

  /** By a cursor, as the whole must be sorted for its first row: slugs may be longer than what is indexed. */
  async *imprints(): AsyncGenerator<readonly Imprint[], void> {
    const cursor = this.#read().cursorName();
    await this.#ask(
      `DECLARE ${cursor} NO SCROLL CURSOR FOR
       SELECT DISTINCT ON (slug) slug, name FROM colophon.imprint ORDER BY slug, records DESC, name`,
      [],
    );
    for (;;) {
      const rows = await this.#ask<Imprint>(`FETCH ${IMPRINTS} FROM ${cursor}`, []);
      if (rows.length > 0) yield rows.map(({ slug, name }) => ({ slug, name }));
      if (rows.length < IMPRINTS) break;
    }
    await this.#ask(`CLOSE ${cursor}`, []);
  }

  close(): void {
    const snapshot = this.#snapshot;
    this.#snapshot = undefined;
    snapshot?.leave();
  }

  /** A page may have come before the view was closed: it is no longer given out, and the list does not just end. */
  async *#whileOpen<Page>(pages: AsyncIterable<Page>): AsyncGenerator<Page, void> {
    for await (const page of pages) {
      this.#read();
      yield page;
    }
    this.#read();
  }

  readonly #asking = <Row>(sql: string, values: readonly Value[]) => this.#ask<Row>(sql, values);

  async #ask<Row>(sql: string, values: readonly Value[]): Promise<Row[]> {
    const rows = await this.#read().ask<Row>(sql, values);
    this.#read();
    return rows;
  }

  #read(): ReadTransaction {
    if (!this.#snapshot) throw new Error("The view is closed");
    return this.#snapshot;
  }
}

interface BodyRow extends StoredRecord {
  readonly isbn: string;
  readonly recency: number;
  readonly size: number;
}

function bodyOf(row: StoredRecord & { readonly isbn: string }): Uint8Array {
  if (!isIntact(row)) throw new DamagedRecord(isbnOf(row.isbn));
  return row.body;
}

/**
 * Ordered by both columns of an index, and not by ISBN alone: else the planner may walk through the whole catalog
 * in the order of its ISBNs in search of a small imprint. Hence also `<=` where `=` is meant.
 */
function queryOf(selection: Exclude<Selection, { kind: "isbns" }>) {
  if (selection.kind === "date") {
    const newest = selection.to === undefined ? -9999_12_31 : recencyOf(selection.to);
    return {
      columns: "isbn, recency, size, etag, body",
      weight: "size",
      where: "(recency, isbn) > ($3::integer, $4::bigint) AND recency <= $5::integer",
      order: "recency, isbn",
      start: [newest, "-1"],
      next: ({ recency, isbn }: BodyRow) => [recency, isbn],
      fixed: [recencyOf(selection.from)],
    };
  }
  const { slug, language } = selection;
  return {
    columns: "isbn, size, etag, body",
    weight: "size",
    where: `(left(imprint, 256), isbn) > (left($4, 256), $3::bigint) AND left(imprint, 256) <= left($4, 256)
      AND imprint = $4${language === undefined ? "" : " AND $5 = ANY (languages)"}`,
    order: "left(imprint, 256), isbn",
    start: ["-1"],
    next: ({ isbn }: BodyRow) => [isbn],
    fixed: language === undefined ? [slug] : [slug, language],
  };
}
