/** A watcher that is killed at any moment neither loses a feed nor takes it twice. */
import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { mkdirSync, readdirSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { feedXml } from "../../src/ingest/watch/testing/feeds.ts";
import { randomBelow } from "../../src/lib/testing/random.ts";
import { numberedIsbn } from "../during-tests.ts";
import { COMMAND, colophon, temporaryFolder } from "../process.ts";
import { repetitions, reportFault } from "./fault-report.ts";

const folder = temporaryFolder();

const feeds = join(folder, "feeds");
const db = join(folder, "catalog.db");
/** Every fifth feed is refused. */
const isRefused = (number: number) => number % 5 === 4;

/** Puts a feed of one of three senders, which has a book of its own, into place. */
function putFeed(number: number): void {
  const sent = `20240101T${String(number)
    .padStart(6, "0")
    .replace(/(..)(..)(..)/, "$1$2$3")}Z`;
  const own = feedXml({
    sender: `S${number % 3}`,
    sent,
    isbn: numberedIsbn(number),
    title: `Feed ${number}`,
  });
  const path = join(feeds, `.feed-${number}.xml`);
  writeFileSync(path, isRefused(number) ? own.replace("</ONIXMessage>", "") : own);
  renameSync(path, join(feeds, `feed-${number}.xml`));
}

/** Returns the names of the feeds that the catalog has applied, one for each import. */
function appliedFeeds(): string[] {
  const catalog = new Database(db);
  try {
    const rows = catalog
      .query<{ name: string }, []>(
        "SELECT name FROM import_feed JOIN import_run ON import_run.number = import_number WHERE outcome <> 'failed'",
      )
      .all();
    return rows.map(({ name }) => name).sort();
  } finally {
    catalog.close();
  }
}

test("kill -9 of a watcher at random moments: each feed is applied once, and moved with its report", async () => {
  const rounds = repetitions(6, 60);
  const random = randomBelow(23);
  mkdirSync(feeds);
  expect((await colophon(["init", "--db", db])).code).toBe(0);
  let count = 0;
  let killed = 0;
  for (let round = 0; round < rounds; round++) {
    for (let arriving = 0; arriving < 6; arriving++) putFeed(count++);
    const child = Bun.spawn([COMMAND, "watch", feeds, "--db", db, "--settle", "0"], {
      stdout: "ignore",
      stderr: "ignore",
    });
    // The start of the process takes the first part. Afterwards each feed takes some milliseconds.
    await Bun.sleep(150 + random(400));
    child.kill("SIGKILL");
    await child.exited;
    killed += readdirSync(feeds).some((name) => name.startsWith("feed-")) ? 1 : 0;
  }
  const { code } = await colophon(["watch", feeds, "--db", db, "--once", "--settle", "0"]);
  expect([0, 1]).toContain(code);
  const names = Array.from({ length: count }, (_, number) => `feed-${number}.xml`);
  const withReports = (all: string[]) => all.flatMap((name) => [name, `${name}.report.json`]).sort();
  const [done, refused] = [
    names.filter((_, number) => !isRefused(number)),
    names.filter((_, number) => isRefused(number)),
  ];
  expect(readdirSync(feeds).sort()).toEqual([".colophon-watch", "done", "refused"]);
  expect(readdirSync(join(feeds, "done")).sort()).toEqual(withReports(done));
  expect(readdirSync(join(feeds, "refused")).sort()).toEqual(withReports(refused));
  expect(appliedFeeds()).toEqual(done.sort());
  expect(killed).toBeGreaterThan(0);
  reportFault({
    fault: "kill -9 of a watcher of a folder at a random moment",
    tried: rounds,
    lost: "nothing",
    checked: `${count} feeds arrived: each was imported once and moved with its report, ${refused.length} to refused; ${killed} watchers were killed with feeds left`,
  });
});
