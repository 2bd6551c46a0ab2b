/** Statements of tests, each call on a connection of its own. */
import { SQL } from "bun";

export async function runStatements(url: string, ...statements: readonly string[]): Promise<void> {
  const sql = new SQL(url, { max: 1 });
  try {
    for (const statement of statements) await sql.unsafe(statement);
  } finally {
    await sql.close({ timeout: 0 });
  }
}

/** Returns the first column of the first row. */
export async function queryValue(url: string, query: string): Promise<unknown> {
  const sql = new SQL(url, { max: 1 });
  try {
    const [row] = await sql.unsafe<unknown[][]>(query).values();
    return row?.[0];
  } finally {
    await sql.close({ timeout: 0 });
  }
}

/** Returns the URL of a database on the same server, optionally for another user. */
export function databaseUrl(
  server: string,
  database: string,
  user?: { name: string; password: string },
): string {
  const url = new URL(server);
  url.pathname = `/${database}`;
  if (user) [url.username, url.password] = [user.name, user.password];
  return String(url);
}
