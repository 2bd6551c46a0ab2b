/** The location of the catalog: a SQLite file or a PostgreSQL URL. */
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import type { Store } from "../../catalog/store.ts";
import type { WatchedStore } from "../../ingest/watch/feed-taker.ts";
import type { PostgresOptions } from "../../stores/postgres/store.ts";
import { openSqlite, type SqliteOptions } from "../../stores/sqlite/store.ts";
import { CommandError, programName, quoted, UsageError } from "../terminal/arguments.ts";
import { flag, option } from "../terminal/command.ts";

/** The option that every command on a catalog has. */
export const storeOptions = {
  storeLocation: option({
    name: "db",
    value: "STORE",
    default: "data/catalog.db",
    variable: true,
    parse: resolveStoreLocation,
  }),
};

export const createOption = flag({ help: "creates an empty catalog if there is none" });
export const newRegistryOption = flag({ help: "replaces a lost token registry by an empty one" });

/** Returns an absolute path or a URL. */
function resolveStoreLocation(location: string): string {
  if (location === "") throw new UsageError("--db needs a file, or a postgres:// URL");
  const scheme = /^([a-z][a-z0-9+.-]*):\/\//i.exec(location)?.[1];
  if (!isPostgresUrl(location) && scheme !== undefined) {
    throw new UsageError(`--db takes a file or a postgres:// URL, not ${scheme}://`);
  }
  if (!isPostgresUrl(location)) return resolve(location);
  // The message does not quote the URL, which may contain a password.
  if (!URL.canParse(location)) throw new UsageError("--db is not a valid postgres:// URL");
  return location;
}

export function isPostgresUrl(location: string): boolean {
  return /^postgres(ql)?:\/\//i.test(location);
}

/** Returns a command on this catalog that can be pasted. */
export function commandOn(location: string, command: string): string {
  return `${programName()} ${command}${dbOption(location)}`;
}

/** Returns the option for a command on this catalog. A URL, which may contain a password, is left out. */
export function dbOption(location: string): string {
  return isPostgresUrl(location) ? "" : ` --db ${quoted(location)}`;
}

/**
 * Throws when there is no catalog and none may be created: a mistyped path must not lead to an empty catalog. On
 * PostgreSQL, `create` creates the catalog, and a missing one is reported at the first query.
 */
export async function requireCatalog(location: string, create: boolean): Promise<void> {
  if (isPostgresUrl(location)) {
    if (create) await createCatalog(location);
  } else if (!create && !existsSync(location)) {
    throw new CommandError(
      `there is no catalog at ${location}: mount its volume, correct the path, or create an empty catalog with "colophon init"`,
    );
  }
}

/** Returns false, and changes nothing, when there is a catalog already. */
export async function createCatalog(location: string): Promise<boolean> {
  if (isPostgresUrl(location)) return (await loadPostgres()).createPostgres(location);
  if (existsSync(location)) return false;
  await openSqlite(location, { create: true }).close();
  return true;
}

/** The options of both engines: each ignores those of the other. */
interface OpenStoreOptions extends SqliteOptions, Pick<PostgresOptions, "onCommitFound"> {
  readonly create: boolean;
  /** True for `serve`, whose clients wait for a response: PostgreSQL has less time for a query then. */
  readonly isService?: boolean;
}

/** Loads the store on demand: its modules take memory that a service on a file does not need. */
const loadPostgres = () => import("../../stores/postgres/store.ts");

export async function openStore(location: string, options: OpenStoreOptions): Promise<Store> {
  // Tests of whole processes set them: on a busy machine, a search or a query can take longer than a client may wait.
  const timeoutMs = Number(process.env.COLOPHON_TEST_SEARCH_TIMEOUT_MS);
  const queryTimeoutMs = Number(process.env.COLOPHON_TEST_QUERY_TIMEOUT_MS);
  const all = {
    ...options,
    isCommand: !options.isService,
    ...(timeoutMs > 0 && { searchLimits: { timeoutMs } }),
    ...(queryTimeoutMs > 0 && { queryTimeoutMs }),
  };
  if (isPostgresUrl(location)) return (await loadPostgres()).openPostgres(location, all);
  return openSqlite(location, all);
}

/** Opens a store for many imports. Nobody looks on, so that none of them begins a catalog whose volume is lost. */
export async function openWatchedStore(location: string): Promise<WatchedStore> {
  await requireCatalog(location, false);
  return openStore(location, { create: false });
}

export function sayReadonly(note: string): void {
  console.error(`colophon: ${note}`);
}

/** The options of commands that only read. */
export const READING: OpenStoreOptions = { create: false, onReadonly: sayReadonly };

/** Opens the store for a task. */
export async function withStore<T>(
  location: string,
  options: OpenStoreOptions,
  task: (store: Store) => Promise<T>,
): Promise<T> {
  const store = await openStore(location, options);
  try {
    return await task(store);
  } finally {
    await store.close();
  }
}
