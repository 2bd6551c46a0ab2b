import { expect, setDefaultTimeout, test } from "bun:test";
import { Reply } from "../../server/response.ts";
import { startServer } from "../../server/server.ts";
import { createApp } from "../app.ts";
import { until } from "../testing/api.ts";
import { Turns } from "./freshness.ts";

setDefaultTimeout(60_000);

test("a turn ends with the turn of the loop, or before", async () => {
  const turns = new Turns();
  const first = turns.now();
  expect(turns.now()).toBe(first);
  turns.end();
  const second = turns.now();
  expect(second).not.toBe(first);
  await new Promise(setImmediate);
  expect(turns.now()).not.toBe(second);
});

/** Its write is with the system when it returns. */
async function client(port: number) {
  const heard = { text: "" };
  const socket = await Bun.connect({
    hostname: "127.0.0.1",
    port,
    socket: {
      data(_, bytes) {
        heard.text += bytes.toString("latin1");
      },
    },
  });
  const get = (isbn: string) =>
    `GET /api/isbn/${isbn} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer x\r\n\r\n`;
  return { heard, socket, ask: (...isbns: string[]) => socket.write(isbns.map(get).join("")) };
}

test("what the store said for a request that was sent ahead does not hold for one that comes later", async () => {
  const [wanted, second] = ["9789999923019", "9789999923026"];
  let revision = "before";
  let meanwhile = () => {};
  const app = createApp({
    // A catalog that changes at the very moment at which it can do harm.
    store: {
      revision: () => revision,
      record(isbn) {
        if (isbn === second) meanwhile();
        return { body: Buffer.from(`"${revision}"`), etag: revision };
      },
      snapshot: () => {
        throw new Error("no list is asked for");
      },
    },
    gate: { authenticate: () => ({ ok: true, caller: { id: undefined, name: undefined } }) },
    translations: { body: Buffer.from("{}"), etag: "" },
    version: "0.0.0",
    codeListIssue: 70,
    onError() {},
  });
  const server = startServer({
    app,
    host: "127.0.0.1",
    port: 0,
    onError: () => new Reply(500, "", undefined),
  });
  const [reader, ahead] = [await client(server.port), await client(server.port)];
  for (let times = 1; times <= 3; times++) {
    reader.ask(wanted);
    await until(() => reader.heard.text.split('"before"').length > 2 * times);
  }
  meanwhile = () => {
    revision = "after";
    reader.ask(wanted);
  };
  reader.heard.text = "";
  ahead.ask(wanted, second);
  await until(() => reader.heard.text.includes("\r\n\r\n"));
  expect(reader.heard.text).toContain('ETag: "after"');
  reader.socket.terminate();
  ahead.socket.terminate();
  await server.stop(0);
});
