/**
 * Measures the CPU time of searches in a SQLite catalog, without threads and HTTP. Other programs of the machine change
 * it less than the latency. Garbage collection on other threads counts too.
 */
import { Database } from "bun:sqlite";
import { parseQuery } from "../../src/catalog/search/query-parser.ts";
import type { SearchSort } from "../../src/catalog/search/search.ts";
import { Searcher } from "../../src/stores/sqlite/search/search.ts";
import { searchQueries } from "./feed.ts";

const WARM_UP_QUERIES = 200;
/** As a page of 20 reads them. */
const LIMIT = 21;
/** As search threads have. */
const CACHE_KIB = 16 * 1024;

export interface QueryTime {
  readonly query: string;
  readonly cpuMs: number;
  readonly total: number | string;
}

/** Returns the queries with their CPU time, ascending. */
export function cpuTimesOf(path: string, count: number, sort: SearchSort, seed: number): QueryTime[] {
  using db = new Database(path, { readonly: true });
  db.run(`PRAGMA cache_size = -${CACHE_KIB}`);
  using searcher = new Searcher(db);
  const search = (query: string): QueryTime => {
    const before = process.cpuUsage();
    const deadlineMs = Date.now() + 60_000;
    const { total } = searcher.search(
      { query: parseQuery(query), filters: {}, sort, limit: LIMIT },
      deadlineMs,
    );
    const { user, system } = process.cpuUsage(before);
    return { query, cpuMs: (user + system) / 1000, total };
  };
  for (const query of searchQueries(WARM_UP_QUERIES, seed + 1)) search(query);
  return searchQueries(count, seed)
    .map(search)
    .sort((a, b) => a.cpuMs - b.cpuMs);
}
