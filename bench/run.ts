/**
 * `npm run bench [-- OPTIONS]`: measures Colophon and other servers in alternation, prints one table, and writes it to
 * docs/performance.md, with the figures as JSON and as a chart beside it.
 *
 *   --records 10000,100000,1000000  the sizes of the catalogs
 *   --rounds 3                      how often each server is measured for a row
 *   --seconds 2                     the length of one measurement
 *   --into FOLDER                   where to write the results (docs/)
 *   --quick                         the same table on 10,000 and 100,000 records, in short rounds and without servers
 *                                   from npm: less than 5 minutes and 5 GB of disk; writes files only with --into
 *   --only STEP,…                   some steps of the run (bench/steps.ts); writes no files
 *   --remove                        removes the catalogs at the end; otherwise the next run uses them again
 */
import { mkdirSync, rmSync } from "node:fs";
import { cpus, loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { BenchOptions } from "./alternate.ts";
import { createDatabase, createStaticFiles } from "./catalog.ts";
import { markdownTable } from "./markdown-table.ts";
import { isInstalled } from "./processes.ts";
import { describeMachine, writeResults } from "./results.ts";
import type { CatalogFiles } from "./server-under-test.ts";
import { STEPS } from "./steps.ts";
import { Table } from "./table.ts";

const TINY_RECORDS = 10;

const { values: flags } = parseArgs({
  options: {
    records: { type: "string" },
    rounds: { type: "string" },
    seconds: { type: "string" },
    into: { type: "string" },
    quick: { type: "boolean", default: false },
    only: { type: "string" },
    remove: { type: "boolean", default: false },
  },
});
if (!isInstalled("wrk")) throw new Error("wrk is missing: apt-get install wrk");
if (cpus().length < 2) throw new Error("two cores are needed: one for the server, one for its clients");
const only = flags.only?.split(",");
const unknown = only?.filter((id) => !STEPS.some((step) => step.id === id)) ?? [];
if (unknown.length > 0)
  throw new Error(`no step ${unknown.join(", ")}: ${STEPS.map(({ id }) => id).join(", ")}`);

const isQuick = flags.quick;
const sizes = (flags.records ?? (isQuick ? "10000,100000" : "10000,100000,1000000"))
  .split(",")
  .map(Number)
  .sort((a, b) => a - b);
const workFolder = join(tmpdir(), "colophon-bench");
const options: BenchOptions = {
  workFolder,
  rounds: Number(flags.rounds ?? (isQuick ? 2 : 3)),
  seconds: Number(flags.seconds ?? (isQuick ? 1 : 2)),
  latencyRounds: isQuick ? 2 : 5,
  slowReadersSeconds: isQuick ? 8 : 20,
  coldSeconds: isQuick ? 5 : 30,
};

const startedMs = performance.now();
const catalogs: CatalogFiles[] = [];
for (const records of [TINY_RECORDS, ...sizes]) catalogs.push(await createCatalog(records));
const [tiny, small] = catalogs as [CatalogFiles, CatalogFiles];
const run = {
  table: new Table(),
  options,
  catalogs: { tiny, small, large: catalogs.at(-1)! },
  hasNpmServers: !isQuick,
};
for (const { id, subject, promises, measure } of STEPS) {
  if (only && !only.includes(id)) continue;
  await run.table.step(subject, promises, () => measure(run));
}
report();
const folder = flags.into ?? (isQuick || only ? undefined : join(import.meta.dir, "../docs"));
const { rows, notMeasured } = run.table;
const date = new Date().toISOString().slice(0, 10);
if (folder) writeResults(folder, { date, machine: describeMachine(), sizes, rows, notMeasured });
if (flags.remove) for (const catalog of catalogs) removeCatalog(catalog);

async function createCatalog(records: number): Promise<CatalogFiles> {
  const databasePath = join(workFolder, `${records}.db`);
  const staticFolder = join(workFolder, `www-${records}`);
  mkdirSync(workFolder, { recursive: true });
  console.error(`creating the catalog of ${records.toLocaleString("en")} records`);
  await createDatabase(databasePath, records);
  await createStaticFiles(staticFolder, databasePath);
  return { records, databasePath, staticFolder, workFolder };
}

function removeCatalog({ databasePath, staticFolder }: CatalogFiles): void {
  const suffixes = ["", "-wal", "-shm", "-owner", ".tokens", ".complete"];
  const files = suffixes.map((suffix) => databasePath + suffix);
  for (const path of [...files, staticFolder]) rmSync(path, { recursive: true, force: true });
}

function report(): void {
  const { rows, notMeasured } = run.table;
  const shown = only ? rows.filter(({ values }) => values.some(({ value }) => value !== undefined)) : rows;
  console.log(`\n${markdownTable(shown)}\n`);
  if (notMeasured.length > 0) console.log(`${notMeasured.join("\n")}\n`);
  console.log(
    `load average: ${loadavg()[0]!.toFixed(1)}; ${Math.round((performance.now() - startedMs) / 1000)} s`,
  );
  if (!flags.remove) console.log(`${workFolder} holds the catalogs for the next run (--remove removes them)`);
}
