/** A primary, a standby that follows it, and `colophon serve` on the standby: from the first feed to the failover. */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { decodeJwt } from "jose";
import { message, product } from "../../src/onix/testing/message.ts";
import { type PostgresServer, startServer, startStandby } from "../../src/stores/postgres/testing/server.ts";
import { queryValue, runStatements } from "../../src/stores/postgres/testing/sql.ts";
import { type CommandResult, colophon, type ServeProcess, startColophon } from "../process.ts";
import { ISBN, LAST_OF_LONG, longFeed, OTHER, SECRET } from "./feeds.ts";
import { isComplete, readSlowly } from "./slow-reader.ts";

setDefaultTimeout(60_000);

const SYNCHRONOUS = "9788437600017";

let primary: PostgresServer;
let standby: PostgresServer;
let service: ServeProcess;
let token: string;

beforeAll(async () => {
  primary = await startServer();
  expect((await load(primary, longFeed())).code).toBe(0);
  token = await issue();
  // A reader may be in the way of what the primary has cleared away: the standby waits this long for it, not 30 s.
  standby = await startStandby(primary, { max_standby_streaming_delay: "100ms" });
  service = await startColophon(["--db", standby.url], SECRET);
});

afterAll(async () => {
  await service.stop();
  for (const server of [primary, standby]) await server[Symbol.asyncDispose]();
});

const load = (server: PostgresServer, feed: string) =>
  colophon(["import", "--db", server.url, "-"], { stdin: feed, env: SECRET });

async function issue(): Promise<string> {
  return (await colophon(["token", "--name", "Shop", "--db", primary.url], { env: SECRET })).stdout.trim();
}

async function status(path: string, bearer = token): Promise<number> {
  const response = await fetch(service.url + path, { headers: { Authorization: `Bearer ${bearer}` } });
  await response.bytes();
  return response.status;
}

/** Waits until the standby has applied what the primary has written so far. */
async function caughtUp(): Promise<void> {
  const written = await queryValue(primary.url, "SELECT pg_current_wal_lsn()");
  while (!(await queryValue(standby.url, `SELECT pg_last_wal_replay_lsn() >= '${written}'`)))
    await Bun.sleep(10);
}

test("what was imported on the primary is read on the standby, list and all", async () => {
  expect(await queryValue(standby.url, "SELECT pg_is_in_recovery()")).toBe(true);
  expect(await status(`/api/isbn/${ISBN}`)).toBe(200);
  const whole = await readSlowly(service.url, token, async () => {});
  expect(isComplete(whole)).toBe(true);
  expect(whole).toContain(LAST_OF_LONG);
});

test("a further import on the primary is seen on the standby", async () => {
  expect(await status(`/api/isbn/${OTHER}`)).toBe(404);
  expect((await load(primary, message(product({ isbn: OTHER, title: "Second" })))).code).toBe(0);
  await caughtUp();
  expect(await status(`/api/isbn/${OTHER}`)).toBe(200);
});

test("a token that is revoked on the primary is refused on the standby", async () => {
  const lost = await issue();
  await caughtUp();
  expect(await status(`/api/isbn/${ISBN}`, lost)).toBe(200);
  const id = decodeJwt(lost).jti!;
  expect((await colophon(["token", "revoke", id, "--db", primary.url], { env: SECRET })).code).toBe(0);
  await caughtUp();
  expect(await status(`/api/isbn/${ISBN}`, lost)).toBe(401);
});

test("a standby that is synchronous shows an import, and a revocation, from the moment it has ended", async () => {
  const lost = await issue();
  await runStatements(
    primary.url,
    "ALTER SYSTEM SET synchronous_standby_names = '*'",
    "SELECT pg_reload_conf()",
  );
  while ((await queryValue(primary.url, "SELECT sync_state FROM pg_stat_replication")) !== "sync")
    await Bun.sleep(10);
  const steps: [() => Promise<CommandResult>, string, string, number][] = [
    [() => load(primary, message(product({ isbn: SYNCHRONOUS }))), `/api/isbn/${SYNCHRONOUS}`, token, 200],
    [
      () => colophon(["token", "revoke", decodeJwt(lost).jti!, "--db", primary.url], { env: SECRET }),
      `/api/isbn/${ISBN}`,
      lost,
      401,
    ],
  ];
  for (const [step, path, bearer, expected] of steps) {
    await runStatements(standby.url, "SELECT pg_wal_replay_pause()");
    expect(await status(path, bearer)).not.toBe(expected);
    const ended = step();
    const waits = "SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'SyncRep'";
    while ((await queryValue(primary.url, waits)) === "0") await Bun.sleep(10);
    await runStatements(standby.url, "SELECT pg_wal_replay_resume()");
    expect((await ended).code).toBe(0);
    expect(await status(path, bearer)).toBe(expected);
  }
  await runStatements(primary.url, "ALTER SYSTEM RESET synchronous_standby_names", "SELECT pg_reload_conf()");
});

test("an import into the standby is refused, and the primary asked for", async () => {
  const { code, stderr } = await load(standby, message(product({ isbn: OTHER })));
  expect(code).toBe(1);
  expect(stderr).toContain("name the primary");
  expect(stderr.trim().split("\n")).toHaveLength(1);
});

test("a list that stands in the way of the standby breaks off, and never looks complete", async () => {
  let isBroken = false;
  // A list may have been sent before it is in the way: then it is complete, and another is asked for.
  for (let tries = 0; tries < 5 && !isBroken; tries++) {
    const text = await readSlowly(service.url, token, async () => {
      // Every record anew; the old ones are cleared away, and the standby must follow.
      await runStatements(
        primary.url,
        "UPDATE colophon.record SET origin = origin",
        "VACUUM colophon.record",
      );
      await caughtUp();
    });
    expect(text).toStartWith("HTTP/1.1 200");
    isBroken = !isComplete(text);
    if (!isBroken) expect(text).toContain(`"RecordReference":"${LAST_OF_LONG}"`);
  }
  expect(isBroken).toBe(true);
  expect(await status("/api/imprint/sello")).toBe(200);
});

test("the primary dies: the standby is read as before", async () => {
  await primary.kill();
  expect(await status(`/api/isbn/${OTHER}`)).toBe(200);
  expect(await status("/api/imprints")).toBe(200);
  const { code, stderr } = await load(primary, message(product({ isbn: OTHER })));
  expect(code).toBe(1);
  expect(stderr).toContain("does not respond");
});

test("the standby is promoted, and takes the next import; the service sees it without a restart", async () => {
  expect(await queryValue(standby.url, "SELECT pg_promote()")).toBe(true);
  const third = "9788420412146";
  expect((await load(standby, message(product({ isbn: third })))).code).toBe(0);
  expect(await status(`/api/isbn/${third}`)).toBe(200);
  expect(await status(`/api/isbn/${OTHER}`)).toBe(200);
});
