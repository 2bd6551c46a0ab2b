import { migratePostgres } from "../stores/postgres/store.ts";
import { openSqlite } from "../stores/sqlite/store.ts";
import { isPostgresUrl, resolveStoreLocation } from "./config/store-location.ts";
import { EXIT } from "./exit.ts";
import { parseArguments } from "./terminal/arguments.ts";

/** `colophon migrate`: creates the store, or updates it to the format of this version. */
export async function migrateCommand(args: readonly string[]): Promise<number> {
  const { options } = parseArguments(args, { db: { type: "string" } }, 0);
  const location = resolveStoreLocation(options.db);
  if (!isPostgresUrl(location)) {
    // SQLite is migrated whenever the file is opened for writing.
    await openSqlite(location, { create: true }).close();
    console.log("The catalog is up to date.");
    return EXIT.ok;
  }
  const { from, to } = await migratePostgres(location);
  console.log(
    from === to ? "The catalog is up to date." : `The catalog was migrated from format ${from} to ${to}.`,
  );
  return EXIT.ok;
}
