/** Timeouts, the number of connections, and the end of a server. */
import { describe, expect, test } from "bun:test";
import { waitFor } from "../lib/testing/wait-for.ts";
import { Response } from "./response.ts";
import { simpleApp, startOnFreePort } from "./testing/simple-app.ts";
import { collect, openSocket, parseResponse, sendRaw } from "./testing/socket.ts";

const GET = "GET /x HTTP/1.1\r\nHost: x\r\n\r\n";
const ok = simpleApp(() => new Response(200, "", Buffer.from("ok")));

describe("timeouts", () => {
  test("respond 408 to a request that does not end, however steadily it arrives", async () => {
    const refused: string[] = [];
    await using server = startOnFreePort(ok, {
      timeouts: { requestSeconds: 1 },
      onRefused: ({ kind }) => refused.push(kind),
    });
    const socket = await openSocket(server.port);
    const received = collect(socket);
    socket.write("GET /x HTTP/1.1\r\nHost: x\r\n");
    const dripping = setInterval(() => socket.write("X-Y: z\r\n"), 100);
    await waitFor("the connection is closed", () => received.closed);
    clearInterval(dripping);
    expect(parseResponse(received.text).status).toBe(408);
    expect(refused).toEqual(["timeout"]);
  });

  test("close an idle connection without a response", async () => {
    await using server = startOnFreePort(ok, { timeouts: { idleSeconds: 1 } });
    const socket = await openSocket(server.port);
    const received = collect(socket);
    socket.write(GET);
    await waitFor("the connection is closed", () => received.closed);
    expect(received.text.match(/HTTP\/1\.1 \d+/g)).toEqual(["HTTP/1.1 200"]);
  });

  test("cut off a client that reads nothing, and close its stream", async () => {
    let bytes = 0;
    let state = "new";
    const stream = {
      next() {
        state = "open";
        bytes += 65_536;
        return new Uint8Array(65_536);
      },
      close() {
        state = "closed";
      },
    };
    const endless = simpleApp(() => new Response(200, "", { stream, onFailure() {} }));
    await using server = startOnFreePort(endless, { timeouts: { stalledSeconds: 1 } });
    const socket = await openSocket(server.port);
    socket.on("error", () => {});
    socket.pause();
    socket.write(GET);
    await waitFor("the stream is open", () => state === "open");
    // Sending more requests does not mean that the client reads.
    const sending = setInterval(() => socket.write("GET /"), 100);
    await waitFor("the stream is closed", () => state === "closed");
    clearInterval(sending);
    expect(bytes).toBeLessThan(16_000_000);
    socket.destroy();
  });
});

test("a client that closes its sending half still gets a long response", async () => {
  let chunks = 50;
  const next = () => (chunks-- > 0 ? new Uint8Array(65_536).fill(0x78) : undefined);
  const app = simpleApp(() => new Response(200, "", { stream: { next, close() {} }, onFailure() {} }));
  await using server = startOnFreePort(app);
  const socket = await openSocket(server.port);
  const received = collect(socket);
  socket.end(GET);
  await waitFor("the connection is closed", () => received.closed);
  expect(received.text.length).toBeGreaterThan(50 * 65_536);
  expect(received.text.endsWith("x\r\n0\r\n\r\n")).toBe(true);
});

test("a connection beyond the limit gets 503, and those within it still work", async () => {
  const { promise, resolve } = Promise.withResolvers<Response>();
  let inFlight = 0;
  const app = simpleApp(() => {
    inFlight++;
    return promise;
  });
  await using server = startOnFreePort(app, { maxConnections: 2, maxPerAddress: 3 });
  const open = [await openSocket(server.port), await openSocket(server.port)];
  const received = open.map(collect);
  // Idle connections would be closed for the third one.
  for (const socket of open) socket.write(GET);
  await waitFor("both connections have a request", () => inFlight === 2);
  const refused = collect(await openSocket(server.port));
  await waitFor("the third connection is closed", () => refused.closed);
  expect(parseResponse(refused.text).status).toBe(503);
  resolve(new Response(200, "", Buffer.from("ok")));
  await waitFor("both responses", () => received.every(({ text }) => text.startsWith("HTTP/1.1 200")));
  for (const socket of open) socket.destroy();
});

describe("stop", () => {
  test("waits for responses in flight, which say that they are the last, and closes idle connections", async () => {
    const slow = Promise.withResolvers<Response>();
    const app = simpleApp(({ target }) =>
      target === "/slow" ? slow.promise : new Response(204, "", undefined),
    );
    const server = startOnFreePort(app);
    const [waiting, idle, halfSent] = [
      await openSocket(server.port),
      await openSocket(server.port),
      await openSocket(server.port),
    ];
    const [response, silence, half] = [collect(waiting), collect(idle), collect(halfSent)];
    waiting.write("GET /slow HTTP/1.1\r\nHost: x\r\n\r\n");
    halfSent.write("GET /half HTTP/1.1\r\nHost: x\r\n");
    await waitFor("three connections", () => server.connections === 3);
    const stopped = server.stop(30_000);
    halfSent.write("\r\n");
    await waitFor("two connections are closed", () => half.closed && silence.closed);
    expect(parseResponse(half.text)).toMatchObject({ status: 204 });
    expect(parseResponse(half.text).headers.get("connection")).toBe("close");
    expect(silence.text).toBe("");
    slow.resolve(new Response(200, "", Buffer.from("at last")));
    expect(await stopped).toBe(0);
    await waitFor("the last connection is closed", () => response.closed);
    expect(parseResponse(response.text).headers.get("connection")).toBe("close");
    expect(response.text.endsWith("at last")).toBe(true);
  });

  test("cuts connections after its timeout, and returns their number", async () => {
    const server = startOnFreePort(simpleApp(() => new Promise(() => {})));
    const received = [sendRaw(server.port, GET), sendRaw(server.port, "GET /ne")];
    await waitFor("a request, and two connections", () => server.requestsInFlight + server.connections === 3);
    expect(await server.stop(200)).toBe(2);
    expect(server.connections).toBe(0);
    expect(await Promise.all(received)).toEqual(["", ""]);
  });
});
