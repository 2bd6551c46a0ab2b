/** Clients that close their sending half: they get their responses, and the server closes. */
import { afterAll, expect, test } from "bun:test";
import { Response } from "./response.ts";
import { startServer } from "./server.ts";
import { simpleApp } from "./testing/simple-app.ts";
import { openSocket } from "./testing/socket.ts";

const server = startServer({
  app: simpleApp(({ target }) => new Response(200, "", Buffer.from(target))),
  host: "127.0.0.1",
  port: 0,
  onError() {},
});
afterAll(() => server.stop(0));

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
])("closes the connection after %s", async (_, sent, responses) => {
  const socket = await openSocket(server.port);
  let text = "";
  socket.on("data", (chunk) => {
    text += chunk.toString("latin1");
  });
  const ended = new Promise((resolve) => socket.once("end", resolve));
  socket.end(sent);
  await ended;
  expect(text.match(/HTTP\/1\.1 200/g) ?? []).toHaveLength(responses);
});
