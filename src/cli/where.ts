import { resolve } from "node:path";
import type { Store } from "../catalog/port.ts";
import { openSqlite } from "../stores/sqlite/store.ts";
import { UsageError } from "./usage.ts";

/** Where the catalog is: `--db`, else COLOPHON_DB, else a file in the folder that the command runs in. */
export function whereOf(option: string | undefined): string {
  const where = option ?? (process.env.COLOPHON_DB || "data/catalog.db");
  if (/^postgres(ql)?:/i.test(where)) {
    throw new UsageError("this version keeps catalogs in files; PostgreSQL is not there yet");
  }
  if (where === "") throw new UsageError("--db needs a file");
  return resolve(where);
}

export function openStore(path: string, options: { create: boolean }): Store {
  return openSqlite(path, options);
}
