/** The memory that clients cost which stop reading, measured in a process of its own. */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import type { Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openSocket } from "../server/testing/socket.ts";
import { openSqlite } from "../stores/sqlite/store.ts";
import { importBooks } from "../stores/testing/books.ts";
import { LONG_LIST_PATH, longList } from "./testing/books.ts";

setDefaultTimeout(60_000);

const LIST_BYTES = 20_000_000;
/** Encoded, the list fits into the buffers of a socket. The others would fill the memory. */
const CODINGS = [...Array<string>(8).fill("identity"), "gzip", "gzip", "zstd", "zstd", "br", "br"];
/** 23 MB are measured, and 167 MB when the server ignores backpressure. */
const MAX_GROWTH_BYTES = 80_000_000;

const folder = mkdtempSync(join(tmpdir(), "colophon-memory-"));
let child: Bun.Subprocess<"ignore", "pipe", "inherit">;
let port: number;
let token: string;

beforeAll(async () => {
  const file = join(folder, "catalog.db");
  const store = openSqlite(file, { create: true });
  await importBooks(store, longList(LIST_BYTES));
  await store.close();
  child = Bun.spawn([process.execPath, join(import.meta.dir, "testing/serve.ts"), file], {
    stdin: "ignore",
    stdout: "pipe",
    stderr: "inherit",
  });
  const reader = child.stdout.getReader();
  let line = "";
  while (!line.includes("\n")) {
    const { done, value } = await reader.read();
    if (done) throw new Error("The server has ended before it printed its port");
    line += new TextDecoder().decode(value);
  }
  ({ port, token } = JSON.parse(line));
});

afterAll(async () => {
  child.kill();
  await child.exited;
  rmSync(folder, { recursive: true });
});

async function readList(): Promise<number> {
  const headers = { Authorization: `Bearer ${token}` };
  const response = await fetch(`http://127.0.0.1:${port}${LONG_LIST_PATH}`, { headers });
  return (await response.bytes()).length;
}

/** Opens a client that reads the beginning of the list and no more. */
async function openStalledClient(coding: string): Promise<Socket> {
  const socket = await openSocket(port);
  const firstChunk = new Promise<void>((resolve) => {
    socket.once("data", () => {
      socket.pause();
      resolve();
    });
  });
  socket.write(
    `GET ${LONG_LIST_PATH} HTTP/1.1\r\nHost: x\r\nAccept-Encoding: ${coding}\r\nAuthorization: Bearer ${token}\r\n\r\n`,
  );
  await firstChunk;
  return socket;
}

const peakBytes = () =>
  Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${child.pid}/status`, "utf8"))![1]) * 1024;

test.skipIf(process.platform !== "linux")(
  "clients that stop reading a list do not fill the memory (skipped without /proc)",
  async () => {
    await readList();
    const before = peakBytes();
    const sockets: Socket[] = [];
    for (const coding of CODINGS) sockets.push(await openStalledClient(coding));
    // Other clients get the whole list meanwhile.
    for (let count = 0; count < 3; count++) expect(await readList()).toBeGreaterThan(LIST_BYTES);
    expect(peakBytes() - before).toBeLessThan(MAX_GROWTH_BYTES);
    for (const socket of sockets) socket.destroy();
  },
);
