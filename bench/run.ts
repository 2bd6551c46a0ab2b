/**
 * `npm run bench [-- OPTIONS]`: measures Colophon and other servers in alternation, prints one table, and writes it to
 * docs/performance.md, with the figures as JSON and as a chart beside it.
 *
 *   --records 10000,100000,1000000  the sizes of the catalogs
 *   --rounds 3                      how often each server is measured for a row
 *   --seconds 2                     the length of one measurement
 *   --into FOLDER                   where to write the results (docs/)
 *   --quick                         the same table on 10,000 and 100,000 records, in short rounds:
 *                                   less than 5 minutes and 5 GB of disk; writes files only with --into
 *   --only STEP,…                   some steps of the run (bench/steps.ts lists them); writes no files
 *   --growth                        10,000 to 3,000,000 records one after another, Colophon alone; writes the growth of
 *                                   docs/performance.md, and removes each catalog that it has made (--keep: does not)
 *   --remove                        removes the catalogs at the end; otherwise the next run uses them again
 */
import { cpus, loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { type CreatedCatalog, createCatalog, removeCatalog } from "./catalog.ts";
import { parseFlags, requirePrograms, selectOnly, today } from "./command.ts";
import { runGrowth } from "./growth/growth.ts";
import type { BenchOptions } from "./measure.ts";
import { describeMachine, Table, writeResults } from "./results/results.ts";
import { resultsTable } from "./results/tables.ts";
import { STEPS } from "./steps.ts";

const TINY_RECORDS = 10;
const DOCS = join(import.meta.dir, "../docs");

const flags = parseFlags({
  records: { type: "string" },
  rounds: { type: "string" },
  seconds: { type: "string" },
  into: { type: "string" },
  growth: { type: "boolean", default: false },
  keep: { type: "boolean", default: false },
  remove: { type: "boolean", default: false },
});
requirePrograms(["wrk"], "wrk");
if (cpus().length < 2) throw new Error("two cores are needed: one for the server, one for its clients");
const steps = selectOnly(STEPS, flags.only);

const isQuick = flags.quick;
const workFolder = join(tmpdir(), "colophon-bench");
const options: BenchOptions = {
  workFolder,
  rounds: Number(flags.rounds ?? (isQuick ? 2 : 3)),
  seconds: Number(flags.seconds ?? (isQuick ? 1 : 2)),
  warmUpSeconds: isQuick ? 3 : 5,
  latencyRounds: isQuick ? 2 : 5,
  slowReadersSeconds: isQuick ? 5 : 20,
  coldSeconds: isQuick ? 5 : 30,
  coldRounds: isQuick ? 1 : 2,
  maxAttempts: isQuick ? 1 : 5,
};
/** A quick run measures each row without a promise once. */
const sideOptions = isQuick ? { ...options, rounds: 1, latencyRounds: 1, warmUpSeconds: 0 } : options;
const startedMs = performance.now();

if (flags.growth) {
  const sizes = sizesOr("10000,100000,1000000,3000000");
  await runGrowth(flags.into ?? DOCS, sizes, options, { keep: flags.keep });
} else {
  await runTable(sizesOr(isQuick ? "10000,100000" : "10000,100000,1000000"));
}

/** Returns the sizes of `--records`, or the default ones, from small to large. */
function sizesOr(defaultSizes: string): number[] {
  return (flags.records ?? defaultSizes)
    .split(",")
    .map(Number)
    .sort((a, b) => a - b);
}

async function runTable(sizes: readonly number[]): Promise<void> {
  const created: CreatedCatalog[] = [];
  for (const records of [TINY_RECORDS, ...sizes]) created.push(await createCatalog(workFolder, records));
  const [tiny, ...measured] = created;
  const catalogs = { tiny: tiny!.catalog, small: measured[0]!.catalog, large: measured.at(-1)!.catalog };
  const importCosts = measured.map(({ importCost }) => importCost);
  const table = new Table();
  for (const { subject, promises, measure } of steps) {
    const run = { table, options, sideOptions, catalogs, importCosts };
    await table.step(subject, promises, () => measure(run));
  }
  report(table);
  const folder = flags.into ?? (isQuick || flags.only ? undefined : DOCS);
  const { rows, notes } = table;
  if (folder) writeResults(folder, { date: today(), machine: describeMachine(), sizes, rows, notes });
  if (flags.remove) for (const { catalog } of created) removeCatalog(catalog);
}

function report({ rows, notes }: Table): void {
  const shown = flags.only
    ? rows.filter(({ values }) => values.some(({ value }) => value !== undefined))
    : rows;
  console.log(`\n${resultsTable(shown)}\n`);
  if (notes.length > 0) console.log(`${notes.join("\n")}\n`);
  const seconds = Math.round((performance.now() - startedMs) / 1000);
  console.log(`load average: ${loadavg()[0]!.toFixed(1)}; ${seconds} s`);
  if (!flags.remove) console.log(`${workFolder} has the catalogs for the next run (--remove removes them)`);
}
