import { migratePostgres } from "../stores/postgres/store.ts";
import { openSqlite } from "../stores/sqlite/store.ts";
import { parse } from "./terminal/arguments.ts";
import { EXIT } from "./terminal/usage.ts";
import { isServer, whereOf } from "./config/store-location.ts";

/** `colophon migrate`: makes the place for a catalog, or brings it to this program's format. */
export async function migrate(args: readonly string[]): Promise<number> {
  const { options } = parse(args, { db: { type: "string" } }, 0);
  const where = whereOf(options.db);
  if (!isServer(where)) {
    // A file is brought up to date whenever it is opened for writing.
    await openSqlite(where, { create: true }).close();
    console.log("The catalog is up to date.");
    return EXIT.applied;
  }
  const { from, to } = await migratePostgres(where);
  console.log(from === to ? "The catalog is up to date." : `The catalog went from format ${from} to ${to}.`);
  return EXIT.applied;
}
