import { resolve } from "node:path";
import type { Store } from "../../catalog/store.ts";
import { openPostgres } from "../../stores/postgres/store.ts";
import { openSqlite } from "../../stores/sqlite/store.ts";
import { UsageError } from "../terminal/usage.ts";

/** Where the catalog is: `--db`, else COLOPHON_DB, else a file in the folder that the command runs in. */
export function whereOf(option: string | undefined): string {
  const where = option ?? (process.env.COLOPHON_DB || "data/catalog.db");
  if (where === "") throw new UsageError("--db needs a file, or a postgres:// URL");
  if (!isServer(where)) return resolve(where);
  // Not shown: there may be a password in it.
  if (!URL.canParse(where)) throw new UsageError("--db begins like a postgres:// URL, but is none");
  return where;
}

/** A catalog on a server; else it is a file. */
export function isServer(where: string): boolean {
  return /^postgres(ql)?:\/\//i.test(where);
}

export interface Opening {
  readonly create: boolean;
  /** For one import and nothing else. */
  readonly importOnly?: boolean;
}

export function openStore(where: string, options: Opening): Store {
  return isServer(where) ? openPostgres(where, options) : openSqlite(where, options);
}
