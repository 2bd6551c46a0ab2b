/**
 * `npm run bench [-- OPTIONS]`: measures Colophon and other servers in alternation, prints one table, and writes it to
 * docs/performance.md, with the figures as JSON and as a chart beside it.
 *
 *   --records 10000,100000,1000000  the sizes of the catalogs
 *   --rounds 3                      how often each server is measured for a row
 *   --seconds 2                     the length of one measurement
 *   --into FOLDER                   where to write the results (docs/)
 *   --quick                         some rows on 10,000 records, against nginx only, under 2 minutes; writes no files
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { cpus, loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { BenchOptions } from "./alternate.ts";
import { createDatabase, createStaticFiles } from "./catalog.ts";
import { drawChart } from "./chart.ts";
import { markdownTable } from "./markdown-table.ts";
import { isInstalled } from "./processes.ts";
import type { ResultRow } from "./result-row.ts";
import { lookupsBySize, newsBySize } from "./rows/catalog-size.ts";
import { importFeed } from "./rows/import.ts";
import { besideListReaders, besideSlowClients, firstByte } from "./rows/latency.ts";
import { allIsbns, compressedImprint, largestImprint } from "./rows/lists.ts";
import { hotRecord, manyIsbns, notModified, randomRecords } from "./rows/lookups.ts";
import { memory, startTime } from "./rows/process.ts";
import type { CatalogFiles, ServerUnderTest, StartServer } from "./server-under-test.ts";
import { colophon } from "./servers/colophon.ts";
import { fastify } from "./servers/fastify.ts";
import { jsonServer } from "./servers/json-server.ts";
import { nginx, nginxWithFileCache } from "./servers/nginx.ts";
import { warmPageCache } from "./warm-page-cache.ts";

const SERVER_CORE = "0";
const BOTH_CORES = "0,1";
const QUICK_RECORDS = 10_000;
const TINY_RECORDS = 10;

const { values: flags } = parseArgs({
  options: {
    records: { type: "string", default: "10000,100000,1000000" },
    rounds: { type: "string", default: "3" },
    seconds: { type: "string" },
    into: { type: "string", default: join(import.meta.dir, "../docs") },
    quick: { type: "boolean", default: false },
  },
});
if (!isInstalled("wrk")) throw new Error("wrk is missing: apt-get install wrk");
if (cpus().length < 2) throw new Error("two cores are needed: one for the server, one for its clients");

const workFolder = join(tmpdir(), "colophon-bench");
const options: BenchOptions = {
  workFolder,
  rounds: Number(flags.rounds),
  seconds: Number(flags.seconds ?? (flags.quick ? 1 : 2)),
};
const rows: ResultRow[] = [];
/** The servers that could not be started, with the reasons. */
const notMeasured: string[] = [];

if (flags.quick) await measureQuickly();
else await measureAll();

console.log(`\n${markdownTable(rows)}\n`);
if (notMeasured.length > 0) console.log(notMeasured.join("\n"));
console.log(`load average: ${loadavg()[0]!.toFixed(1)}`);

async function measureQuickly(): Promise<void> {
  const catalog = await createCatalog(QUICK_RECORDS);
  await withServers(catalog, [colophon(1), nginx], SERVER_CORE, async (servers) => {
    add(await hotRecord(servers, options, catalog.records));
    add(await randomRecords(servers, options, catalog.records));
    add(await notModified(servers, options, catalog.records));
    add(await largestImprint(servers, options));
    add(await allIsbns(servers, options, catalog.records));
  });
  add(await importFeed(options));
}

async function measureAll(): Promise<void> {
  const sizes = flags.records
    .split(",")
    .map(Number)
    .sort((a, b) => a - b);
  const tiny = await createCatalog(TINY_RECORDS);
  const catalogs: CatalogFiles[] = [];
  for (const records of sizes) catalogs.push(await createCatalog(records));
  const small = catalogs[0]!;
  const large = catalogs.at(-1)!;

  const smallLookups = await measureSmall(small);
  if (large !== small) await warmPageCache(large);
  const largeLookups = await measureLarge(large, small);
  await measureLists(large);
  await measureTwoCores(small);
  if (largeLookups) {
    await measureNewsBySize(large, small);
    add(
      lookupsBySize(
        { row: largeLookups, records: large.records },
        { row: smallLookups, records: small.records },
      ),
    );
  }
  add(await startTime(large, tiny));
  writeResults(sizes);
}

async function createCatalog(records: number): Promise<CatalogFiles> {
  const databasePath = join(workFolder, `${records}.db`);
  const staticFolder = join(workFolder, `www-${records}`);
  mkdirSync(workFolder, { recursive: true });
  console.error(`creating the catalog of ${records.toLocaleString("en")} records`);
  await createDatabase(databasePath, records);
  await createStaticFiles(staticFolder, databasePath);
  return { records, databasePath, staticFolder, workFolder };
}

/** Returns the row of random lookups. */
async function measureSmall(catalog: CatalogFiles): Promise<ResultRow> {
  const starts = [colophon(1), nginx, nginxWithFileCache, fastify, jsonServer];
  return await withServers(catalog, starts, SERVER_CORE, async (servers) => {
    add(await hotRecord(servers, options, catalog.records));
    const lookups = add(await randomRecords(servers, options, catalog.records));
    add(await notModified(servers, options, catalog.records));
    return lookups;
  });
}

/** Returns the row of random lookups. Returns undefined when there is only one catalog, which has its row already. */
async function measureLarge(large: CatalogFiles, small: CatalogFiles): Promise<ResultRow | undefined> {
  return await withServers(large, [colophon(1), nginx, fastify], SERVER_CORE, async (servers) => {
    const isMeasured = large === small;
    const lookups = isMeasured ? undefined : add(await randomRecords(servers, options, large.records));
    add(await manyIsbns(servers, options, large.records));
    return lookups;
  });
}

async function measureLists(catalog: CatalogFiles): Promise<void> {
  await withServers(catalog, [colophon(1), nginx, fastify], SERVER_CORE, async (servers) => {
    add(await largestImprint(servers, options));
    for (const coding of ["gzip", "zstd"]) add(await compressedImprint(servers, options, coding));
    add(await allIsbns(servers, options, catalog.records));
    for (const row of await memory(catalog, servers[0]!)) add(row);
  });
  // Latency is measured without the other servers: they may still work on aborted lists, on the same core.
  await withServers(catalog, [colophon(1)], SERVER_CORE, async ([server]) => {
    add(await firstByte(server!));
    add(await besideListReaders(server!, options));
    add(await besideSlowClients(server!, options));
  });
}

/** Shows what a second worker adds. Servers and clients share both cores, so there is no goal. */
async function measureTwoCores(catalog: CatalogFiles): Promise<void> {
  await withServers(catalog, [colophon(2), colophon(1), nginx], BOTH_CORES, async (servers) => {
    const { goal: _, ...row } = await hotRecord(servers, options, catalog.records);
    add({ ...row, name: `${row.name}, server and clients on two cores` });
  });
}

async function measureNewsBySize(large: CatalogFiles, small: CatalogFiles): Promise<void> {
  await withServers(large, [colophon(1)], SERVER_CORE, ([largeServer]) =>
    withServers(small, [colophon(1)], SERVER_CORE, async ([smallServer]) => {
      const sized = { server: largeServer!, records: large.records };
      add(await newsBySize(sized, { server: smallServer!, records: small.records }, options));
    }),
  );
}

/**
 * Starts the servers, measures them, and stops them. The first one is Colophon and must start.
 * For each other server that does not start, the reason is noted.
 */
async function withServers<T>(
  catalog: CatalogFiles,
  starts: readonly StartServer[],
  cores: string,
  measure: (servers: readonly ServerUnderTest[]) => Promise<T>,
): Promise<T> {
  const servers: ServerUnderTest[] = [];
  try {
    for (const start of starts) {
      try {
        servers.push(await start(catalog, cores));
      } catch (error) {
        if (servers.length === 0) throw error;
        notMeasured.push(`${start.name} with ${catalog.records}: ${(error as Error).message}`);
      }
    }
    return await measure(servers);
  } finally {
    await Promise.all(servers.map((server) => server.stop()));
  }
}

/** Adds a row to the table and prints it. Returns the row. */
function add(row: ResultRow): ResultRow {
  rows.push(row);
  console.error(markdownTable([row]).split("\n").at(-1));
  return row;
}

/** Writes performance.json, performance.svg, and the table in performance.md where the page exists. */
function writeResults(sizes: readonly number[]): void {
  const date = new Date().toISOString().slice(0, 10);
  const model = cpus()[0]!.model;
  const machine = `${cpus().length} cores${model === "unknown" ? "" : ` of ${model}`}`;
  const json = JSON.stringify({ date, machine, sizes, rows, notMeasured }, null, 1);
  writeFileSync(join(flags.into, "performance.json"), `${json}\n`);
  writeFileSync(join(flags.into, "performance.svg"), drawChart(rows, date));
  const page = join(flags.into, "performance.md");
  if (!existsSync(page)) return;
  const note = notMeasured.length > 0 ? ` Not measured: ${notMeasured.join("; ")}.` : "";
  const section = `Measured on ${date}, ${machine}.${note}\n\n${markdownTable(rows)}\n`;
  const marked = /(<!-- table -->\n)[\s\S]*(<!-- \/table -->)/;
  const text = readFileSync(page, "utf8");
  writeFileSync(
    page,
    text.replace(marked, (_, start, end) => `${start}${section}${end}`),
  );
}
