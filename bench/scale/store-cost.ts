/** What a catalog takes on a store: the figures of `npm run bench:scale`, kept in docs/scale.json. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

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

export interface StoreCosts {
  readonly sqlite?: StoreCost;
  readonly postgres?: StoreCost;
}

const FILE = "scale.json";

export function readStoreCosts(folder: string): StoreCosts {
  const path = join(folder, FILE);
  return existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : {};
}

/** Keeps the figures of the store that was not measured now. */
export function writeStoreCosts(folder: string, costs: StoreCosts): void {
  const all = { ...readStoreCosts(folder), ...costs };
  writeFileSync(join(folder, FILE), `${JSON.stringify(all, null, 1)}\n`);
}
