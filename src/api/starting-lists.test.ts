/** A list that begins while others are being sent waits for its part of the event loop, as their chunks do. */
import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test";
import { listQueue } from "../server/output/fair-queue.ts";
import { ProtocolError, type Request } from "../server/request.ts";
import { parseRequest } from "../server/testing/inject.ts";
import { SQLITE } from "../stores/testing/engines.ts";
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
  request.isAbandoned = true;
  (await handled).lease!.release();
  expect(api.observed.snapshots).toBe(snapshots);
});

test("reads a record at once", () => {
  expect(api.app.handle(requestFor("/api/isbn/9789999901116"))).not.toBeInstanceOf(Promise);
});
