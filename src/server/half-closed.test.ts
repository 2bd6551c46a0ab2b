/** Clients that have said all they want to say: they get what they have asked for, and are not waited for. */
import { afterAll, expect, setDefaultTimeout, test } from "bun:test";
import { dial } from "../api/testing/socket.ts";
import { Reply } from "./response.ts";
import { startServer } from "./server.ts";

setDefaultTimeout(10_000);

const server = startServer({
  app: ({ target }) => new Reply(200, "", Buffer.from(target)),
  host: "127.0.0.1",
  port: 0,
  onError() {},
});
afterAll(() => server.stop(0));

const GET = "GET /x HTTP/1.1\r\nHost: x\r\n\r\n";

test.each([
  ["nothing", "", 0],
  ["a request", GET, 1],
  ["two requests", GET + GET, 2],
  ["a request and half of one", GET + GET.slice(0, 20), 1],
  ["half a request", GET.slice(0, 20), 0],
  ["a request and an empty line", `${GET}\r\n`, 1],
  ["a request with its body", "POST /x HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhello", 1],
  ["a request with half its body", "POST /x HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nhello", 1],
  [
    "a request with its body, and another",
    `POST /x HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhello${GET}`,
    2,
  ],
])("after %s the connection ends at once", async (_, sent, answers) => {
  const socket = await dial(server.port);
  let text = "";
  socket.on("data", (chunk) => {
    text += chunk.toString("latin1");
  });
  const ended = new Promise((resolve) => socket.once("end", resolve));
  socket.end(sent);
  await ended;
  expect(text.match(/HTTP\/1\.1 200/g) ?? []).toHaveLength(answers);
});
