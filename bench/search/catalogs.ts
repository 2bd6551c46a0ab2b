/** The catalogs that searches are measured in, made by the real program from one feed. */
import { Database } from "bun:sqlite";
import { existsSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { createDatabase } from "../../src/stores/postgres/testing/database.ts";
import { timeCommand } from "../import/timed-command.ts";
import { writeSearchFeed } from "./feed.ts";

const COMMAND = "bin/colophon";
const ROOT = join(import.meta.dir, "../..");

const SEARCH_TABLES = "(name LIKE 'book_search%' OR name LIKE 'book_index%')";

export interface ImportResult {
  readonly seconds: number;
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
  const { seconds } = await timeCommand([join(checkout, COMMAND), "import", "--db", path, feed]);
  return { seconds, bytes: statSync(path).size };
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
  const { seconds } = await timeCommand([join(ROOT, COMMAND), "import", "--db", database.url, feed]);
  return { database, seconds };
}
