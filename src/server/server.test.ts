/** The server as a process of its own. */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import type { Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fill, shelf } from "../api/testing/books.ts";
import { dial, parsed, send } from "../api/testing/socket.ts";
import { openSqlite } from "../stores/sqlite/store.ts";
import { Reply } from "./response.ts";
import { startServer } from "./server.ts";

setDefaultTimeout(60_000);

const folder = mkdtempSync(join(tmpdir(), "colophon-server-"));
let child: Bun.Subprocess<"ignore", "pipe", "inherit">;
let port: number;
let token: string;

beforeAll(async () => {
  const file = join(folder, "catalog.db");
  const store = openSqlite(file, { create: true });
  await fill(store, [...shelf(40_000_000)]);
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

test("1,000 ISBNs as they are printed, hyphens and blanks encoded", async () => {
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

test("more than 64 kB of headers is 431", async () => {
  const reply = parsed(
    await send(port, `GET /api/skus HTTP/1.1\r\nHost: x\r\nX-Large: ${"a".repeat(70_000)}\r\n\r\n`),
  );
  expect(reply.status).toBe(431);
});

const peak = () =>
  Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${child.pid}/status`, "utf8"))![1]) * 1024;

test.skipIf(process.platform !== "linux")(
  "ten readers who have stopped reading 40 MB each cost a few MB (skipped where there is no /proc)",
  async () => {
    await (await get("/api/imprint/long-shelf")).bytes();
    const before = peak();
    const sockets: Socket[] = [];
    for (const coding of ["identity", "gzip", "zstd", "br", "identity"]) {
      for (let twice = 0; twice < 2; twice++) {
        const socket = await dial(port);
        sockets.push(socket);
        const first = new Promise<void>((resolve) => {
          socket.once("data", () => {
            socket.pause();
            resolve();
          });
        });
        socket.write(
          `GET /api/imprint/long-shelf HTTP/1.1\r\nHost: x\r\nAccept-Encoding: ${coding}\r\nAuthorization: Bearer ${token}\r\n\r\n`,
        );
        await first;
      }
    }
    // Whoever reads goes on, while they do not.
    for (let times = 0; times < 3; times++) {
      expect((await (await get("/api/imprint/long-shelf")).bytes()).length).toBeGreaterThan(40_000_000);
    }
    expect(peak() - before).toBeLessThan(100_000_000);
    for (const socket of sockets) socket.destroy();
  },
);

test("a server that stops ends answers under way within its patience, and frees the port", async () => {
  const never = Promise.withResolvers<Reply>();
  const server = startServer({
    app: (request) =>
      request.target.endsWith("/never") ? never.promise : new Reply(200, "", Buffer.from("ok")),
    host: "127.0.0.1",
    port: 0,
    onError() {},
  });
  expect(await (await fetch(`${server.url}/x`)).text()).toBe("ok");
  const waiting = fetch(`${server.url}/never`).then(
    () => "answered",
    () => "cut",
  );
  await Bun.sleep(50);
  await server.stop(100);
  expect(await waiting).toBe("cut");
  const again = startServer({
    app: () => new Reply(204, "", undefined),
    host: "127.0.0.1",
    port: server.port,
    onError() {},
  });
  expect(again.port).toBe(server.port);
  await again.stop();
});

test("what an app throws is 500, reported, and not told", async () => {
  const errors: unknown[] = [];
  const server = startServer({
    app() {
      throw new Error("secret");
    },
    host: "127.0.0.1",
    port: 0,
    onError: (error) => errors.push(error),
  });
  const response = await fetch(server.url);
  expect(response.status).toBe(500);
  expect(response.headers.get("content-type")).toBe("application/problem+json");
  expect(await response.text()).not.toContain("secret");
  expect(String(errors[0])).toContain("secret");
  await server.stop();
});

test("a port that is taken is an error of the system", async () => {
  const options = { app: () => new Reply(204, "", undefined), host: "127.0.0.1", onError() {} };
  const server = startServer({ ...options, port: 0 });
  expect(() => startServer({ ...options, port: server.port })).toThrow();
  await server.stop();
});

test("what fails outside the app is reported, and costs its client the connection", async () => {
  const errors: unknown[] = [];
  const failure = new Error("of whoever is told");
  const server = startServer({
    app: () => new Reply(204, "", undefined),
    host: "127.0.0.1",
    port: 0,
    onError: (error) => errors.push(error),
    onRefused() {
      throw failure;
    },
  });
  expect(await send(server.port, "no request\r\n\r\n")).toBe("");
  expect(errors).toEqual([failure]);
  expect(parsed(await send(server.port, "GET / HTTP/1.1\r\nHost: x\r\n\r\n")).status).toBe(204);
  await server.stop(0);
});
