/** How long a connection is waited for, and how many there are; the end of a server. */
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import type { Socket } from "node:net";
import { api, until } from "../api/testing/api.ts";
import { fill, shelf } from "../api/testing/books.ts";
import { SQLITE } from "../api/testing/engines.ts";
import { dial, parsed } from "../api/testing/socket.ts";
import { Reply } from "./response.ts";
import { startServer } from "./server.ts";

setDefaultTimeout(60_000);

/** All that a socket gets, until it is closed. */
function heard(socket: Socket): { text: string; closed: boolean } {
  const heard = { text: "", closed: false };
  socket.on("data", (chunk) => {
    heard.text += chunk.toString("latin1");
  });
  socket.on("close", () => {
    heard.closed = true;
  });
  socket.on("error", () => {});
  return heard;
}

describe("patience", () => {
  test("a request that does not come to its end is 408, however steadily it comes", async () => {
    await using it = await api(SQLITE, { server: { patience: { head: 1 } } });
    const socket = await dial(it.port);
    const answer = heard(socket);
    socket.write("GET /api/skus HTTP/1.1\r\nHost: x\r\n");
    const dripping = setInterval(() => socket.write("X-Y: z\r\n"), 100);
    await until(() => answer.closed);
    clearInterval(dripping);
    expect(parsed(answer.text).status).toBe(408);
    expect(JSON.parse(parsed(answer.text).body).message).toBe("Request Timeout");
    expect((await it.get("/api/skus")).status).toBe(200);
  });

  test("a client that asks for nothing more is left, without a word", async () => {
    await using it = await api(SQLITE, { server: { patience: { idle: 1 } } });
    const socket = await dial(it.port);
    const answer = heard(socket);
    socket.write("GET /openapi.json HTTP/1.1\r\nHost: x\r\nConnection: keep-alive\r\n\r\n");
    await until(() => answer.closed);
    expect(answer.text.match(/HTTP\/1\.1 \d+ OK/g)).toHaveLength(1);
  });

  test("a reader that takes nothing is cut off, and its view is closed", async () => {
    await using it = await api(SQLITE, { books: false, server: { patience: { stalled: 1 } } });
    await fill(it.store, [...shelf(20_000_000)]);
    const socket = await dial(it.port);
    socket.on("error", () => {});
    socket.pause();
    socket.write(
      `GET /api/imprint/long-shelf HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${it.token}\r\n\r\n`,
    );
    await until(() => it.watch.open === 1);
    // That it goes on asking is no sign that it reads.
    const asking = setInterval(() => socket.write("GET /"), 100);
    await until(() => it.watch.open === 0);
    clearInterval(asking);
    expect(it.watch.bytes).toBeLessThan(16_000_000);
    socket.destroy();
  });
});

test("a client that has sent all it wants to send still gets its answers", async () => {
  await using it = await api(SQLITE, { books: false });
  await fill(it.store, [...shelf(3_000_000)]);
  const socket = await dial(it.port);
  const answer = heard(socket);
  socket.end(`GET /api/imprint/long-shelf HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${it.token}\r\n\r\n`);
  await until(() => answer.closed);
  expect(answer.text.length).toBeGreaterThan(3_000_000);
  expect(answer.text.endsWith("]\r\n0\r\n\r\n")).toBe(true);
});

test("connections beyond the limit are told so, and those within it go on", async () => {
  await using it = await api(SQLITE, { server: { mostConnections: 3 } });
  await until(() => it.server.connections <= 1);
  const first = [await dial(it.port), await dial(it.port)];
  await until(() => it.server.connections >= 2);
  let refused = "";
  while (refused === "") {
    const answer = heard(await dial(it.port));
    await Promise.race([until(() => answer.closed), Bun.sleep(300)]);
    refused = answer.text;
  }
  expect(parsed(refused).status).toBe(503);
  expect(parsed(refused).headers.get("retry-after")).toBe("5");
  const answer = heard(first[0]!);
  first[0]!.write("GET /openapi.json HTTP/1.1\r\nHost: x\r\n\r\n");
  await until(() => answer.text.startsWith("HTTP/1.1 200"));
  for (const socket of first) socket.destroy();
});

describe("the end", () => {
  test("what is under way finishes, and says that it is the last; who is idle is left", async () => {
    const slow = Promise.withResolvers<Reply>();
    const server = startServer({
      app: (asked) => (asked.target === "/slow" ? slow.promise : new Reply(204, "", undefined)),
      host: "127.0.0.1",
      port: 0,
      onError() {},
    });
    const [waiting, idle, halfSent] = [
      await dial(server.port),
      await dial(server.port),
      await dial(server.port),
    ];
    const [answer, silence, half] = [heard(waiting), heard(idle), heard(halfSent)];
    waiting.write("GET /slow HTTP/1.1\r\nHost: x\r\n\r\n");
    halfSent.write("GET /half HTTP/1.1\r\nHost: x\r\n");
    await until(() => server.connections === 3);
    const stopped = server.stop(5000);
    halfSent.write("\r\n");
    await until(() => half.closed && silence.closed);
    expect(parsed(half.text)).toMatchObject({ status: 204 });
    expect(parsed(half.text).headers.get("connection")).toBe("close");
    expect(silence.text).toBe("");
    slow.resolve(new Reply(200, "", Buffer.from("at last")));
    await stopped;
    await until(() => answer.closed);
    expect(parsed(answer.text).headers.get("connection")).toBe("close");
    expect(answer.text.endsWith("at last")).toBe(true);
  });

  test("nobody holds it up for longer than its patience", async () => {
    const server = startServer({
      app: () => new Promise(() => {}),
      host: "127.0.0.1",
      port: 0,
      onError() {},
    });
    const sockets = [await dial(server.port), await dial(server.port)];
    for (const socket of sockets) socket.on("error", () => {});
    sockets[0]!.write("GET /never HTTP/1.1\r\nHost: x\r\n\r\n");
    sockets[1]!.write("GET /ne");
    await until(() => server.connections === 2);
    await server.stop(200);
    expect(server.connections).toBe(0);
  });
});
