/** Limits of one client: its connections, its requests behind a proxy, and idle connections of everybody. */
import { expect, test } from "bun:test";
import { connect, type Socket } from "node:net";
import { waitFor } from "../lib/testing/wait-for.ts";
import { Response } from "./response.ts";
import { simpleApp, startOnFreePort } from "./testing/simple-app.ts";
import { collect } from "./testing/socket.ts";

const ok = () => new Response(200, "", Buffer.from("ok"));
const beyondLimit = () => new Response(429, "", new Uint8Array(0));

/** Linux answers on all of 127.0.0.0/8, so a test can have several addresses. */
async function connectFrom(
  localAddress: string,
  port: number,
  options: { allowHalfOpen?: boolean } = {},
): Promise<Socket> {
  const { promise, resolve, reject } = Promise.withResolvers<Socket>();
  const socket = connect({ ...options, port, host: "127.0.0.1", localAddress }, () => resolve(socket));
  // Later errors are those of connections that the server cuts.
  socket.on("error", reject);
  return promise;
}

/** Sends a request and returns the status of its response. */
async function statusOn(socket: Socket, fields = ""): Promise<string> {
  const received = collect(socket);
  socket.write(`GET /x HTTP/1.1\r\nHost: x\r\n${fields}\r\n`);
  await waitFor("a response", () => /^HTTP\/1\.1 \d{3}/.test(received.text));
  return received.text.slice(9, 12);
}

test.skipIf(process.platform !== "linux")(
  "a connection beyond the limit of its address gets 429, and other addresses are served (skipped without 127.0.0.2)",
  async () => {
    await using server = startOnFreePort(simpleApp(ok), { maxPerAddress: 2 });
    const sockets: Socket[] = [];
    const status = async (address: string) => {
      const socket = await connectFrom(address, server.port);
      sockets.push(socket);
      return await statusOn(socket);
    };
    expect([await status("127.0.0.1"), await status("127.0.0.1")]).toEqual(["200", "200"]);
    expect(await status("127.0.0.1")).toBe("429");
    expect(await status("127.0.0.2")).toBe("200");
    sockets[0]!.destroy();
    await waitFor("the place is free again", async () => (await status("127.0.0.1")) === "200");
    for (const socket of sockets) socket.destroy();
  },
);

test("idle connections are closed, the oldest first, when the limit of all is near", async () => {
  await using server = startOnFreePort(simpleApp(ok), { maxConnections: 10, maxPerAddress: 10 });
  const idle: ReturnType<typeof collect>[] = [];
  for (let count = 0; count < 9; count++) idle.push(collect(await connectFrom("127.0.0.1", server.port)));
  let opened = 9;
  await waitFor("new connections are served in place of idle ones", async () => {
    const socket = await connectFrom("127.0.0.1", server.port);
    opened++;
    const status = await statusOn(socket);
    socket.destroy();
    return status === "200" && idle[0]!.closed;
  });
  expect(opened).toBeGreaterThan(9);
  expect(idle.at(-1)!.closed).toBe(false);
});

test.skipIf(process.platform !== "linux")(
  "refused connections that their client leaves open take no place of others (skipped without 127.0.0.2)",
  async () => {
    await using server = startOnFreePort(simpleApp(ok), { maxConnections: 100, maxPerAddress: 10 });
    const open = () => connectFrom("127.0.0.1", server.port, { allowHalfOpen: true });
    const sockets = await Promise.all(Array.from({ length: 300 }, open));
    const other = await connectFrom("127.0.0.2", server.port);
    expect(await statusOn(other)).toBe("200");
    for (const socket of [...sockets, other]) socket.destroy();
  },
);

test("behind a trusted proxy, the requests in flight of each client are limited", async () => {
  const pending: (() => void)[] = [];
  const clients: string[] = [];
  const app = simpleApp((request) => {
    if (request.isBeyondLimit) return beyondLimit();
    clients.push(request.client);
    return new Promise<Response>((resolve) => pending.push(() => resolve(ok())));
  });
  await using server = startOnFreePort(app, { maxPerAddress: 1, trustedProxies: ["127.0.0.0/8"] });
  const open = async () => await connectFrom("127.0.0.1", server.port);
  const first = statusOn(await open(), "X-Forwarded-For: 192.0.2.1\r\n");
  await waitFor("the first request is in flight", () => pending.length === 1);
  const proxied = await open();
  expect(await statusOn(proxied, "X-Forwarded-For: 203.0.113.9, 192.0.2.1\r\n")).toBe("429");
  // The connection goes on: other clients of the proxy use it too.
  const second = statusOn(proxied, "X-Forwarded-For: 192.0.2.2\r\n");
  await waitFor("the second request is in flight", () => pending.length === 2);
  for (const respond of pending) respond();
  expect(await Promise.all([first, second])).toEqual(["200", "200"]);
  expect(clients).toEqual(["192.0.2.1", "192.0.2.2"]);
  const third = statusOn(await open(), "X-Forwarded-For: 192.0.2.1\r\n");
  await waitFor("the third request is in flight", () => pending.length === 3);
  pending[2]!();
  expect(await third).toBe("200");
});

test("X-Forwarded-For of an untrusted peer is not believed", async () => {
  const clients: string[] = [];
  const app = simpleApp((request) => {
    clients.push(request.client);
    return ok();
  });
  await using server = startOnFreePort(app, { trustedProxies: ["192.0.2.0/24"] });
  const socket = await connectFrom("127.0.0.1", server.port);
  await statusOn(socket, "X-Forwarded-For: 192.0.2.1\r\n");
  expect(clients).toEqual(["127.0.0.1"]);
  socket.destroy();
});
