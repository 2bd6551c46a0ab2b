/** The SQL of searches. Values are in the text: `Session.executeText` tells why. */
import { MAX_EXACT_TOTAL, type SearchKey, type SearchSelection } from "../../../catalog/search/search.ts";
import {
  FIRST_UNDATED_ID,
  MAX_SEARCH_ID,
  type SearchId,
  searchIdOf,
} from "../../../catalog/search/search-id.ts";
import {
  comparesWith,
  type IdSort,
  literal,
  orderOf,
  type Place,
  rowsInOrder,
  type SearchPart,
  sourceOf,
  type Table,
  type Way,
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
/** The planner must use a GIN index. That of words has no statistics, and it could not choose. */
export const BY_INDEX = ["enable_indexscan = off", "enable_indexonlyscan = off"];
/** The planner must read rows in the order of an index. */
export const BY_ORDER = ["enable_bitmapscan = off", "enable_sort = off"];
/** It must join two tables in that order. */
export const MERGED = [...BY_ORDER, "enable_nestloop = off", "enable_hashjoin = off"];

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
  way: Way,
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
  const source = sourceOf(whole, way, { reads: whole.tsquery === undefined ? undefined : "words" });
  return pageQuery(columns, source, start, `rank, ${idOrder(sort)}`, limit);
}

function idOrder(sort: IdSort): string {
  return orderOf(sort).descending ? "id DESC" : "id";
}

/** The same in the order of titles. */
export function titleQuery(whole: SearchPart, way: Way, after: SearchKey | undefined, limit: number): string {
  const start = after === undefined ? "true" : `(title_key, isbn) > (${titlePlace(after)})`;
  const columns = `id, 1 AS rank, title_key, ${ISBN_PART} AS isbn`;
  return pageQuery(columns, sourceOf(whole, way, { reads: "words" }), start, "title_key, isbn", limit);
}

function pageQuery(columns: string, source: string, start: string, order: string, limit: number): string {
  return `WITH found AS MATERIALIZED (SELECT ${columns} FROM ${source}),
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

/** Finds the first books of a part by a GIN index. */
export function partQuery(part: SearchPart, way: Way, sort: IdSort, limit: number): string {
  return `SELECT id, ${part.rank} AS rank FROM ${sourceOf(part, way)} ORDER BY ${idOrder(sort)} LIMIT ${limit}`;
}

/**
 * Finds the first books of a part up to an id, by the ids that both the index of words and that of ids have. The planner
 * does not see the words. So it takes them for rare enough to read both indexes, and too common for one.
 */
export function monthsQuery(part: SearchPart, last: SearchId, limit: number): string {
  return `SELECT id, ${part.rank} AS rank FROM colophon.search
    WHERE words @@ (SELECT ${literal(part.others ?? part.tsquery!)}::tsquery) AND id BETWEEN 0 AND ${last}
      AND ${part.others === undefined ? "true" : comparesWith(part.tsquery!)} ORDER BY id LIMIT ${limit}`;
}

/** Reads at most so many rows in the order of ids, and returns those that match. */
export function walkQuery(
  part: SearchPart,
  table: Table,
  sort: IdSort,
  limit: number,
  maxRows: number,
): string {
  const rows = rowsInOrder(part, table, idOrder(sort), maxRows);
  return `SELECT id, ${part.rank} AS rank FROM ${sourceOf(part, table, { rows })} LIMIT ${limit}`;
}

/** Counts books, up to one more than is told. */
export function countQuery(whole: SearchPart, way: Way): string {
  return `SELECT count(*)::integer AS total FROM (
    SELECT FROM ${sourceOf(whole, way)} LIMIT ${MAX_EXACT_TOTAL + 1}) AS found`;
}
