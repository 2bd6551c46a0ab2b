/** A primary, a streaming standby, and `colophon serve` on the standby: from the first import to the failover. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { decodeJwt } from "jose";
import { waitFor } from "../../src/lib/testing/wait-for.ts";
import { message, product } from "../../src/onix/testing/message.ts";
import { type PostgresServer, startServer, startStandby } from "../../src/stores/postgres/testing/server.ts";
import { queryValue, runStatements } from "../../src/stores/postgres/testing/sql.ts";
import {
  type CommandResult,
  colophon,
  fetchAs,
  SECRET,
  type ServeProcess,
  startColophon,
} from "../process.ts";
import { ISBN, isComplete, LAST_OF_LONG_LIST, longFeed, OTHER, readSlowly } from "./feeds.ts";

const SYNCHRONOUS = "9788437600017";

let primary: PostgresServer;
let standby: PostgresServer;
let colophonServer: ServeProcess;
let token: string;

beforeAll(async () => {
  primary = await startServer();
  expect((await importFeed(primary, longFeed())).code).toBe(0);
  token = await issueToken();
  // When a reader conflicts with replication, the standby waits this long before it ends the reader (default: 30 s).
  standby = await startStandby(primary, { max_standby_streaming_delay: "100ms" });
  colophonServer = await startColophon(["--db", standby.url], SECRET);
});

afterAll(async () => {
  await colophonServer.stop();
  for (const server of [primary, standby]) await server[Symbol.asyncDispose]();
});

const importFeed = (server: PostgresServer, feed: string) =>
  colophon(["import", "--db", server.url, "-"], { stdin: feed, env: SECRET });

async function issueToken(): Promise<string> {
  return (await colophon(["token", "--name", "Shop", "--db", primary.url], { env: SECRET })).stdout.trim();
}

async function status(path: string, bearer = token): Promise<number> {
  const response = await fetchAs(bearer, colophonServer.url + path);
  await response.bytes();
  return response.status;
}

/** Waits until the standby has applied what the primary has written so far. */
async function waitForReplication(): Promise<void> {
  const written = await queryValue(primary.url, "SELECT pg_current_wal_lsn()");
  const isApplied = `SELECT pg_last_wal_replay_lsn() >= '${written}'`;
  await waitFor(`the standby applies ${written}`, async () =>
    Boolean(await queryValue(standby.url, isApplied)),
  );
}

test("the standby serves records and lists that were imported on the primary", async () => {
  expect(await queryValue(standby.url, "SELECT pg_is_in_recovery()")).toBe(true);
  expect(await status(`/api/isbn/${ISBN}`)).toBe(200);
  const response = await readSlowly(colophonServer.url, token, async () => {});
  expect(isComplete(response)).toBe(true);
  expect(response).toContain(LAST_OF_LONG_LIST);
});

test("the standby serves a further import on the primary", async () => {
  expect(await status(`/api/isbn/${OTHER}`)).toBe(404);
  expect((await importFeed(primary, message(product({ isbn: OTHER, title: "Second" })))).code).toBe(0);
  await waitForReplication();
  expect(await status(`/api/isbn/${OTHER}`)).toBe(200);
  const found = await fetchAs(token, `${colophonServer.url}/api/search?q=second`);
  expect(await found.text()).toContain(OTHER);
  expect(await status("/api/facets?q=second")).toBe(200);
});

test("the standby rejects a token that is revoked on the primary", async () => {
  const revoked = await issueToken();
  await waitForReplication();
  expect(await status(`/api/isbn/${ISBN}`, revoked)).toBe(200);
  const id = decodeJwt(revoked).jti!;
  expect((await colophon(["token", "revoke", id, "--db", primary.url], { env: SECRET })).code).toBe(0);
  await waitForReplication();
  expect(await status(`/api/isbn/${ISBN}`, revoked)).toBe(401);
});

test("a synchronous standby shows an import and a revocation as soon as the command has ended", async () => {
  const revoked = await issueToken();
  await runStatements(
    primary.url,
    "ALTER SYSTEM SET synchronous_standby_names = '*'",
    "SELECT pg_reload_conf()",
  );
  const syncState = "SELECT sync_state FROM pg_stat_replication";
  await waitFor(
    "the standby is synchronous",
    async () => (await queryValue(primary.url, syncState)) === "sync",
  );
  const steps: [() => Promise<CommandResult>, string, string, number][] = [
    [
      () => importFeed(primary, message(product({ isbn: SYNCHRONOUS }))),
      `/api/isbn/${SYNCHRONOUS}`,
      token,
      200,
    ],
    [
      () => colophon(["token", "revoke", decodeJwt(revoked).jti!, "--db", primary.url], { env: SECRET }),
      `/api/isbn/${ISBN}`,
      revoked,
      401,
    ],
  ];
  for (const [step, path, bearer, expected] of steps) {
    await runStatements(standby.url, "SELECT pg_wal_replay_pause()");
    expect(await status(path, bearer)).not.toBe(expected);
    const command = step();
    const waiting = "SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'SyncRep'";
    await waitFor(
      "the command waits for the standby",
      async () => (await queryValue(primary.url, waiting)) !== "0",
    );
    await runStatements(standby.url, "SELECT pg_wal_replay_resume()");
    expect((await command).code).toBe(0);
    expect(await status(path, bearer)).toBe(expected);
  }
  await runStatements(primary.url, "ALTER SYSTEM RESET synchronous_standby_names", "SELECT pg_reload_conf()");
});

test("an import into the standby fails and names the primary", async () => {
  const { code, stderr } = await importFeed(standby, message(product({ isbn: OTHER })));
  expect(code).toBe(1);
  expect(stderr).toContain("name the primary");
  expect(stderr.trim().split("\n")).toHaveLength(1);
});

/** Rewrites every record and removes the old versions, which the standby must do too. */
async function rewriteRecords(...further: readonly string[]): Promise<void> {
  await runStatements(
    primary.url,
    "UPDATE colophon.record SET origin = origin",
    ...further,
    "VACUUM colophon.record",
  );
  await waitForReplication();
}

test("a list that conflicts with replication is complete when the catalog is still the same", async () => {
  const text = await readSlowly(colophonServer.url, token, () => rewriteRecords());
  expect(text).toStartWith("HTTP/1.1 200");
  expect(isComplete(text)).toBe(true);
  expect(text).toContain(`"RecordReference":"${LAST_OF_LONG_LIST}"`);
});

test("a list that conflicts with replication of an import is aborted and never looks complete", async () => {
  // As an import does when it changes a record.
  const nextGeneration = "UPDATE colophon.catalog SET generation = generation + 1";
  let isAborted = false;
  // A list that was sent before the conflict is complete. Then the test requests another one.
  for (let tries = 0; tries < 5 && !isAborted; tries++) {
    const text = await readSlowly(colophonServer.url, token, () => rewriteRecords(nextGeneration));
    expect(text).toStartWith("HTTP/1.1 200");
    isAborted = !isComplete(text);
    if (!isAborted) expect(text).toContain(`"RecordReference":"${LAST_OF_LONG_LIST}"`);
  }
  expect(isAborted).toBe(true);
  expect(await status("/api/imprint/sello")).toBe(200);
});

test("the standby is served after the primary is killed", async () => {
  await primary.kill();
  expect(await status(`/api/isbn/${OTHER}`)).toBe(200);
  expect(await status("/api/imprints")).toBe(200);
  const { code, stderr } = await importFeed(primary, message(product({ isbn: OTHER })));
  expect(code).toBe(1);
  expect(stderr).toContain("does not respond");
});

test("a promoted standby accepts the next import, and the server shows it without a restart", async () => {
  expect(await queryValue(standby.url, "SELECT pg_promote()")).toBe(true);
  const third = "9788420412146";
  expect((await importFeed(standby, message(product({ isbn: third })))).code).toBe(0);
  expect(await status(`/api/isbn/${third}`)).toBe(200);
  expect(await status(`/api/isbn/${OTHER}`)).toBe(200);
});
