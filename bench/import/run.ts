/**
 * `npm run bench:import [-- OPTIONS]`: compares imports with `xmllint --stream --noout`, which only parses, on the same
 * feeds, in alternation. Ratios are of wall times: above 1, the import is faster.
 *
 *   --rows tidy,sample    only these rows; `sample` stands for all rows whose name begins so
 *   --products 100000     the size of the generated feeds
 *   --sample-mb 30        the size of the feeds from ../shared/onix/samples
 *   --rounds 3            how often each command is measured; the median counts
 *   --memory              compares the peak memory with that of ten times as many products, and measures no rows
 *   --json FILE           also writes the results as JSON
 *
 * BENCH_FOLDER names the folder for temporary files. One row with 100,000 products needs 1 GB there, --memory 10 GB.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { cpus, loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { measureRow, type RowOptions, type RowResult } from "./measure-row.ts";
import { formatMemoryGrowth, measureMemoryGrowth } from "./memory-growth.ts";
import { formatSamples, resultsTable, summarizeSamples } from "./results-table.ts";
import { GENERATED_ROWS, type ImportRow } from "./rows.ts";
import { sampleRows } from "./sample-rows.ts";

const { values: flags } = parseArgs({
  options: {
    rows: { type: "string" },
    products: { type: "string", default: "100000" },
    "sample-mb": { type: "string", default: "30" },
    rounds: { type: "string", default: "3" },
    memory: { type: "boolean", default: false },
    json: { type: "string" },
  },
});
if (!Bun.which("xmllint")) throw new Error("xmllint is missing: apt-get install libxml2-utils");

const folder = mkdtempSync(join(process.env.BENCH_FOLDER ?? tmpdir(), "colophon-bench-"));
const options: RowOptions = { folder, products: Number(flags.products), rounds: Number(flags.rounds) };
process.on("exit", () => rmSync(folder, { recursive: true }));
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => process.exit(1));

const results = flags.memory ? await measureMemory() : await measureRows();
if (flags.json) {
  const conditions = {
    date: new Date().toISOString().slice(0, 10),
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
  for (const row of selectRows(flags.rows?.split(","))) {
    const result = await measureRow(row, options);
    rows.push(result);
    console.error(`${resultsTable([result]).split("\n").at(-1)} ${result.summary}`);
  }
  const samples = summarizeSamples(rows);
  console.log(`\n${resultsTable(rows)}\n`);
  if (samples) console.log(formatSamples(samples));
  return { rows, ...(samples && { samples }) };
}

/** Returns all rows without a selection. */
function selectRows(ids: readonly string[] | undefined): readonly ImportRow[] {
  const all = [...GENERATED_ROWS, ...sampleRows(Number(flags["sample-mb"]))];
  if (!ids) return all;
  const isSelected = (row: ImportRow, id: string) =>
    row.id === id || (id === "sample" && row.id.startsWith("sample-"));
  const unknown = ids.find((id) => !all.some((row) => isSelected(row, id)));
  if (unknown !== undefined) {
    throw new Error(`there is no row "${unknown}", only ${all.map(({ id }) => id).join(", ")}`);
  }
  return all.filter((row) => ids.some((id) => isSelected(row, id)));
}
