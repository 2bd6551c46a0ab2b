/** Shutdown of a server, and the switch to the next server on the same port, with clients connected. */
import { expect, test } from "bun:test";
import type { Socket } from "node:net";
import { join } from "node:path";
import { message, product } from "../../src/onix/testing/message.ts";
import { openSocket } from "../../src/server/testing/socket.ts";
import { numberedIsbn } from "../during-tests.ts";
import { colophon, startColophon, startWithSample, temporaryFolder } from "../process.ts";
import { repetitions, reportFault } from "./fault-report.ts";

const HALF_SENT = "GET /api/sk";

const folder = temporaryFolder();
const db = join(folder, "catalog.db");

test("SIGTERM with idle, half-sent and stalled connections: exit 0, and the stalled ones are cut", async () => {
  const rounds = repetitions(1, 5);
  const books = Array.from({ length: 400 }, (_, number) =>
    product({
      isbn: numberedIsbn(number),
      title: "A",
      imprint: "Sello",
      text: `<Text>${"x".repeat(30_000)}</Text>`,
    }),
  );
  const feed = join(folder, "feed.xml");
  await Bun.write(feed, message(...books));
  expect((await colophon(["import", "--db", db, feed])).code).toBe(0);
  const token = (await colophon(["token", "--name", "T", "--db", db])).stdout.trim();
  let slowestSeconds = 0;
  for (let round = 0; round < rounds; round++) {
    const server = await startColophon(["--db", db, "--log", "errors"]);
    const request = `GET /api/imprint/sello HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n\r\n`;
    const sockets: Socket[] = [];
    const halfSentResponses: string[] = [];
    for (const text of ["", HALF_SENT, request, `${request}GET /api`]) {
      for (let twice = 0; twice < 2; twice++) {
        const socket = await openSocket(server.port);
        socket.on("error", () => {});
        if (text === HALF_SENT)
          socket.once("data", (chunk) => halfSentResponses.push(`${chunk}`.slice(0, 12)));
        if (text !== "") socket.write(text);
        // It stalls after the first bytes. By then the server has read what the sockets before it have sent.
        if (text.startsWith(request)) await new Promise((resolve) => socket.once("readable", resolve));
        sockets.push(socket);
      }
    }
    expect(await server.stop()).toBe(0);
    // The stop has cut the responses that nobody reads: their own deadline is minutes away.
    const [, seconds, cut] = /"event":"stopped","seconds":([\d.]+),"cut":(\d+)/.exec(await server.stderr)!;
    expect(Number(cut)).toBe(4);
    slowestSeconds = Math.max(slowestSeconds, Number(seconds));
    expect(halfSentResponses).toEqual(["HTTP/1.1 408", "HTTP/1.1 408"]);
    for (const socket of sockets) socket.destroy();
  }
  reportFault({
    fault: "SIGTERM with idle, half-sent and stalled connections",
    tried: rounds,
    lost: "nothing but stalled responses",
    checked: `exit 0 within ${Math.ceil(slowestSeconds)} s, two connections of each of four kinds`,
  });
});

/**
 * Sends requests on one connection after the other. Each lasts as long as the server lets it, or for one request.
 * Returns what went wrong.
 */
async function runClient(
  port: number,
  token: string,
  isOver: () => boolean,
  keepsConnections: boolean,
): Promise<{ responses: number; lost: string[] }> {
  const lost: string[] = [];
  let responses = 0;
  while (!isOver()) {
    const socket = await openSocket(port).catch((error) => {
      lost.push(`connect: ${error.code}`);
      return undefined;
    });
    if (!socket) continue;
    let isOpen = true;
    while (isOpen && !isOver()) {
      const response = await exchange(socket, token);
      if (response === undefined) {
        lost.push("no response");
        isOpen = false;
      } else {
        responses++;
        if (!response.startsWith("HTTP/1.1 200")) lost.push(response.slice(0, 20));
        if (!keepsConnections || /\r\nconnection: close/i.test(response)) isOpen = false;
      }
    }
    socket.destroy();
  }
  return { responses, lost };
}

/** Sends a request and returns the response, or undefined when the connection ends without one. */
function exchange(socket: Socket, token: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    let text = "";
    const end = (response: string | undefined) => {
      socket.removeAllListeners();
      socket.on("error", () => {});
      resolve(response);
    };
    socket.on("data", (chunk) => {
      text += chunk.toString("latin1");
      const head = text.indexOf("\r\n\r\n");
      const length = /content-length: (\d+)/i.exec(text)?.[1];
      if (head >= 0 && length !== undefined && text.length >= head + 4 + Number(length)) end(text);
    });
    socket.on("close", () => end(undefined));
    socket.on("error", () => end(undefined));
    socket.write(`GET /api/imprints HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n\r\n`);
  });
}

test.each([
  ["with kept connections", 8, true, repetitions(1, 20)],
  ["with a new connection for each request", 100, false, repetitions(1, 40)],
])(
  "a restart under load with --share-port loses no request, %s",
  async (title, clientCount, keeps, rounds) => {
    const restartDb = join(folder, `restart-${clientCount}.db`);
    let server = await startWithSample(restartDb, ["--share-port", "--log", "errors"]);
    const { port } = server;
    const token = server.token!;
    let isOver = false;
    const clients = Array.from({ length: clientCount }, () => runClient(port, token, () => isOver, keeps));
    for (let round = 0; round < rounds; round++) {
      const next = await startColophon([
        "--db",
        restartDb,
        "--share-port",
        "--log",
        "errors",
        "--port",
        String(port),
      ]);
      await Bun.sleep(100);
      expect(await server.stop()).toBe(0);
      server = next;
    }
    isOver = true;
    const results = await Promise.all(clients);
    expect(await server.stop()).toBe(0);
    const responses = results.reduce((sum, result) => sum + result.responses, 0);
    expect(results.flatMap(({ lost }) => lost)).toEqual([]);
    expect(responses).toBeGreaterThan(rounds * clientCount);
    reportFault({
      fault: `restart under load, the next server on the same port (\`--share-port\`), ${title}`,
      tried: rounds,
      lost: "no request",
      checked: `${clientCount} clients without a pause, ${responses.toLocaleString("en-US")} responses, all complete and 200`,
    });
  },
);
