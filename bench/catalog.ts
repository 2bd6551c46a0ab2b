/** The benchmark catalog: a generated feed, imported by the real program, and the same records as static files. */
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { BENCH_ISBN_PREFIX, LARGEST_IMPRINT, writeCatalogFeed } from "./catalog-feed.ts";
import { linesOf } from "./lines.ts";

const COMMAND = join(import.meta.dir, "../bin/colophon");

/** What an import into a new catalog took. */
export interface ImportCost {
  readonly records: number;
  readonly feedBytes: number;
  readonly seconds: number;
  /** Of all threads. */
  readonly cpuSeconds: number;
  readonly peakMB: number;
  /** The size of the catalog's file after the import. */
  readonly fileBytes: number;
}

/** Creates the SQLite catalog at `path`, and returns what that took. Reuses a complete one from an earlier run. */
export async function createDatabase(path: string, records: number): Promise<ImportCost> {
  const marker = `${path}.complete`;
  if (existsSync(marker)) return JSON.parse(readFileSync(marker, "utf8"));
  for (const suffix of ["", "-wal", "-shm", "-owner", ".tokens"]) rmSync(path + suffix, { force: true });
  const feed = `${path}.xml`;
  await writeCatalogFeed(feed, records);
  const start = performance.now();
  const child = Bun.spawn([COMMAND, "import", "--db", path, feed], {
    stdin: "ignore",
    stdout: "ignore",
    stderr: "inherit",
  });
  if ((await child.exited) !== 0) throw new Error("The import of the benchmark catalog has failed");
  const seconds = (performance.now() - start) / 1000;
  const { cpuTime, maxRSS } = child.resourceUsage()!;
  const cost: ImportCost = {
    records,
    feedBytes: statSync(feed).size,
    seconds,
    cpuSeconds: Number(cpuTime.total) / 1e6,
    peakMB: maxRSS / 1e6,
    fileBytes: statSync(path).size,
  };
  rmSync(feed);
  writeFileSync(marker, JSON.stringify(cost));
  return cost;
}

/** Writes the response bodies as static files, at the paths of the API. Reuses those of an earlier run. */
export async function createStaticFiles(folder: string, databasePath: string): Promise<void> {
  const marker = join(folder, "complete");
  if (existsSync(marker)) return;
  const isbnFolder = join(folder, "api/isbn");
  const imprintFolder = join(folder, "api/imprint");
  for (const path of [isbnFolder, imprintFolder]) mkdirSync(path, { recursive: true });
  const isbns: string[] = [];
  const ofLargest: Uint8Array[] = [];
  for await (const body of exportedBodies(databasePath)) {
    const isbn = isbnOf(body);
    writeFileSync(join(isbnFolder, isbn), body);
    isbns.push(isbn);
    if (body.includes(`"ImprintName":"${LARGEST_IMPRINT.name}"`)) ofLargest.push(Buffer.from(body));
  }
  writeFileSync(join(imprintFolder, LARGEST_IMPRINT.slug), jsonArrayOf(ofLargest));
  writeFileSync(join(folder, "api/skus"), JSON.stringify(isbns));
  writeFileSync(marker, "");
}

/** Yields the records of a catalog as they are served, by ISBN. Each is valid until the next one is requested. */
async function* exportedBodies(databasePath: string): AsyncGenerator<Buffer> {
  const child = Bun.spawn([COMMAND, "export", "--db", databasePath], {
    stdin: "ignore",
    stdout: "pipe",
    stderr: "inherit",
  });
  yield* linesOf(child.stdout);
  if ((await child.exited) !== 0) throw new Error("The export of the benchmark catalog has failed");
}

/** The id of a record, its first member, ends with the ISBN. */
function isbnOf(body: Buffer): string {
  const start = body.indexOf(BENCH_ISBN_PREFIX);
  return body.toString("latin1", start, start + 13);
}

function jsonArrayOf(bodies: readonly Uint8Array[]): Uint8Array {
  const comma = Buffer.from(",");
  const parts = bodies.flatMap((body, index) => (index === 0 ? [body] : [comma, body]));
  return Buffer.concat([Buffer.from("["), ...parts, Buffer.from("]")]);
}
