/** `colophon serve --workers`: several processes on one port. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { waitFor } from "../src/lib/testing/wait-for.ts";
import { message, product } from "../src/onix/testing/message.ts";
import { replaceHungWorkers, stopWhileStarting, stopWithHungWorker } from "./hung-workers.ts";
import { colophon } from "./in-process.ts";
import {
  childProcesses,
  type ServeProcess,
  startColophon,
  startWithSample,
  temporaryFolder,
} from "./process.ts";

const ISBN = "9788437604947";
const folder = temporaryFolder();
const db = join(folder, "catalog.db");
let server: ServeProcess;
let hang: ReturnType<typeof replaceHungWorkers>;
let hungStop: Promise<number>;
let earlyStop: ReturnType<typeof stopWhileStarting>;

beforeAll(async () => {
  [hang, hungStop] = [replaceHungWorkers(folder), stopWithHungWorker(folder)];
  earlyStop = stopWhileStarting(folder);
  // Their tests are the last ones. Until then, nobody handles an error.
  for (const promise of [hang, hungStop, earlyStop]) promise.catch(() => {});
  server = await startWithSample(db, ["--workers", "2"]);
});
afterAll(async () => {
  server.process.kill("SIGKILL");
  await server.process.exited;
});

/** Uses a new connection, so that the system chooses a worker. Returns undefined when the connection is reset. */
function request(path: string): Promise<{ status: number; text: string } | undefined> {
  return new Promise((resolve) => {
    let text = "";
    const socket = connect(server.port, "127.0.0.1", () =>
      socket.write(
        `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer ${server.token}\r\n\r\n`,
      ),
    );
    socket.on("data", (chunk) => {
      text += chunk;
    });
    socket.on("error", () => {});
    socket.on("close", () => resolve(text === "" ? undefined : { status: Number(text.slice(9, 12)), text }));
  });
}

async function importProducts(...products: string[]): Promise<void> {
  const feed = join(folder, "feed.xml");
  writeFileSync(feed, message(...products));
  expect((await colophon(["import", "--db", db, feed])).code).toBe(0);
}

test("starts the requested number of workers and prints the address and the token once", () => {
  expect(childProcesses(server.process.pid)).toHaveLength(2);
  expect(server.stdout.match(/openapi\.html/g)).toHaveLength(1);
  expect(server.stdout.match(/\neyJ/g)).toHaveLength(1);
});

test("shows an import and a deletion in the next response of every worker", async () => {
  const path = `/api/isbn/${ISBN}`;
  /** Enough requests for both workers to respond and to cache the response. */
  const requestMany = () => Promise.all(Array.from({ length: 40 }, () => request(path)));
  const statuses = async () => new Set((await requestMany()).map((response) => response?.status));
  expect(await statuses()).toEqual(new Set([404]));
  for (const title of ["First", "Second"]) {
    await importProducts(product({ isbn: ISBN, title }));
    for (const response of await requestMany()) expect(response?.text).toContain(title);
    expect(await statuses()).toEqual(new Set([200]));
  }
  await importProducts(product({ isbn: ISBN, notification: "05", blocks: "" }));
  expect(await statuses()).toEqual(new Set([404]));
});

test("rejects a revoked token in every worker", async () => {
  const { stdout } = await colophon(["token", "list", "--json", "--db", db]);
  const [{ id }] = JSON.parse(stdout);
  await Promise.all(Array.from({ length: 40 }, () => request("/api/imprints")));
  const fresh = (await colophon(["token", "--name", "Other", "--db", db])).stdout.trim();
  expect((await colophon(["token", "revoke", id, "--db", db])).code).toBe(0);
  const responses = await Promise.all(Array.from({ length: 40 }, () => request("/api/imprints")));
  expect(new Set(responses.map((response) => response?.status))).toEqual(new Set([401]));
  server = { ...server, token: fresh };
});

test("replaces a killed worker while the others serve requests", async () => {
  const before = childProcesses(server.process.pid);
  let isOver = false;
  const statuses: (number | undefined)[] = [];
  const requesting = (async () => {
    while (!isOver) statuses.push((await request("/api/imprints"))?.status);
  })();
  process.kill(before[0]!, "SIGKILL");
  await waitFor("a new worker replaces the killed one", () => {
    const now = childProcesses(server.process.pid);
    return now.length === 2 && !now.includes(before[0]!);
  });
  expect(childProcesses(server.process.pid)).toContain(before[1]!);
  const served = statuses.length;
  await waitFor("100 requests after the replacement", () => statuses.length > served + 100);
  isOver = true;
  await requesting;
  // Only connections of the killed worker may be reset, and no response is wrong.
  expect(statuses.filter((status) => status === 200).length).toBeGreaterThan(100);
  expect(statuses.filter((status) => status !== 200 && status !== undefined)).toEqual([]);
});

test("rejects a port that is in use, although workers share theirs", async () => {
  const { code, stderr } = await colophon([
    ...["serve", "--db", db, "--workers", "2", "--port", new URL(server.url).port],
  ]);
  expect(code).toBe(1);
  expect(stderr).toContain("is in use: choose another with --port");
});

test("ends all workers on SIGTERM and exits with 0", async () => {
  const workers = childProcesses(server.process.pid);
  expect(await server.stop()).toBe(0);
  const alive = workers.filter((pid) => {
    try {
      process.kill(pid, 0);
      return true;
    } catch {
      return false;
    }
  });
  expect(alive).toEqual([]);
});

test("ends the workers when the main process is killed", async () => {
  const other = await startColophon(["--create", "--db", join(folder, "other.db"), "--workers", "2"]);
  const workers = childProcesses(other.process.pid);
  expect(workers).toHaveLength(2);
  other.process.kill("SIGKILL");
  await other.process.exited;
  await waitFor("both workers end", () =>
    workers.every((pid) => {
      try {
        process.kill(pid, 0);
        return false;
      } catch {
        return true;
      }
    }),
  );
});

test("replaces workers that do not respond, is neither live nor ready meanwhile, and logs why", async () => {
  const { workers, before, hung, after, response, metrics, exitCode, log } = await hang;
  expect(before).toEqual(["200 ok", "200 ok"]);
  expect(hung).toEqual(["503 no worker process responds", "503 no worker process responds"]);
  expect(after).toEqual(["200 ok", "200 ok"]);
  expect(response).toStartWith("200 [");
  expect(metrics).toMatch(/^colophon_workers_died_total 2$/m);
  for (const pid of workers) {
    expect(log).toContain(`"pid":${pid},"reason":"signal SIGKILL: it had not responded for 10 s"`);
  }
  expect(exitCode).toBe(0);
});

test("stops although a worker does not respond", async () => {
  expect(await hungStop).toBe(0);
});

test("stops on SIGTERM although a worker hangs while it starts, and leaves no worker behind", async () => {
  expect(await earlyStop).toEqual({ exitCode: 0, isWorkerLeft: false });
});
