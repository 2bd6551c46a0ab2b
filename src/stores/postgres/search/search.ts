/** Searches on connections of their own: lookups never wait for a search. A search that gives way starts again later. */
import type { CatalogQuality } from "../../../catalog/quality/catalog-quality.ts";
import { facetGroups } from "../../../catalog/search/properties.ts";
import type { SearchQuery } from "../../../catalog/search/query.ts";
import type {
  Correction,
  FacetRequest,
  Facets,
  SearchClient,
  SearchRequest,
  SearchResult,
} from "../../../catalog/search/search.ts";
import { SearchTooBroad, SearchUnavailable } from "../../../catalog/store-errors.ts";
import type { Day } from "../../../onix/date.ts";
import { type QualityRow, qualityFromRows, qualityQuery } from "../../quality-query.ts";
import {
  PREEMPTED,
  SCHEDULER_LIMITS,
  type ScheduledSearch,
  type SchedulerLimits,
  SearchScheduler,
} from "../../search-scheduler.ts";
import type { DatabaseAddress } from "../connection.ts";
import { Pool } from "../session/pool.ts";
import type { CatalogVersion } from "../session/statement.ts";
import { type CommonWords, Corrector, readCommonWords } from "./corrector.ts";
import { countedBooks } from "./counted-books.ts";
import {
  type Estimate,
  type EstimateRow,
  estimateFromRow,
  estimateOfNewest,
  estimateQuery,
} from "./estimate.ts";
import { countFacets } from "./facet-counts.ts";
import { findBooks } from "./found-books.ts";
import { MONTHS_QUERY, type MonthRow, NewestMonths } from "./newest-months.ts";
import { partsOf, wholeOf } from "./search-parts.ts";
import { CatalogChanged, SearchInterrupted, SearchRun, SearchSession } from "./search-session.ts";

/**
 * The limits of searches. Tests set lower ones. The slots are connections, which are opened on demand. With three on two
 * cores, the searches of a token beside four busy ones took longer.
 */
export interface SearchLimits extends SchedulerLimits {
  /** Sampling a smaller catalog would cost more than the index. */
  readonly minSampledBooks: number;
  /** A search that probably finds no more books than this reads all of them. */
  readonly maxWhole: number;
}

const SEARCH_LIMITS: SearchLimits = {
  ...SCHEDULER_LIMITS,
  slots: 2,
  minSampledBooks: 20_000,
  maxWhole: 2000,
};

/** A search starts again when an import has changed the catalog meanwhile. */
const MAX_ATTEMPTS = 3;
/** The searches whose estimate and total are known: those whose next page is likely. */
const MAX_KNOWN = 1000;

interface KnownSearch {
  readonly estimate: Estimate;
  total?: SearchResult["total"];
}

/** Holds what searches have found out about one state of the catalog, for those that follow. */
interface KnownState {
  readonly version: CatalogVersion;
  readonly months: NewestMonths;
  /** By the query of the estimate. */
  readonly searches: Map<string, KnownSearch>;
  /** Read for the first correction. */
  common?: CommonWords;
}

export class PostgresSearch {
  readonly #address: DatabaseAddress;
  readonly #limits: SearchLimits;
  readonly #pool: Pool;
  readonly #lookups: Pool;
  readonly #scheduler: SearchScheduler;
  readonly #corrector = new Corrector();
  #known: KnownState | undefined;

  /** Statements are cancelled on a connection of lookups: those of searches may all be in use. */
  constructor(address: DatabaseAddress, lookups: Pool, limits: Partial<SearchLimits> = {}) {
    this.#address = address;
    this.#lookups = lookups;
    this.#limits = { ...SEARCH_LIMITS, ...limits };
    this.#pool = new Pool(address, this.#limits.slots);
    this.#scheduler = new SearchScheduler(this.#limits, false);
  }

  get connections(): number {
    return this.#pool.connections;
  }

  async search(request: SearchRequest, client?: SearchClient): Promise<SearchResult> {
    const { maxWhole, minSampledBooks } = this.#limits;
    const whole = wholeOf(request);
    const parts = request.sort === "title" ? [] : partsOf(request, request.sort);
    const query = estimateQuery(request, [whole, ...parts], minSampledBooks);
    return await this.#run(client, async (session) => {
      const state = await this.#stateIn(session);
      const { months } = state;
      const known: KnownSearch = request.newestMatches
        ? { estimate: estimateOfNewest(request.newestMatches, months.records) }
        : await this.#searchIn(session, state, query);
      const { estimate, total } = known;
      const found = await findBooks({ session, whole, parts, estimate, months, maxWhole, total }, request);
      if (!request.isUncounted) known.total = found.total;
      return { revision: session.version.revision, ...found };
    });
  }

  async facets({ query, filters, maxBooks }: FacetRequest, client?: SearchClient): Promise<Facets> {
    const groups = facetGroups(filters).map((group) => {
      const selection = { query, filters: group.filters };
      const whole = wholeOf(selection);
      return { group, whole, query: estimateQuery(selection, [whole], this.#limits.minSampledBooks) };
    });
    return await this.#run(client, async (session) => {
      const state = await this.#stateIn(session);
      const counts: Awaited<ReturnType<typeof countFacets>>[] = [];
      for (const { group, whole, query } of groups) {
        const { estimate } = await this.#searchIn(session, state, query);
        counts.push(await countFacets(session, whole, estimate, group, maxBooks));
      }
      const { counted, hasMore } = counts[0]!;
      const facets = Object.assign({}, ...counts.map((each) => each.facets));
      return { revision: session.version.revision, counted, hasMore, facets };
    });
  }

  async correct(query: SearchQuery, client?: SearchClient): Promise<Correction> {
    return await this.#run(client, async (session) => {
      const corrected = await this.#corrector.correct(session, query, () => this.#commonIn(session));
      // A long query is not corrected, without a statement.
      return { revision: (await session.readVersion()).revision, query: corrected };
    });
  }

  /** Reads a few thousand counts. */
  async quality(from?: Day, client?: SearchClient): Promise<CatalogQuality> {
    return await this.#run(client, async (session) => {
      const query = qualityQuery("colophon.", from && countedBooks(from));
      const rows = await session.query<QualityRow>([], query);
      return qualityFromRows(rows, session.version.revision, from);
    });
  }

  async close(): Promise<void> {
    this.#scheduler.close();
    await this.#pool.close();
  }

  /** Runs a task when it is its turn. */
  async #run<T>(client: SearchClient | undefined, task: (session: SearchSession) => Promise<T>): Promise<T> {
    const deadlineMs = performance.now() + this.#limits.timeoutMs;
    let run: SearchRun | undefined;
    const search: ScheduledSearch<T> = {
      run: async () => {
        const current = new SearchRun(deadlineMs);
        run = current;
        const result = await this.#pool.withSession((session) => {
          current.session = session;
          const attempt = () => task(new SearchSession(current, String(this.#address)));
          return asResult(this.#attempt(attempt));
        });
        if (result instanceof Refusal) throw result.error;
        return result;
      },
      interrupt: () => run?.interrupt(this.#lookups),
    };
    return await this.#scheduler.run(search, client);
  }

  /** Tries again when the catalog has changed, and first forgets what was known of it. */
  async #attempt<T>(attempt: () => Promise<T>): Promise<T> {
    for (let attempts = 1; ; attempts++) {
      try {
        return await attempt();
      } catch (error) {
        if (!(error instanceof CatalogChanged)) throw error;
        this.#known = undefined;
        if (attempts === MAX_ATTEMPTS) throw new SearchUnavailable("busy");
      }
    }
  }

  /** Returns what is known of the state that the session reads. The first search of a state reads its months. */
  async #stateIn(session: SearchSession): Promise<KnownState> {
    if (this.#known && session.reads(this.#known.version)) return this.#known;
    const [row] = await session.query<MonthRow>([], MONTHS_QUERY);
    this.#known = { version: session.version, months: new NewestMonths(row!), searches: new Map() };
    return this.#known;
  }

  async #commonIn(session: SearchSession): Promise<CommonWords> {
    const state = await this.#stateIn(session);
    state.common ??= await readCommonWords(session, state.months.records);
    return state.common;
  }

  async #searchIn(
    session: SearchSession,
    { months, searches }: KnownState,
    query: string,
  ): Promise<KnownSearch> {
    const known = searches.get(query);
    if (known !== undefined) return known;
    const [row] = await session.query<EstimateRow>(["enable_indexonlyscan = off"], query);
    const estimated: KnownSearch = { estimate: estimateFromRow(row!, months.records) };
    const [oldest] = searches.keys();
    if (searches.size >= MAX_KNOWN) searches.delete(oldest!);
    searches.set(query, estimated);
    return estimated;
  }
}

/** An error that leaves the session usable. */
class Refusal {
  constructor(readonly error: unknown) {}
}

async function asResult<T>(outcome: Promise<T>): Promise<T | Refusal | typeof PREEMPTED> {
  try {
    return await outcome;
  } catch (error) {
    if (error instanceof SearchInterrupted) return PREEMPTED;
    if (error instanceof SearchUnavailable || error instanceof SearchTooBroad) return new Refusal(error);
    throw error;
  }
}
