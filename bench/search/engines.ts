/** Measures searches in a store itself, without threads and HTTP: SQLite in this process, PostgreSQL with psql. */
import { Database } from "bun:sqlite";
import { fold } from "../../src/catalog/search/fold.ts";
import { parseQuery } from "../../src/catalog/search/query-parser.ts";
import type { SearchResult, SearchSort } from "../../src/catalog/search/search.ts";
import { Searcher } from "../../src/stores/sqlite/search/search.ts";
import { formatPercentiles } from "../measure.ts";
import { runCommand } from "../processes.ts";
import { searchQueries } from "../vocabulary.ts";

const SEARCH_TABLES = "(name LIKE 'book_search%' OR name LIKE 'book_index%')";
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

/**
 * Returns the queries with their CPU time, ascending. Other programs of the machine change it less than the latency.
 * Garbage collection on other threads counts too.
 */
export function cpuTimesOf(path: string, count: number, sort: SearchSort, seed: number): QueryTime[] {
  using db = new Database(path, { readonly: true });
  db.run(`PRAGMA cache_size = -${CACHE_KIB}`);
  using searcher = new Searcher(db);
  const search = (query: string): QueryTime => {
    const before = process.cpuUsage();
    const request = { query: parseQuery(query), filters: {}, sort, limit: LIMIT };
    const { total } = searcher.run({ task: { kind: "search", request } }, () => false) as SearchResult;
    const { user, system } = process.cpuUsage(before);
    return { query, cpuMs: (user + system) / 1000, total };
  };
  for (const query of searchQueries(WARM_UP_QUERIES, seed + 1)) search(query);
  return searchQueries(count, seed)
    .map(search)
    .sort((a, b) => a.cpuMs - b.cpuMs);
}

/** Returns the share of the file that the tables of search take. */
export function searchShareOf(path: string): number {
  using db = new Database(path, { readonly: true });
  const size = (condition: string) =>
    db.query<{ bytes: number }, []>(`SELECT sum(pgsize) AS bytes FROM dbstat WHERE ${condition}`).get()!
      .bytes;
  return size(SEARCH_TABLES) / size(`NOT ${SEARCH_TABLES}`);
}

/** The page and the number of books up to 10,001, as /api/search returns them. */
const pageInOrder = (order: string) =>
  `SELECT m.body, (SELECT count(*) FROM (SELECT FROM colophon.search WHERE words @@ QUERY LIMIT 10001) AS t) AS total ` +
  `FROM (SELECT id FROM colophon.search WHERE words @@ QUERY ORDER BY ${order} LIMIT 20) AS s ` +
  `JOIN colophon.summary m ON m.isbn = ${searchIdIsbn("s.id")}`;

const STATEMENTS = {
  "newest first": pageInOrder("id"),
  "by ts_rank": pageInOrder("ts_rank(words, QUERY) DESC, id"),
} as const;

/** As `isbnOfSearchId` computes it. */
function searchIdIsbn(id: string): string {
  return `9780000000000 + ${id} % 20000000000`;
}

/** Asks PostgreSQL the same as /api/search, with psql on the tables of Colophon. Returns a line for each statement. */
export async function measurePsql(url: string, count: number): Promise<string[]> {
  const lines: string[] = [];
  for (const [name, statement] of Object.entries(STATEMENTS)) {
    const latencies = await timesOf(url, searchQueries(count, lines.length + 1), statement);
    lines.push(`psql, ${name}: ${formatPercentiles(latencies)}`);
  }
  return lines;
}

async function timesOf(url: string, queries: readonly string[], statement: string): Promise<number[]> {
  const script = queries.map((query) => `${statement.replaceAll("QUERY", tsquery(query))};`);
  const options = [
    "-q",
    "-v",
    "ON_ERROR_STOP=1",
    "-d",
    url,
    "-c",
    "\\timing on",
    "-f",
    "-",
    "-o",
    "/dev/null",
  ];
  const stdin = `\\timing on\n${script.join("\n")}\n`;
  const { stdout } = await runCommand(["psql", ...options], { stdin });
  return [...stdout.matchAll(/^Time: ([0-9.]+) ms/gm)].map(([, ms]) => Number(ms)).sort((a, b) => a - b);
}

function tsquery(query: string): string {
  return `'${query.split(" ").map(fold).join(" & ")}'::tsquery`;
}
