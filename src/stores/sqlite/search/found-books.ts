/** The statements of a search. A search without an expression reads all books in a range. */
import type { Database, Statement } from "bun:sqlite";
import type { FactCondition, FactTerm } from "../../../catalog/search/query.ts";
import type { SearchKey } from "../../../catalog/search/search.ts";
import type { SearchId } from "../../../catalog/search/search-id.ts";
import { isbnToColumn } from "../rows.ts";
import type { IndexSlice } from "./index-slices.ts";
import { enclosed } from "./index-writer.ts";

interface TitleRow {
  readonly id: string;
  readonly title_key: string;
}

/** Rows of one statement, so that it is short. */
const FACET_ROWS = 5000;

/** By their search ids. */
const ALL_BOOKS = "book_search NOT INDEXED";

type Parameters = (string | number | SearchId)[];

/** How the books of a search are found. Without both, all books are. */
export interface Match {
  /** An expression for the index of words. */
  readonly words: string | undefined;
  /** An expression for the books that are left out. */
  readonly excluded?: string;
  /** An expression that all books have, and that takes less time: without such books, the other is not looked for. */
  readonly precondition?: string;
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

/** Returns the number of terms that each book is compared with. */
export function termCount({ words = "", excluded = "", facts }: Match): number {
  return (words + excluded).split('"').length / 2 + facts.length;
}

export class FoundBooks {
  constructor(private readonly db: Database) {}

  ids(match: Match, slice: IndexSlice, limit: number, order: "ASC" | "DESC"): SearchId[] {
    if (this.#hasNone(match, slice)) return [];
    const { id, sql, values } = this.#source(match, slice, "");
    const rows = this.#all<{ readonly id: string }>(
      `SELECT CAST(${id} AS TEXT) AS id FROM ${sql} ORDER BY ${id} ${order} LIMIT ?`,
      [...values, limit],
    );
    return rows.map((row) => BigInt(row.id));
  }

  /** Counts up to the limit. */
  count(match: Match, slice: IndexSlice, limit: number): number {
    if (this.#hasNone(match, slice)) return 0;
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

  /** Reads some rows, newest books first. `columns` are those of the facets, each after a comma. */
  facetRows<Row>(match: Match, columns: string, slice: IndexSlice, limit: number): readonly Row[] {
    const { id, sql, values } = this.#source(match, slice, ALL_BOOKS);
    return this.#all(`SELECT CAST(search_id AS TEXT) AS id${columns} FROM ${sql} ORDER BY ${id} LIMIT ?`, [
      ...values,
      Math.min(limit, FACET_ROWS),
    ]);
  }

  /** Returns the names of imprints: of each, the spelling that most of its records use, on a tie the first. */
  imprintNames(slugs: readonly string[]): ReadonlyMap<string, string> {
    const rows = this.#all<{ readonly slug: string; readonly name: string }>(
      `SELECT value AS slug, (SELECT name FROM imprint WHERE slug = value ORDER BY records DESC, name LIMIT 1) AS name
       FROM json_each(?)`,
      [JSON.stringify(slugs)],
    );
    return new Map(rows.map(({ slug, name }) => [slug, name]));
  }

  #hasNone({ precondition }: Match, { first, last }: IndexSlice): boolean {
    return (
      precondition !== undefined && this.#countRows(WORDS_IN_RANGE, [precondition, first, last], 1) === 0
    );
  }

  /** `books` is the table that the statement reads columns of, or empty. */
  #source(match: Match, slice: IndexSlice, books: string): Source {
    const { id, sql, values } = this.#required(match, slice, books);
    if (match.excluded === undefined) return { id, sql, values };
    const excluded = ` AND +book_index.rowid NOT IN (SELECT rowid FROM ${WORDS_IN_RANGE})`;
    return { id, sql: sql + excluded, values: [...values, match.excluded, slice.first, slice.last] };
  }

  #required({ words, facts }: Match, slice: IndexSlice, books: string): Source {
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
