/** The statements of a search. A search without an expression reads all books in a range. */
import type { Database, Statement } from "bun:sqlite";
import type { FactCondition, FactTerm } from "../../../catalog/search/query.ts";
import type { SearchKey } from "../../../catalog/search/search.ts";
import { MAX_SEARCH_ID, type SearchId, type SearchIdRange } from "../../../catalog/search/search-id.ts";
import { isbnToColumn } from "../rows.ts";
import { FACET_COLUMNS, type FacetRow } from "./facet-counts.ts";
import { enclosed } from "./index-writer.ts";

export interface TitleRow {
  readonly id: string;
  readonly title_key: string;
}

/** Rows of one statement, so that it is short. */
const FACET_ROWS = 5000;

const ALL_BOOKS = "book_search INDEXED BY book_search_by_search_id";

type Parameters = (string | number | SearchId)[];

/** How the books of a search are found. Without both, all books are. */
export interface Match {
  /** An expression for the index of words. */
  readonly words: string | undefined;
  /** Conditions for the index of facts. A book meets all of them. */
  readonly facts: readonly FactCondition[];
}

/** The statement that finds the books of a range: what follows FROM, with its values. */
interface Source {
  /** The search id. */
  readonly id: string;
  readonly sql: string;
  readonly values: Parameters;
}

/** With fewer books that have the words, reading their facts takes less time than listing the books with the facts. */
const FEW_BOOKS = 1000;
/** In a larger part of the books, most of those that have the words have the facts, too. */
const COMMON_PART = 0.1;

export class FoundBooks {
  constructor(private readonly db: Database) {}

  ids(match: Match, slice: IndexSlice, limit: number, order: "ASC" | "DESC"): SearchId[] {
    const { id, sql, values } = this.#source(match, slice, "");
    const rows = this.#all<{ readonly id: string }>(
      `SELECT CAST(${id} AS TEXT) AS id FROM ${sql} ORDER BY ${id} ${order} LIMIT ?`,
      [...values, limit],
    );
    return rows.map((row) => BigInt(row.id));
  }

  /** Counts up to the limit. */
  count(match: Match, slice: IndexSlice, limit: number): number {
    const { sql, values } = this.#source(match, slice, "");
    return this.#countRows(sql, values, limit);
  }

  titles(match: Match, slice: IndexSlice): readonly TitleRow[] {
    const { sql, values } = this.#source(match, slice, ALL_BOOKS);
    return this.#all(`SELECT CAST(search_id AS TEXT) AS id, title_key FROM ${sql}`, values);
  }

  /** Reads the books that follow a place in the order of titles. */
  allByTitle(after: SearchKey | undefined, limit: number): readonly TitleRow[] {
    const place: Parameters = [after?.titleKey ?? "", after === undefined ? 0 : isbnToColumn(after.isbn)];
    const sql = `SELECT CAST(search_id AS TEXT) AS id, title_key FROM book_search INDEXED BY book_search_by_title
      WHERE (title_key, isbn) > (?, ?) ORDER BY title_key, isbn LIMIT ?`;
    return this.#all(sql, [...place, limit]);
  }

  /** Reads some rows, newest books first. */
  facetRows(match: Match, slice: IndexSlice, limit: number): readonly FacetRow[] {
    const { id, sql, values } = this.#source(match, slice, ALL_BOOKS);
    return this.#all(
      `SELECT CAST(search_id AS TEXT) AS id, ${FACET_COLUMNS} FROM ${sql} ORDER BY ${id} LIMIT ?`,
      [...values, Math.min(limit, FACET_ROWS)],
    );
  }

  /** `books` is the table that the statement reads columns of, or empty. */
  #source({ words, facts }: Match, slice: IndexSlice, books: string): Source {
    const range: Parameters = [slice.first, slice.last];
    if (words === undefined && facts.length === 0) {
      return { id: "search_id", sql: `${ALL_BOOKS} WHERE search_id BETWEEN ? AND ?`, values: range };
    }
    if (words === undefined) return found("book_facts", books, [allOf(facts), ...range]);
    if (facts.length === 0) return found("book_index", books, [words, ...range]);
    if (this.#readsFacts(words, facts, slice)) {
      const conditions = facts.map(conditionInRow);
      const values = conditions.flatMap((condition) => condition.values);
      const { sql, ...rest } = found("book_index", ALL_BOOKS, [words, ...range, ...values]);
      return { ...rest, sql: sql + conditions.map((condition) => ` AND (${condition.sql})`).join("") };
    }
    const { sql, ...rest } = found("book_index", books, [words, ...range, allOf(facts), ...range]);
    // The plus keeps SQLite from asking the index of words for each of the books.
    return { ...rest, sql: `${sql} AND +book_index.rowid IN (SELECT rowid FROM ${FACTS_IN_RANGE})` };
  }

  /** Tells whether to read the facts of the books that have the words, instead of listing the books with the facts. */
  #readsFacts(words: string, facts: readonly FactCondition[], { first, last, books }: IndexSlice): boolean {
    if (this.#countRows(WORDS_IN_RANGE, [words, first, last], FEW_BOOKS) < FEW_BOOKS) return true;
    const common = Math.ceil(books * COMMON_PART);
    return this.#countRows(FACTS_IN_RANGE, [allOf(facts), first, last], common) === common;
  }

  #countRows(sql: string, values: Parameters, limit: number): number {
    return this.#all<{ readonly total: number }>(
      `SELECT count(*) AS total FROM (SELECT 1 FROM ${sql} LIMIT ?)`,
      [...values, limit],
    )[0]!.total;
  }

  #all<Row>(sql: string, values: Parameters): Row[] {
    using statement: Statement<Row, Parameters> = this.db.prepare(sql);
    return statement.all(...values);
  }
}

const WORDS_IN_RANGE = "book_index WHERE book_index MATCH ? AND book_index.rowid BETWEEN ? AND ?";
const FACTS_IN_RANGE = "book_facts WHERE book_facts MATCH ? AND book_facts.rowid BETWEEN ? AND ?";

/** CROSS JOIN keeps the order: the index finds the books. */
function found(index: "book_index" | "book_facts", books: string, values: Parameters): Source {
  const from = books === "" ? index : `${index} CROSS JOIN ${books} ON search_id = ${index}.rowid`;
  const id = `${index}.rowid`;
  return { id, sql: `${from} WHERE ${index} MATCH ? AND ${id} BETWEEN ? AND ?`, values };
}

/** Writes conditions as an expression for the index of facts. */
function allOf(facts: readonly FactCondition[]): string {
  return facts.map((condition) => `(${condition.map(writeFact).join(" OR ")})`).join(" AND ");
}

function writeFact({ term, isPrefix, without }: FactTerm): string {
  const fact = `"${term}"${isPrefix ? " *" : ""}`;
  return without === undefined ? fact : `(${fact} NOT "${without}")`;
}

/** Writes a condition for the column with the facts of a book. */
function conditionInRow(condition: FactCondition): { readonly sql: string; readonly values: string[] } {
  const values: string[] = [];
  const parts = condition.map(({ term, isPrefix, without }) => {
    values.push(isPrefix ? ` ${term}` : enclosed(term));
    if (without === undefined) return "instr(facts, ?) > 0";
    values.push(enclosed(without));
    return "(instr(facts, ?) > 0 AND instr(facts, ?) = 0)";
  });
  return { sql: parts.join(" OR "), values };
}

/** The books of a range, and about how many there are. */
export interface IndexSlice extends SearchIdRange {
  readonly books: number;
}

/** The smallest slice. */
const CELL_BOOKS = 12_500;
/** The largest slice has so many of the smallest. */
const MAX_CELLS = 16;
/** A slice that takes less time than this is followed by one of twice its size. */
const QUICK_SLICE_MS = 2;

/**
 * Divides the search index into slices. A statement reads one slice, because a running statement cannot be interrupted,
 * and a search is interrupted between them. The first ones are small: they are enough for the first page of a common word.
 */
export class IndexSlices implements Disposable {
  readonly #next: Statement<{ readonly id: string }, [SearchId]>;
  /** The last ids of the cells that are known, in ascending order. */
  #ends: SearchId[] = [];
  #revision = "";

  constructor(db: Database) {
    this.#next = db.prepare(
      `SELECT CAST(search_id AS TEXT) AS id FROM book_search INDEXED BY book_search_by_search_id
       WHERE search_id > ? ORDER BY search_id LIMIT 1 OFFSET ${CELL_BOOKS - 1}`,
    );
  }

  /** Yields the parts of a range. The revision is that of the state that is being read. */
  *of({ first, last }: SearchIdRange, revision: string): Generator<IndexSlice, void> {
    if (revision !== this.#revision) [this.#ends, this.#revision] = [[], revision];
    // Another search may read a later state before this one continues.
    const ends = this.#ends;
    let cell = 0;
    while (this.#end(ends, cell) < first) cell++;
    let cells = 1;
    for (let from = first; from <= last; ) {
      const startedMs = performance.now();
      let end = this.#end(ends, cell++);
      let count = 1;
      for (; count < cells && end < last; count++) end = this.#end(ends, cell++);
      yield { first: from, last: end < last ? end : last, books: count * CELL_BOOKS };
      from = end + 1n;
      if (performance.now() - startedMs < QUICK_SLICE_MS) cells = Math.min(cells * 2, MAX_CELLS);
    }
  }

  /** Yields the parts in descending order. */
  *descending(range: SearchIdRange, revision: string): Generator<IndexSlice, void> {
    yield* [...this.of(range, revision)].reverse();
  }

  [Symbol.dispose](): void {
    this.#next.finalize();
  }

  #end(ends: SearchId[], index: number): SearchId {
    const known = ends[index];
    if (known !== undefined) return known;
    const row = this.#next.get(ends.at(-1) ?? -1n);
    const end = row === null ? MAX_SEARCH_ID : BigInt(row.id);
    ends.push(end);
    return end;
  }
}
