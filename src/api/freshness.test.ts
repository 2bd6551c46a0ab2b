import { expect, setDefaultTimeout, test } from "bun:test";
import { waitFor } from "../lib/testing/wait-for.ts";
import type { Day } from "../onix/date.ts";
import { startServer } from "../server/server.ts";
import { createApp } from "./app.ts";
import { CatalogFreshness, TickClock } from "./freshness.ts";

setDefaultTimeout(60_000);

test("a tick ends before the event loop reads sockets again, or when it is ended", async () => {
  const ticks = new TickClock();
  const first = ticks.current();
  expect(ticks.current()).toBe(first);
  ticks.end();
  const second = ticks.current();
  expect(second).not.toBe(first);
  await new Promise(setImmediate);
  expect(ticks.current()).not.toBe(second);
});

test("the catalog is checked once a tick, and its read transaction ends with the tick", async () => {
  const calls: string[] = [];
  let revision = "a";
  const lookups = {
    begin() {
      calls.push("begin");
      return revision;
    },
    end: () => void calls.push("end"),
  };
  let day = "20260901" as Day;
  const ticks = new TickClock();
  const freshness = new CatalogFreshness(lookups, () => day, ticks);

  const first = freshness.current();
  expect(first).toEqual({ revision: "a", day });
  revision = "b";
  expect(freshness.current()).toBe(first);
  expect(calls).toEqual(["begin"]);

  await new Promise(setImmediate);
  expect(calls).toEqual(["begin", "end"]);
  const second = freshness.current();
  expect(second.revision).toBe("b");

  ticks.end();
  expect(freshness.current()).toBe(second);
  ticks.end();
  day = "20260902" as Day;
  expect(freshness.current()).toEqual({ revision: "b", day });
  ticks.end();
  expect(calls).toEqual(["begin", "end", "begin", "end", "begin", "end", "begin", "end"]);
});

/** Connects a client whose writes have reached the system when they return. */
async function connectClient(port: number) {
  const received = { text: "" };
  const socket = await Bun.connect({
    hostname: "127.0.0.1",
    port,
    socket: {
      data(_, bytes) {
        received.text += bytes.toString("latin1");
      },
    },
  });
  const get = (isbn: string) =>
    `GET /api/isbn/${isbn} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer x\r\n\r\n`;
  return { received, socket, send: (...isbns: string[]) => socket.write(isbns.map(get).join("")) };
}

test("the state found for a pipelined request is not used for a request that starts later", async () => {
  const [wanted, second] = ["9789999923019", "9789999923026"];
  let revision = "before";
  let onSecondLookup = () => {};
  const app = createApp({
    // A catalog that changes at the most harmful moment.
    store: {
      lookupTransaction: { begin: () => revision, end() {} },
      record(isbn) {
        if (isbn === second) onSecondLookup();
        return { body: Buffer.from(`"${revision}"`), etag: revision };
      },
      snapshot: () => {
        throw new Error("The test requests no list");
      },
    },
    authenticator: { authenticate: () => ({ ok: true, caller: { id: undefined, name: undefined } }) },
    translations: { body: Buffer.from("{}"), etag: "" },
    version: "0.0.0",
    codeListIssue: 70,
    onError() {},
  });
  const server = startServer({ app, host: "127.0.0.1", port: 0, onError() {} });
  const [reader, pipeliner] = [await connectClient(server.port), await connectClient(server.port)];
  for (let count = 1; count <= 3; count++) {
    reader.send(wanted);
    await waitFor("a response from before", () => reader.received.text.split('"before"').length > 2 * count);
  }
  onSecondLookup = () => {
    revision = "after";
    reader.send(wanted);
  };
  reader.received.text = "";
  pipeliner.send(wanted, second);
  await waitFor("the response after the change", () => reader.received.text.includes("\r\n\r\n"));
  expect(reader.received.text).toContain('ETag: "after"');
  reader.socket.terminate();
  pipeliner.socket.terminate();
  await server.stop(0);
});
