/** The SQL of searches. Values are in the text: `Session.executeText` tells why. */
import { MAX_EXACT_TOTAL, type SearchKey, type SearchSelection } from "../../../catalog/search/search.ts";
import { FIRST_UNDATED_ID, MAX_SEARCH_ID, searchIdOf } from "../../../catalog/search/search-id.ts";
import {
  conditionOf,
  type IdSort,
  inRange,
  literal,
  matches,
  orderOf,
  type Place,
  type SearchPart,
} from "./search-parts.ts";

/** The part of an id that is the ISBN, as the index of titles has it. */
const ISBN_PART = `id % ${MAX_SEARCH_ID + 1n - FIRST_UNDATED_ID}`;

/** Settings of every search. Its work is small, and parallel workers or compiled code would cost more. */
export const SETTINGS = [
  "work_mem = '32MB'",
  "jit = off",
  "max_parallel_workers_per_gather = 0",
  "enable_seqscan = off",
];
/** The planner must use the GIN index. It has no statistics, and could not choose. */
export const BY_WORDS = ["enable_indexscan = off", "enable_indexonlyscan = off"];
/** The planner must read rows in the order of an index. */
export const BY_ORDER = ["enable_bitmapscan = off", "enable_sort = off"];

export interface FoundRow {
  readonly id: string;
  readonly rank: number;
  readonly title_key?: string;
}

/** The total is there without a row on the page, whose columns are then null. */
export type CountedRow = { readonly total: string } & { [Key in keyof FoundRow]: FoundRow[Key] | null };

/** Finds and counts all books, and returns a page of them. Is for searches that find few. */
export function wholeQuery(
  selection: SearchSelection,
  whole: SearchPart,
  sort: IdSort,
  after: Place | undefined,
  limit: number,
): string {
  const { descending, rankExpression } = orderOf(sort);
  const following = descending ? "<" : ">";
  const start =
    after === undefined
      ? "true"
      : `rank > ${after.rank} OR (rank = ${after.rank} AND id ${following} ${after.id})`;
  const columns = `id, ${rankExpression(selection)} AS rank`;
  return pageQuery(columns, whole, start, `rank, ${idOrder(sort)}`, limit);
}

function idOrder(sort: IdSort): string {
  return orderOf(sort).descending ? "id DESC" : "id";
}

/** The same in the order of titles. */
export function titleQuery(whole: SearchPart, after: SearchKey | undefined, limit: number): string {
  const start = after === undefined ? "true" : `(title_key, isbn) > (${titlePlace(after)})`;
  const columns = `id, 1 AS rank, title_key, ${ISBN_PART} AS isbn`;
  return pageQuery(columns, whole, start, "title_key, isbn", limit);
}

function pageQuery(columns: string, whole: SearchPart, start: string, order: string, limit: number): string {
  return `WITH found AS MATERIALIZED (SELECT ${columns} FROM colophon.search WHERE ${conditionOf(whole)}),
      page AS (SELECT * FROM found WHERE ${start} ORDER BY ${order} LIMIT ${limit})
    SELECT counted.total, page.* FROM (SELECT count(*) AS total FROM found) AS counted
    LEFT JOIN page ON true ORDER BY ${order}`;
}

/** Reads the index of titles: no condition leaves out books. */
export function allTitlesQuery(after: SearchKey | undefined, limit: number): string {
  const start = after === undefined ? "true" : `(title_key, (${ISBN_PART})) > (${titlePlace(after)})`;
  return `SELECT id, 1 AS rank, title_key FROM colophon.search WHERE ${start}
    ORDER BY title_key, (${ISBN_PART}) LIMIT ${limit}`;
}

function titlePlace({ titleKey = "", isbn }: SearchKey): string {
  return `${literal(titleKey)} COLLATE "C", ${searchIdOf(isbn, undefined) - FIRST_UNDATED_ID}`;
}

/** Finds the first books of a part by the GIN index. */
export function partQuery(part: SearchPart, sort: IdSort, limit: number): string {
  return `SELECT id, ${part.rank} AS rank FROM colophon.search WHERE ${conditionOf(part)}
    ORDER BY ${idOrder(sort)} LIMIT ${limit}`;
}

/** Reads at most so many rows in the order of ids, and returns those that match. */
export function walkQuery(part: SearchPart, sort: IdSort, limit: number, rows: number): string {
  const { tsquery, range, rank } = part;
  return `SELECT id, ${rank} AS rank FROM (
      SELECT id, words FROM colophon.search WHERE ${inRange(range)}
      ORDER BY ${idOrder(sort)} LIMIT ${rows}
    ) AS walked WHERE ${tsquery === undefined ? "true" : matches(tsquery)} LIMIT ${limit}`;
}

/** Counts books, up to one more than is told. */
export function countQuery(whole: SearchPart): string {
  return `SELECT count(*)::integer AS total FROM (
    SELECT FROM colophon.search WHERE ${conditionOf(whole)} LIMIT ${MAX_EXACT_TOTAL + 1}) AS found`;
}

export const RECORDS_QUERY = "SELECT records::text AS total FROM colophon.catalog";
