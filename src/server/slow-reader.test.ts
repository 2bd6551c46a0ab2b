/** Bytes that a socket does not take belong to its client, whatever is sent to others meanwhile. */
import { expect, test } from "bun:test";
import { waitFor } from "../lib/testing/wait-for.ts";
import { Response } from "./response.ts";
import { startServer } from "./server.ts";
import { simpleApp } from "./testing/simple-app.ts";
import { openSocket, sendRaw } from "./testing/socket.ts";

/** Short enough to go out with its head, from memory that all connections share. */
const BODY_BYTES = 60_000;
/** More than the system's buffers hold. */
const RESPONSES = 800;

test("a slow reader gets exactly its own responses", async () => {
  let sent = 0;
  const server = startServer({
    app: simpleApp(
      ({ target }) => new Response(200, "", new Uint8Array(BODY_BYTES).fill(target.charCodeAt(1))),
    ),
    host: "127.0.0.1",
    port: 0,
    onError() {},
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
  await server.stop(0);
});
