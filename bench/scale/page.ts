/** Writes the tables of docs/scale.md. Each figure says whether it was measured or extrapolated. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { formatCount, markdownTable } from "../command.ts";
import type { GrowthPoint } from "../growth/growth.ts";
import { type Results, replaceSection, rowJson } from "../results/results.ts";
import type { PromisedRow } from "../results/rows.ts";

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

/** What a catalog takes on a store: the figures of `npm run bench:scale`, kept in docs/scale.json. */
export interface StoreCost {
  readonly date: string;
  readonly records: number;
  readonly importSeconds: number;
  /** The file, or the database with its indexes. */
  readonly storeBytes: number;
  /** `colophon backup`, which verifies the copy, or `pg_dump`. */
  readonly backupSeconds: number;
  readonly backupBytes: number;
  readonly verifySeconds: number;
  /** A copy of the file, or `pg_restore`. */
  readonly restoreSeconds: number;
}

interface StoreCosts {
  readonly sqlite?: StoreCost;
  readonly postgres?: StoreCost;
}

const FILE = "scale.json";

function readStoreCosts(folder: string): StoreCosts {
  return readJson<StoreCosts>(join(folder, FILE)) ?? {};
}

/** Keeps the figures of the store that was not measured now. */
export function writeStoreCosts(folder: string, costs: StoreCosts): void {
  const all = { ...readStoreCosts(folder), ...costs };
  writeFileSync(join(folder, FILE), rowJson(all));
}

/** One line of a table: a figure that was measured, and what grows in proportion to the records. */
interface Line {
  readonly what: string;
  readonly measured: number | undefined;
  readonly at: number | undefined;
  readonly format: (value: number) => string;
}

/** Returns a line of what grows in proportion to the records of `source`. */
function lineOf<T extends { readonly records: number }>(source: T | undefined) {
  return (what: string, pick: (source: T) => number, format: Line["format"]): Line => ({
    what,
    measured: source && pick(source),
    at: source?.records,
    format,
  });
}

export function sqliteTable(largest: GrowthPoint | undefined, cost: StoreCost | undefined): string {
  const [growth, store] = [lineOf(largest), lineOf(cost)];
  return table([
    growth("feed", ({ feedBytes }) => feedBytes, size),
    growth("catalog file", ({ fileBytes }) => fileBytes, size),
    growth("first import, 2 cores", (point) => point.import.seconds, duration),
    store("`colophon backup`, with its verification", ({ backupSeconds }) => backupSeconds, duration),
    store("`colophon verify`", ({ verifySeconds }) => verifySeconds, duration),
    store("copy of the file", ({ restoreSeconds }) => restoreSeconds, duration),
  ]);
}

export function postgresTable(cost: StoreCost | undefined): string {
  const store = lineOf(cost);
  return table([
    store("database with its indexes", ({ storeBytes }) => storeBytes, size),
    store("first import, server on the same 2 cores", ({ importSeconds }) => importSeconds, duration),
    store("dump", ({ backupBytes }) => backupBytes, size),
    store("`pg_dump`, one process", ({ backupSeconds }) => backupSeconds, duration),
    store("`colophon verify`", ({ verifySeconds }) => verifySeconds, duration),
    store("`pg_restore`, one process", ({ restoreSeconds }) => restoreSeconds, duration),
  ]);
}

function table(lines: readonly Line[]): string {
  const targets = TARGETS.map((records) => `at ${millions(records)}, extrapolated`);
  const rows = lines.map(({ what, measured, at, format }) => {
    if (measured === undefined || at === undefined) return [what, "not measured", ...TARGETS.map(() => "–")];
    const scaled = TARGETS.map((records) => format((measured / at) * records));
    return [what, `${format(measured)} at ${millions(at)}`, ...scaled];
  });
  return markdownTable([["what", "measured", ...targets], ...rows]);
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
  return markdownTable([head, ...rows]);
}

function millions(records: number): string {
  return records >= 1_000_000 ? `${records / 1_000_000} million` : formatCount(records);
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
