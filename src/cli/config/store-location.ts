/** The location of the catalog: a SQLite file or a PostgreSQL URL. */
import { resolve } from "node:path";
import type { Store } from "../../catalog/store.ts";
import { openPostgres } from "../../stores/postgres/store.ts";
import { openSqlite } from "../../stores/sqlite/store.ts";
import { UsageError } from "../exit.ts";

/** Returns the absolute path or the URL from `--db`, else COLOPHON_DB, else a file in the working directory. */
export function resolveStoreLocation(option: string | undefined): string {
  const location = option ?? (process.env.COLOPHON_DB || "data/catalog.db");
  if (location === "") throw new UsageError("--db needs a file, or a postgres:// URL");
  if (!isPostgresUrl(location)) return resolve(location);
  // The message does not quote the URL, which may contain a password.
  if (!URL.canParse(location)) throw new UsageError("--db is not a valid postgres:// URL");
  return location;
}

export function isPostgresUrl(location: string): boolean {
  return /^postgres(ql)?:\/\//i.test(location);
}

export interface OpenStoreOptions {
  /** Creates a SQLite file that does not exist. */
  readonly create: boolean;
  /** Opens the store for one import and nothing else. */
  readonly importOnly?: boolean;
  /** Is called when PostgreSQL has committed an import, but the connection was lost before its response. */
  readonly onCommitFound?: () => void;
  /** Opens a SQLite file without write access. It must have the current format. */
  readonly readonly?: boolean;
}

export function openStore(location: string, options: OpenStoreOptions): Store {
  if (isPostgresUrl(location)) return openPostgres(location, options);
  const onMigration = (from: number, to: number) =>
    console.error(
      `Migrating ${location} from format ${from} to ${to}, once; it takes about a minute for a million records.`,
    );
  return openSqlite(location, { ...options, onMigration });
}
