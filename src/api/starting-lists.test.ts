/** Lists that begin while others are being sent, and lists whose snapshot ends. */
import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test";
import { SnapshotExpired } from "../catalog/store-errors.ts";
import { translationTable } from "../catalog/translations.ts";
import { waitFor } from "../lib/testing/wait-for.ts";
import { listQueue } from "../server/output/fair-queue.ts";
import { ProtocolError, type Request } from "../server/request.ts";
import { startServer } from "../server/server.ts";
import { parseRequest } from "../server/testing/inject.ts";
import { collect, openSocket } from "../server/testing/socket.ts";
import { openSqlite } from "../stores/sqlite/store.ts";
import { TempFolder } from "../stores/sqlite/testing/folder.ts";
import { book, books, importBooks } from "../stores/testing/books.ts";
import { SQLITE } from "../stores/testing/engines.ts";
import { createApp } from "./app.ts";
import { createTestApi, type TestApi } from "./testing/api.ts";

const LIST_PATH = "/api/imprint/zeta";

let api: TestApi;
beforeAll(async () => {
  api = await createTestApi(SQLITE, { cacheBytes: 0 });
  // From now on the token is known, and a request is handled at once.
  await api.get(LIST_PATH);
});
beforeEach(() => {
  delete api.observed.failure;
  // Another list is being sent.
  listQueue.add(() => {});
});
afterAll(() => api[Symbol.asyncDispose]());

function requestFor(target: string): Request {
  const headers = new Headers({ Authorization: `Bearer ${api.token}` });
  const request = parseRequest({ method: "GET", target, headers });
  if (request instanceof ProtocolError) throw request;
  return request;
}

async function statusOf(target: string): Promise<number> {
  return (await api.app.handle(requestFor(target))).response.status;
}

test("opens no snapshot in the tick of the request, and returns 200 later", async () => {
  const { snapshots } = api.observed;
  const status = statusOf(LIST_PATH);
  expect(api.observed.snapshots).toBe(snapshots);
  expect(await status).toBe(200);
  expect(api.observed.snapshots).toBe(snapshots + 1);
});

test("returns 404 for an unknown imprint", async () => {
  expect(await statusOf("/api/imprint/unknown")).toBe(404);
});

test("returns 503 when the store fails while the list waits", async () => {
  const status = statusOf(LIST_PATH);
  api.observed.failure = new Error("broken");
  expect(await status).toBe(503);
});

test("opens no snapshot for a client that has left", async () => {
  const { snapshots } = api.observed;
  const request = requestFor(LIST_PATH);
  const handled = api.app.handle(request);
  request.abandon();
  (await handled).lease!.release();
  expect(api.observed.snapshots).toBe(snapshots);
});

test("reads a record at once", () => {
  expect(api.app.handle(requestFor("/api/isbn/9789999901116"))).not.toBeInstanceOf(Promise);
});

test("a list that is read slowly is cut off before its end when an import has superseded it", async () => {
  using folder = new TempFolder();
  const store = openSqlite(folder.catalog, { create: true, snapshotHoldMs: 100 });
  // More than the buffers of two sockets hold.
  await importBooks(store, books(1, 5000, { imprint: "A", title: "x".repeat(4000) }));
  const errors: unknown[] = [];
  const app = createApp({
    store,
    authenticator: { authenticate: () => ({ ok: true, caller: { id: "1", name: "Any" } }) },
    translations: translationTable(),
    version: "0",
    codeListIssue: 70,
    onError: (error) => errors.push(error),
  });
  const server = startServer({ app, host: "127.0.0.1", port: 0, onError: (error) => errors.push(error) });
  const client = await openSocket(server.port);
  client.pause();
  // The connection may be closed as soon as the state has ended, before the client reads on.
  const received = collect(client);
  client.write("GET /api/imprint/a HTTP/1.1\r\nHost: x\r\n\r\n");
  await waitFor("the list has begun", () => store.load?.().openLists === 1);
  await importBooks(store, [book(1, { imprint: "A", title: "new" })]);
  await waitFor("its state has ended", () => store.load?.().openLists === 0);
  client.resume();
  await waitFor("the connection is closed", () => received.closed);
  // A reset can take away what the client has not read.
  if (received.text !== "") expect(received.text).toStartWith("HTTP/1.1 200 ");
  expect(received.text).not.toEndWith("\r\n0\r\n\r\n");
  expect(errors).toEqual([expect.any(SnapshotExpired)]);
  await server.stop(0);
  await store.close();
});
