/** The statements of a search. A search without an expression reads all books in a range. */
import type { Database, Statement } from "bun:sqlite";
import type { SearchKey } from "../../../catalog/search/search.ts";
import { MAX_SEARCH_ID, type SearchId, type SearchIdRange } from "../../../catalog/search/search-id.ts";
import { isbnToColumn } from "../rows.ts";
import { FACET_COLUMNS, type FacetRow } from "./facet-counts.ts";

export interface TitleRow {
  readonly id: string;
  readonly title_key: string;
}

/** Rows of one statement, so that it is short. */
const FACET_ROWS = 5000;

const ALL_BOOKS = "book_search INDEXED BY book_search_by_search_id";
/** CROSS JOIN keeps the order: the index of words finds the books. */
const FOUND_BOOKS = `book_index CROSS JOIN ${ALL_BOOKS} ON search_id = book_index.rowid`;

type Parameters = (string | number | SearchId)[];

export class FoundBooks {
  constructor(private readonly db: Database) {}

  ids(match: string | undefined, range: SearchIdRange, limit: number, order: "ASC" | "DESC"): SearchId[] {
    const [id, from] = match === undefined ? ["search_id", ALL_BOOKS] : ["rowid", "book_index"];
    const sql = `SELECT CAST(${id} AS TEXT) AS id FROM ${from} WHERE ${condition(match, id)} ORDER BY ${id} ${order} LIMIT ?`;
    const rows = this.#all<{ readonly id: string }>(sql, [...valuesOf(match, range), limit]);
    return rows.map((row) => BigInt(row.id));
  }

  /** Counts up to the limit. */
  count(match: string | undefined, range: SearchIdRange, limit: number): number {
    const [id, from] = match === undefined ? ["search_id", ALL_BOOKS] : ["rowid", "book_index"];
    const sql = `SELECT count(*) AS total FROM (SELECT 1 FROM ${from} WHERE ${condition(match, id)} LIMIT ?)`;
    return this.#all<{ readonly total: number }>(sql, [...valuesOf(match, range), limit])[0]!.total;
  }

  titles(match: string | undefined, range: SearchIdRange): readonly TitleRow[] {
    const from = match === undefined ? ALL_BOOKS : FOUND_BOOKS;
    const id = match === undefined ? "search_id" : "book_index.rowid";
    const sql = `SELECT CAST(search_id AS TEXT) AS id, title_key FROM ${from} WHERE ${condition(match, id)}`;
    return this.#all(sql, valuesOf(match, range));
  }

  /** Reads the books that follow a place in the order of titles. */
  allByTitle(after: SearchKey | undefined, limit: number): readonly TitleRow[] {
    const place: Parameters = [after?.titleKey ?? "", after === undefined ? 0 : isbnToColumn(after.isbn)];
    const sql = `SELECT CAST(search_id AS TEXT) AS id, title_key FROM book_search INDEXED BY book_search_by_title
      WHERE (title_key, isbn) > (?, ?) ORDER BY title_key, isbn LIMIT ?`;
    return this.#all(sql, [...place, limit]);
  }

  /** Reads some rows, newest books first. */
  facetRows(match: string | undefined, range: SearchIdRange, limit: number): readonly FacetRow[] {
    const from = match === undefined ? ALL_BOOKS : FOUND_BOOKS;
    const id = match === undefined ? "search_id" : "book_index.rowid";
    const sql = `SELECT CAST(search_id AS TEXT) AS id, ${FACET_COLUMNS}
      FROM ${from} WHERE ${condition(match, id)} ORDER BY ${id} LIMIT ?`;
    return this.#all(sql, [...valuesOf(match, range), Math.min(limit, FACET_ROWS)]);
  }

  #all<Row>(sql: string, values: Parameters): Row[] {
    using statement: Statement<Row, Parameters> = this.db.prepare(sql);
    return statement.all(...values);
  }
}

function condition(match: string | undefined, id: string): string {
  const range = `${id} BETWEEN ? AND ?`;
  return match === undefined ? range : `book_index MATCH ? AND ${range}`;
}

function valuesOf(match: string | undefined, { first, last }: SearchIdRange): Parameters {
  return match === undefined ? [first, last] : [match, first, last];
}

const SLICE_BOOKS = 200_000;

/**
 * Divides the search index into slices of about the same number of books. A statement reads one slice, because a running
 * statement cannot be interrupted: the time is checked between them.
 */
export class IndexSlices implements Disposable {
  readonly #next: Statement<{ readonly id: string }, [SearchId]>;
  /** The last ids of the slices that are known, in ascending order. */
  #ends: SearchId[] = [];
  #revision = "";

  constructor(db: Database) {
    this.#next = db.prepare(
      `SELECT CAST(search_id AS TEXT) AS id FROM book_search INDEXED BY book_search_by_search_id
       WHERE search_id > ? ORDER BY search_id LIMIT 1 OFFSET ${SLICE_BOOKS - 1}`,
    );
  }

  /** Yields the parts of a range. The revision is that of the state that is being read. */
  *of({ first, last }: SearchIdRange, revision: string): Generator<SearchIdRange, void> {
    if (revision !== this.#revision) [this.#ends, this.#revision] = [[], revision];
    let from = first;
    for (let index = 0; from <= last; index++) {
      const end = this.#end(index);
      if (end < from) continue;
      yield { first: from, last: end < last ? end : last };
      from = end + 1n;
    }
  }

  /** Yields the parts in descending order. */
  *descending(range: SearchIdRange, revision: string): Generator<SearchIdRange, void> {
    yield* [...this.of(range, revision)].reverse();
  }

  [Symbol.dispose](): void {
    this.#next.finalize();
  }

  #end(index: number): SearchId {
    const known = this.#ends[index];
    if (known !== undefined) return known;
    const row = this.#next.get(this.#ends.at(-1) ?? -1n);
    const end = row === null ? MAX_SEARCH_ID : BigInt(row.id);
    this.#ends.push(end);
    return end;
  }
}
