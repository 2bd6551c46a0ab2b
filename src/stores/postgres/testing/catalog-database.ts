/**
 * Databases with an empty catalog. The tables are created once per process, in a template that is copied: creating them takes
 * several times as long as a copy. `migrate.test.ts` and the tests of the program migrate databases of their own.
 */
import { SQL } from "bun";
import { migratePostgres } from "../store.ts";
import { createDatabase, isServerGiven, type TestDatabase } from "./database.ts";
import { END_OTHER_SESSIONS, RESTORE_INITIAL_ROWS, SAVE_INITIAL_ROWS, SCHEMA_DIGEST } from "./reset.ts";

let template: Promise<TestDatabase> | undefined;

async function createMigrated(): Promise<TestDatabase> {
  const database = await createDatabase();
  await migratePostgres(database.url);
  return database;
}

/** Creates a database with an empty catalog. */
export async function createCatalogDatabase(): Promise<TestDatabase> {
  // A server that is not ours would keep the template.
  if (isServerGiven()) return await createMigrated();
  template ??= createMigrated();
  return await createDatabase({ template: (await template).name });
}

interface ResettableDatabase extends TestDatabase {
  /** Stays connected, which halves the time of a reset. */
  readonly session: SQL;
  readonly schemaDigest: string;
}

/** Databases to be used again: emptying one takes a fraction of the time of a copy. */
const emptied: ResettableDatabase[] = [];

/** Like `createCatalogDatabase`, but may return an emptied one. The caller must leave nothing outside the catalog. */
export async function borrowCatalogDatabase(): Promise<TestDatabase> {
  if (isServerGiven()) return await createMigrated();
  const database = emptied.pop() ?? (await createResettable());
  return { name: database.name, url: database.url, [Symbol.asyncDispose]: () => giveBack(database) };
}

async function createResettable(): Promise<ResettableDatabase> {
  const database = await createCatalogDatabase();
  const session = new SQL(database.url, { max: 1, idleTimeout: 0 });
  await session.unsafe(SAVE_INITIAL_ROWS);
  return { ...database, session, schemaDigest: await digest(session) };
}

async function giveBack(database: ResettableDatabase): Promise<void> {
  const { session, schemaDigest } = database;
  await session.unsafe(END_OTHER_SESSIONS);
  if ((await digest(session)) === schemaDigest) {
    await session.unsafe(RESTORE_INITIAL_ROWS);
    emptied.push(database);
  } else {
    // A test has changed the schema.
    await session.close({ timeout: 0 });
    await database[Symbol.asyncDispose]();
  }
}

async function digest(session: SQL): Promise<string> {
  const [row] = await session.unsafe<[{ digest: string }]>(SCHEMA_DIGEST);
  return row.digest;
}
