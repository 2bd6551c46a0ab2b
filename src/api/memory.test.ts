/** The API as a process of its own: long URLs, and the memory that clients cost which do not read. */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import type { Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openSocket, parseResponse, sendRaw } from "../server/testing/socket.ts";
import { openSqlite } from "../stores/sqlite/store.ts";
import { importBooks } from "../stores/testing/books.ts";
import { longList } from "./testing/books.ts";

setDefaultTimeout(60_000);

const folder = mkdtempSync(join(tmpdir(), "colophon-memory-"));
let child: Bun.Subprocess<"ignore", "pipe", "inherit">;
let port: number;
let token: string;

beforeAll(async () => {
  const file = join(folder, "catalog.db");
  const store = openSqlite(file, { create: true });
  await importBooks(store, longList(40_000_000));
  await store.close();
  child = Bun.spawn([process.execPath, join(import.meta.dir, "testing/serve.ts"), file], {
    stdin: "ignore",
    stdout: "pipe",
    stderr: "inherit",
  });
  const reader = child.stdout.getReader();
  let line = "";
  while (!line.includes("\n")) line += new TextDecoder().decode((await reader.read()).value);
  ({ port, token } = JSON.parse(line));
});

afterAll(async () => {
  child.kill();
  await child.exited;
  rmSync(folder, { recursive: true });
});

const get = (path: string) =>
  fetch(`http://127.0.0.1:${port}${path}`, { headers: { Authorization: `Bearer ${token}` } });

test("returns 1,000 books for ISBNs with hyphens and encoded spaces", async () => {
  const isbns = Array.from({ length: 1000 }, (_, at) => `97880${String(at).padStart(8, "0")}`);
  const printed = isbns.map(
    (isbn) => `${isbn.slice(0, 3)}-${isbn.slice(3, 5)}%20${isbn.slice(5, 12)}-${isbn[12]}`,
  );
  const path = `/api/isbns/${printed.join(",")}`;
  expect(path.length).toBeGreaterThan(18_000);
  const response = await get(path);
  expect(response.status).toBe(200);
  const records = (await response.json()) as { RecordReference: string }[];
  expect(records.map((record) => record.RecordReference)).toEqual(isbns);
});

test("responds 431 to more than 64 kB of headers", async () => {
  const response = parseResponse(
    await sendRaw(port, `GET /api/skus HTTP/1.1\r\nHost: x\r\nX-Large: ${"a".repeat(70_000)}\r\n\r\n`),
  );
  expect(response.status).toBe(431);
});

const peakBytes = () =>
  Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${child.pid}/status`, "utf8"))![1]) * 1024;

test.skipIf(process.platform !== "linux")(
  "ten clients that stop reading 40 MB each cost less than 100 MB (skipped without /proc)",
  async () => {
    await (await get("/api/imprint/long-list")).bytes();
    const before = peakBytes();
    const sockets: Socket[] = [];
    for (const coding of ["identity", "gzip", "zstd", "br", "identity"]) {
      for (let twice = 0; twice < 2; twice++) {
        const socket = await openSocket(port);
        sockets.push(socket);
        const first = new Promise<void>((resolve) => {
          socket.once("data", () => {
            socket.pause();
            resolve();
          });
        });
        socket.write(
          `GET /api/imprint/long-list HTTP/1.1\r\nHost: x\r\nAccept-Encoding: ${coding}\r\nAuthorization: Bearer ${token}\r\n\r\n`,
        );
        await first;
      }
    }
    // Clients that read are served meanwhile.
    for (let times = 0; times < 3; times++) {
      expect((await (await get("/api/imprint/long-list")).bytes()).length).toBeGreaterThan(40_000_000);
    }
    expect(peakBytes() - before).toBeLessThan(100_000_000);
    for (const socket of sockets) socket.destroy();
  },
);
