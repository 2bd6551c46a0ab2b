/**
 * Keeps a catalog of the current format as a fixture, for SQLite and for PostgreSQL: `npx bun scripts/format-fixture.ts`.
 * The tests of migrations open every fixture. Run it once when a migration is added; an existing fixture is not replaced.
 *
 * PostgreSQL needs the server and `pg_dump` of Debian's package `postgresql`. A program of another version can be named
 * as the first argument.
 */
import { Database } from "bun:sqlite";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { debianPrograms, startServer } from "../src/stores/postgres/testing/server.ts";
import { queryValue } from "../src/stores/postgres/testing/sql.ts";

const ROOT = join(import.meta.dir, "..");
const SQLITE = join(ROOT, "src/stores/sqlite/testing/old-formats");
const POSTGRES = join(ROOT, "src/stores/postgres/testing/old-versions");
const program = process.argv[2] ?? join(ROOT, "bin/colophon");
const folder = mkdtempSync(join(tmpdir(), "colophon-fixture-"));

try {
  const feed = join(folder, "feed.xml");
  writeFileSync(feed, booksOfFirstFixture());
  keepSqlite(feed);
  await keepPostgres(feed);
} finally {
  rmSync(folder, { recursive: true });
}

/** Returns the three books of all fixtures as a feed. */
function booksOfFirstFixture(): string {
  const first = join(folder, "first.db");
  writeFileSync(first, Bun.gunzipSync(readFileSync(join(SQLITE, "format-10.db.gz"))));
  return run(join(ROOT, "bin/colophon"), "export", "--db", first, "--format", "onix");
}

function keepSqlite(feed: string): void {
  const db = join(folder, "catalog.db");
  run(program, "import", "--db", db, feed);
  const copy = join(folder, "copy.db");
  run(program, "backup", copy, "--db", db);
  using opened = new Database(copy, { readonly: true });
  const { user_version: format } = opened.prepare<{ user_version: number }, []>("PRAGMA user_version").get()!;
  keep(join(SQLITE, `format-${format}.db.gz`), readFileSync(copy));
}

async function keepPostgres(feed: string): Promise<void> {
  const programs = debianPrograms();
  if (programs === undefined) throw new Error("install Debian's package postgresql, which has pg_dump");
  await using server = await startServer({}, programs);
  run(program, "import", "--db", server.url, feed);
  const version = await queryValue(server.url, "SELECT max(version) FROM colophon.migration");
  const options = ["--schema=colophon", "--no-owner", "--no-privileges", "--inserts"];
  const dump = run(join(programs, "pg_dump"), ...options, server.url);
  // Lines with a backslash are commands of psql.
  const statements = dump.replace(/^(\\|--).*\n/gm, "").replace(/\n{2,}/g, "\n");
  mkdirSync(POSTGRES, { recursive: true });
  keep(join(POSTGRES, `version-${version}.sql.gz`), Buffer.from(statements));
}

function keep(path: string, bytes: Uint8Array<ArrayBuffer>): void {
  const isKept = existsSync(path);
  if (!isKept) writeFileSync(path, Bun.gzipSync(bytes, { level: 9 }));
  console.log(`${path} ${isKept ? "exists and stays as it is" : "written"}.`);
}

function run(...command: string[]): string {
  const { exitCode, stdout, stderr } = Bun.spawnSync(command);
  if (exitCode !== 0) throw new Error(`${command[0]} ${command[1]}: ${stderr}`);
  return stdout.toString();
}
