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
import {
  type Estimate,
  expectedMatches,
  fastestWay,
  indexedPart,
  isCertainlyMore,
  newestMonths,
  rowsToWalk,
  walkedTable,
} from "./estimate.ts";
import type { NewestMonths } from "./newest-months.ts";
import { type IdSort, isWholeRange, partsAfter, placeOf, type SearchPart } from "./search-parts.ts";
import {
  allTitlesQuery,
  BY_INDEX,
  BY_ORDER,
  type CountedRow,
  countQuery,
  type FoundRow,
  monthsQuery,
  partQuery,
  titleQuery,
  walkQuery,
  wholeQuery,
} from "./search-queries.ts";
import type { SearchSession } from "./search-session.ts";

export type Found = Pick<SearchResult, "keys" | "total">;
type Total = SearchResult["total"];

/** A search with its parts and their estimate. The whole is the first part of the estimate. */
interface PlannedSearch {
  readonly session: SearchSession;
  readonly whole: SearchPart;
  readonly parts: readonly SearchPart[];
  readonly estimate: Estimate;
  readonly months: NewestMonths;
  /** A search that probably finds no more books than this reads all of them. */
  readonly maxWhole: number;
  /** Known when an earlier page has counted. */
  readonly total: Total | undefined;
}

export async function findBooks(planned: PlannedSearch, request: SearchRequest): Promise<Found> {
  const whole = indexedPart(planned.estimate, planned.whole);
  const search = { ...planned, whole };
  const { session, estimate, maxWhole } = search;
  const { sort, after, limit } = request;
  if (sort === "title") return await findByTitle(search, request);
  const place = after && placeOf(after, sort);
  if (!request.isUncounted && !isWholeRange(whole) && expectedMatches(estimate) <= maxWhole) {
    const { way } = fastestWay(estimate, 0, whole);
    const query = wholeQuery(request, whole, way, sort, place, limit);
    return countedPage(await session.query<CountedRow>(BY_INDEX, query), sort);
  }
  const rows = await readParts(search, partsAfter(search.parts, place, sort), sort, limit);
  const total = request.isUncounted ? rows.length : (search.total ?? (await count(search)));
  return { keys: rows.map((row) => keyOf(row, sort)), total };
}

async function findByTitle(
  { session, whole, estimate }: PlannedSearch,
  { after, limit }: SearchRequest,
): Promise<Found> {
  if (conditionless(whole)) {
    const rows = await session.query<FoundRow>(BY_ORDER, allTitlesQuery(after, limit));
    return { keys: rows.map((row) => keyOf(row, "title")), total: totalOf(estimate.records) };
  }
  if (isCertainlyMore(estimate)) throw new SearchTooBroad();
  const total = await countUpTo(session, whole, estimate);
  if (total > MAX_SORTED_BY_TITLE) throw new SearchTooBroad();
  const query = titleQuery(whole, fastestWay(estimate, 0, whole).way, after, limit);
  return countedPage(await session.query<CountedRow>(settingsOf(whole), query), "title");
}

/** Reads parts until there are enough books. */
async function readParts(
  search: PlannedSearch,
  remaining: readonly SearchPart[],
  sort: IdSort,
  limit: number,
): Promise<readonly FoundRow[]> {
  const rows: FoundRow[] = [];
  for (const part of remaining) {
    rows.push(...(await readPart(search, part, sort, limit - rows.length)));
    if (rows.length >= limit) break;
  }
  return rows;
}

async function readPart(
  { session, estimate, months, parts }: PlannedSearch,
  ofTier: SearchPart,
  sort: IdSort,
  limit: number,
): Promise<readonly FoundRow[]> {
  const part = indexedPart(estimate, ofTier);
  const walked = walkedTable(part);
  if (isWholeRange(part)) {
    return await session.query<FoundRow>(BY_ORDER, walkQuery(part, walked, sort, limit, limit));
  }
  // The estimate has the whole first.
  const index = parts.findIndex(({ rank }) => rank === part.rank) + 1;
  const newestPart = indexedPart(estimate, ofTier, "months");
  const newest = sort === "oldest" ? undefined : newestMonths(estimate, index, newestPart, limit, months);
  const rows = rowsToWalk(estimate, index, part, limit, newest?.us);
  if (rows !== undefined) {
    const found = await session.query<FoundRow>(BY_ORDER, walkQuery(part, walked, sort, limit, rows));
    if (found.length >= limit) return found;
  } else if (newest !== undefined) {
    const found = await session.query<FoundRow>(BY_INDEX, monthsQuery(newestPart, newest.last, limit));
    if (found.length >= limit) return found;
  }
  const { way } = fastestWay(estimate, index, part);
  return await session.query<FoundRow>(BY_INDEX, partQuery(part, way, sort, limit));
}

async function count({ session, whole, estimate }: PlannedSearch): Promise<Total> {
  if (conditionless(whole)) return totalOf(estimate.records);
  if (isCertainlyMore(estimate)) return MORE_THAN_EXACT;
  return totalOf(await countUpTo(session, whole, estimate));
}

async function countUpTo(session: SearchSession, whole: SearchPart, estimate: Estimate): Promise<number> {
  const query = countQuery(whole, fastestWay(estimate, 0, whole).way);
  const [row] = await session.query<{ total: number }>(settingsOf(whole), query);
  return row!.total;
}

function settingsOf(whole: SearchPart): readonly string[] {
  return isWholeRange(whole) ? [] : BY_INDEX;
}

/** True when every book of the catalog matches. */
function conditionless(whole: SearchPart): boolean {
  const { first, last } = whole.range;
  return isWholeRange(whole) && first === 0n && last === MAX_SEARCH_ID;
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
