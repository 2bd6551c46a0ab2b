/** The catalogs of all measurements: generated feeds, imported by the real program, and records as static files. */
import {
  closeSync,
  constants,
  copyFileSync,
  createReadStream,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { Readable } from "node:stream";
import { utcDay } from "../src/onix/date.ts";
import { formatCount } from "./command.ts";
import { type FeedOptions, writeFeed } from "./feed.ts";
import { COLOPHON, type CommandResult, runCommand } from "./processes.ts";
import { isbnAt, LARGEST_IMPRINT } from "./product-xml.ts";
import type { CatalogFiles } from "./servers/server.ts";

/** The exit code of an import that has rejected some products. */
const SOME_REJECTED = 3;
/** All files that the program may put beside a catalog, and the catalog itself. */
const SUFFIXES = [
  "",
  "-wal",
  "-shm",
  "-owner",
  ".reserve",
  ".tokens",
  ".tokens-wal",
  ".tokens-shm",
  ".tokens-owner",
];

/** What an import into a new catalog took. */
export interface ImportCost extends Pick<CommandResult, "seconds" | "cpuSeconds" | "peakMB"> {
  readonly records: number;
  readonly feedBytes: number;
  /** The size of the catalog's file after the import. */
  readonly fileBytes: number;
}

export interface CreatedCatalog {
  readonly catalog: CatalogFiles;
  /** What the import took, in this run or in the one that made the catalog. */
  readonly importCost: ImportCost;
}

/** Imports a feed into a catalog, which is created when it does not exist. */
export function importFeed(
  db: string,
  feed: string,
  options: readonly string[] = [],
): Promise<CommandResult> {
  const command = [COLOPHON, "import", "--db", db, ...options, feed];
  return runCommand(command, { exitCodes: [0, SOME_REJECTED] });
}

/** Generates a feed, imports it into the catalog at `path`, and removes it. */
async function importGenerated(path: string, options: FeedOptions): Promise<ImportCost> {
  const feed = `${path}.xml`;
  try {
    const records = await writeFeed(feed, options);
    const { seconds, cpuSeconds, peakMB } = await importFeed(path, feed);
    const [feedBytes, fileBytes] = [statSync(feed).size, statSync(path).size];
    return { records, feedBytes, seconds, cpuSeconds, peakMB, fileBytes };
  } finally {
    rmSync(feed, { force: true });
  }
}

/** Creates a catalog, or uses the one of an earlier run, unless another version has made that. */
export async function createCatalog(
  workFolder: string,
  records: number,
  { hasStaticFiles = true }: { hasStaticFiles?: boolean } = {},
): Promise<CreatedCatalog> {
  const catalog = catalogFiles(workFolder, records);
  const { databasePath, staticFolder } = catalog;
  const marker = `${databasePath}.complete`;
  mkdirSync(workFolder, { recursive: true });
  if (existsSync(marker) && !isReadable(databasePath)) {
    console.error(`${databasePath} has another format and is made again`);
    removeCatalog(catalog);
  }
  if (!existsSync(marker)) {
    console.error(`creating the catalog of ${formatCount(records)} records`);
    removeDatabase(databasePath);
    const cost = await importGenerated(databasePath, { products: records, today: utcDay(new Date()) });
    writeFileSync(marker, JSON.stringify(cost));
  }
  if (hasStaticFiles) await createStaticFiles(staticFolder, databasePath);
  return { catalog, importCost: JSON.parse(readFileSync(marker, "utf8")) };
}

function isReadable(databasePath: string): boolean {
  return Bun.spawnSync([COLOPHON, "stats", "--db", databasePath]).exitCode === 0;
}

export function hasCatalog(workFolder: string, records: number): boolean {
  return existsSync(`${catalogFiles(workFolder, records).databasePath}.complete`);
}

export function removeCatalog({ databasePath, staticFolder }: CatalogFiles): void {
  removeDatabase(databasePath);
  rmSync(staticFolder, { recursive: true, force: true });
}

export function removeDatabase(path: string): void {
  for (const suffix of [".complete", ...SUFFIXES]) rmSync(path + suffix, { force: true });
}

/** Copies a database that no process has open. Waits for the disk, so that the import after it does not. */
export function copyDatabase(from: string, to: string): void {
  copyFileSync(from, to, constants.COPYFILE_FICLONE);
  const file = openSync(to, "r+");
  fsyncSync(file);
  closeSync(file);
}

function catalogFiles(workFolder: string, records: number): CatalogFiles {
  const databasePath = join(workFolder, `catalog-${records}.db`);
  return { records, databasePath, staticFolder: join(workFolder, `www-${records}`), workFolder };
}

/** Writes the response bodies as static files, at the paths of the API. Reuses those of an earlier run. */
async function createStaticFiles(folder: string, databasePath: string): Promise<void> {
  const marker = join(folder, "complete");
  if (existsSync(marker)) return;
  const isbnFolder = join(folder, "api/isbn");
  const imprintFolder = join(folder, "api/imprint");
  for (const path of [isbnFolder, imprintFolder]) mkdirSync(path, { recursive: true });
  const isbns: string[] = [];
  const ofLargest: string[] = [];
  for await (const body of exportedBodies(databasePath)) {
    // The id of a record, its first member, ends with the ISBN.
    const [isbn] = /9788\d{9}/.exec(body)!;
    writeFileSync(join(isbnFolder, isbn), body);
    isbns.push(isbn);
    if (body.includes(`"ImprintName":"${LARGEST_IMPRINT.name}"`)) ofLargest.push(body);
  }
  writeFileSync(join(imprintFolder, LARGEST_IMPRINT.slug), `[${ofLargest.join(",")}]`);
  writeFileSync(join(folder, "api/skus"), JSON.stringify(isbns));
  writeFileSync(marker, "");
}

/** Yields the records of a catalog as they are served, by ISBN. */
async function* exportedBodies(databasePath: string): AsyncGenerator<string> {
  const child = Bun.spawn([COLOPHON, "export", "--db", databasePath], { stderr: "inherit" });
  yield* createInterface({ input: Readable.fromWeb(child.stdout as never) });
  if ((await child.exited) !== 0) throw new Error("The export of the benchmark catalog has failed");
}

/** Reads the whole catalog once. Otherwise the first server to be measured would pay for the disk. */
export async function warmPageCache({ databasePath, staticFolder, records }: CatalogFiles): Promise<void> {
  await readOnce(databasePath);
  // Reading in the order of writing takes a tenth of the time of random order.
  for (let index = 0; index < records; index++) readFileSync(join(staticFolder, "api/isbn", isbnAt(index)));
}

/** Reads a file, so that the system has its pages in memory. */
export async function readOnce(path: string): Promise<void> {
  for await (const _ of createReadStream(path, { highWaterMark: 4 * 1024 * 1024 })) {
    // Reading is the purpose: the bytes are not needed.
  }
}
