/** Shutdown of a server, and the switch to the next server on the same port, with clients connected. */
import { afterAll, expect, setDefaultTimeout, test } from "bun:test";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { message, product } from "../../src/onix/testing/message.ts";
import { numberedIsbn } from "../numbered-isbn.ts";
import { colophon, startColophon, temporaryFolder } from "../process.ts";
import { repetitions, reportFault } from "./fault-report.ts";

setDefaultTimeout(120_000);

/** The shutdown timeout of `colophon serve` is 10 s. Without it, a stalled client would keep the server for ever. */
const MAX_SHUTDOWN_MS = 40_000;

const folder = temporaryFolder();
afterAll(() => folder.remove());
const db = join(folder.path, "catalog.db");

function openSocket(port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, "127.0.0.1", () => resolve(socket));
    socket.once("error", reject);
  });
}

test("SIGTERM with idle, half-sent and stalled connections: exit 0 within the shutdown timeout", async () => {
  const rounds = repetitions(1, 5);
  const books = Array.from({ length: 4000 }, (_, number) =>
    product({
      isbn: numberedIsbn(number),
      title: "A",
      imprint: "Sello",
      text: `<Text>${"x".repeat(3000)}</Text>`,
    }),
  );
  const feed = join(folder.path, "feed.xml");
  await Bun.write(feed, message(...books));
  expect((await colophon(["import", "--db", db, feed])).code).toBe(0);
  const token = (await colophon(["token", "--name", "T", "--db", db])).stdout.trim();
  for (let round = 0; round < rounds; round++) {
    const server = await startColophon(["--db", db, "--log", "errors"]);
    const request = `GET /api/imprint/sello HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n\r\n`;
    const sockets: Socket[] = [];
    for (const text of ["", "GET /api/sk", request, `${request}GET /api`]) {
      for (let twice = 0; twice < 2; twice++) {
        const socket = await openSocket(server.port);
        socket.on("error", () => {});
        socket.pause();
        if (text !== "") socket.write(text);
        sockets.push(socket);
      }
    }
    await Bun.sleep(300);
    const start = performance.now();
    expect(await server.stop()).toBe(0);
    expect(performance.now() - start).toBeLessThan(MAX_SHUTDOWN_MS);
    for (const socket of sockets) socket.destroy();
  }
  reportFault({
    fault: "SIGTERM with idle, half-sent and stalled connections",
    tried: rounds,
    lost: "nothing but stalled responses",
    checked: `exit 0 within ${MAX_SHUTDOWN_MS / 1000} s, two connections of each of four kinds`,
  });
});

/** Sends requests on one connection after the other, each for as long as it lasts. Returns what went wrong. */
async function runClient(
  port: number,
  token: string,
  isOver: () => boolean,
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
        if (/\r\nconnection: close/i.test(response)) isOpen = false;
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

test("a restart under load with --share-port loses no request", async () => {
  const rounds = repetitions(2, 20);
  const restartDb = join(folder.path, "restart.db");
  let server = await startColophon(["--db", restartDb, "--sample", "--share-port", "--log", "errors"]);
  const { port } = server;
  const token = server.token!;
  let isOver = false;
  const clients = Array.from({ length: 8 }, () => runClient(port, token, () => isOver));
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
  expect(responses).toBeGreaterThan(rounds * 8);
  reportFault({
    fault: "restart under load, the next server on the same port (`--share-port`)",
    tried: rounds,
    lost: "no request",
    checked: `8 clients without a pause, ${responses.toLocaleString("en-US")} responses, all complete and 200`,
  });
});
