/** Searches a catalog on one connection. Each search reads one state, in statements that are short. */
import type { Database, Statement } from "bun:sqlite";
import type { CatalogQuality } from "../../../catalog/quality/catalog-quality.ts";
import { type SearchTier, tiersOf } from "../../../catalog/search/query.ts";
import {
  type FacetRequest,
  type Facets,
  MAX_EXACT_TOTAL,
  MAX_SORTED_BY_TITLE,
  MORE_THAN_EXACT,
  type SearchKey,
  type SearchRequest,
  type SearchResult,
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
import { SearchTooBroad, SearchUnavailable } from "../../../catalog/store-errors.ts";
import { type QualityRow, qualityFromRows, qualityQuery } from "../../quality-query.ts";
import { countFacets } from "./facet-counts.ts";
import { FoundBooks, type IndexSlice, IndexSlices, type Match } from "./found-books.ts";
import { matchOf, tierMatch } from "./match-expression.ts";

/** The totals of recent searches, for their further pages. */
const MAX_CACHED_TOTALS = 1000;

export class Searcher implements Disposable {
  readonly #db: Database;
  readonly #revision: Statement<{ readonly revision: string }, []>;
  readonly #slices: IndexSlices;
  readonly #totals = new Map<string, number>();
  #totalsRevision = "";

  constructor(db: Database) {
    this.#db = db;
    this.#revision = db.prepare("SELECT revision FROM catalog");
    this.#slices = new IndexSlices(db);
  }

  /** `deadlineMs` is in Unix time. Throws `SearchUnavailable` after it. */
  search(request: SearchRequest, deadlineMs: number): SearchResult {
    return this.#inTransaction(deadlineMs, request, (run) => {
      const keys = run.keys(request);
      const isWhole = request.after === undefined && keys.length < request.limit;
      const total = isWhole ? keys.length : this.#total(run, request);
      return { revision: run.revision, keys, total: total > MAX_EXACT_TOTAL ? MORE_THAN_EXACT : total };
    });
  }

  facets(request: FacetRequest, deadlineMs: number): Facets {
    return this.#inTransaction(deadlineMs, request, (run) => ({
      revision: run.revision,
      ...countFacets((limit) => run.facetRows(request, limit), request.maxBooks),
    }));
  }

  /** Reads a few thousand counts, in milliseconds. */
  quality(): CatalogQuality {
    return this.#transaction((revision) => {
      using rows = this.#db.prepare<QualityRow, []>(qualityQuery(""));
      return qualityFromRows(rows.all(), revision);
    });
  }

  [Symbol.dispose](): void {
    this.#revision.finalize();
    this.#slices[Symbol.dispose]();
  }

  #inTransaction<T>(deadlineMs: number, selection: SearchSelection, task: (run: SearchRun) => T): T {
    return this.#transaction((revision) =>
      task(new SearchRun(this.#db, revision, this.#slices, selection, deadlineMs)),
    );
  }

  #transaction<T>(task: (revision: string) => T): T {
    this.#db.run("BEGIN");
    try {
      return task(this.#revision.get()!.revision);
    } finally {
      if (this.#db.inTransaction) this.#db.run("ROLLBACK");
    }
  }

  #total(run: SearchRun, { query, filters }: SearchRequest): number {
    if (this.#totalsRevision !== run.revision || this.#totals.size >= MAX_CACHED_TOTALS) {
      this.#totals.clear();
      this.#totalsRevision = run.revision;
    }
    const key = JSON.stringify([query, filters]);
    const total = this.#totals.get(key) ?? run.count(MAX_EXACT_TOTAL + 1);
    this.#totals.set(key, total);
    return total;
  }
}

/** One search. */
class SearchRun {
  readonly #range: SearchIdRange;
  readonly #books: FoundBooks;

  constructor(
    db: Database,
    readonly revision: string,
    private readonly slices: IndexSlices,
    private readonly selection: SearchSelection,
    private readonly deadlineMs: number,
  ) {
    this.#range = searchIdRange(selection.filters.from, selection.filters.to);
    this.#books = new FoundBooks(db);
  }

  keys(request: SearchRequest): readonly SearchKey[] {
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

  count(limit: number): number {
    const match = matchOf(this.selection);
    let total = 0;
    for (const range of this.#ascending(this.#range)) {
      total += this.#books.count(match, range, limit - total);
      if (total >= limit) break;
    }
    return total;
  }

  *facetRows({ filters }: FacetRequest, limit: number) {
    const match = matchOf(this.selection);
    let rest = limit;
    for (const range of this.#ascending(searchIdRange(filters.from, filters.to))) {
      for (let { first } = range; rest > 0; this.#checkTime()) {
        const rows = this.#books.facetRows(match, { ...range, first }, rest);
        if (rows.length === 0) break;
        yield rows;
        rest -= rows.length;
        first = BigInt(rows.at(-1)!.id) + 1n;
      }
    }
  }

  #byRelevance(request: SearchRequest): readonly SearchKey[] {
    const { after, limit } = request;
    if (after === undefined) return this.#firstByRelevance(limit);
    const keys: SearchKey[] = [];
    let before: SearchTier | undefined;
    for (const tier of tiersOf(this.selection.query)) {
      const isPassed = after?.tier !== undefined && tier < after.tier;
      if (!isPassed) {
        const match = tierMatch(this.selection, tier, before);
        const rest = { limit: limit - keys.length, after: tier === after?.tier ? after : undefined };
        keys.push(...this.#newest(match, rest, { tier }));
        if (keys.length >= limit) break;
      }
      before = tier;
    }
    return keys;
  }

  /**
   * Every tier contains the better ones. So a tier without books ends the search for better ones, and the first books
   * of each tier are enough for the page. An expression that excludes the better ones takes twice as long.
   */
  #firstByRelevance(limit: number): readonly SearchKey[] {
    const found = new Map<string, SearchKey>();
    const keysByTier: SearchKey[][] = [];
    for (const tier of tiersOf(this.selection.query).toReversed()) {
      const match = tierMatch(this.selection, tier, undefined);
      const keys = this.#newest(match, { limit }, { tier });
      if (keys.length === 0) break;
      keysByTier.unshift(keys);
    }
    for (const key of keysByTier.flat()) if (!found.has(key.isbn)) found.set(key.isbn, key);
    return [...found.values()].slice(0, limit);
  }

  #newest(
    match: Match,
    { after, limit }: Pick<SearchRequest, "after" | "limit">,
    place: Pick<SearchKey, "tier">,
  ): SearchKey[] {
    const { first, last } = this.#range;
    const start = after === undefined ? first : max(first, idOf(after) + 1n);
    const keys: SearchKey[] = [];
    for (const range of this.#ascending({ first: start, last })) {
      const ids = this.#books.ids(match, range, limit - keys.length, "ASC");
      keys.push(...ids.map((id) => ({ ...keyOf(id), ...place })));
      if (keys.length >= limit) break;
    }
    return keys;
  }

  /** Books without a date follow the newest ones. */
  #oldest({ after, limit }: SearchRequest): readonly SearchKey[] {
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
      for (const slice of this.slices.descending(range, this.revision)) {
        this.#checkTime();
        keys.push(...this.#books.ids(match, slice, limit - keys.length, "DESC").map(keyOf));
        if (keys.length >= limit) return keys;
      }
    }
    return keys;
  }

  #byTitle({ after, limit, filters }: SearchRequest): readonly SearchKey[] {
    const match = matchOf(this.selection);
    const isAll = match.words === undefined && match.facts.length === 0;
    if (isAll && filters.from === undefined && filters.to === undefined) {
      return this.#books.allByTitle(after, limit).map(titleKeyOf);
    }
    if (this.count(MAX_SORTED_BY_TITLE + 1) > MAX_SORTED_BY_TITLE) throw new SearchTooBroad();
    const titles = [...this.#ascending(this.#range)].flatMap((range) => this.#books.titles(match, range));
    const keys = titles.map(titleKeyOf).sort(compareTitles);
    const start = after === undefined ? 0 : keys.findIndex((key) => compareTitles(key, after) > 0);
    return start < 0 ? [] : keys.slice(start, start + limit);
  }

  *#ascending(range: SearchIdRange): Generator<IndexSlice, void> {
    for (const slice of this.slices.of(range, this.revision)) {
      this.#checkTime();
      yield slice;
    }
  }

  #checkTime(): void {
    if (Date.now() > this.deadlineMs) throw new SearchUnavailable("timeout");
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
