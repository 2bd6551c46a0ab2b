/** The catalogs of a run, in the folder where all runs share them. */
import { existsSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { StoreError } from "../src/catalog/store-errors.ts";
import { inspectSqlite } from "../src/stores/sqlite/inspection.ts";
import { createDatabase, createStaticFiles, type ImportCost } from "./catalog.ts";
import type { CatalogFiles } from "./server-under-test.ts";

/** All files that the program may put beside a catalog, and the catalog itself. */
const SUFFIXES = ["", "-wal", "-shm", "-owner", ".tokens", ".tokens-wal", ".tokens-shm", ".tokens-owner"];

export interface CreatedCatalog {
  readonly catalog: CatalogFiles;
  /** What the import took, in this run or in the one that made the catalog. */
  readonly importCost: ImportCost;
}

/** Creates a catalog, or uses the one of an earlier run. Removes it first when it has the format of another version. */
export async function createCatalog(
  workFolder: string,
  records: number,
  { hasStaticFiles = true }: { hasStaticFiles?: boolean } = {},
): Promise<CreatedCatalog> {
  const catalog = catalogFiles(workFolder, records);
  mkdirSync(workFolder, { recursive: true });
  if (existsSync(catalog.databasePath) && !(await hasCurrentFormat(catalog.databasePath))) {
    console.error(`${catalog.databasePath} has another format and is made again`);
    removeDatabase(catalog);
  }
  if (!hasCatalog(workFolder, records))
    console.error(`creating the catalog of ${records.toLocaleString("en")} records`);
  const importCost = await createDatabase(catalog.databasePath, records);
  if (hasStaticFiles) await createStaticFiles(catalog.staticFolder, catalog.databasePath);
  return { catalog, importCost };
}

export function hasCatalog(workFolder: string, records: number): boolean {
  return existsSync(`${catalogFiles(workFolder, records).databasePath}.complete`);
}

export function removeCatalog(catalog: CatalogFiles): void {
  removeDatabase(catalog);
  rmSync(catalog.staticFolder, { recursive: true, force: true });
}

function removeDatabase({ databasePath }: CatalogFiles): void {
  for (const suffix of [".complete", ...SUFFIXES]) rmSync(databasePath + suffix, { force: true });
}

async function hasCurrentFormat(databasePath: string): Promise<boolean> {
  try {
    await inspectSqlite(databasePath).close();
    return true;
  } catch (error) {
    if (error instanceof StoreError) return false;
    throw error;
  }
}

function catalogFiles(workFolder: string, records: number): CatalogFiles {
  const databasePath = join(workFolder, `${records}.db`);
  return { records, databasePath, staticFolder: join(workFolder, `www-${records}`), workFolder };
}
