import type { Database } from "bun:sqlite";
import { type SearchTier, tiersOf } from "../../../catalog/search/query.ts";
import {
  type FacetRequest,
  type Facets,
  MAX_SORTED_BY_TITLE,
  type SearchKey,
  type SearchRequest,
  type SearchSelection,
} from "../../../catalog/search/search.ts";
import {
  dayOfSearchId,
  FIRST_UNDATED_ID,
  isbnOfSearchId,
  MAX_SEARCH_ID,
  type SearchId,
  type SearchIdRange,
  searchIdOf,
  searchIdRange,
} from "../../../catalog/search/search-id.ts";
import { SearchTooBroad } from "../../../catalog/store-errors.ts";
import { countFacets } from "./facet-counts.ts";
import { FoundBooks, type Match, termCount } from "./found-books.ts";
import { type IndexSlice, type IndexSlices, SliceSize } from "./index-slices.ts";
import { matchOf, PREFIX_MARK, tierMatch } from "./match-expression.ts";

export type Steps<T> = Generator<void, T>;

/** A search that finds a smaller share of the newest books probably finds few books. */
const RARE_SHARE = 1 / 400;

/** Reads what one search finds, in steps of one statement each. */
export class SearchRun {
  readonly #range: SearchIdRange;
  readonly #books: FoundBooks;
  /** What the tiers of a search by relevance have learned is used to count their books. */
  #learned: SliceSize | undefined;

  constructor(
    db: Database,
    readonly revision: string,
    private readonly slices: IndexSlices,
    private readonly selection: SearchSelection & Pick<SearchRequest, "newestMatches">,
    /** Stands still while the search is paused. */
    private readonly now: () => number,
  ) {
    this.#range = searchIdRange(selection.filters.from, selection.filters.to);
    this.#books = new FoundBooks(db);
  }

  keys(request: SearchRequest): Steps<readonly SearchKey[]> {
    switch (request.sort) {
      case "relevance":
        return this.#byRelevance(request);
      case "newest":
        return this.#newest(matchOf(this.selection), request, {});
      case "oldest":
        return this.#oldest(request);
      case "title":
        return this.#byTitle(request);
    }
  }

  *count(limit: number): Steps<number> {
    const match = matchOf(this.selection);
    let total = 0;
    for (const range of this.#slices(match, this.#range, this.#learned)) {
      total += this.#books.count(match, range, limit - total);
      if (total >= limit) break;
      yield;
    }
    return total;
  }

  *facets(request: FacetRequest): Steps<Facets> {
    const slices = (match: Match, range: SearchIdRange) => this.#slices(match, range);
    return { revision: this.revision, ...(yield* countFacets(this.#books, slices, request)) };
  }

  *#byRelevance(request: SearchRequest): Steps<readonly SearchKey[]> {
    const { after, limit } = request;
    if (after === undefined) return yield* this.#firstByRelevance(limit);
    const keys: SearchKey[] = [];
    let before: SearchTier | undefined;
    for (const tier of tiersOf(this.selection.query)) {
      const isPassed = after?.tier !== undefined && tier < after.tier;
      if (!isPassed) {
        const match = tierMatch(this.selection, tier, before);
        const rest = { limit: limit - keys.length, after: tier === after?.tier ? after : undefined };
        keys.push(...(yield* this.#newest(match, rest, { tier })));
        if (keys.length >= limit) break;
      }
      before = tier;
    }
    return keys;
  }

  /**
   * Every tier contains the better ones. So a tier without books ends the search for better ones, one with few has their
   * range, and the first books of each tier are enough for the page. An expression that excludes the better ones takes
   * twice as long.
   */
  *#firstByRelevance(limit: number): Steps<readonly SearchKey[]> {
    const found = new Map<string, SearchKey>();
    const keysByTier: SearchKey[][] = [];
    let range = this.#range;
    for (const tier of tiersOf(this.selection.query).toReversed()) {
      const match = tierMatch(this.selection, tier, undefined);
      this.#learned ??= this.#sliceSize(match);
      const keys = yield* this.#newestIn(range, match, limit, { tier }, this.#learned);
      if (keys.length === 0) break;
      if (keys.length < limit) range = { first: idOf(keys[0]!), last: idOf(keys.at(-1)!) };
      keysByTier.unshift(keys);
    }
    for (const key of keysByTier.flat()) if (!found.has(key.isbn)) found.set(key.isbn, key);
    return [...found.values()].slice(0, limit);
  }

  *#newest(
    match: Match,
    { after, limit }: Pick<SearchRequest, "after" | "limit">,
    place: Pick<SearchKey, "tier">,
  ): Steps<SearchKey[]> {
    const { first, last } = this.#range;
    const start = after === undefined ? first : max(first, idOf(after) + 1n);
    return yield* this.#newestIn({ first: start, last }, match, limit, place);
  }

  *#newestIn(
    range: SearchIdRange,
    match: Match,
    limit: number,
    place: Pick<SearchKey, "tier">,
    size?: SliceSize,
  ): Steps<SearchKey[]> {
    const keys: SearchKey[] = [];
    for (const slice of this.#slices(match, range, size)) {
      const ids = this.#books.ids(match, slice, limit - keys.length, "ASC");
      keys.push(...ids.map((id) => ({ ...keyOf(id), ...place })));
      yield;
      if (keys.length >= limit) break;
    }
    return keys;
  }

  /** Books without a date follow the newest ones. */
  *#oldest({ after, limit }: SearchRequest): Steps<readonly SearchKey[]> {
    const match = matchOf(this.selection);
    const { first, last } = this.#range;
    const lastDated = FIRST_UNDATED_ID - 1n;
    const afterId = after && idOf(after);
    const parts: readonly SearchIdRange[] = [
      { first, last: last < lastDated ? last : lastDated },
      { first: max(first, FIRST_UNDATED_ID), last },
    ];
    const keys: SearchKey[] = [];
    for (const [index, part] of parts.entries()) {
      const isAfterHere = afterId !== undefined && afterId >= FIRST_UNDATED_ID === (index === 1);
      if (afterId !== undefined && !isAfterHere && index === 0) continue;
      const end = isAfterHere ? afterId - 1n : MAX_SEARCH_ID;
      const range = { first: part.first, last: part.last < end ? part.last : end };
      for (const slice of this.slices.descending(range, this.revision, this.#sliceSize(match))) {
        keys.push(...this.#books.ids(match, slice, limit - keys.length, "DESC").map(keyOf));
        yield;
        if (keys.length >= limit) return keys;
      }
    }
    return keys;
  }

  *#byTitle({ after, limit, filters }: SearchRequest): Steps<readonly SearchKey[]> {
    const match = matchOf(this.selection);
    const isAll = match.words === undefined && match.facts.length === 0;
    if (isAll && filters.from === undefined && filters.to === undefined) {
      return this.#books.allByTitle(after, limit).map(titleKeyOf);
    }
    if ((yield* this.count(MAX_SORTED_BY_TITLE + 1)) > MAX_SORTED_BY_TITLE) throw new SearchTooBroad();
    const keys: SearchKey[] = [];
    for (const range of this.#slices(match, this.#range)) {
      keys.push(...this.#books.titles(match, range).map(titleKeyOf));
      yield;
    }
    keys.sort(compareTitles);
    const start = after === undefined ? 0 : keys.findIndex((key) => compareTitles(key, after) > 0);
    return start < 0 ? [] : keys.slice(start, start + limit);
  }

  #slices(match: Match, range: SearchIdRange, size = this.#sliceSize(match)): Iterable<IndexSlice> {
    return this.slices.ascending(range, this.revision, size);
  }

  #sliceSize(match: Match): SliceSize {
    const hasPrefix = match.words?.includes(PREFIX_MARK) ?? false;
    const { newestMatches: newest } = this.selection;
    const isRare = newest !== undefined && newest.matching < RARE_SHARE * newest.books;
    return new SliceSize(termCount(match), hasPrefix, isRare, this.now);
  }
}

function idOf({ isbn, published }: SearchKey): SearchId {
  return searchIdOf(isbn, published);
}

function keyOf(id: SearchId): SearchKey {
  return { isbn: isbnOfSearchId(id), published: dayOfSearchId(id) };
}

function titleKeyOf({ id, title_key }: { readonly id: string; readonly title_key: string }): SearchKey {
  return { ...keyOf(BigInt(id)), titleKey: title_key };
}

/** Compares bytes of UTF-8, as SQLite does. */
function compareTitles(a: SearchKey, b: SearchKey): number {
  if (a.titleKey === b.titleKey) return a.isbn < b.isbn ? -1 : Number(a.isbn > b.isbn);
  return Buffer.compare(Buffer.from(a.titleKey!), Buffer.from(b.titleKey!));
}

function max(a: SearchId, b: SearchId): SearchId {
  return a > b ? a : b;
}
