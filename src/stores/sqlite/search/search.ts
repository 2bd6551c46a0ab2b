/**
 * Searches a catalog on one connection. Each search reads one state, in statements that are short: a running statement
 * cannot be interrupted. Searches are generators that yield between two of them.
 */
import type { Database, Statement } from "bun:sqlite";
import { type CatalogQuality, MAX_QUALITY_BOOKS } from "../../../catalog/quality/catalog-quality.ts";
import type { SearchQuery } from "../../../catalog/search/query.ts";
import {
  type Correction,
  type FacetRequest,
  type Facets,
  MAX_EXACT_TOTAL,
  MORE_THAN_EXACT,
  type SearchRequest,
  type SearchResult,
} from "../../../catalog/search/search.ts";
import { type SearchId, searchIdRange } from "../../../catalog/search/search-id.ts";
import type { Day } from "../../../onix/date.ts";
import { CountChanges } from "../../count-changes.ts";
import { type QualityRow, qualityFromRows, qualityQuery } from "../../quality-query.ts";
import { Corrector } from "./corrector.ts";
import { IndexSlices, SliceSize } from "./index-slices.ts";
import { type CountedColumns, countedBook } from "./index-writer.ts";
import { SearchRun, type Steps } from "./search-run.ts";

/** The counts of books by kind and value, from JSON: U+001F stands between them, and no text has it. */
const COUNT_BREAK = "\u001f";
const COUNTED_BOOKS = `counted (kind, value, books) AS MATERIALIZED (
  SELECT substr(key, 1, instr(key, char(31)) - 1), substr(key, instr(key, char(31)) + 1), value FROM json_each(?))`;
const SELECT_COUNTED = `SELECT CAST(search_id AS TEXT) AS id, imprint, languages, form, lacks, prices
  FROM book_search WHERE search_id BETWEEN ? AND ? ORDER BY search_id LIMIT ?`;

/** The totals of recent searches, for their further pages. */
const MAX_CACHED_TOTALS = 1000;

type CountedRow = CountedColumns & { readonly id: string };

export type SearchTask =
  | { readonly kind: "search"; readonly request: SearchRequest }
  | { readonly kind: "facets"; readonly request: FacetRequest }
  | { readonly kind: "correct"; readonly query: SearchQuery }
  | { readonly kind: "quality"; readonly from: Day | undefined };

interface SearchOutcomes {
  readonly search: SearchResult;
  readonly facets: Facets;
  readonly correct: Correction;
  readonly quality: CatalogQuality;
}

/** The result of a task, by its kind. */
export type SearchOutcome<Kind extends SearchTask["kind"] = SearchTask["kind"]> = SearchOutcomes[Kind];

/** A search that runs or is paused. */
export interface Search {
  readonly task: SearchTask;
  /** That of the state that it reads. Undefined before it has begun, as are the steps. */
  revision?: string;
  steps?: Steps<SearchOutcome>;
  /** How long it was paused, and since when. */
  pausedMs?: number;
  pausedAtMs?: number;
}

export class Searcher implements Disposable {
  readonly #db: Database;
  readonly #revision: Statement<{ readonly revision: string }, []>;
  readonly #slices: IndexSlices;
  readonly #totals = new Map<string, number>();
  #totalsRevision = "";
  readonly #corrector: Corrector;

  constructor(db: Database) {
    this.#db = db;
    this.#corrector = new Corrector(db);
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
        search.steps = this.#steps(search, revision);
      }
      if (search.pausedAtMs !== undefined)
        search.pausedMs = (search.pausedMs ?? 0) + performance.now() - search.pausedAtMs;
      for (;;) {
        const { done, value } = search.steps!.next();
        if (done) return value;
        if (!isInterrupted()) continue;
        search.pausedAtMs = performance.now();
        return undefined;
      }
    } finally {
      if (this.#db.inTransaction) this.#db.run("ROLLBACK");
    }
  }

  [Symbol.dispose](): void {
    this.#revision.finalize();
    this.#slices[Symbol.dispose]();
  }

  #steps(search: Search, revision: string): Steps<SearchOutcome> {
    const { task } = search;
    if (task.kind === "correct") return this.#corrector.correct(task.query, revision);
    const now = () => performance.now() - (search.pausedMs ?? 0);
    if (task.kind === "quality") return this.#quality(revision, task.from, now);
    const run = new SearchRun(this.#db, revision, this.#slices, task.request, now);
    return task.kind === "search" ? this.#search(run, task.request) : run.facets(task.request);
  }

  *#search(run: SearchRun, request: SearchRequest): Steps<SearchResult> {
    const keys = yield* run.keys(request);
    const isWhole = request.after === undefined && keys.length < request.limit;
    const total = isWhole || request.isUncounted ? keys.length : yield* this.#total(run, request);
    return { revision: run.revision, keys, total: total > MAX_EXACT_TOTAL ? MORE_THAN_EXACT : total };
  }

  /** Reads a few thousand counts, in milliseconds. Without a day, imports have counted the books. */
  *#quality(revision: string, from: Day | undefined, now: () => number): Steps<CatalogQuality> {
    const counted = from && (yield* this.#countBooks(revision, from, now));
    using rows = this.#db.prepare<QualityRow, string[]>(qualityQuery("", counted && COUNTED_BOOKS));
    return qualityFromRows(rows.all(...(counted ? [counted] : [])), revision, from);
  }

  /** Counts the books from a day on as imports count all. */
  *#countBooks(revision: string, from: Day, now: () => number): Steps<string> {
    const counts = new CountChanges("book_count");
    let missing = MAX_QUALITY_BOOKS + 1;
    const size = new SliceSize(1, false, false, now);
    for (const { first, last } of this.#slices.ascending(searchIdRange(from, undefined), revision, size)) {
      using books = this.#db.prepare<CountedRow, [SearchId, SearchId, number]>(SELECT_COUNTED);
      const rows = books.all(first, last, missing);
      for (const row of rows) counts.addBook(countedBook(row, BigInt(row.id)), 1);
      missing -= rows.length;
      if (missing === 0) break;
      yield;
    }
    const entries = counts.take().map(({ names, change }) => [names.join(COUNT_BREAK), change]);
    return JSON.stringify(Object.fromEntries(entries));
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
