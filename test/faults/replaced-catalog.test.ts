/** A catalog file that is moved, deleted or replaced under a running server: old state, new state or 503, never a mix. */
import { Database } from "bun:sqlite";
import { beforeAll, beforeEach, expect, test } from "bun:test";
import { copyFileSync, readdirSync, renameSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { waitFor } from "../../src/lib/testing/wait-for.ts";
import { duringTests, numberedIsbn } from "../during-tests.ts";
import { colophon, type ServeProcess, startColophon } from "../process.ts";
import { repetitions, reportFault } from "./fault-report.ts";
import { BOOK_COUNT, createTwoStateCatalog, READER_PAUSE_MS } from "./two-state-catalog.ts";

const catalog = duringTests(createTwoStateCatalog);
beforeAll(async () => {
  for (const name of FILES) copyFileSync(catalog.db + name, pristine(0) + name);
  expect((await colophon(["import", "--db", catalog.db, catalog.feeds[1]])).code).toBe(0);
  copyFileSync(catalog.db, pristine(1));
});
beforeEach(() => {
  for (const name of readdirSync(catalog.folder)) {
    if (/^catalog\.db(?!\.secret)/.test(name)) rmSync(join(catalog.folder, name));
  }
  for (const name of FILES) copyFileSync(pristine(0) + name, catalog.db + name);
});

/** The suffixes of the two files of a catalog. */
const FILES = ["", ".tokens"] as const;

/** A closed catalog in one of the states. */
function pristine(state: 0 | 1): string {
  return join(catalog.folder, `state-${state}.db`);
}

/** Returns the path of a new catalog, which is to be moved elsewhere. */
function newCatalog(state: 0 | 1): string {
  const path = join(catalog.folder, "next.db");
  copyFileSync(pristine(state), path);
  return path;
}

function start(...args: string[]): Promise<ServeProcess> {
  return startColophon(["--db", catalog.db, "--log", "errors", "--admin-port", "0", ...args]);
}

interface Readiness {
  readonly status: number;
  readonly reason: string;
}

async function readiness(server: ServeProcess): Promise<Readiness> {
  const response = await fetch(`${server.adminUrl}/readyz`);
  return { status: response.status, reason: await response.text() };
}

/** Waits until every process of the server serves a state: twenty responses in a row, on new connections. */
async function waitUntilServed(server: ServeProcess, state: 0 | 1): Promise<void> {
  await waitFor(`state ${state} is served`, () =>
    holdsTwentyTimes(async () => {
      const { status, text } = await requestBook(server, catalog.token);
      return status === 200 && text.includes(`State ${state}`);
    }),
  );
  expect(await catalog.servedState(server.url)).toBe(state);
  await waitFor("the server is ready", async () => (await readiness(server)).status === 200);
}

/** Waits until every process responds with a status: twenty responses in a row, on new connections. */
async function waitForStatus(server: ServeProcess, status: number): Promise<void> {
  await waitFor(`every response is ${status}`, () =>
    holdsTwentyTimes(async () => (await statusOf(server, catalog.token)) === status),
  );
}

async function holdsTwentyTimes(holds: () => Promise<boolean>): Promise<boolean> {
  for (let time = 0; time < 20; time++) if (!(await holds())) return false;
  return true;
}

async function statusOf(server: ServeProcess, token: string): Promise<number> {
  return (await requestBook(server, token)).status;
}

async function requestBook(server: ServeProcess, token: string): Promise<{ status: number; text: string }> {
  const headers = { Authorization: `Bearer ${token}`, Connection: "close" };
  const response = await fetch(`${server.url}/api/isbn/${numberedIsbn(0)}`, { headers });
  return { status: response.status, text: await response.text() };
}

/** Sends requests until `stop`. Lists and records may be of either state, missing (503) or cut off. */
function startLoad(server: ServeProcess) {
  const counts = { responses: 0, unavailable: 0, cutOff: 0 };
  let isStopped = false;
  const client = async (index: number) => {
    for (let round = 0; !isStopped; round++) {
      const isbn = numberedIsbn((index * 997 + round * 31) % BOOK_COUNT);
      const path = index === 0 ? "/api/imprint/sello" : `/api/isbn/${isbn}`;
      await Bun.sleep(READER_PAUSE_MS);
      const response = await fetch(server.url + path, { headers: authorization() });
      const text = await response.text().catch(() => undefined);
      if (text === undefined) counts.cutOff++;
      else if (response.status === 503) counts.unavailable++;
      else {
        expect(response.status).toBe(200);
        // A record of one state, or a list that has one state only.
        expect(new Set(text.match(/State \d/g)).size).toBe(1);
        if (index === 0) expect(JSON.parse(text)).toHaveLength(BOOK_COUNT);
        else expect(JSON.parse(text).RecordReference).toBe(isbn);
        counts.responses++;
      }
    }
  };
  const all = Promise.all([0, 1, 2].map(client));
  all.catch(() => {});
  return {
    async stop() {
      isStopped = true;
      await all;
      return counts;
    },
  };
}

function authorization() {
  return { Authorization: `Bearer ${catalog.token}` };
}

async function verifyCatalog(): Promise<void> {
  expect(await colophon(["verify", "--db", catalog.db])).toMatchObject({ code: 0 });
}

interface LogLine {
  readonly event: string;
  readonly state?: string;
  readonly reason?: string;
}

/** Stops the server and returns what it has logged about the catalog. */
async function stopAndReadLog(server: ServeProcess): Promise<LogLine[]> {
  expect(await server.stop()).toBe(0);
  const lines = (await server.stderr).split("\n").filter((line) => line.startsWith("{"));
  return lines.map((line) => JSON.parse(line) as LogLine).filter(({ event }) => event === "catalog");
}

/** Imports state 1 in such a way that all of it is in the write-ahead log. Returns the reader that holds it there. */
async function importIntoLog(): Promise<{ close(): void }> {
  const reader = new Database(catalog.db, { readonly: true });
  reader.run("BEGIN");
  const read = reader.prepare("SELECT revision FROM catalog");
  read.all();
  expect((await colophon(["import", "--db", catalog.db, catalog.feeds[1]])).code).toBe(0);
  expect(statSync(`${catalog.db}-wal`).size).toBeGreaterThan(100_000);
  return {
    close() {
      // A connection with a statement stays open, and holds its state, until the statement is collected.
      read.finalize();
      reader.run("ROLLBACK");
      reader.close(true);
    },
  };
}

test("a catalog that is moved over the served one is served by every process, under load", async () => {
  const server = await start("--workers", "2");
  const load = startLoad(server);
  const rounds = repetitions(1, 10);
  for (let round = 0; round < rounds; round++) {
    const state = round % 2 === 0 ? 1 : 0;
    renameSync(newCatalog(state), catalog.db);
    await waitUntilServed(server, state);
  }
  const { responses, unavailable, cutOff } = await load.stop();
  expect(responses).toBeGreaterThan(0);
  // An import after the exchange goes to the new file.
  expect((await colophon(["import", "--db", catalog.db, catalog.feeds[1]])).code).toBe(0);
  expect(await catalog.servedState(server.url)).toBe(1);
  const log = await stopAndReadLog(server);
  // The main process looks once a second, so it may see two replacements as one.
  expect(log.length).toBeLessThanOrEqual(rounds * 2);
  expect(log.map(({ state }) => state)).toEqual(log.map((_, index) => (index % 2 === 0 ? "lost" : "opened")));
  expect(log.slice(0, 2)).toMatchObject([
    { state: "lost", reason: expect.stringContaining("was replaced") },
    { state: "opened" },
  ]);
  await verifyCatalog();
  expect(leftovers()).toEqual([]);
  reportFault({
    fault: "another catalog moved over the served one, two workers, under load",
    tried: rounds,
    lost: `nothing; ${unavailable} requests got 503 and ${cutOff} lists were cut off, visibly`,
    checked: `${responses} complete responses, each of the old or the new catalog; an import and verify at the end`,
  });
});

test("a deleted catalog is 503 and not ready, and the next import is served", async () => {
  const server = await start("--workers", "2");
  expect((await readiness(server)).status).toBe(200);
  const rounds = repetitions(1, 10);
  for (let round = 0; round < rounds; round++) {
    const state = round % 2 === 0 ? 1 : 0;
    rmSync(catalog.db);
    await waitForStatus(server, 503);
    await waitFor("the main process says why", async () => {
      const { status, reason } = await readiness(server);
      return status === 503 && reason.includes(`${catalog.db} was moved or deleted`);
    });
    const response = await fetch(`${server.url}/api/skus`, { headers: authorization() });
    expect([response.status, response.headers.has("Retry-After")]).toEqual([503, true]);
    expect((await colophon(["import", "--db", catalog.db, catalog.feeds[state]])).code).toBe(0);
    await waitUntilServed(server, state);
    await waitFor("the main process is ready", async () => (await readiness(server)).status === 200);
  }
  const log = await stopAndReadLog(server);
  // A look during the import finds a file without a catalog, which is another reason.
  const changes = log.map(({ state }) => state).filter((state, index, all) => state !== all[index - 1]);
  expect(changes).toEqual(Array.from({ length: rounds }, () => ["lost", "opened"]).flat());
  const lines = log.map(({ state, reason }) => `${state} ${reason}`);
  expect(lines.filter((line, index) => line === lines[index - 1])).toEqual([]);
  await verifyCatalog();
  reportFault({
    fault: "the catalog deleted under a running server with two workers, then imported again",
    tried: rounds,
    lost: "nothing else; 503 and not ready until the import",
    checked: "/readyz, the responses of all processes before and after the import, verify",
  });
});

test("a catalog that is moved over one with changes in its log is not damaged by that log", async () => {
  const server = await start();
  const rounds = repetitions(1, 10);
  for (let round = 0; round < rounds; round++) {
    if (round > 0) expect((await colophon(["import", "--db", catalog.db, catalog.feeds[0]])).code).toBe(0);
    const reader = await importIntoLog();
    renameSync(newCatalog(0), catalog.db);
    // This process finds the new file beside the log of the old one, most often before the server has noticed.
    expect((await colophon(["stats", "--json", "--db", catalog.db])).code).toBe(0);
    expect(await catalog.storedState()).toBe(0);
    reader.close();
    await waitUntilServed(server, 0);
    expect((await colophon(["import", "--db", catalog.db, catalog.feeds[1]])).code).toBe(0);
    expect(await catalog.servedState(server.url)).toBe(1);
  }
  await server.stop();
  await verifyCatalog();
  reportFault({
    fault: "another catalog moved over one whose last import is only in the write-ahead log",
    tried: rounds,
    lost: "nothing of the new catalog",
    checked: "the state of the new file, at once and as served; an import into it; verify at the end",
  });
});

test("a catalog that is overwritten in place is closed by all processes, and then served", async () => {
  const server = await start("--workers", "2");
  const rounds = repetitions(1, 10);
  for (let round = 0; round < rounds; round++) {
    const state = round % 2 === 0 ? 1 : 0;
    const inode = statSync(catalog.db).ino;
    copyFileSync(pristine(state), catalog.db);
    expect(statSync(catalog.db).ino).toBe(inode);
    await waitFor("the server is not ready", async () => (await readiness(server)).status === 503);
    await waitFor("the server is ready", async () => (await readiness(server)).status === 200);
    await waitUntilServed(server, state);
  }
  expect((await colophon(["import", "--db", catalog.db, catalog.feeds[0]])).code).toBe(0);
  expect(await catalog.servedState(server.url)).toBe(0);
  expect((await stopAndReadLog(server))[0]!.reason).toContain("was overwritten while it was in use");
  await verifyCatalog();
  reportFault({
    fault: "another catalog copied over the served one with cp, two workers",
    tried: rounds,
    lost: "nothing of the new catalog; 503 for some seconds; responses before that may be wrong, see backup.md",
    checked: "/readyz, the responses of all processes, an import and verify at the end",
  });
});

test("a catalog that is moved away has its whole content, and is served again when it is moved back", async () => {
  const server = await start();
  const reader = await importIntoLog();
  reader.close();
  const elsewhere = join(catalog.folder, "elsewhere.db");
  renameSync(catalog.db, elsewhere);
  await waitForStatus(server, 503);
  let copies = 0;
  await waitFor("the moved file has the changes of the log", async () => {
    const copy = join(catalog.folder, `copy-${++copies}.db`);
    copyFileSync(elsewhere, copy);
    return (await catalog.storedState(copy).catch(() => 0)) === 1;
  });
  renameSync(elsewhere, catalog.db);
  await waitUntilServed(server, 1);
  await server.stop();
  expect(await catalog.storedState()).toBe(1);
  await verifyCatalog();
});

test("without the token registry nobody gets in, and a revoked token stays revoked", async () => {
  const registry = `${catalog.db}.tokens`;
  const { payload: revoked, id } = await issueToken();
  const server = await start("--workers", "2");
  expect((await colophon(["token", "revoke", id, "--db", catalog.db])).code).toBe(0);
  expect([await statusOf(server, catalog.token), await statusOf(server, revoked)]).toEqual([200, 401]);
  const seen = new Set<number>();
  let isDone = false;
  const client = (async () => {
    for (; !isDone; await Bun.sleep(READER_PAUSE_MS)) seen.add(await statusOf(server, revoked));
  })();
  const backup = join(catalog.folder, "backup.db");
  expect((await colophon(["backup", backup, "--db", catalog.db])).code).toBe(0);
  rmSync(registry);
  await waitForStatus(server, 503);
  await waitFor("the main process says why", async () =>
    (await readiness(server)).reason.includes(`${registry} is missing`),
  );
  // A restored backup has both files.
  renameSync(`${backup}.tokens`, registry);
  renameSync(backup, catalog.db);
  await waitForStatus(server, 200);
  isDone = true;
  await client;
  expect([...seen].filter((status) => status !== 401 && status !== 503)).toEqual([]);
  expect(await statusOf(server, revoked)).toBe(401);
  await server.stop();
  await verifyCatalog();
});

async function issueToken() {
  const payload = (await colophon(["token", "--name", "Gone", "--db", catalog.db])).stdout.trim();
  const claims = JSON.parse(Buffer.from(payload.split(".")[1]!, "base64url").toString());
  return { payload, id: claims.jti as string };
}

/** Returns the files that Colophon would have to remove. */
function leftovers(): string[] {
  return readdirSync(catalog.folder).filter((name) => /\.(replaced|unfinished)$/.test(name));
}
