/** Finds the books of a search, by the way that its estimate shows to be the fastest. */
import { SORTS } from "../../../catalog/search/properties.ts";
import {
  MAX_EXACT_TOTAL,
  MAX_SORTED_BY_TITLE,
  MORE_THAN_EXACT,
  type SearchKey,
  type SearchRequest,
  type SearchResult,
} from "../../../catalog/search/search.ts";
import { dayOfSearchId, isbnOfSearchId, MAX_SEARCH_ID } from "../../../catalog/search/search-id.ts";
import { SearchTooBroad } from "../../../catalog/store-errors.ts";
import { type Estimate, expectedMatches, isCertainlyMore, rowsToWalk } from "./estimate.ts";
import { type IdSort, partsAfter, placeOf, type SearchPart } from "./search-parts.ts";
import {
  allTitlesQuery,
  BY_ORDER,
  BY_WORDS,
  type CountedRow,
  countQuery,
  type FoundRow,
  partQuery,
  titleQuery,
  walkQuery,
  wholeQuery,
} from "./search-queries.ts";
import type { SearchSession } from "./search-session.ts";

export type Found = Pick<SearchResult, "keys" | "total">;
type Total = SearchResult["total"];

/** A search with its parts and their estimate. The whole is the first part of the estimate. */
export interface PlannedSearch {
  readonly session: SearchSession;
  readonly whole: SearchPart;
  readonly parts: readonly SearchPart[];
  readonly estimate: Estimate;
  /** A search that probably finds no more books than this reads all of them. */
  readonly maxWhole: number;
  /** Known when an earlier page has counted. */
  readonly total: Total | undefined;
}

export async function findBooks(search: PlannedSearch, request: SearchRequest): Promise<Found> {
  const { session, whole, estimate, maxWhole } = search;
  const { sort, after, limit } = request;
  if (sort === "title") return await findByTitle(search, request);
  const place = after && placeOf(after, sort);
  if (whole.tsquery !== undefined && expectedMatches(estimate, 0) <= maxWhole) {
    const query = wholeQuery(request, whole, sort, place, limit);
    return countedPage(await session.query<CountedRow>(BY_WORDS, query), sort);
  }
  const rows = await readParts(search, partsAfter(search.parts, place, sort), sort, limit);
  return { keys: rows.map((row) => keyOf(row, sort)), total: search.total ?? (await count(search)) };
}

async function findByTitle(
  { session, whole, estimate }: PlannedSearch,
  { after, limit }: SearchRequest,
): Promise<Found> {
  if (conditionless(whole)) {
    const rows = await session.query<FoundRow>(BY_ORDER, allTitlesQuery(after, limit));
    return { keys: rows.map((row) => keyOf(row, "title")), total: totalOf(estimate.records) };
  }
  if (isCertainlyMore(estimate, 0)) throw new SearchTooBroad();
  const total = await countUpTo(session, whole);
  if (total > MAX_SORTED_BY_TITLE) throw new SearchTooBroad();
  return countedPage(
    await session.query<CountedRow>(settingsOf(whole), titleQuery(whole, after, limit)),
    "title",
  );
}

/** Reads parts until there are enough books. */
async function readParts(
  { session, estimate, parts }: PlannedSearch,
  remaining: readonly SearchPart[],
  sort: IdSort,
  limit: number,
): Promise<readonly FoundRow[]> {
  const rows: FoundRow[] = [];
  for (const part of remaining) {
    const wanted = limit - rows.length;
    // The estimate has the whole first.
    const index = parts.findIndex(({ rank }) => rank === part.rank) + 1;
    rows.push(...(await readPart(session, estimate, index, part, sort, wanted)));
    if (rows.length >= limit) break;
  }
  return rows;
}

async function readPart(
  session: SearchSession,
  estimate: Estimate,
  index: number,
  part: SearchPart,
  sort: IdSort,
  limit: number,
): Promise<readonly FoundRow[]> {
  if (part.tsquery === undefined) {
    return await session.query<FoundRow>(BY_ORDER, walkQuery(part, sort, limit, limit));
  }
  const walk = rowsToWalk(estimate, index, limit);
  if (walk !== undefined) {
    const found = await session.query<FoundRow>(BY_ORDER, walkQuery(part, sort, limit, walk));
    if (found.length >= limit) return found;
  }
  return await session.query<FoundRow>(BY_WORDS, partQuery(part, sort, limit));
}

async function count({ session, whole, estimate }: PlannedSearch): Promise<Total> {
  if (conditionless(whole)) return totalOf(estimate.records);
  if (isCertainlyMore(estimate, 0)) return MORE_THAN_EXACT;
  return totalOf(await countUpTo(session, whole));
}

async function countUpTo(session: SearchSession, whole: SearchPart): Promise<number> {
  const [row] = await session.query<{ total: number }>(settingsOf(whole), countQuery(whole));
  return row!.total;
}

function settingsOf({ tsquery }: SearchPart): readonly string[] {
  return tsquery === undefined ? [] : BY_WORDS;
}

/** True when every book of the catalog matches. */
function conditionless({ tsquery, range: { first, last } }: SearchPart): boolean {
  return tsquery === undefined && first === 0n && last === MAX_SEARCH_ID;
}

function countedPage(rows: readonly CountedRow[], sort: SearchRequest["sort"]): Found {
  const found = rows.filter((row): row is CountedRow & FoundRow => row.id !== null);
  return { keys: found.map((row) => keyOf(row, sort)), total: totalOf(Number(rows[0]!.total)) };
}

function totalOf(books: number): Total {
  return books > MAX_EXACT_TOTAL ? MORE_THAN_EXACT : books;
}

function keyOf({ id, rank, title_key }: FoundRow, sort: SearchRequest["sort"]): SearchKey {
  const number = BigInt(id);
  const key = { isbn: isbnOfSearchId(number), published: dayOfSearchId(number) };
  const place = SORTS[sort];
  if (place === "tier") return { ...key, tier: rank as NonNullable<SearchKey["tier"]> };
  return place === "titleKey" ? { ...key, titleKey: title_key! } : key;
}
