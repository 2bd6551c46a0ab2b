/** What the server reports about requests: the peer, the times, and how many are in flight. */
import { expect, test } from "bun:test";
import { waitFor } from "../lib/testing/wait-for.ts";
import type { Sent } from "./connection.ts";
import type { Request } from "./request.ts";
import { Response } from "./response.ts";
import { deferReports } from "./server.ts";
import { simpleApp, startOnFreePort } from "./testing/simple-app.ts";
import { openSocket, sendRaw } from "./testing/socket.ts";

const REQUEST = "GET / HTTP/1.1\r\nHost: x\r\n\r\n";

/** Starts a server, and collects what it reports. */
function startReporting(handle: Parameters<typeof simpleApp>[0], host = "127.0.0.1") {
  const peers: string[] = [];
  const sent: Sent[] = [];
  const server = startOnFreePort(simpleApp(handle), {
    host,
    onSent(request, _, each) {
      peers.push(request.client);
      sent.push(each);
    },
    onRefused: (_, peer) => peers.push(peer),
  });
  return { server, peers, sent };
}

test.each(["127.0.0.1", "::"])(
  "reports the peer of requests and refusals on %s as a plain address",
  async (host) => {
    const { server, peers } = startReporting(() => new Response(204, "", undefined), host);
    await sendRaw(server.port, REQUEST);
    await sendRaw(server.port, "nonsense\r\n\r\n");
    await waitFor("both are reported", () => peers.length === 2);
    expect(peers).toEqual(["127.0.0.1", "127.0.0.1"]);
    await server.stop(0);
  },
);

test("reports the first byte of a short response with its end, and that of a stream before it", async () => {
  const bodyRead = Promise.withResolvers<void>();
  const { server, sent } = startReporting(({ target }) => {
    if (target === "/short") return new Response(200, "", new Uint8Array(10));
    let chunks = 0;
    const stream = {
      async next() {
        if (chunks++ > 0) return undefined;
        await bodyRead.promise;
        return new Uint8Array(10);
      },
      close() {},
    };
    return new Response(200, "", { stream, onFailure() {} });
  });
  await sendRaw(server.port, REQUEST.replace(" / ", " /short "));
  await waitFor("the short response is reported", () => sent.length === 1);
  expect(sent[0]).toMatchObject({ complete: true, firstByteSeconds: sent[0]!.seconds });
  const socket = await openSocket(server.port);
  const head = new Promise<void>((resolve) => socket.once("data", () => resolve()));
  socket.write(REQUEST);
  await head;
  const headAtMs = performance.now();
  await waitFor("time has passed", () => performance.now() > headAtMs + 20);
  bodyRead.resolve();
  await waitFor("the stream is reported", () => sent.length === 2);
  expect(sent[1]!.seconds - sent[1]!.firstByteSeconds!).toBeGreaterThan(0.015);
  socket.destroy();
  await server.stop(0);
});

test("counts the requests in flight, not the idle connections", async () => {
  const responses: ((response: Response) => void)[] = [];
  const { server } = startReporting(() => new Promise<Response>((resolve) => responses.push(resolve)));
  expect(server.requestsInFlight).toBe(0);
  const sockets = [
    await openSocket(server.port),
    await openSocket(server.port),
    await openSocket(server.port),
  ];
  for (const socket of sockets.slice(1)) socket.write(REQUEST);
  await waitFor("two requests are in flight", () => server.requestsInFlight === 2);
  expect(server.connections).toBe(3);
  responses[0]!(new Response(204, "", undefined));
  await waitFor("one is left", () => server.requestsInFlight === 1);
  expect(server.connections).toBe(3);
  await server.stop(0);
  expect(server.requestsInFlight).toBe(0);
});

function report(target: string, status: number): [Request, string, Sent] {
  const sent = { status, bodyBytes: 0, complete: true, seconds: 0, firstByteSeconds: 0 };
  return [{ target } as Request, `info of ${target}`, sent];
}

test("reports nothing before the caller has returned, and then everything in order", async () => {
  const reported: unknown[] = [];
  const onSent = deferReports<string>((request, info, sent) =>
    reported.push([request.target, info, sent.status]),
  );
  onSent(...report("/a", 200));
  onSent(...report("/b", 404));
  expect(reported).toEqual([]);
  await Promise.resolve();
  expect(reported).toEqual([
    ["/a", "info of /a", 200],
    ["/b", "info of /b", 404],
  ]);
});

test("delivers a report that another report causes", async () => {
  const reported: string[] = [];
  const onSent = deferReports<string>(({ target }) => {
    reported.push(target);
    if (target === "/a") onSent(...report("/b", 200));
  });
  onSent(...report("/a", 200));
  await Promise.resolve();
  await Promise.resolve();
  expect(reported).toEqual(["/a", "/b"]);
});
