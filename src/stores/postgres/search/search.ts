/** Searches on connections of their own: lookups never wait for a search. */
import type { CatalogQuality } from "../../../catalog/quality/catalog-quality.ts";
import type {
  FacetRequest,
  Facets,
  SearchRequest,
  SearchResult,
  SearchSelection,
} from "../../../catalog/search/search.ts";
import { SearchTooBroad, SearchUnavailable } from "../../../catalog/store-errors.ts";
import { type QualityRow, qualityFromRows, qualityQuery } from "../../quality-query.ts";
import type { DatabaseAddress } from "../connection.ts";
import { Pool } from "../session/pool.ts";
import type { Session } from "../session/session.ts";
import type { CatalogVersion } from "../session/statement.ts";
import { type Estimate, estimateFromRow, estimateQuery } from "./estimate.ts";
import { countFacets } from "./facet-counts.ts";
import { findBooks } from "./found-books.ts";
import { partsOf, type SearchPart, wholeOf } from "./search-parts.ts";
import { CatalogChanged, SearchSession } from "./search-queries.ts";

/** The limits of searches. Tests set lower ones. */
export interface SearchLimits {
  readonly timeoutMs: number;
  /** Searches that wait for a connection. */
  readonly maxWaiting: number;
  /** Sampling a smaller catalog would cost more than the index. */
  readonly minSampledBooks: number;
  /** A search that probably finds no more books than this reads all of them. */
  readonly maxWhole: number;
}

const SEARCH_LIMITS: SearchLimits = {
  timeoutMs: 2000,
  maxWaiting: 64,
  minSampledBooks: 20_000,
  maxWhole: 2000,
};

/** The connections of searches. They are opened on demand. */
const SEARCH_CONNECTIONS = 3;
/** A search starts again when an import has changed the catalog meanwhile. */
const MAX_ATTEMPTS = 3;
/** The searches whose estimate and total are known: those whose next page is likely. */
const MAX_KNOWN = 1000;

/** The estimate and the total of a search in one state of the catalog. */
interface KnownSearch {
  readonly version: CatalogVersion;
  readonly estimate: Estimate;
  total?: SearchResult["total"];
}

export class PostgresSearch {
  readonly #address: DatabaseAddress;
  readonly #limits: SearchLimits;
  readonly #pool: Pool;
  readonly #known = new Map<string, KnownSearch>();
  #running = 0;

  constructor(address: DatabaseAddress, limits: Partial<SearchLimits> = {}) {
    this.#address = address;
    this.#limits = { ...SEARCH_LIMITS, ...limits };
    this.#pool = new Pool(address, SEARCH_CONNECTIONS);
  }

  get connections(): number {
    return this.#pool.connections;
  }

  async search(request: SearchRequest): Promise<SearchResult> {
    const { maxWhole } = this.#limits;
    const parts = request.sort === "title" ? [] : partsOf(request, request.sort);
    return await this.#run(request, parts, async (session, whole, known) => {
      const { estimate, total } = known;
      const found = await findBooks({ session, whole, parts, estimate, maxWhole, total }, request);
      known.total = found.total;
      return { revision: session.version.revision, ...found };
    });
  }

  async facets(request: FacetRequest): Promise<Facets> {
    return await this.#run(request, [], async (session, whole, { estimate }) => {
      const counts = await countFacets(session, whole, estimate, request.maxBooks);
      return { revision: session.version.revision, ...counts };
    });
  }

  /** Reads a few thousand counts. */
  async quality(): Promise<CatalogQuality> {
    return await this.#withSession(async (session, deadlineMs) => {
      const searching = new SearchSession(session, String(this.#address), deadlineMs);
      const rows = await searching.query<QualityRow>([], qualityQuery("colophon."));
      return qualityFromRows(rows, searching.version.revision);
    });
  }

  async close(): Promise<void> {
    await this.#pool.close();
  }

  /** Runs a search with what is known of it. */
  async #run<T>(
    selection: SearchSelection,
    parts: readonly SearchPart[],
    task: (session: SearchSession, whole: SearchPart, known: KnownSearch) => Promise<T>,
  ): Promise<T> {
    const whole = wholeOf(selection);
    const query = estimateQuery([whole, ...parts], this.#limits.minSampledBooks);
    return await this.#withSession((session, deadlineMs) =>
      this.#attempt(query, async () => {
        const known = this.#known.get(query);
        const searching = new SearchSession(session, String(this.#address), deadlineMs, known?.version);
        return await task(searching, whole, known ?? (await this.#estimate(searching, query)));
      }),
    );
  }

  /** Runs a task when a session is free. Throws `SearchUnavailable` when too many wait. */
  async #withSession<T>(task: (session: Session, deadlineMs: number) => Promise<T>): Promise<T> {
    const { timeoutMs, maxWaiting } = this.#limits;
    if (this.#running >= SEARCH_CONNECTIONS + maxWaiting) throw new SearchUnavailable("busy");
    const deadlineMs = performance.now() + timeoutMs;
    this.#running++;
    try {
      const result = await this.#pool.withSession((session) => asResult(() => task(session, deadlineMs)));
      if (result instanceof Refusal) throw result.error;
      return result;
    } finally {
      this.#running--;
    }
  }

  async #attempt<T>(query: string, attempt: () => Promise<T>): Promise<T> {
    for (let attempts = 1; ; attempts++) {
      try {
        return await attempt();
      } catch (error) {
        if (!(error instanceof CatalogChanged)) throw error;
        this.#known.delete(query);
        if (attempts === MAX_ATTEMPTS) throw new SearchUnavailable("busy");
      }
    }
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

async function asResult<T>(task: () => Promise<T>): Promise<T | Refusal> {
  try {
    return await task();
  } catch (error) {
    if (error instanceof SearchUnavailable || error instanceof SearchTooBroad) return new Refusal(error);
    throw error;
  }
}
