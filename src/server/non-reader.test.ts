/**
 * The memory that one connection holds whose client reads nothing: ten thousand of them have to fit. And bytes that a
 * socket does not take belong to its client, whatever is sent to others meanwhile.
 */
import { expect, test } from "bun:test";
import { waitFor } from "../lib/testing/wait-for.ts";
import { Connection, type ConnectionSocket } from "./connection.ts";
import { MAX_PIPELINED_BYTES } from "./limits.ts";
import { ResponseWriter } from "./output/response-writer.ts";
import { Response, SerializedResponse } from "./response.ts";
import { simpleApp, startOnFreePort } from "./testing/simple-app.ts";
import { openSocket, sendRaw } from "./testing/socket.ts";

const GET = "GET /x HTTP/1.1\r\nHost: x\r\n\r\n";
const MAX_HELD_BYTES = 20 * 1024;

test("requests behind a response in flight are read up to a limit, and again after it", async () => {
  const calls: string[] = [];
  const socket: ConnectionSocket = {
    write: (bytes) => bytes.length,
    end: () => void calls.push("end"),
    shutdown: () => void calls.push("shutdown"),
    terminate: () => void calls.push("terminate"),
    pause: () => void calls.push("pause"),
    resume: () => void calls.push("resume"),
  };
  const { promise, reject } = Promise.withResolvers<Response>();
  const events = { onSent: undefined, onRefused: undefined, onError() {} };
  const connection = new Connection(
    socket,
    simpleApp(() => promise),
    events,
  );
  let behind = 0;
  connection.receive(Buffer.from(GET));
  for (; calls.length === 0; behind += GET.length) connection.receive(Buffer.from(GET));
  expect(calls).toEqual(["pause"]);
  expect(behind).toBeLessThan(MAX_HELD_BYTES);
  expect(behind).toBeGreaterThan(MAX_PIPELINED_BYTES);
  reject(new Error("a test"));
  while (calls.length === 1) await Bun.sleep(1);
  expect(calls).toEqual(["pause", "resume"]);
});

test("the body of a response that is sent many times is not copied for a client that takes nothing", async () => {
  const body = Buffer.alloc(250_000, "x");
  const response = new SerializedResponse(200, "", [body]);
  let copiedBytes = 0;
  const writes: number[] = [];
  let taken = 0;
  const sink = {
    write(bytes: Uint8Array) {
      writes.push(bytes.length);
      if (bytes.buffer !== body.buffer) copiedBytes += bytes.length;
      return taken;
    },
    terminate() {},
  };
  const writer = new ResponseWriter(sink, () => {});
  writer.write(response, { omitBody: false, isHttp10: false, extraHeaders: "X-Request-Id: 1\r\n" });
  while (writes.length === 0) await Bun.sleep(1);
  taken = Number.POSITIVE_INFINITY;
  writer.drain();
  expect(writes).toHaveLength(3);
  expect(copiedBytes).toBeLessThan(MAX_HELD_BYTES);
});

/** Short enough to go out with its head, from memory that all connections share. */
const BODY_BYTES = 60_000;
/** More than the system's buffers hold. */
const RESPONSES = 800;

test("a slow reader gets exactly its own responses", async () => {
  let sent = 0;
  const app = simpleApp(
    ({ target }) => new Response(200, "", new Uint8Array(BODY_BYTES).fill(target.charCodeAt(1))),
  );
  await using server = startOnFreePort(app, {
    onSent({ target }) {
      if (target === "/a") sent++;
    },
  });
  const get = (letter: string) => `GET /${letter} HTTP/1.1\r\nHost: x\r\n\r\n`;
  const slow = await openSocket(server.port);
  slow.pause();
  slow.write(get("a").repeat(RESPONSES));
  // The server has stalled when it sends no more.
  for (let before = -1; before !== sent || sent === 0; await Bun.sleep(200)) before = sent;
  await Promise.all(Array.from({ length: 20 }, () => sendRaw(server.port, get("b"))));
  expect(sent).toBeGreaterThan(0);
  expect(sent).toBeLessThan(RESPONSES);
  const chunks: Buffer[] = [];
  let size = 0;
  slow.on("data", (chunk: Buffer) => {
    chunks.push(chunk);
    size += chunk.length;
  });
  slow.resume();
  await waitFor("all bodies", () => size >= RESPONSES * BODY_BYTES);
  const [head = ""] = Buffer.concat(chunks).toString("latin1").split("\r\n\r\n");
  await waitFor("all heads", () => size >= RESPONSES * (head.length + 4 + BODY_BYTES));
  const withoutDate = (text: string) => text.replace(/Date: [^\r]*/g, "Date: -");
  const received = withoutDate(Buffer.concat(chunks).toString("latin1"));
  const response = `${withoutDate(head)}\r\n\r\n${"a".repeat(BODY_BYTES)}`;
  expect(received === response.repeat(RESPONSES)).toBe(true);
  slow.destroy();
});
