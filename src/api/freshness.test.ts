import { describe, expect, test } from "bun:test";
import { StartedImport } from "../catalog/import-run.ts";
import { anyRun } from "../catalog/testing/import-runs.ts";
import { waitFor } from "../lib/testing/wait-for.ts";
import type { Day } from "../onix/date.ts";
import { Request } from "../server/request.ts";
import { startServer } from "../server/server.ts";
import { requestHeaders } from "../server/testing/inject.ts";
import { books, importBooks } from "../stores/testing/books.ts";
import { SQLITE } from "../stores/testing/engines.ts";
import { ResponseCache } from "./cache/response-cache.ts";
import { CatalogFreshness, TickClock } from "./freshness.ts";
import { createTestApi } from "./testing/api.ts";
import { BOOKS } from "./testing/books.ts";
import { lookupApp } from "./testing/lookup-app.ts";

test("a tick ends with the next setImmediate, or when it is ended", async () => {
  const ticks = new TickClock();
  const first = ticks.current();
  expect(ticks.current()).toBe(first);
  ticks.end();
  const second = ticks.current();
  expect(second).not.toBe(first);
  await new Promise(setImmediate);
  expect(ticks.current()).not.toBe(second);
});

test("an import that changes nothing, or fails, leaves cached responses as they are", async () => {
  await using testStore = await SQLITE.createStore();
  await importBooks(testStore.store, books(1, 3));
  const ticks = new TickClock();
  const day = "20260901" as Day;
  const freshness = new CatalogFreshness(testStore.store.lookupTransaction!, () => day, ticks);
  const before = freshness.current();
  ticks.end();
  const importer = await testStore.reopen();
  const transaction = await importer.beginImport();
  await transaction.commit(transaction.revision, anyRun({ outcome: "unchanged" }));
  await importer.recordFailedImport(new StartedImport().failed("refused"));
  expect((await testStore.store.stats()).lastImport?.message).toBe("refused");
  expect(freshness.current()).toBe(before);
  ticks.end();
});

test("the catalog is checked once a tick, and its read transaction ends with the tick", async () => {
  const calls: string[] = [];
  let revision = "a";
  let subjects = "";
  const lookups = {
    begin() {
      calls.push("begin");
      return revision;
    },
    lastImportId: () => "",
    subjectsVersion: () => subjects,
    end: () => void calls.push("end"),
  };
  let day = "20260901" as Day;
  const ticks = new TickClock();
  const freshness = new CatalogFreshness(lookups, () => day, ticks);

  const first = freshness.current();
  expect(first).toEqual({ revision: "a", day, subjects });
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
  expect(freshness.current()).toEqual({ revision: "b", day, subjects });
  ticks.end();
  subjects = "c";
  expect(freshness.current()).toEqual({ revision: "b", day, subjects });
  ticks.end();
  expect(calls).toEqual(["begin", "end", "begin", "end", "begin", "end", "begin", "end", "begin", "end"]);
});

test.each([0, 1_000_000])(
  "with a cache of %d bytes, lookups of a tick share a read transaction",
  async (cacheBytes) => {
    await using api = await createTestApi(SQLITE, { cacheBytes });
    const headers = requestHeaders({ Authorization: `Bearer ${api.token}` });
    const get = async ({ isbn }: { isbn: string }) =>
      (await api.app.handle(new Request("GET", `/api/isbn/${isbn}`, headers, false, false))).response.status;
    // The first request verifies the signature, which takes several ticks.
    await get(BOOKS[0]!);
    await new Promise(setImmediate);
    const before = { ...api.observed };
    expect(await Promise.all([get(BOOKS[1]!), get(BOOKS[2]!)])).toEqual([200, 200]);
    expect(api.observed.lookups - before.lookups).toBe(2);
    expect(api.observed.lookupTransactions - before.lookupTransactions).toBe(1);
    await new Promise(setImmediate);
    expect(await get(BOOKS[3]!)).toBe(200);
    expect(api.observed.lookupTransactions - before.lookupTransactions).toBe(2);
  },
);

test("without a cache, what reads no single record begins no lookup transaction", async () => {
  await using api = await createTestApi(SQLITE, { cacheBytes: 0 });
  for (const path of ["/api/translations", "/api/skus", "/api/changes", "/api/imports"])
    expect((await api.get(path)).status).toBe(200);
  expect(api.observed.lookupTransactions).toBe(0);
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
  // A catalog that changes at the most harmful moment.
  const app = lookupApp({
    revision: () => revision,
    record(isbn) {
      if (isbn === second) onSecondLookup();
      return { body: Buffer.from(`"${revision}"`), etag: revision };
    },
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

test("storing a recorded list does not begin a tick that is still running when sockets are read", async () => {
  let revision = "before";
  const ticks = new TickClock();
  const freshness = new CatalogFreshness(
    { begin: () => revision, lastImportId: () => "", subjectsVersion: () => "", end() {} },
    () => "20260901" as Day,
    ticks,
  );
  const cache = new ResponseCache(freshness, 1_000_000);
  cache.find("key");
  cache.slotAfterMiss("key");
  const slot = cache.slotAfterMiss("key")!;
  await new Promise(setImmediate);

  const { promise: found, resolve } = Promise.withResolvers<boolean>();
  const server = Bun.listen({
    hostname: "127.0.0.1",
    port: 0,
    socket: { data: () => resolve(cache.find("key") !== undefined) },
  });
  const client = await Bun.connect({ hostname: "127.0.0.1", port: server.port, socket: { data() {} } });
  // A list ends in a setImmediate callback of the server's queue.
  setImmediate(() => {
    slot.store({ etag: '"x"', headers: "", contentHeaders: "", body: [new Uint8Array(3)] });
    revision = "after";
    client.write("a request after the import");
    client.flush();
  });
  expect(await found).toBe(false);
  client.terminate();
  server.stop(true);
});

describe("a revoked token", () => {
  const path = `/api/isbn/${BOOKS[0]!.isbn}`;

  async function setUp() {
    const api = await createTestApi(SQLITE);
    const headers = requestHeaders({ Authorization: `Bearer ${api.token}` });
    const statusOf = async (isDeferred = false) =>
      (await api.app.handle(new Request("GET", path, headers, false, isDeferred))).response.status;
    const nextTick = () => new Promise(setImmediate);
    // The first request verifies the signature; from the second on, the result is reused within a tick.
    await statusOf();
    await nextTick();
    const revoke = async () => {
      const [issued] = await api.store.tokens.list();
      await api.store.tokens.revoke(issued!.id, new Date().toISOString());
    };
    return { api, statusOf, nextTick, revoke };
  }

  test("is refused in the next tick; requests of one tick share one check", async () => {
    const { api, statusOf, nextTick, revoke } = await setUp();
    await using _ = api;
    expect(await statusOf()).toBe(200);
    await revoke();
    expect(await statusOf()).toBe(200);
    await nextTick();
    expect(await statusOf()).toBe(401);
  });

  test("is refused for the request after a deferred one", async () => {
    const { api, statusOf, revoke } = await setUp();
    await using _ = api;
    expect(await statusOf(true)).toBe(200);
    await revoke();
    expect(await statusOf(true)).toBe(401);
  });
});
