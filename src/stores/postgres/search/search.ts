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
import { Corrector } from "./corrector.ts";
import { countedBooks } from "./counted-books.ts";
import { type Estimate, estimateFromRow, estimateOfNewest, estimateQuery } from "./estimate.ts";
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

interface EstimatedSearch {
  readonly estimate: Estimate;
  total?: SearchResult["total"];
}

/** The estimate and the total of a search in one state of the catalog. */
interface KnownSearch extends EstimatedSearch {
  readonly version: CatalogVersion;
}

export class PostgresSearch {
  readonly #address: DatabaseAddress;
  readonly #limits: SearchLimits;
  readonly #pool: Pool;
  readonly #lookups: Pool;
  readonly #scheduler: SearchScheduler;
  readonly #known = new Map<string, KnownSearch>();
  #months: { readonly version: CatalogVersion; readonly months: NewestMonths } | undefined;
  readonly #corrector = new Corrector();

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
    return await this.#run(client, [query], async (session) => {
      const months = await this.#monthsIn(session);
      const known: EstimatedSearch =
        this.#knownIn(session, query) ??
        (request.newest
          ? { estimate: estimateOfNewest(request.newest, months.records) }
          : await this.#estimate(session, query));
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
      return { group, whole, estimate: estimateQuery(selection, [whole], this.#limits.minSampledBooks) };
    });
    const estimates = groups.map(({ estimate }) => estimate);
    return await this.#run(client, estimates, async (session) => {
      const counts: Awaited<ReturnType<typeof countFacets>>[] = [];
      for (const { group, whole, estimate } of groups) {
        const known = this.#knownIn(session, estimate) ?? (await this.#estimate(session, estimate));
        counts.push(await countFacets(session, whole, known.estimate, group, maxBooks));
      }
      const { counted, hasMore } = counts[0]!;
      const facets = Object.assign({}, ...counts.map((each) => each.facets));
      return { revision: session.version.revision, counted, hasMore, facets };
    });
  }

  async correct(query: SearchQuery, client?: SearchClient): Promise<Correction> {
    return await this.#run(client, [], async (session) => {
      const corrected = await this.#corrector.correct(session, query);
      // A long query is not corrected, without a statement.
      return { revision: (await session.readVersion()).revision, query: corrected };
    });
  }

  /** Reads a few thousand counts. */
  async quality(from?: Day, client?: SearchClient): Promise<CatalogQuality> {
    return await this.#run(client, [], async (session) => {
      const query = qualityQuery("colophon.", from && countedBooks(from));
      const rows = await session.query<QualityRow>([], query);
      return qualityFromRows(rows, session.version.revision, from);
    });
  }

  async close(): Promise<void> {
    this.#scheduler.close();
    await this.#pool.close();
  }

  /** Runs a task when it is its turn. `estimates` are those of its searches. */
  async #run<T>(
    client: SearchClient | undefined,
    estimates: readonly string[],
    task: (session: SearchSession) => Promise<T>,
  ): Promise<T> {
    const deadlineMs = performance.now() + this.#limits.timeoutMs;
    let run: SearchRun | undefined;
    const search: ScheduledSearch<T> = {
      run: async () => {
        const current = new SearchRun(deadlineMs);
        run = current;
        const result = await this.#pool.withSession((session) => {
          current.session = session;
          const attempt = () => task(new SearchSession(current, String(this.#address)));
          return asResult(this.#attempt(estimates, attempt));
        });
        if (result instanceof Refusal) throw result.error;
        return result;
      },
      interrupt: () => run?.interrupt(this.#lookups),
    };
    return await this.#scheduler.run(search, client);
  }

  /** Tries again when the catalog has changed, and first forgets these estimates and what else belongs to the old state. */
  async #attempt<T>(estimates: readonly string[], attempt: () => Promise<T>): Promise<T> {
    for (let attempts = 1; ; attempts++) {
      try {
        return await attempt();
      } catch (error) {
        if (!(error instanceof CatalogChanged)) throw error;
        for (const query of estimates) this.#known.delete(query);
        this.#months = undefined;
        this.#corrector.forget();
        if (attempts === MAX_ATTEMPTS) throw new SearchUnavailable("busy");
      }
    }
  }

  /** Returns what is known in the state that the session has begun to read. */
  #knownIn(session: SearchSession, query: string): KnownSearch | undefined {
    const known = this.#known.get(query);
    return known && session.reads(known.version) ? known : undefined;
  }

  /** The first search in a state of the catalog reads them. */
  async #monthsIn(session: SearchSession): Promise<NewestMonths> {
    if (this.#months && session.reads(this.#months.version)) return this.#months.months;
    const [row] = await session.query<MonthRow>([], MONTHS_QUERY);
    const months = new NewestMonths(row!);
    this.#months = { version: session.version, months };
    return months;
  }

  async #estimate(session: SearchSession, query: string): Promise<KnownSearch> {
    const [row] = await session.query<Parameters<typeof estimateFromRow>[0]>(
      ["enable_indexonlyscan = off"],
      query,
    );
    const known = { version: session.version, estimate: estimateFromRow(row!) };
    const [oldest] = this.#known.keys();
    if (this.#known.size >= MAX_KNOWN && oldest !== undefined) this.#known.delete(oldest);
    this.#known.set(query, known);
    return known;
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
