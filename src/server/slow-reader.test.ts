/** What is left of an answer that a socket has not taken is kept for its reader, whoever is served meanwhile. */
import { expect, setDefaultTimeout, test } from "bun:test";
import { until } from "../api/testing/api.ts";
import { dial, send } from "../api/testing/socket.ts";
import { Reply } from "./response.ts";
import { startServer } from "./server.ts";

setDefaultTimeout(60_000);

/** Short enough to go out with its head, from memory that all connections share. */
const BODY = 60_000;
/** More than the buffers of the system hold. */
const ANSWERS = 800;

test("a slow reader gets its own answers, to the byte", async () => {
  const server = startServer({
    app: ({ target }) => new Reply(200, "", new Uint8Array(BODY).fill(target.charCodeAt(1))),
    host: "127.0.0.1",
    port: 0,
    onError() {},
    onSent({ target }) {
      if (target === "/a") sent++;
    },
  });
  let sent = 0;
  const get = (letter: string) => `GET /${letter} HTTP/1.1\r\nHost: x\r\n\r\n`;
  const slow = await dial(server.port);
  slow.pause();
  slow.write(get("a").repeat(ANSWERS));
  // It is stuck when it moves no further.
  for (let before = -1; before !== sent || sent === 0; await Bun.sleep(50)) before = sent;
  await Promise.all(Array.from({ length: 20 }, () => send(server.port, get("b"))));
  expect(sent).toBeGreaterThan(0);
  expect(sent).toBeLessThan(ANSWERS);
  const chunks: Buffer[] = [];
  let size = 0;
  slow.on("data", (chunk: Buffer) => {
    chunks.push(chunk);
    size += chunk.length;
  });
  slow.resume();
  await until(() => size >= ANSWERS * BODY);
  const text = Buffer.concat(chunks).toString("latin1");
  const [head = ""] = text.split("\r\n\r\n");
  await until(() => size >= ANSWERS * (head.length + 4 + BODY));
  const all = Buffer.concat(chunks)
    .toString("latin1")
    .replace(/Date: [^\r]*/g, "Date: -");
  const answer = `${head.replace(/Date: [^\r]*/, "Date: -")}\r\n\r\n${"a".repeat(BODY)}`;
  expect(all === answer.repeat(ANSWERS)).toBe(true);
  slow.destroy();
  await server.stop(0);
});
