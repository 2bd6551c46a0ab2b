/** Writes the results of a run to docs/. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { join } from "node:path";
import type { ResultRow } from "../result-row.ts";
import { drawChart } from "./chart.ts";
import { markdownTable } from "./markdown-table.ts";
import { asItComesTable, tuningTable } from "./summaries.ts";

export interface Results {
  readonly date: string;
  readonly machine: string;
  /** The numbers of records of the catalogs. */
  readonly sizes: readonly number[];
  readonly rows: readonly ResultRow[];
  readonly notes: readonly string[];
}

/** Returns the number of cores, and their model where the system knows it. */
export function describeMachine(): string {
  const model = cpus()[0]!.model;
  return `${cpus().length} cores${model === "unknown" ? "" : ` of ${model}`}`;
}

/** Writes performance.json, performance.svg, and the sections of performance.md where the page exists. */
export function writeResults(folder: string, results: Results): void {
  const { date, machine, rows, notes } = results;
  writeFileSync(join(folder, "performance.json"), `${JSON.stringify(results, null, 1)}\n`);
  writeFileSync(join(folder, "performance.svg"), drawChart(rows, date));
  const note = notes.length > 0 ? ` Notes: ${notes.join("; ")}.` : "";
  const section = `Measured on ${date}, ${machine}.${note}\n\n${markdownTable(rows)}\n`;
  const page = join(folder, "performance.md");
  replaceSection(page, "as it comes", `${asItComesTable(rows)}\n`);
  replaceSection(page, "tuning", `${tuningTable(rows)}\n`);
  replaceSection(page, "table", section);
}

/** Replaces what stands between `<!-- name -->` and `<!-- /name -->`. Does nothing without the page. */
export function replaceSection(page: string, name: string, section: string): void {
  if (!existsSync(page)) return;
  const marked = new RegExp(`(<!-- ${name} -->\n)[\\s\\S]*(<!-- /${name} -->)`);
  const text = readFileSync(page, "utf8");
  if (!marked.test(text)) throw new Error(`${page} has no section "${name}"`);
  writeFileSync(
    page,
    text.replace(marked, (_, start, end) => `${start}${section}${end}`),
  );
}
