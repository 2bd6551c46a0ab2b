/**
 * Searches a catalog on one connection. Each search reads one state, in statements that are short: a running statement
 * cannot be interrupted. Searches are generators that yield between two of them.
 */
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
import { SearchTooBroad } from "../../../catalog/store-errors.ts";
import type { Day } from "../../../onix/date.ts";
import { type BookSource, type QualityRow, qualityFromRows, qualityQuery } from "../../quality-query.ts";
import { countFacets } from "./facet-counts.ts";
import { FoundBooks, type Match, termCount } from "./found-books.ts";
import { type IndexSlice, IndexSlices } from "./index-slices.ts";
import { matchOf, tierMatch } from "./match-expression.ts";

/** Values stand between U+001F, which JSON escapes. */
const QUALITY_SOURCE: BookSource = {
  schema: "",
  table: "book_search",
  id: "search_id",
  each: (column) => `json_each('[' || replace(json_quote(${column}), '\\u001f', '","') || ']') AS each`,
};

/** The totals of recent searches, for their further pages. */
const MAX_CACHED_TOTALS = 1000;

export type SearchTask =
  | { readonly kind: "search"; readonly request: SearchRequest }
  | { readonly kind: "facets"; readonly request: FacetRequest }
  | { readonly kind: "quality"; readonly from: Day | undefined };

/** The result of a task, by its kind. */
export type SearchOutcome = SearchResult | Facets | CatalogQuality;

type Steps<T> = Generator<void, T>;

/** A search that runs or is paused. */
export interface Search {
  readonly task: SearchTask;
  /** That of the state that it reads. Undefined before it has begun, as are the steps. */
  revision?: string;
  steps?: Steps<SearchOutcome>;
}

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

  /**
   * Runs a search until it is done, or interrupted between two statements. Returns undefined then, and continues the
   * search when it is called again. When the catalog has changed meanwhile, the search begins again.
   */
  run(search: Search, isInterrupted: () => boolean): SearchOutcome | undefined {
    this.#db.run("BEGIN");
    try {
      const { revision } = this.#revision.get()!;
      if (search.revision !== revision) {
        search.revision = revision;
        search.steps = this.#steps(search.task, revision);
      }
      for (;;) {
        const { done, value } = search.steps!.next();
        if (done) return value;
        if (isInterrupted()) return undefined;
      }
    } finally {
      if (this.#db.inTransaction) this.#db.run("ROLLBACK");
    }
  }

  [Symbol.dispose](): void {
    this.#revision.finalize();
    this.#slices[Symbol.dispose]();
  }

  #steps(task: SearchTask, revision: string): Steps<SearchOutcome> {
    if (task.kind === "quality") return this.#quality(revision, task.from);
    const run = new SearchRun(this.#db, revision, this.#slices, task.request);
    return task.kind === "search" ? this.#search(run, task.request) : run.facets(task.request);
  }

  *#search(run: SearchRun, request: SearchRequest): Steps<SearchResult> {
    const keys = yield* run.keys(request);
    const isWhole = request.after === undefined && keys.length < request.limit;
    const total = isWhole || request.isUncounted ? keys.length : yield* this.#total(run, request);
    return { revision: run.revision, keys, total: total > MAX_EXACT_TOTAL ? MORE_THAN_EXACT : total };
  }

  /** Reads a few thousand counts, in milliseconds, or the rows of the books from a day on. */
  // biome-ignore lint/correctness/useYield: it is one statement.
  *#quality(revision: string, from: Day | undefined): Steps<CatalogQuality> {
    using rows = this.#db.prepare<QualityRow, []>(qualityQuery(QUALITY_SOURCE, from));
    return qualityFromRows(rows.all(), revision, from);
  }

  *#total(run: SearchRun, { query, filters }: SearchRequest): Steps<number> {
    if (this.#totalsRevision !== run.revision || this.#totals.size >= MAX_CACHED_TOTALS) {
      this.#totals.clear();
      this.#totalsRevision = run.revision;
    }
    const key = JSON.stringify([query, filters]);
    const total = this.#totals.get(key) ?? (yield* run.count(MAX_EXACT_TOTAL + 1));
    // Another search may have read a later state meanwhile.
    if (this.#totalsRevision === run.revision) this.#totals.set(key, total);
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
    for (const range of this.#slices(match, this.#range)) {
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
   * Every tier contains the better ones. So a tier without books ends the search for better ones, and the first books
   * of each tier are enough for the page. An expression that excludes the better ones takes twice as long.
   */
  *#firstByRelevance(limit: number): Steps<readonly SearchKey[]> {
    const found = new Map<string, SearchKey>();
    const keysByTier: SearchKey[][] = [];
    for (const tier of tiersOf(this.selection.query).toReversed()) {
      const match = tierMatch(this.selection, tier, undefined);
      const keys = yield* this.#newest(match, { limit }, { tier });
      if (keys.length === 0) break;
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
    const keys: SearchKey[] = [];
    for (const range of this.#slices(match, { first: start, last })) {
      const ids = this.#books.ids(match, range, limit - keys.length, "ASC");
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
      for (const slice of this.slices.descending(range, this.revision, termCount(match))) {
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

  #slices(match: Match, range: SearchIdRange): Iterable<IndexSlice> {
    return this.slices.ascending(range, this.revision, termCount(match));
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
