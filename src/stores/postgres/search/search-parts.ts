/** A search as parts: each is read in the order of ids, one after the other. */
import { tiersOf } from "../../../catalog/search/query.ts";
import type { SearchKey, SearchSelection, SearchSort } from "../../../catalog/search/search.ts";
import {
  FIRST_UNDATED_ID,
  type SearchIdRange,
  searchIdOf,
  searchIdRange,
} from "../../../catalog/search/search-id.ts";
import { factsQueryOf, tierCondition, tsqueryOfTier, withoutBeginnings } from "./tsquery.ts";

export type IdSort = Exclude<SearchSort, "title">;

export interface SearchPart {
  /** The tier in the order of relevance. Parts have ascending ranks. */
  readonly rank: number;
  /** The query of the words. Is undefined when it matches every book. */
  readonly tsquery: string | undefined;
  /** When defined, the index is read by this query alone: it leaves out beginnings of words, which are compared. */
  readonly others?: string | undefined;
  /** The query of the facts. Is undefined when it matches every book. */
  readonly facts: string | undefined;
  readonly range: SearchIdRange;
}

/** The books without a date are the last part of the oldest books. */
const UNDATED_RANK = 2;

export function wholeOf(selection: SearchSelection): SearchPart {
  const { from, to } = selection.filters;
  return {
    rank: 1,
    tsquery: tsqueryOfTier(selection, 5),
    others: withoutBeginnings(selection, 5),
    facts: factsQueryOf(selection.filters),
    range: searchIdRange(from, to),
  };
}

/** How an order by ids is read. */
interface IdOrder {
  /** The direction of the ids within a part. */
  readonly descending: boolean;
  readonly parts: (selection: SearchSelection, whole: SearchPart) => readonly SearchPart[];
  /** Returns the SQL expression of the rank of a row. */
  readonly rankExpression: (selection: SearchSelection) => string;
  readonly rankOf: (key: SearchKey) => number;
}

const ORDERS: Readonly<Record<IdSort, IdOrder>> = {
  newest: {
    descending: false,
    parts: (_, whole) => [whole],
    rankExpression: () => "1",
    rankOf: () => 1,
  },
  oldest: {
    descending: true,
    parts: (_, whole) => datedAndUndated(whole),
    rankExpression: () => `CASE WHEN id < ${FIRST_UNDATED_ID} THEN 1 ELSE ${UNDATED_RANK} END`,
    rankOf: ({ published }) => (published === undefined ? UNDATED_RANK : 1),
  },
  relevance: {
    descending: false,
    parts: (selection, whole) =>
      tiersOf(selection.query).map((tier, index, tiers) => ({
        ...whole,
        rank: tier,
        tsquery: tsqueryOfTier(selection, tier, tiers[index - 1]),
        others: withoutBeginnings(selection, tier),
      })),
    rankExpression: ({ query }) => tierExpression(query),
    rankOf: ({ tier }) => tier ?? 1,
  },
};

export function orderOf(sort: IdSort): IdOrder {
  return ORDERS[sort];
}

export function partsOf(selection: SearchSelection, sort: IdSort): readonly SearchPart[] {
  return ORDERS[sort].parts(selection, wholeOf(selection));
}

function datedAndUndated(whole: SearchPart): readonly SearchPart[] {
  const { first, last } = whole.range;
  const dated = { first, last: last < FIRST_UNDATED_ID ? last : FIRST_UNDATED_ID - 1n };
  if (last < FIRST_UNDATED_ID) return [{ ...whole, range: dated }];
  return [
    { ...whole, range: dated },
    { ...whole, rank: UNDATED_RANK, range: { first: FIRST_UNDATED_ID, last } },
  ];
}

function tierExpression(query: SearchSelection["query"]): string {
  const tiers = tiersOf(query);
  const better = tiers.slice(0, -1);
  if (better.length === 0) return String(tiers[0]);
  const cases = better.map((tier) => `WHEN ${matches(tierCondition(query!, tier))} THEN ${tier}`);
  return `CASE ${cases.join(" ")} ELSE ${tiers.at(-1)} END`;
}

/** The rank and the id of a place in a result. */
export interface Place {
  readonly rank: number;
  readonly id: bigint;
}

export function placeOf(key: SearchKey, sort: IdSort): Place {
  return { id: searchIdOf(key.isbn, key.published), rank: ORDERS[sort].rankOf(key) };
}

/** Returns what is left of the parts after a place. */
export function partsAfter(
  parts: readonly SearchPart[],
  after: Place | undefined,
  sort: IdSort,
): readonly SearchPart[] {
  if (after === undefined) return parts;
  return parts.flatMap((part) => {
    if (part.rank !== after.rank) return part.rank < after.rank ? [] : [part];
    const { first, last } = part.range;
    const range = ORDERS[sort].descending
      ? { first, last: last < after.id ? last : after.id - 1n }
      : { first: first > after.id ? first : after.id + 1n, last };
    return range.first > range.last ? [] : [{ ...part, range }];
  });
}

/** True when every book of the range is in the part. */
export function isWholeRange({ tsquery, facts }: SearchPart): boolean {
  return tsquery === undefined && facts === undefined;
}

/**
 * How the books of a part are found: in one table, where a row of the other is read for each of them, or in both tables,
 * whose ids are then compared.
 */
export type Way = Table | "both";
export type Table = "words" | "facts";

const TABLES: Readonly<Record<Table, { readonly name: string; readonly columns: string }>> = {
  words: { name: "search", columns: "words, title_key" },
  facts: {
    name: "search_book",
    columns: "facts, imprint, languages, form, audience, availability, lacks, prices",
  },
};

interface SourceOptions {
  /** The table whose columns the query reads, beside those of the conditions. */
  readonly reads?: Table | undefined;
  /** A query of some rows of the first table. */
  readonly rows?: string;
}

/** Returns what follows FROM in a query of the books of a part. OFFSET 0 keeps the planner from another way. */
export function sourceOf(part: SearchPart, way: Way, { reads, rows }: SourceOptions = {}): string {
  if (way === "both") {
    const withFacts = `SELECT id FROM colophon.search_book WHERE ${conditionOf({ ...part, tsquery: undefined, others: undefined })} OFFSET 0`;
    const withWords = `SELECT id FROM colophon.search WHERE ${conditionOf({ ...part, facts: undefined })}`;
    const found = `(${withWords} AND id IN (${withFacts}) OFFSET 0) AS found`;
    return reads === undefined ? found : `${found} ${rowOf(reads, "found")}`;
  }
  const { name } = TABLES[way];
  const first = rows === undefined ? `colophon.${name}` : `(${rows}) AS ${name}`;
  const other = way === "words" ? "facts" : "words";
  const isNeeded =
    reads === other || (other === "facts" ? part.facts !== undefined : part.tsquery !== undefined);
  return `${first} ${isNeeded ? rowOf(other, name) : ""} WHERE ${conditionOf(part)}`;
}

/** Returns the join of the row of a table to each book. */
function rowOf(table: Table, books: string): string {
  const { name, columns } = TABLES[table];
  return `CROSS JOIN LATERAL (SELECT ${columns} FROM colophon.${name} WHERE ${name}.id = ${books}.id OFFSET 0) AS ${name}`;
}

/** Returns the same for rows of both tables that are read in the order of ids. */
export function mergedSourceOf(part: SearchPart): string {
  const words = part.tsquery === undefined ? "" : "JOIN colophon.search USING (id)";
  return `colophon.search_book ${words} WHERE ${conditionOf(part)}`;
}

/** Returns a query of rows of a table in the order of ids. */
export function rowsInOrder({ range }: SearchPart, table: Table, order: string, limit: number): string {
  const { name, columns } = TABLES[table];
  return `SELECT id, ${columns} FROM colophon.${name} WHERE ${inRange(range)} ORDER BY ${order} LIMIT ${limit}`;
}

/** Returns the SQL condition of the books of a part, at least `true`. */
function conditionOf({ tsquery, others, facts, range }: SearchPart): string {
  const parts = [inRange(range)];
  if (facts !== undefined) parts.push(hasFacts(facts));
  if (others !== undefined) parts.push(matches(others));
  if (tsquery !== undefined) parts.push(others === undefined ? matches(tsquery) : comparesWith(tsquery));
  return parts.join(" AND ");
}

export function inRange({ first, last }: SearchIdRange): string {
  const { first: lowest, last: highest } = searchIdRange(undefined, undefined);
  const parts: string[] = [];
  if (first > lowest) parts.push(`id >= ${first}`);
  if (last < highest) parts.push(`id <= ${last}`);
  return parts.length === 0 ? "true" : parts.join(" AND ");
}

export function matches(tsquery: string): string {
  return `words @@ ${literal(tsquery)}::tsquery`;
}

/** Returns the same condition, for which the planner cannot use the index. */
export function comparesWith(tsquery: string): string {
  return `(${matches(tsquery)}) IS TRUE`;
}

export function hasFacts(facts: string): string {
  return `facts @@ ${literal(facts)}::tsquery`;
}

/** Returns a text as a literal that no setting of the server changes. A text of the server has no NUL. */
export function literal(text: string): string {
  return `E'${text.replaceAll("\0", "").replaceAll("\\", "\\\\").replaceAll("'", "''")}'`;
}
