/** A mirror that follows /api/changes is killed again and again, and ends with the bytes of the catalog. */
import { expect, test } from "bun:test";
import { copyFileSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { waitFor } from "../../src/lib/testing/wait-for.ts";
import { message, product } from "../../src/onix/testing/message.ts";
import { isPostgresLeftOut } from "../../src/stores/postgres/testing/database.ts";
import { type PostgresServer, startServer, startStandby } from "../../src/stores/postgres/testing/server.ts";
import { queryValue, runStatements } from "../../src/stores/postgres/testing/sql.ts";
import { numberedIsbn } from "../during-tests.ts";
import { Mirror, type Service } from "../mirror-process.ts";
import { colophon, fetchAs, SECRET, startColophon, temporaryFolder } from "../process.ts";
import { repetitions, reportFault } from "./fault-report.ts";

const BOOK_COUNT = 60;

const randomBelow = (limit: number) => Math.floor(Math.random() * limit);
const randomNumbers = (count: number) => Array.from({ length: count }, () => randomBelow(BOOK_COUNT));

let version = 0;
const book = (number: number) => product({ isbn: numberedIsbn(number), title: `Title ${++version} ”\\ñ` });
const deletion = (number: number) => product({ isbn: numberedIsbn(number), notification: "05", blocks: "" });
/** Replaces one block, and leaves the others. */
const update = (number: number) =>
  product({
    isbn: numberedIsbn(number),
    notification: "04",
    blocks: `<PublishingDetail><Imprint><ImprintName>Sello ${++version}</ImprintName></Imprint></PublishingDetail>`,
  });
const feedOf = (make: (number: number) => string, numbers: Iterable<number>) =>
  message(...[...new Set(numbers)].map(make));

const allNumbers = [...Array(BOOK_COUNT).keys()];

/** The imports of a round, in random order and with random books. */
const IMPORTS: readonly ((db: string) => Promise<void>)[] = [
  (db) => importFeed(db, feedOf(book, randomNumbers(20))),
  (db) => importFeed(db, feedOf(update, randomNumbers(10))),
  (db) => importFeed(db, feedOf(deletion, randomNumbers(15))),
  // Removes every third book that is there.
  (db) =>
    importFeed(
      db,
      feedOf(
        book,
        allNumbers.filter((number) => number % 3 !== 0),
      ),
      "--replace",
      "--allow-removals",
    ),
];

async function importFeed(db: string, feed: string, ...options: string[]): Promise<void> {
  const { code, stderr } = await colophon(["import", "--db", db, ...options, "-"], {
    stdin: feed,
    env: SECRET,
  });
  // 3: an update of a book that is not there is rejected.
  if (code !== 0 && code !== 3) throw new Error(stderr);
}

const shuffled = <T>(items: readonly T[]) =>
  items
    .map((item) => ({ item, key: Math.random() }))
    .sort((a, b) => a.key - b.key)
    .map(({ item }) => item);

/** Runs some of the imports, and kills the mirror at random meanwhile. Returns the number of kills. */
async function disturb(mirror: Mirror, db: string, count: number): Promise<number> {
  let kills = 0;
  for (const runImport of shuffled(IMPORTS).slice(0, count)) {
    const imported = runImport(db);
    mirror.start();
    await mirror.killAfter(1 + randomBelow(4));
    kills++;
    await imported;
  }
  return kills;
}

async function tokenFor(db: string): Promise<string> {
  return (await colophon(["token", "--name", "Mirror", "--db", db], { env: SECRET })).stdout.trim();
}

test("a mirror of a file has the same bytes after kills, imports, and a restored backup", async () => {
  const folder = temporaryFolder();
  const db = join(folder, "catalog.db");
  const backup = join(folder, "backup.db");
  await importFeed(db, feedOf(book, allNumbers));
  const server = await startColophon(["--db", db, "--log", "errors"], SECRET);
  const mirror = new Mirror(join(folder, "mirror.db"), { url: server.url, token: await tokenFor(db) });
  const rounds = repetitions(1, 10);
  let [kills, restores] = [0, 0];
  try {
    for (let round = 0; round < rounds; round++) {
      kills += await disturb(mirror, db, IMPORTS.length);
      await mirror.waitUntilEqual();
      const copy = `${backup}.${round}`;
      expect((await colophon(["backup", copy, "--db", db], { env: SECRET })).code).toBe(0);
      await mirror.kill();
      // The mirror follows an import that the restored catalog has never had.
      await importFeed(db, feedOf(book, [1, 2, 3]));
      await mirror.waitUntilEqual();
      const { reloads } = mirror;
      copyFileSync(copy, `${copy}.next`);
      renameSync(`${copy}.next`, db);
      restores++;
      // Another import has the number of the lost one.
      if (round % 2 === 0) await importFeed(db, feedOf(book, [4]));
      await waitFor("the mirror loads anew", () => mirror.reloads > reloads);
      await mirror.waitUntilEqual();
      await mirror.kill();
    }
  } finally {
    await mirror.kill();
    expect(await server.stop()).toBe(0);
  }
  reportFault({
    fault: "A mirror that follows `/api/changes` is killed, and the catalog is restored from a backup",
    tried: kills + restores,
    lost: "0 books",
    checked: "every record of the mirror is the record of the service, byte by byte",
  });
});

test.skipIf(isPostgresLeftOut)(
  "a mirror of PostgreSQL has the same bytes after kills, imports, and a failover that loses imports (skipped without PostgreSQL)",
  async () => {
    const rounds = repetitions(1, 5);
    const imports = repetitions(2, IMPORTS.length);
    let [kills, failovers] = [0, 0];
    for (let round = 0; round < rounds; round++) {
      await using primary = await startServer();
      const folder = temporaryFolder();
      await importFeed(primary.url, feedOf(book, allNumbers));
      const token = await tokenFor(primary.url);
      await using standby = await startStandby(primary);
      const servers = [
        await startColophon(["--db", primary.url], SECRET),
        await startColophon(["--db", standby.url], SECRET),
      ] as const;
      const [before, after] = servers.map(({ url }): Service => ({ url, token })) as [Service, Service];
      const mirror = new Mirror(join(folder, "mirror.db"), before);
      try {
        kills += await disturb(mirror, primary.url, imports);
        await mirror.waitUntilEqual();
        await mirror.kill();
        await waitFor("the standby has the last import", async () => {
          const newest = "SELECT max(number) AS value FROM colophon.change_run";
          return (await queryValue(standby.url, newest)) === (await queryValue(primary.url, newest));
        });
        await detach(primary);
        await importFeed(primary.url, feedOf(book, [1, 2, 3]));
        kills += await disturb(mirror, primary.url, imports - 1);
        await mirror.waitUntilEqual();
        await mirror.kill();
        await expectBehind(mirror, after);
        await primary.kill();
        failovers++;
        expect(await queryValue(standby.url, "SELECT pg_promote() AS value")).toBe(true);
        mirror.moveTo(after);
        const { reloads } = mirror;
        // Other imports get the numbers of the lost ones.
        if (round % 2 === 0) kills += await disturb(mirror, standby.url, imports - 1);
        await mirror.waitUntilEqual();
        expect(mirror.reloads).toBeGreaterThan(reloads);
      } finally {
        await mirror.kill();
        for (const server of servers) await server.stop();
      }
    }
    reportFault({
      fault:
        "A mirror that follows `/api/changes` is killed, and PostgreSQL fails over to a standby without the last imports",
      tried: kills + failovers,
      lost: "0 books",
      checked: "every record of the mirror is the record of the service, byte by byte",
    });
  },
);

/** Ends the replication: the standby receives no import from here on, so that these are lost with the primary. */
async function detach(primary: PostgresServer): Promise<void> {
  const file = join(primary.folder, "data/pg_hba.conf");
  writeFileSync(file, `host replication all all reject\n${readFileSync(file, "utf8")}`);
  await runStatements(
    primary.url,
    "SELECT pg_reload_conf()",
    "SELECT pg_terminate_backend(pid) FROM pg_stat_replication",
  );
  const senders = "SELECT count(*)::integer AS value FROM pg_stat_replication";
  await waitFor("the standby is detached", async () => (await queryValue(primary.url, senders)) === 0);
}

/** A standby that is behind the cursor may still receive the import: 503, not 410. */
async function expectBehind(mirror: Mirror, { url, token }: Service): Promise<void> {
  const response = await fetchAs(token, `${url}/api/changes?since=${mirror.cursor}`);
  expect([response.status, response.headers.has("retry-after")]).toEqual([503, true]);
}
