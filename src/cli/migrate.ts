import { migratePostgres } from "../stores/postgres/store.ts";
import { openSqlite } from "../stores/sqlite/store.ts";
import { isPostgresUrl, resolveStoreLocation } from "./config/store-location.ts";
import { EXIT, parseArguments } from "./terminal/arguments.ts";

/** `colophon migrate`: creates the store, or updates it to the format of this version. */
export async function migrateCommand(args: readonly string[]): Promise<number> {
  const { options } = parseArguments(args, { db: { type: "string" } }, 0);
  const location = resolveStoreLocation(options.db);
  const { from, to } = isPostgresUrl(location)
    ? await migratePostgres(location)
    : await migrateSqlite(location);
  console.log(
    from === to ? "The catalog is up to date." : `The catalog was migrated from format ${from} to ${to}.`,
  );
  return EXIT.ok;
}

/** A file is migrated whenever it is opened for writing. */
async function migrateSqlite(path: string): Promise<{ from: number; to: number }> {
  let result = { from: 0, to: 0 };
  const onMigration = (from: number, to: number) => {
    result = { from, to };
  };
  await openSqlite(path, { create: true, onMigration }).close();
  return result;
}
