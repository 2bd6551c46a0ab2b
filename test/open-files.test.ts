/** A server at the limit of open files, and its write-ahead log while a client reads slowly. */
import { beforeAll, expect, test } from "bun:test";
import { readFileSync, statSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { waitFor } from "../src/lib/testing/wait-for.ts";
import { openSocket } from "../src/server/testing/socket.ts";
import { openSqlite } from "../src/stores/sqlite/store.ts";
import { books, importBooks } from "../src/stores/testing/books.ts";
import { colophon } from "./in-process.ts";
import { COMMAND, fetchAs, startColophon, temporaryFolder } from "./process.ts";

const folder = temporaryFolder();

/** Seconds of processor time that a process has used. */
function cpuSeconds(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8")
    .replace(/^.*\) /s, "")
    .split(" ");
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

test.skipIf(process.platform !== "linux")(
  "at the limit of open files the service refuses, says so, rests, and goes on (skipped without /proc)",
  async () => {
    const db = join(folder, "catalog.db");
    const script = 'ulimit -n 200; exec "$0" "$@"';
    // All connections come from one address, which must not be limited before the descriptors are.
    const options = ["--create", "--port", "0", "--connections-per-address", "400", "--db", db];
    const child = Bun.spawn(["sh", "-c", script, COMMAND, "serve", ...options], {
      stdin: "ignore",
      stdout: "pipe",
      stderr: "pipe",
    });
    let [out, log] = ["", ""];
    const collect = async (stream: ReadableStream<Uint8Array>, add: (text: string) => void) => {
      const decoder = new TextDecoder();
      for await (const part of stream) add(decoder.decode(part, { stream: true }));
    };
    void collect(child.stdout, (text) => {
      out += text;
    });
    void collect(child.stderr, (text) => {
      log += text;
    });
    await waitFor("the service listens", () => /http:\S+(?=\/openapi)/.test(out));
    const { port } = new URL(/http:\S+(?=\/openapi)/.exec(out)![0]);
    const token = (await colophon(["token", "--name", "T", "--db", db])).stdout.trim();
    const sockets: Socket[] = [];
    for (let count = 0; count < 400; count++) {
      const socket = connect(Number(port), "127.0.0.1");
      socket.on("error", () => {});
      sockets.push(socket);
    }
    await waitFor(
      "the log says so",
      () => log.includes("limit of open files") || log.includes('"descriptors"'),
    );
    // A loop that tries to accept without a pause never rests.
    await waitFor("the service rests", async () => {
      const before = cpuSeconds(child.pid);
      await Bun.sleep(300);
      return cpuSeconds(child.pid) - before < 0.05;
    });
    for (const socket of sockets) socket.destroy();
    const headers = { Authorization: `Bearer ${token}`, Connection: "close" };
    await waitFor("a request is served", async () => {
      const response = await fetch(`http://127.0.0.1:${port}/api/skus`, { headers }).catch(() => undefined);
      return response?.status === 200;
    });
    child.kill("SIGTERM");
    expect(await child.exited).toBe(0);
  },
);

/** Their log has more than the 16 MB that are left alone. */
const BOOKS = 2500;

const db = join(folder, "read-slowly.db");
let token: string;
let state = 0;

beforeAll(async () => {
  await importNextState();
  token = (await colophon(["token", "--name", "Any", "--db", db])).stdout.trim();
});

async function importNextState(): Promise<void> {
  const store = openSqlite(db, { create: true, importOnly: true });
  await importBooks(store, books(1, BOOKS, { imprint: "A", title: String(state++).repeat(7000) }));
  await store.close();
}

const logBytes = () => statSync(`${db}-wal`, { throwIfNoEntry: false })?.size ?? 0;

test.each([1, 2])(
  "serve with %d process(es) truncates the log after a slow reader has left",
  async (workers) => {
    const server = await startColophon(["--db", db, "--workers", String(workers)]);
    const reader = await openSocket(server.port);
    reader.pause();
    reader.write(`GET /api/imprint/a HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n\r\n`);
    // The list has begun when its first bytes are there.
    await new Promise((resolve) => reader.once("readable", resolve));
    await importNextState();
    expect(logBytes()).toBeGreaterThan(16 * 1024 * 1024);
    reader.destroy();
    await waitFor("the log is truncated", () => logBytes() === 0);
    const response = await fetchAs(token, `${server.url}/api/skus`);
    expect(await response.json()).toHaveLength(BOOKS);
    expect(await server.stop()).toBe(0);
  },
);
