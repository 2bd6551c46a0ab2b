/** Measures one row: xmllint and the import in alternation, so that other load on the machine affects both alike. */
import { closeSync, constants, copyFileSync, fsyncSync, openSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { median } from "../median.ts";
import { writeFeed } from "./feed.ts";
import type { ImportRow } from "./rows.ts";
import { type TimedRun, timeImport, timeXmllint } from "./timed-command.ts";

export const MAX_PEAK_MB = 250;

export interface RowOptions {
  readonly folder: string;
  /** The number of products in a generated feed. */
  readonly products: number;
  readonly rounds: number;
}

/** Seconds are medians. The memory is the largest of all rounds. */
export interface RowResult {
  readonly id: string;
  readonly name: string;
  readonly products: number;
  readonly megabytes: number;
  readonly importSeconds: number;
  readonly xmllintSeconds: number;
  /** xmllintSeconds / importSeconds: above 1, the import is faster. */
  readonly ratio: number;
  readonly goal: number;
  readonly peakMB: number;
  /** What the import printed. */
  readonly summary: string;
}

export async function measureRow(row: ImportRow, options: RowOptions): Promise<RowResult> {
  const feed = join(options.folder, "feed.xml");
  const database = join(options.folder, "import.db");
  const products = await row.writeFeed(feed, options.products);
  const catalog = row.isOntoCatalog ? await createCatalog(options) : undefined;
  const xmllintRuns: TimedRun[] = [];
  const importRuns: TimedRun[] = [];
  for (let round = 0; round < options.rounds; round++) {
    xmllintRuns.push(await timeXmllint(feed));
    if (catalog) copyDatabase(catalog, database);
    importRuns.push(await timeImport(database, feed));
    removeDatabase(database);
  }
  const megabytes = statSync(feed).size / 1e6;
  rmSync(feed);
  const [importSeconds, xmllintSeconds] = [importRuns, xmllintRuns].map((runs) =>
    median(runs.map(({ seconds }) => seconds)),
  ) as [number, number];
  return {
    id: row.id,
    name: row.name,
    products,
    megabytes,
    importSeconds,
    xmllintSeconds,
    ratio: xmllintSeconds / importSeconds,
    goal: row.goal,
    peakMB: Math.max(...importRuns.map(({ peakMB }) => peakMB)),
    summary: importRuns[0]!.stdout.trim(),
  };
}

/** Creates a catalog with the products of the tidy feed. Reuses the one of an earlier row. */
async function createCatalog({ folder, products }: RowOptions): Promise<string> {
  const path = join(folder, "catalog.db");
  if (statSync(path, { throwIfNoEntry: false })) return path;
  const feed = join(folder, "catalog.xml");
  await writeFeed(feed, products);
  await timeImport(path, feed);
  rmSync(feed);
  return path;
}

/** Copies a database that no process has open. Waits for the disk, so that the import after it does not. */
export function copyDatabase(from: string, to: string): void {
  copyFileSync(from, to, constants.COPYFILE_FICLONE);
  const file = openSync(to, "r+");
  fsyncSync(file);
  closeSync(file);
}

export function removeDatabase(path: string): void {
  for (const suffix of ["", "-wal", "-shm"]) rmSync(path + suffix, { force: true });
}
