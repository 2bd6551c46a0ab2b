/**
 * `npm run bench:search [-- OPTIONS]`: measures searches of one to three words in a catalog whose words have the
 * frequencies of natural language, lookups beside searches, and what the index costs an import.
 *
 *   --records 1000000    the size of the catalog
 *   --quick              100,000 records and fewer queries: about a minute
 *   --only sqlite        or sqlite,postgres: PostgreSQL too, and psql with the same queries on the same data
 *   --reuse              measures the SQLite catalog of the last run, without an import
 *
 * Nothing is pinned to a core: searches run on threads of their own, beside lookups.
 */
import { existsSync, mkdirSync, statSync } from "node:fs";
import { cpus, loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { createDatabase } from "../../src/stores/postgres/testing/database.ts";
import { importFeed, removeDatabase } from "../catalog.ts";
import { type SearchResult, startClient, startLoad } from "../clients.ts";
import { formatCount, parseFlags, selectOnly, startPostgres } from "../command.ts";
import { writeFeed } from "../feed.ts";
import { formatPercentiles, inTurns, median } from "../measure.ts";
import { isbnAt } from "../product-xml.ts";
import { colophon } from "../servers/colophon.ts";
import type { ServerUnderTest } from "../servers/server.ts";
import { wrk } from "../wrk.ts";
import { cpuTimesOf, measurePsql, type QueryTime, searchShareOf } from "./engines.ts";

const flags = parseFlags({ records: { type: "string" }, reuse: { type: "boolean", default: false } });
const records = Number(flags.records ?? (flags.quick ? 100_000 : 1_000_000));
const queries = flags.quick ? 1000 : 3000;
const lookupSeconds = flags.quick ? 2 : 5;
/** Texts that are incomplete or have a mistake. */
const TYPING: Readonly<Record<string, Partial<SearchLoad>>> = {
  "suggestions for half a query (goal p50 5 ms, p99 30 ms)": { path: "/api/suggest", change: 1 },
  "half a query with prefix=last": { parameters: "prefix=last&", change: 1 },
  "exchanged letters (goal p99 100 ms)": { change: 2 },
};
const STORES = [
  { id: "sqlite", measure: measureSqlite },
  { id: "postgres", measure: measurePostgres },
];

const ROUNDS = 3;
/** More than a measurement needs: the client is stopped at its end. */
const ENDLESS = 1_000_000;
const ALL_CORES = "";
const BESIDE_CLIENTS = 8;
let seed = 0;

const workFolder = join(tmpdir(), "colophon-bench");
mkdirSync(workFolder, { recursive: true });
report(`${formatCount(records)} records, ${formatCount(queries)} queries, ${cpus().length} cores`);
report(`load average before: ${loadAverage()}`);
const feed = await createFeed();
for (const { measure } of selectOnly(STORES, flags.only ?? "sqlite")) await measure();
report(`load average after: ${loadAverage()}`);

/** Writes the feed, or reuses that of an earlier run. */
async function createFeed(): Promise<string> {
  const path = join(workFolder, `search-large-${records}.xml`);
  if (!existsSync(`${path}.complete`)) {
    await writeFeed(path, { products: records, size: "large" });
    await Bun.write(`${path}.complete`, "");
  }
  return path;
}

async function measureSqlite(): Promise<void> {
  const path = join(workFolder, `search-${records}.db`);
  if (!(flags.reuse && existsSync(path))) {
    removeDatabase(path);
    const { seconds, cpuSeconds } = await importFeed(path, feed);
    const size = `file ${(statSync(path).size / 1e6).toFixed(0)} MB`;
    report(`SQLite: import ${seconds.toFixed(1)} s, ${cpuSeconds.toFixed(1)} s of CPU time, ${size}`);
    report(
      `SQLite, tables of search: ${(searchShareOf(path) * 100).toFixed(1)} % of the rest of the file (goal at most 25 %)`,
    );
  }
  for (const sort of ["relevance", "newest"] as const)
    reportCpuTime(sort, cpuTimesOf(path, queries, sort, 99));
  await measureService("SQLite", path);
}

function reportCpuTime(sort: string, times: readonly QueryTime[]): void {
  const slowest = times
    .slice(-3)
    .map(({ query, cpuMs, total }) => `${query} (${total}) ${cpuMs.toFixed(0)} ms`);
  report(
    `SQLite, CPU time of a search by ${sort}: ${formatPercentiles(times.map(({ cpuMs }) => cpuMs))}; slowest: ${slowest.join(", ")}`,
  );
}

async function measurePostgres(): Promise<void> {
  await using _ = await startPostgres();
  await using database = await createDatabase();
  const { seconds } = await importFeed(database.url, feed);
  report(`PostgreSQL: import ${seconds.toFixed(1)} s`);
  await measureService("PostgreSQL", database.url);
  for (const line of await measurePsql(database.url, queries)) report(line);
}

async function measureService(name: string, db: string): Promise<void> {
  const server = await colophon({ log: "none", cacheMB: 0 })({ databasePath: db, workFolder });
  try {
    for (const parameters of ["", "sort=newest&"]) {
      for (const clients of [1, 8]) {
        const label = `${name}, ${parameters === "" ? "by relevance" : "newest first"}, ${clients} at a time`;
        report(`${label}: ${await measureSearches(server, { clients, queries, parameters })}`);
      }
    }
    for (const [label, load] of Object.entries(TYPING))
      report(
        `${name}, ${label}: ${await measureSearches(server, { clients: 1, queries, parameters: "", ...load })}`,
      );
    const { aloneMs, besideMs } = await measureLookupsBeside(server, workFolder, lookupSeconds);
    report(
      `${name}, p99 of /api/isbn: alone ${aloneMs.toFixed(2)} ms, beside 8 searching clients ${besideMs.toFixed(2)} ms: ` +
        `ratio ${(besideMs / aloneMs).toFixed(2)} (goal at most 5)`,
    );
  } finally {
    await server.stop();
  }
}

function loadAverage(): string {
  return loadavg()[0]!.toFixed(1);
}

function report(line: string): void {
  console.log(line);
}

interface SearchLoad {
  readonly clients: number;
  readonly queries: number;
  /** Of the URL, such as `sort=newest&`. */
  readonly parameters: string;
  /** Default: `/api/search`. */
  readonly path?: string;
  /** The index of `CHANGES` in `clients.ts`. Default: 0, the whole query. */
  readonly change?: number;
}

/** Returns the arguments of a client. Each call has queries of its own. */
function clientOf(
  { url, headers }: ServerUnderTest,
  { clients, queries, parameters, path: endpoint = "/api/search", change = 0 }: SearchLoad,
): Parameters<typeof startClient> {
  const plain = { ...headers, "Accept-Encoding": "identity" };
  const path = `${endpoint}?${parameters}q=`;
  return ["searches", { url, headers: plain }, path, [clients, queries, ++seed, change], ALL_CORES];
}

/** Returns the latencies as text. The first queries, which warm up, are not counted. */
async function measureSearches(server: ServerUnderTest, load: SearchLoad): Promise<string> {
  await runClient(server, { ...load, queries: Math.ceil(load.queries / 10) });
  const { latenciesMs, statuses, seconds, slowest } = await runClient(server, load);
  const slow = slowest.map(([ms, query]) => `${query} ${ms.toFixed(0)} ms`).join(", ");
  const counts = Object.entries(statuses).map(([status, count]) => `${count} × ${status}`);
  const rate = (latenciesMs.length / seconds).toFixed(0);
  return `${formatPercentiles(latenciesMs)}, ${rate}/s; ${counts.join(", ")}; slowest: ${slow}`;
}

async function runClient(server: ServerUnderTest, load: SearchLoad): Promise<SearchResult> {
  const output = await new Response(startClient(...clientOf(server, load)).stdout).text();
  return JSON.parse(output.trim().split("\n").at(-1)!);
}

/** Returns the medians of the p99 of lookups, alone and while 8 clients search, measured in alternation. */
async function measureLookupsBeside(server: ServerUnderTest, workFolder: string, seconds: number) {
  const lookups = { path: server.paths.isbn(isbnAt(1)), connections: 8, seconds };
  const measureP99 = async () => (await wrk(server, workFolder, lookups)).p99Ms;
  await measureP99();
  const [alone, beside] = await inTurns(ROUNDS, measureP99, async () => {
    const load = { clients: BESIDE_CLIENTS, queries: ENDLESS, parameters: "" };
    const client = await startLoad(...clientOf(server, load));
    await Bun.sleep(500);
    const p99Ms = await measureP99();
    client.kill();
    await client.exited;
    await Bun.sleep(500);
    return p99Ms;
  });
  return { aloneMs: median(alone!), besideMs: median(beside!) };
}
