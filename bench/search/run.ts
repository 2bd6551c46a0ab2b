/**
 * `npm run bench:search [-- OPTIONS]`: measures searches of one to three words in a catalog whose words have the
 * frequencies of natural language, lookups beside searches, and what the index costs an import.
 *
 *   --records 1000000    the size of the catalog
 *   --quick              100,000 records and fewer queries: about a minute
 *   --postgres           also PostgreSQL, and psql with the same queries on the same data
 *   --baseline FOLDER    a checkout of Colophon without search, whose import is measured too
 *   --reuse              measures the SQLite catalog of the last run, without an import
 *
 * Nothing is pinned to a core: searches run on threads of their own, beside lookups.
 */
import { existsSync, mkdirSync } from "node:fs";
import { cpus, loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { useServer } from "../../src/stores/postgres/testing/database.ts";
import { startServer } from "../../src/stores/postgres/testing/server.ts";
import { feedOf, type ImportResult, importIntoFile, importIntoPostgres, searchShareOf } from "./catalogs.ts";
import { cpuTimesOf, type QueryTime } from "./cpu-time.ts";
import { percentile } from "./percentile.ts";
import { measurePsql } from "./psql.ts";
import { measureLookupsBeside, measureSearches, withService } from "./service.ts";

const { values: flags } = parseArgs({
  options: {
    records: { type: "string" },
    quick: { type: "boolean", default: false },
    postgres: { type: "boolean", default: false },
    baseline: { type: "string" },
    reuse: { type: "boolean", default: false },
  },
});
const records = Number(flags.records ?? (flags.quick ? 100_000 : 1_000_000));
const queries = flags.quick ? 1000 : 3000;
const lookupSeconds = flags.quick ? 2 : 5;

/** The sizes are for a million records. fsync stays on. */
const POSTGRES_SETTINGS = {
  fsync: "on",
  shared_buffers: "1GB",
  max_wal_size: "4GB",
  maintenance_work_mem: "256MB",
};

const workFolder = join(tmpdir(), "colophon-bench");
mkdirSync(workFolder, { recursive: true });
report(
  `${records.toLocaleString("en")} records, ${queries.toLocaleString("en")} queries, ${cpus().length} cores`,
);
report(`load average before: ${loadAverage()}`);
const feed = await feedOf(workFolder, records);
await measureSqlite();
if (flags.postgres) await measurePostgres();
report(`load average after: ${loadAverage()}`);

async function measureSqlite(): Promise<void> {
  const path = join(workFolder, `search-${records}.db`);
  if (!(flags.reuse && existsSync(path))) {
    const imported = await importIntoFile(path, feed);
    reportImport("SQLite", imported);
    report(
      `SQLite, tables of search: ${percent(searchShareOf(path))} of the rest of the file (goal at most 25 %)`,
    );
    if (flags.baseline !== undefined) await reportBaseline(imported, flags.baseline);
  }
  for (const sort of ["relevance", "newest"] as const)
    reportCpuTime(sort, cpuTimesOf(path, queries, sort, 99));
  await measureService("SQLite", path);
}

function reportCpuTime(sort: string, times: readonly QueryTime[]): void {
  const sorted = times.map(({ cpuMs }) => cpuMs);
  const at = (share: number) => percentile(sorted, share).toFixed(1);
  const slowest = times
    .slice(-3)
    .map(({ query, cpuMs, total }) => `${query} (${total}) ${cpuMs.toFixed(0)} ms`);
  report(
    `SQLite, CPU time of a search by ${sort}: p50 ${at(0.5)} ms, p90 ${at(0.9)} ms, p99 ${at(0.99)} ms, ` +
      `max ${at(1)} ms; slowest: ${slowest.join(", ")}`,
  );
}

async function reportBaseline(imported: ImportResult, checkout: string): Promise<void> {
  const baseline = await importIntoFile(join(workFolder, "search-baseline.db"), feed, checkout);
  reportImport("SQLite without search", baseline);
  report(
    `SQLite, the index costs ${percent(imported.seconds / baseline.seconds - 1)} of the import's time, ` +
      `${percent(imported.cpuSeconds / baseline.cpuSeconds - 1)} of its CPU time and ` +
      `${percent(imported.bytes / baseline.bytes - 1)} of the file (goals at most 25 %)`,
  );
}

async function measurePostgres(): Promise<void> {
  await using server = await startServer(POSTGRES_SETTINGS);
  useServer(server.url);
  const { database, seconds } = await importIntoPostgres(feed);
  await using _ = database;
  report(`PostgreSQL: import ${seconds.toFixed(1)} s`);
  await measureService("PostgreSQL", database.url);
  for (const line of await measurePsql(database.url, queries)) report(line);
}

async function measureService(name: string, db: string): Promise<void> {
  await withService(db, async (service) => {
    for (const parameters of ["", "&sort=newest"]) {
      for (const clients of [1, 8]) {
        const result = await measureSearches(service, { clients, queries, parameters });
        const label = `${name}, ${parameters === "" ? "by relevance" : "newest first"}, ${clients} at a time`;
        report(`${label}: ${result.text}`);
      }
    }
    const { aloneMs, besideMs } = await measureLookupsBeside(service, workFolder, lookupSeconds);
    report(
      `${name}, p99 of /api/isbn: alone ${aloneMs.toFixed(2)} ms, beside 8 searching clients ${besideMs.toFixed(2)} ms: ` +
        `ratio ${(besideMs / aloneMs).toFixed(2)} (goal at most 5)`,
    );
  });
}

function reportImport(name: string, { seconds, cpuSeconds, bytes }: ImportResult): void {
  const size = `file ${(bytes / 1e6).toFixed(0)} MB`;
  report(`${name}: import ${seconds.toFixed(1)} s, ${cpuSeconds.toFixed(1)} s of CPU time, ${size}`);
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}

function loadAverage(): string {
  return loadavg()[0]!.toFixed(1);
}

function report(line: string): void {
  console.log(line);
}
