/** The end of a server, and the change from one to the next, with clients of all kinds connected. */
import { afterAll, expect, setDefaultTimeout, test } from "bun:test";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { completeIsbn13 } from "../../src/onix/isbn.ts";
import { message, product } from "../../src/onix/testing/message.ts";
import { colophon, type ServeProcess, startColophon, temporaryFolder } from "../process.ts";
import { reportFault, repetitions } from "./fault-report.ts";

setDefaultTimeout(120_000);

const folder = temporaryFolder();
afterAll(() => folder.remove());
const db = join(folder.path, "catalog.db");

function dial(port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, "127.0.0.1", () => resolve(socket));
    socket.once("error", reject);
  });
}

const portOf = ({ url }: ServeProcess) => Number(new URL(url).port);

test("SIGTERM with idle, half-sent and stalled connections: exit 0 within the deadline", async () => {
  const rounds = repetitions(1, 5);
  const books = Array.from({ length: 4000 }, (_, at) =>
    product({ isbn: isbnOf(at), title: "A", imprint: "Sello", text: `<Text>${"x".repeat(3000)}</Text>` }),
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
        const socket = await dial(portOf(server));
        socket.on("error", () => {});
        socket.pause();
        if (text !== "") socket.write(text);
        sockets.push(socket);
      }
    }
    await Bun.sleep(300);
    const began = performance.now();
    expect(await server.stop()).toBe(0);
    // 10 s of patience, and what a busy machine takes to notice that they are over.
    expect(performance.now() - began).toBeLessThan(20_000);
    for (const socket of sockets) socket.destroy();
  }
  reportFault({
    fault: "SIGTERM with idle, half-sent and stalled connections",
    tried: rounds,
    lost: "nothing that was not stalled",
    checked: "exit 0 within 20 s, two connections of each of four kinds",
  });
});

/** Asks on one connection after the other, for as long as each lasts; gives what went wrong. */
async function client(
  port: number,
  token: string,
  over: () => boolean,
): Promise<{ answers: number; lost: string[] }> {
  const lost: string[] = [];
  let answers = 0;
  while (!over()) {
    const socket = await dial(port).catch((error) => {
      lost.push(`connect: ${error.code}`);
      return undefined;
    });
    if (!socket) continue;
    let open = true;
    while (open && !over()) {
      const answer = await asked(socket, token);
      if (answer === undefined) {
        lost.push("no answer");
        open = false;
      } else {
        answers++;
        if (!answer.startsWith("HTTP/1.1 200")) lost.push(answer.slice(0, 20));
        if (/\r\nconnection: close/i.test(answer)) open = false;
      }
    }
    socket.destroy();
  }
  return { answers, lost };
}

/** Undefined: the connection ended without one. */
function asked(socket: Socket, token: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    let text = "";
    const end = (answer: string | undefined) => {
      socket.removeAllListeners();
      socket.on("error", () => {});
      resolve(answer);
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

test("a restart under load, one server taking over from the other on one port: no request is lost", async () => {
  const rounds = repetitions(2, 20);
  const own = join(folder.path, "restart.db");
  let server = await startColophon(["--db", own, "--sample", "--share-port", "--log", "errors"]);
  const port = portOf(server);
  const token = server.token!;
  let over = false;
  const clients = Array.from({ length: 8 }, () => client(port, token, () => over));
  for (let round = 0; round < rounds; round++) {
    const next = await startColophon(["--db", own, "--share-port", "--log", "errors", "--port", String(port)]);
    await Bun.sleep(100);
    expect(await server.stop()).toBe(0);
    server = next;
  }
  over = true;
  const ended = await Promise.all(clients);
  expect(await server.stop()).toBe(0);
  const answers = ended.reduce((sum, one) => sum + one.answers, 0);
  expect(ended.flatMap(({ lost }) => lost)).toEqual([]);
  expect(answers).toBeGreaterThan(rounds * 8);
  reportFault({
    fault: "restart under load, the next server on the same port (`--share-port`)",
    tried: rounds,
    lost: "no request",
    checked: `8 clients without a break, ${answers.toLocaleString("en-US")} answers, all whole and 200`,
  });
});

function isbnOf(number: number): string {
  return completeIsbn13(`97912${String(number).padStart(7, "0")}`);
}
