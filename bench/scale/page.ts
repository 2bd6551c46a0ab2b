/** Writes the tables of docs/scale.md. Each figure says whether it was measured or extrapolated. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { GrowthPoint } from "../growth/growth-point.ts";
import type { PromisedRow } from "../results/promised-rows.ts";
import { type Results, replaceSection } from "../results/write-results.ts";
import { readStoreCosts, type StoreCost } from "./store-cost.ts";

const TARGETS = [10_000_000, 100_000_000];
/** Cores of a machine, and machines, that lookups are extrapolated to. */
const CORES = 8;
const MACHINES = 4;

/** Reads performance.json, performance-growth.json and scale.json. What is missing is "not measured". */
export function writeScalePage(folder: string): void {
  const page = join(folder, "scale.md");
  const growth = readJson<GrowthPoint[]>(join(folder, "performance-growth.json")) ?? [];
  const results = readJson<Results>(join(folder, "performance.json"));
  const { sqlite, postgres } = readStoreCosts(folder);
  replaceSection(page, "sqlite", `${sqliteTable(growth.at(-1), sqlite)}\n`);
  replaceSection(page, "postgres", `${postgresTable(postgres)}\n`);
  replaceSection(page, "lookups", `${lookupsTable(results)}\n`);
}

function readJson<T>(path: string): T | undefined {
  return existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : undefined;
}

/** One line of a table: a figure that was measured, and what grows in proportion to the records. */
interface Line {
  readonly what: string;
  readonly measured: number | undefined;
  readonly at: number | undefined;
  readonly format: (value: number) => string;
}

export function sqliteTable(largest: GrowthPoint | undefined, cost: StoreCost | undefined): string {
  const growth = (what: string, pick: (point: GrowthPoint) => number, format: Line["format"]): Line => ({
    what,
    measured: largest && pick(largest),
    at: largest?.records,
    format,
  });
  return table([
    growth("feed", ({ feedBytes }) => feedBytes, size),
    growth("catalog file", ({ fileBytes }) => fileBytes, size),
    growth("first import, 2 cores", (point) => point.import.seconds, duration),
    ...storeLines(cost, [
      "`colophon backup`, with its verification",
      "`colophon verify`",
      "copy of the file",
    ]),
  ]);
}

export function postgresTable(cost: StoreCost | undefined): string {
  const of = (what: string, measured: number | undefined, format: Line["format"]): Line => ({
    what,
    measured,
    at: cost?.records,
    format,
  });
  return table([
    of("database with its indexes", cost?.storeBytes, size),
    of("first import, server on the same 2 cores", cost?.importSeconds, duration),
    of("dump", cost?.backupBytes, size),
    ...storeLines(cost, ["`pg_dump`, one process", "`colophon verify`", "`pg_restore`, one process"]),
  ]);
}

function storeLines(cost: StoreCost | undefined, names: readonly [string, string, string]): Line[] {
  const [backup, verify, restore] = names;
  return [
    { what: backup, measured: cost?.backupSeconds, at: cost?.records, format: duration },
    { what: verify, measured: cost?.verifySeconds, at: cost?.records, format: duration },
    { what: restore, measured: cost?.restoreSeconds, at: cost?.records, format: duration },
  ];
}

function table(lines: readonly Line[]): string {
  const targets = TARGETS.map((records) => `at ${millions(records)}, extrapolated`);
  const rows = lines.map(({ what, measured, at, format }) => {
    if (measured === undefined || at === undefined) return [what, "not measured", ...TARGETS.map(() => "–")];
    const scaled = TARGETS.map((records) => format((measured / at) * records));
    return [what, `${format(measured)} at ${millions(at)}`, ...scaled];
  });
  return markdown([["what", "measured", ...targets], ...rows]);
}

/** Rates per core are measured. Those of more cores and machines are products, which nothing has confirmed. */
export function lookupsTable(results: Results | undefined): string {
  const lines: readonly (readonly [what: string, promise: PromisedRow])[] = [
    ["the same record, from the response cache", "hot, as it comes"],
    ["at random, the catalog in memory", "random, as it comes"],
    ["at random, the catalog larger than memory", "random, limited memory"],
  ];
  const rows = lines.map(([what, promise]) => {
    const row = results?.rows.find((each) => each.promise === promise);
    const rate = row?.values[0]?.value;
    if (rate === undefined) return [what, "not measured", "–", "–"];
    return [what, count(rate), count(rate * CORES), count(rate * CORES * MACHINES)];
  });
  const head = [
    "lookups/s",
    "one process on one core, measured",
    `${CORES} workers on ${CORES} cores, extrapolated`,
    `${MACHINES} such machines, extrapolated`,
  ];
  return markdown([head, ...rows]);
}

function markdown([head, ...rows]: readonly (readonly string[])[]): string {
  const lines = [head!, head!.map(() => "---"), ...rows];
  return lines.map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

function millions(records: number): string {
  return records >= 1_000_000 ? `${records / 1_000_000} million` : records.toLocaleString("en");
}

/** Two significant digits: an extrapolation has no more. */
function count(value: number): string {
  return Number(value.toPrecision(2)).toLocaleString("en");
}

function size(bytes: number): string {
  return bytes >= 1e9 ? `${count(bytes / 1e9)} GB` : `${count(bytes / 1e6)} MB`;
}

function duration(seconds: number): string {
  if (seconds < 90) return `${count(seconds)} s`;
  if (seconds < 5400) return `${count(seconds / 60)} minutes`;
  return `${count(seconds / 3600)} hours`;
}
