/** What a client of the API sees while PostgreSQL is killed, suspended and restarted. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { examplePaths } from "../../src/api/testing/example-paths.ts";
import { waitFor } from "../../src/lib/testing/wait-for.ts";
import { message, product } from "../../src/onix/testing/message.ts";
import { type PostgresServer, startServer } from "../../src/stores/postgres/testing/server.ts";
import { queryValue } from "../../src/stores/postgres/testing/sql.ts";
import { colophon, fetchAs, SECRET, type ServeProcess, startColophon } from "../process.ts";
import { ISBN, isComplete, LAST_OF_LONG_LIST, longFeed, OTHER, readSlowly } from "./feeds.ts";

/**
 * A query times out after 1.5 s. The bound is far below what a request would take that waits for the database (no end),
 * for a write timeout (60 s), or behind 100 other requests (150 s). What a busy machine takes for the same requests while
 * the database responds is added, many times.
 */
let maxPromptMs = 15_000;

let server: PostgresServer;
let colophonServer: ServeProcess;
let token: string;

beforeAll(async () => {
  server = await startServer();
  const db = ["--db", server.url];
  expect((await colophon(["import", ...db, "-"], { stdin: longFeed(), env: SECRET })).code).toBe(0);
  token = (await colophon(["token", "--name", "Shop", ...db], { env: SECRET })).stdout.trim();
  const env = { ...SECRET, COLOPHON_TEST_QUERY_TIMEOUT_MS: "" };
  colophonServer = await startColophon([...db, "--admin-port", "0"], env);
});

afterAll(async () => {
  await colophonServer.stop();
  await server[Symbol.asyncDispose]();
});

async function get(path: string, bearer = token): Promise<Response & { readonly elapsedMs: number }> {
  const start = performance.now();
  const response = await fetchAs(bearer, colophonServer.url + path);
  return Object.assign(response, { elapsedMs: performance.now() - start });
}

async function expectUnavailable(path: string): Promise<void> {
  const { status, headers, elapsedMs } = await get(path);
  expect([path, status]).toEqual([path, 503]);
  expect(Number(headers.get("retry-after"))).toBeGreaterThan(0);
  expect(elapsedMs).toBeLessThan(maxPromptMs);
}

/** Returns the status of the readiness probe. */
async function readiness(): Promise<number> {
  return (await fetch(`${colophonServer.adminUrl}/readyz`)).status;
}

/** The translations do not need the store. */
const PATHS = examplePaths(
  { isbn: ISBN, isbns: ISBN, imprint: "sello" },
  ({ id }) => id !== "getTranslations",
);

async function expectRecovery(): Promise<void> {
  await waitFor("the first 200 after the outage", async () => (await get(PATHS[0]!)).status === 200);
  for (const path of PATHS) {
    const response = await get(path);
    expect([path, response.status]).toEqual([path, 200]);
    await response.bytes();
  }
  expect(await readiness()).toBe(200);
}

test("requests with an invalid token use no connection, and many valid ones share a few", async () => {
  const connections = () =>
    queryValue(server.url, "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'colophon'");
  const before = await connections();
  const forged = `${token.slice(0, -4)}AAAA`;
  const rejected = await Promise.all(Array.from({ length: 100 }, () => get(PATHS[0]!, forged)));
  expect(rejected.every(({ status }) => status === 401)).toBe(true);
  // The server may only now close the connections of an earlier command, so there may be fewer.
  expect(Number(await connections())).toBeLessThanOrEqual(Number(before));
  const responses = await Promise.all(
    Array.from({ length: 300 }, (_, index) => get(PATHS[index % 2 ? 0 : 2]!)),
  );
  expect(responses.every(({ status }) => status === 200)).toBe(true);
  maxPromptMs += 20 * Math.max(...responses.map(({ elapsedMs }) => elapsedMs));
  // Four for lookups, and four for the snapshot that all lists share. Those of an earlier command close with a delay.
  await waitFor("at most 8 connections", async () => Number(await connections()) <= 8);
  await Promise.all(responses.map((response) => response.bytes()));
});

describe("a database that is killed", () => {
  test("aborts a list that is being sent", async () => {
    const text = await readSlowly(colophonServer.url, token, () => server.kill());
    expect(text).toStartWith("HTTP/1.1 200");
    expect(isComplete(text)).toBe(false);
    expect(text).not.toContain(LAST_OF_LONG_LIST);
  });

  test("leads to a prompt 503 with Retry-After on every path", async () => {
    for (const path of PATHS) await expectUnavailable(path);
    expect(await readiness()).toBe(503);
  });

  test("does not affect paths that need no database, nor the 401 for an invalid token", async () => {
    expect((await get("/openapi.json")).status).toBe(200);
    expect((await get(PATHS[0]!, "a.b.c")).status).toBe(401);
    expect((await get("/api/nothing")).status).toBe(404);
  });

  test("is used again after its restart, without a restart of the server", async () => {
    await server.start();
    await expectRecovery();
  });
});

describe("a database that does not respond", () => {
  test("leads to a prompt 503 with Retry-After, also for many requests at once", async () => {
    await server.suspend();
    await Promise.all(PATHS.map(expectUnavailable));
    await Promise.all(Array.from({ length: 100 }, () => expectUnavailable(PATHS[0]!)));
    expect(await readiness()).toBe(503);
  });

  test("is used again when it responds", async () => {
    await server.resume();
    await expectRecovery();
  });
});

/** Ends the sessions with an open transaction, as `idle_in_transaction_session_timeout` does. Returns their number. */
async function endTransactions(): Promise<number> {
  const end = `SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity
    WHERE xact_start IS NOT NULL AND backend_type = 'client backend' AND pid <> pg_backend_pid()`;
  return Number(await queryValue(server.url, end));
}

describe("a database that ends the session of a list", () => {
  test("does not abort the list while the catalog stays the same", async () => {
    let ended = 0;
    const text = await readSlowly(colophonServer.url, token, async () => {
      ended = await endTransactions();
    });
    expect(ended).toBeGreaterThan(0);
    expect(text).toStartWith("HTTP/1.1 200");
    expect(isComplete(text)).toBe(true);
    expect(text).toContain(`"RecordReference":"${LAST_OF_LONG_LIST}"`);
  });

  test("aborts the list when an import has changed the catalog", async () => {
    const feed = message(product({ isbn: OTHER, title: "Meanwhile" }));
    const text = await readSlowly(colophonServer.url, token, async () => {
      await endTransactions();
      const { code } = await colophon(["import", "--db", server.url, "-"], { stdin: feed, env: SECRET });
      expect(code).toBe(0);
    });
    expect(text).toStartWith("HTTP/1.1 200");
    expect(isComplete(text)).toBe(false);
    await expectRecovery();
  });
});

test("the log has the failures gathered, without a stack", async () => {
  expect(await colophonServer.stop()).toBe(0);
  const lines = (await colophonServer.stderr).split("\n").filter((line) => line.includes('"event":"failed"'));
  const failures = lines.map((line) => JSON.parse(line) as { error: string; count: number });
  const total = failures.reduce((sum, { count }) => sum + count, 0);
  expect(total).toBeGreaterThan(110);
  // An outage has a line when it begins, and one when it has ended.
  const ofOutages = failures.filter(({ error }) => error.includes("does not respond"));
  expect(ofOutages.length).toBeGreaterThan(0);
  expect(ofOutages.length).toBeLessThanOrEqual(4);
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThan(800);
  for (const { error } of failures) expect(error).not.toMatch(/\(at |undefined/);
});
