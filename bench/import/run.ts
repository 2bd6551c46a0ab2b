/**
 * `npm run bench:import [-- OPTIONS]`: compares imports with `xmllint --stream --noout`, which only parses, on the same
 * feeds, in alternation. Ratios are of wall times: above 1, the import is faster.
 *
 *   --only tidy,sample    only these rows; `sample` stands for all rows whose name begins so
 *   --records 100000      the size of the generated feeds (--quick: 10,000)
 *   --sample-mb 30        the size of the feeds from ../shared/onix/samples (--quick: 3)
 *   --rounds 3            how often each command is measured; the median counts (--quick: 1)
 *   --memory              compares the peak memory with that of ten times as many products, and measures no rows
 *   --json FILE           also writes the results as JSON
 *
 * BENCH_FOLDER names the folder for temporary files. One row with 100,000 products needs 1 GB there, --memory 10 GB.
 */
import { writeFileSync } from "node:fs";
import { cpus, loadavg } from "node:os";
import { parseFlags, requirePrograms, selectOnly, temporaryFolder, today } from "../command.ts";
import {
  formatMemoryGrowth,
  formatSamples,
  measureMemoryGrowth,
  measureRow,
  type RowOptions,
  type RowResult,
  resultsTable,
  summarizeSamples,
} from "./measure.ts";
import { importRows } from "./rows.ts";

const flags = parseFlags({
  records: { type: "string" },
  "sample-mb": { type: "string" },
  rounds: { type: "string" },
  memory: { type: "boolean", default: false },
  json: { type: "string" },
});
requirePrograms(["xmllint"], "libxml2-utils");

const options: RowOptions = {
  folder: temporaryFolder(),
  products: Number(flags.records ?? (flags.quick ? 10_000 : 100_000)),
  rounds: Number(flags.rounds ?? (flags.quick ? 1 : 3)),
};
const results = flags.memory ? await measureMemory() : await measureRows();
if (flags.json) {
  const conditions = {
    date: today(),
    cores: cpus().length,
    rounds: options.rounds,
    loadAverage: loadavg()[0],
  };
  writeFileSync(flags.json, `${JSON.stringify({ ...conditions, ...results }, roundNumbers, 1)}\n`);
}

function roundNumbers(_key: string, value: unknown): unknown {
  return typeof value === "number" ? Math.round(value * 1000) / 1000 : value;
}

async function measureMemory() {
  const memory = await measureMemoryGrowth(options);
  console.log(formatMemoryGrowth(memory));
  return { memory };
}

async function measureRows() {
  const rows: RowResult[] = [];
  for (const row of selectOnly(
    importRows(Number(flags["sample-mb"] ?? (flags.quick ? 3 : 30))),
    flags.only,
  )) {
    const result = await measureRow(row, options);
    rows.push(result);
    console.error(`${resultsTable([result]).split("\n").at(-1)} ${result.summary}`);
  }
  const samples = summarizeSamples(rows);
  console.log(`\n${resultsTable(rows)}\n`);
  if (samples) console.log(formatSamples(samples));
  return { rows, ...(samples && { samples }) };
}
