/** The catalogs that searches are measured in, made by the real program from one feed. */
import { Database } from "bun:sqlite";
import { existsSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { createDatabase } from "../../src/stores/postgres/testing/database.ts";
import { writeSearchFeed } from "./feed.ts";

const COMMAND = "bin/colophon";
const ROOT = join(import.meta.dir, "../..");

const SEARCH_TABLES = "(name LIKE 'book_search%' OR name LIKE 'book_index%')";

export interface ImportCost {
  readonly seconds: number;
  /** Of all threads. Other programs of the machine change it less than the wall time. */
  readonly cpuSeconds: number;
}

export interface ImportResult extends ImportCost {
  readonly bytes: number;
}

/** Writes the feed, or reuses that of an earlier run. */
export async function feedOf(folder: string, records: number): Promise<string> {
  const path = join(folder, `search-${records}.xml`);
  if (!existsSync(`${path}.complete`)) {
    await writeSearchFeed(path, records);
    await Bun.write(`${path}.complete`, "");
  }
  return path;
}

/** Imports the feed into a new SQLite catalog, with the program of a checkout. */
export async function importIntoFile(
  path: string,
  feed: string,
  checkout: string = ROOT,
): Promise<ImportResult> {
  for (const end of ["", "-wal", "-shm", "-owner", ".tokens", ".secret"]) rmSync(path + end, { force: true });
  const cost = await costOfImport(checkout, path, feed);
  return { ...cost, bytes: statSync(path).size };
}

/** Returns the share of the file that the tables of search take. */
export function searchShareOf(path: string): number {
  using db = new Database(path, { readonly: true });
  const size = (condition: string) =>
    db.query<{ bytes: number }, []>(`SELECT sum(pgsize) AS bytes FROM dbstat WHERE ${condition}`).get()!
      .bytes;
  return size(SEARCH_TABLES) / size(`NOT ${SEARCH_TABLES}`);
}

/** Imports the feed into a new database of the test server. */
export async function importIntoPostgres(feed: string) {
  const database = await createDatabase();
  return { database, ...(await costOfImport(ROOT, database.url, feed)) };
}

async function costOfImport(checkout: string, db: string, feed: string): Promise<ImportCost> {
  const start = performance.now();
  const child = Bun.spawn([join(checkout, COMMAND), "import", "--db", db, feed], {
    stdin: "ignore",
    stdout: "ignore",
    stderr: "inherit",
  });
  if ((await child.exited) !== 0) throw new Error("The import has failed");
  const seconds = (performance.now() - start) / 1000;
  return { seconds, cpuSeconds: Number(child.resourceUsage()!.cpuTime.total) / 1e6 };
}
