/** The memory that clients cost which stop reading, measured in a process of its own. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import type { Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openSocket } from "../server/testing/socket.ts";
import { createSqlite } from "../stores/sqlite/testing/folder.ts";
import { BOOKS, entryOf, LONG_LIST_PATH, longList } from "./testing/books.ts";

const LIST_BYTES = 20_000_000;

const folder = mkdtempSync(join(tmpdir(), "colophon-memory-"));
const file = join(folder, "catalog.db");

const BOOK_BYTES = 1_000_000;
const largeBook = entryOf({ ...BOOKS[0]!, isbn: "9780000000002", description: "x".repeat(BOOK_BYTES) });

beforeAll(() => createSqlite(file, [...longList(LIST_BYTES), largeBook]));

afterAll(() => rmSync(folder, { recursive: true }));

interface Service extends AsyncDisposable {
  readonly port: number;
  readonly token: string;
  readonly otherToken: string;
  /** Returns the peak of the resident memory. */
  peakBytes(): number;
}

/** Starts a service whose lists in flight share some megabytes. */
async function startService(megabytes: number): Promise<Service> {
  const program = join(import.meta.dir, "testing/serve.ts");
  const child = Bun.spawn([process.execPath, program, file, String(megabytes)], {
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
  return {
    ...JSON.parse(line),
    peakBytes() {
      const status = readFileSync(`/proc/${child.pid}/status`, "utf8");
      return Number(/VmHWM:\s+(\d+) kB/.exec(status)![1]) * 1024;
    },
    async [Symbol.asyncDispose]() {
      child.kill();
      await child.exited;
    },
  };
}

async function readList({ port, otherToken }: Service, path = LONG_LIST_PATH): Promise<number> {
  const headers = { Authorization: `Bearer ${otherToken}` };
  const response = await fetch(`http://127.0.0.1:${port}${path}`, { headers });
  return (await response.bytes()).length;
}

/** Opens a client that requests the list and reads nothing but its beginning. */
async function openStalledClient(
  { port, token }: Service,
  coding: string,
  path = LONG_LIST_PATH,
): Promise<Socket> {
  const socket = await openSocket(port);
  socket.on("error", () => {});
  socket.once("data", () => socket.pause());
  socket.write(
    `GET ${path} HTTP/1.1\r\nHost: x\r\nAccept-Encoding: ${coding}\r\nAuthorization: Bearer ${token}\r\n\r\n`,
  );
  return socket;
}

const firstData = (socket: Socket) => new Promise<void>((resolve) => socket.once("data", () => resolve()));

test.skipIf(process.platform !== "linux")(
  "clients that stop reading a list do not fill the memory (skipped without /proc)",
  async () => {
    // Encoded, the list fits into the buffers of a socket. The others would fill the memory.
    const codings = [...Array<string>(8).fill("identity"), "gzip", "gzip", "zstd", "zstd", "br", "br"];
    await using service = await startService(128);
    await readList(service);
    const before = service.peakBytes();
    const sockets: Socket[] = [];
    for (const coding of codings) {
      const socket = await openStalledClient(service, coding);
      await firstData(socket);
      sockets.push(socket);
    }
    // Other clients get the whole list meanwhile.
    for (let count = 0; count < 3; count++) expect(await readList(service)).toBeGreaterThan(LIST_BYTES);
    // 23 MB are measured, and 167 MB when the server ignores backpressure.
    expect(service.peakBytes() - before).toBeLessThan(80_000_000);
    for (const socket of sockets) socket.destroy();
  },
);

test.skipIf(process.platform !== "linux")(
  "300 clients that read nothing stay within the memory for lists, and others read theirs (skipped without /proc)",
  async () => {
    await using service = await startService(16);
    for (let count = 0; count < 3; count++) await readList(service);
    const before = service.peakBytes();
    const sockets: Socket[] = [];
    for (const coding of ["zstd", "br", "gzip"]) {
      for (let count = 0; count < 100; count++) sockets.push(await openStalledClient(service, coding));
    }
    for (let count = 0; count < 5; count++) expect(await readList(service)).toBeGreaterThan(LIST_BYTES);
    // 14 MB are measured, and 109 MB without a limit.
    expect(service.peakBytes() - before).toBeLessThan(50_000_000);
    for (const socket of sockets) socket.destroy();
  },
);

test.skipIf(process.platform !== "linux").each(["view=record", "view=record&format=xml"])(
  "clients that stop reading a large book do not fill the memory: %s (skipped without /proc)",
  async (parameters) => {
    await using service = await startService(16);
    const path = `/api/isbn/${largeBook.isbn}?${parameters}`;
    for (let count = 0; count < 3; count++) await readList(service, path);
    const before = service.peakBytes();
    const sockets: Socket[] = [];
    // The response cache has none of them.
    for (let count = 0; count < 300; count++)
      sockets.push(await openStalledClient(service, "identity", `${path}&n=${count}`));
    for (let count = 0; count < 3; count++)
      expect(await readList(service, `${path}&other=${count}`)).toBeGreaterThan(BOOK_BYTES);
    // 7 MB are measured, and 99 MB in XML, most of which is the thread; 300 and 372 MB without a limit.
    expect(service.peakBytes() - before).toBeLessThan(160_000_000);
    for (const socket of sockets) socket.destroy();
  },
);
