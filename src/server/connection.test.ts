/** How requests arrive on one connection, and in which order they are handled. */
import { afterAll, describe, expect, test } from "bun:test";
import { waitFor } from "../lib/testing/wait-for.ts";
import { Response } from "./response.ts";
import { simpleApp, startOnFreePort } from "./testing/simple-app.ts";
import { collect, openSocket, parseResponse, sendRaw } from "./testing/socket.ts";

const LIST_CHUNKS = 40;

let handled = 0;
/** Responds with the target; `/stream` with a streamed body. */
const app = simpleApp(({ target }) => {
  handled++;
  if (target !== "/stream") return new Response(200, "", Buffer.from(`<${target}>`));
  let left = LIST_CHUNKS;
  const next = () => (left-- > 0 ? new Uint8Array(5000).fill(0x78) : undefined);
  return new Response(200, "", { stream: { next, close() {} }, onFailure() {} });
});
const server = startOnFreePort(app);
afterAll(() => server.stop(0));

const TARGETS = Array.from({ length: 12 }, (_, index) => `/book/${index}`);
const get = (target: string, ...fields: string[]) =>
  [`GET ${target} HTTP/1.1`, "Host: x", ...fields, "", ""].join("\r\n");
const targetsIn = (text: string) => [...text.matchAll(/<([^>]+)>/g)].map(([, target]) => target!);

/** Writes parts with pauses. Returns all that came back once `isComplete`. */
async function exchange(parts: readonly string[], isComplete: (text: string) => boolean): Promise<string> {
  const socket = await openSocket(server.port);
  const received = collect(socket);
  for (const part of parts) {
    socket.write(part);
    await Bun.sleep(1);
  }
  await waitFor("all responses", () => isComplete(received.text));
  socket.destroy();
  return received.text;
}

test("handles a request that arrives byte by byte", async () => {
  const text = await exchange([...get("/book/1")], (text) => text.endsWith(">"));
  expect(targetsIn(text)).toEqual(["/book/1"]);
});

test("handles pipelined requests once and in order, wherever their bytes are split", async () => {
  const expected = [...TARGETS, ...TARGETS, ...TARGETS];
  const parts = expected
    .map((target) => get(target))
    .join("")
    .match(/[\s\S]{1,397}/g)!;
  const text = await exchange(parts, (text) => targetsIn(text).length === expected.length);
  expect(targetsIn(text)).toEqual(expected);
});

test("handles repeated header fields as if each request were the first", async () => {
  const targets = [...TARGETS, "/a?x=1", "/", "/%", "/a%20b", "/a/../b", ...TARGETS];
  const socket = await openSocket(server.port);
  for (const target of targets) {
    const received = new Promise<Buffer>((resolve) => socket.once("data", resolve));
    socket.write(get(target));
    const repeated = parseResponse((await received).toString("latin1"));
    const first = parseResponse(await sendRaw(server.port, get(target)));
    expect([target, repeated.status, repeated.body]).toEqual([target, first.status, first.body]);
  }
  socket.destroy();
});

test("sends HTTP/1.0 clients a streamed body without chunks, and closes", async () => {
  const socket = await openSocket(server.port);
  const received = collect(socket);
  socket.write(get("/stream").replace("HTTP/1.1", "HTTP/1.0"));
  await waitFor("the end of the response", () => received.closed);
  const { headers, body } = parseResponse(received.text);
  expect(headers.has("transfer-encoding")).toBe(false);
  expect(headers.get("connection")).toBe("close");
  expect(body).toBe("x".repeat(LIST_CHUNKS * 5000));
});

test.each([["Connection: close"], ["Transfer-Encoding: chunked"], ["Content-Length: 1000000"]])(
  "closes after the response to a request with %s",
  async (field) => {
    const text = await sendRaw(server.port, get("/book/0", field) + get("/book/1"), 2);
    expect(targetsIn(text)).toEqual(["/book/0"]);
    expect(parseResponse(text).headers.get("connection")).toBe("close");
  },
);

test("skips the body of a request, and does not take it for the next one", async () => {
  const body = get("/body");
  const first = `${get("/book/0", `Content-Length: ${body.length}`)}${body}`;
  const text = await sendRaw(server.port, first + get("/book/1"), 2);
  expect(targetsIn(text)).toEqual(["/book/0", "/book/1"]);
});

describe("a client that pipelines without reading", () => {
  test("is not read beyond the limit, and gets every response once it reads", async () => {
    const count = 400;
    const before = handled;
    const socket = await openSocket(server.port);
    socket.pause();
    // 200 kB each: the first ones fill the buffers of both sockets, and the server stops handling.
    const requests = get("/stream", `X-Filler: ${"y".repeat(40_000)}`).repeat(count);
    socket.write(requests);
    let unsent = -1;
    while (unsent !== socket.writableLength) {
      unsent = socket.writableLength;
      await Bun.sleep(300);
    }
    // Without backpressure, the server would have taken all 16 MB.
    expect(unsent).toBeGreaterThan(requests.length / 2);
    expect(handled - before).toBeLessThan(count / 10);
    let ends = 0;
    let rest = "";
    socket.on("data", (chunk) => {
      const text = rest + chunk.toString("latin1");
      const parts = text.split("\r\n0\r\n\r\n");
      ends += parts.length - 1;
      rest = parts.at(-1)!.slice(-6);
    });
    socket.resume();
    await waitFor("all responses", () => ends === count);
    expect(handled - before).toBe(count);
    socket.destroy();
  });
});

const GET = "GET /x HTTP/1.1\r\nHost: x\r\n\r\n";
const post = (length: number) => `POST /x HTTP/1.1\r\nHost: x\r\nContent-Length: ${length}\r\n\r\nhello`;

test.each([
  ["nothing", "", 0],
  ["a request", GET, 1],
  ["two requests", GET + GET, 2],
  ["a request and half of one", GET + GET.slice(0, 20), 1],
  ["half a request", GET.slice(0, 20), 0],
  ["a request and an empty line", `${GET}\r\n`, 1],
  ["a request with its body", post(5), 1],
  ["a request with half its body", post(9), 1],
  ["a request with its body, and another", post(5) + GET, 2],
])(
  "a client that closes its sending half gets its responses, and the connection is closed: after %s",
  async (_, sent, responses) => {
    const socket = await openSocket(server.port);
    let text = "";
    socket.on("data", (chunk) => {
      text += chunk.toString("latin1");
    });
    const ended = new Promise((resolve) => socket.once("end", resolve));
    socket.end(sent);
    await ended;
    expect(text.match(/HTTP\/1\.1 200/g) ?? []).toHaveLength(responses);
  },
);
