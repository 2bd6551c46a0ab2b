/** What a client of the API sees of a database that goes away, and comes again. */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { type PostgresServer, startServer } from "../../src/stores/postgres/testing/server.ts";
import { queryValue } from "../../src/stores/postgres/testing/sql.ts";
import { colophon, type ServeProcess, startColophon } from "../process.ts";
import { ISBN, LAST_OF_LONG, longFeed, SECRET } from "./feeds.ts";
import { isComplete, readSlowly } from "./slow-reader.ts";

setDefaultTimeout(60_000);

/** Two seconds are promised; a busy machine may take a moment longer to tell. */
const SOON = 3000;

let server: PostgresServer;
let service: ServeProcess;
let token: string;

beforeAll(async () => {
  server = await startServer();
  const db = ["--db", server.url];
  expect((await colophon(["import", ...db, "-"], { stdin: longFeed(), env: SECRET })).code).toBe(0);
  token = (await colophon(["token", "--name", "Shop", ...db], { env: SECRET })).stdout.trim();
  service = await startColophon([...db, "--admin-port", "0"], SECRET);
});

afterAll(async () => {
  await service.stop();
  await server[Symbol.asyncDispose]();
});

async function ask(path: string, bearer = token): Promise<Response & { readonly took: number }> {
  const start = performance.now();
  const response = await fetch(service.url + path, { headers: { Authorization: `Bearer ${bearer}` } });
  return Object.assign(response, { took: performance.now() - start });
}

async function isUnavailable(path: string): Promise<void> {
  const { status, headers, took } = await ask(path);
  expect([path, status]).toEqual([path, 503]);
  expect(Number(headers.get("retry-after"))).toBeGreaterThan(0);
  expect(took).toBeLessThan(SOON);
}

/** What a load balancer asks. */
async function ready(): Promise<number> {
  const admin = /http:\S+(?=\/metrics)/.exec(service.stdout)![0];
  return (await fetch(`${admin}/readyz`)).status;
}

const PATHS = [
  `/api/isbn/${ISBN}`,
  `/api/isbns/${ISBN}`,
  "/api/imprint/sello",
  "/api/imprints",
  "/api/skus",
  "/api/news",
];

async function answersAgain(): Promise<void> {
  while ((await ask(PATHS[0]!)).status !== 200) await Bun.sleep(50);
  for (const path of PATHS) {
    const reply = await ask(path);
    expect([path, reply.status]).toEqual([path, 200]);
    await reply.bytes();
  }
  expect(await ready()).toBe(200);
}

test("a request with a bad token takes no connection; many good ones share a few", async () => {
  const connections = () =>
    queryValue(server.url, "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'colophon'");
  const before = await connections();
  const forged = `${token.slice(0, -4)}AAAA`;
  const refused = await Promise.all(Array.from({ length: 100 }, () => ask(PATHS[0]!, forged)));
  expect(refused.every(({ status }) => status === 401)).toBe(true);
  // Fewer when a command that ran before has only now been let go by the server.
  expect(Number(await connections())).toBeLessThanOrEqual(Number(before));
  const replies = await Promise.all(Array.from({ length: 300 }, (_, at) => ask(PATHS[at % 2 ? 0 : 2]!)));
  expect(replies.every(({ status }) => status === 200)).toBe(true);
  // Four for questions, and four for the one state that all lists are read from; a command that ran before may take
  // a moment to be let go by the server.
  while (Number(await connections()) > 8) await Bun.sleep(20);
  await Promise.all(replies.map((reply) => reply.bytes()));
});

describe("a database that dies", () => {
  test("in the middle of a list: the list breaks off on the wire", async () => {
    const text = await readSlowly(service.url, token, () => server.kill());
    expect(text).toStartWith("HTTP/1.1 200");
    expect(isComplete(text)).toBe(false);
    expect(text).not.toContain(LAST_OF_LONG);
  });

  test("503 with Retry-After, soon, whatever is asked", async () => {
    for (const path of PATHS) await isUnavailable(path);
    expect(await ready()).toBe(503);
  });

  test("what needs no database is served; a bad token is told so at once", async () => {
    expect((await ask("/openapi.json")).status).toBe(200);
    const bad = await ask(PATHS[0]!, "a.b.c");
    expect(bad.status).toBe(401);
    expect((await ask("/api/nothing")).status).toBe(404);
  });

  test("when it is back, so is the service, without a restart", async () => {
    await server.start();
    await answersAgain();
  });
});

describe("a database that is there and does not answer", () => {
  test("503 with Retry-After, soon, also for many at once", async () => {
    await server.suspend();
    await Promise.all(PATHS.map(isUnavailable));
    await Promise.all(Array.from({ length: 100 }, () => isUnavailable(PATHS[0]!)));
    expect(await ready()).toBe(503);
  });

  test("when it answers again, so does the service", async () => {
    await server.resume();
    await answersAgain();
  });
});

test("a session that the server ends in the middle of a list, as a standby must at times, breaks it off", async () => {
  const end = `SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity
    WHERE xact_start IS NOT NULL AND backend_type = 'client backend' AND pid <> pg_backend_pid()`;
  let ended: unknown;
  const text = await readSlowly(service.url, token, async () => {
    ended = await queryValue(server.url, end);
  });
  expect(Number(ended)).toBeGreaterThan(0);
  expect(text).toStartWith("HTTP/1.1 200");
  expect(isComplete(text)).toBe(false);
  await answersAgain();
});
