import { describe, expect, spyOn, test } from "bun:test";
import type { StoredRecord } from "../catalog/store.ts";
import { translationTable } from "../catalog/translations.ts";
import { wrapStore } from "../catalog/wrap-store.ts";
import { Request } from "../server/request.ts";
import { inject, requestHeaders } from "../server/testing/inject.ts";
import { importBooks } from "../stores/testing/books.ts";
import { ENGINES, SQLITE } from "../stores/testing/engines.ts";
import { createApp } from "./app.ts";
import { parseRequestId, randomRequestId } from "./client-headers.ts";
import { createTestApi } from "./testing/api.ts";
import { BOOKS, entryOf } from "./testing/books.ts";

const CALLER = { id: undefined, name: undefined };
const OPTIONS = {
  authenticator: { authenticate: () => ({ ok: true, caller: CALLER }) as const },
  translations: translationTable(),
  version: "0",
  codeListIssue: 1,
  onError() {},
};

test("responds synchronously with the embedded store", async () => {
  await using testStore = await SQLITE.createStore();
  await importBooks(testStore.store, BOOKS.map(entryOf));
  const app = createApp({ ...OPTIONS, store: testStore.store });
  // Time stands still: the start of a list that takes longer than a millisecond goes on in another tick.
  using _ = spyOn(performance, "now").mockReturnValue(performance.now());
  for (const path of [
    "/api/isbn/9789999923019",
    "/api/isbn/9780000000002",
    "/api/isbn/x",
    "/api/imprints",
    "/api/news",
  ]) {
    for (const coding of ["identity", "zstd", "gzip", "br"]) {
      const headers = requestHeaders({ "Accept-Encoding": coding });
      const response = app.handle(new Request("GET", path, headers));
      expect([path, coding, response instanceof Promise]).toEqual([path, coding, false]);
      // A second list of one tick may have to wait.
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
});

test("a record of the embedded store leaves no memory behind, cached or not", async () => {
  await using testStore = await SQLITE.createStore();
  await importBooks(testStore.store, BOOKS.map(entryOf));
  const bodies: Uint8Array[] = [];
  const store = wrapStore(testStore.store, (method, name) => {
    if (name !== "record") return method;
    return (...args) => {
      const record = method(...args) as StoredRecord;
      bodies.push(record.body);
      return record;
    };
  });
  const app = createApp({ ...OPTIONS, store });
  const get = async (coding: string) => {
    const headers = requestHeaders({ "Accept-Encoding": coding });
    return (await app.handle(new Request("GET", `/api/isbn/${BOOKS[0]!.isbn}`, headers))).response;
  };
  // The writer frees the first one. The second is copied into the cache, the third encoded.
  expect(await get("identity")).toMatchObject({ ownsBody: true });
  await get("identity");
  await get("zstd");
  expect(bodies.slice(1).map(({ length }) => length)).toEqual([0, 0]);
});

test("a short list leaves its body to the writer, which frees it, unless the cache has it", async () => {
  await using testStore = await SQLITE.createStore();
  await importBooks(testStore.store, BOOKS.map(entryOf));
  const app = createApp({ ...OPTIONS, store: testStore.store });
  const get = async (coding: string) => {
    const headers = requestHeaders({ "Accept-Encoding": coding });
    const { response, lease } = await app.handle(new Request("GET", "/api/skus", headers));
    lease?.release();
    return response;
  };
  for (const coding of ["identity", "zstd"]) {
    expect(await get(coding)).toMatchObject({ ownsBody: true });
    expect(await get(coding)).toMatchObject({ ownsBody: false });
  }
});

test("gives concurrent responses their own ETags", async () => {
  for (const engine of ENGINES) {
    await using testStore = await engine.createStore();
    await importBooks(testStore.store, BOOKS.map(entryOf));
    const app = createApp({ ...OPTIONS, store: testStore.store });
    const responses = await Promise.all(
      BOOKS.map(({ isbn }) =>
        inject(app, { method: "GET", target: `/api/isbn/${isbn}`, headers: new Headers() }),
      ),
    );
    expect(responses.map(({ headers }) => headers.get("etag"))).toEqual(
      BOOKS.map((book) => `"${entryOf(book).etag}"`),
    );
  }
});

test("tells the log the route, the caller, the request id and the cache hit", async () => {
  await using api = await createTestApi(SQLITE);
  const headers = requestHeaders({ Authorization: `Bearer ${api.token}`, "X-Request-Id": "mine" });
  const infoOf = async (target: string) => (await api.app.handle(new Request("GET", target, headers))).info;
  const path = `/api/isbn/${BOOKS[0]!.isbn}`;
  const first = await infoOf(path);
  expect(first).toMatchObject({ route: "getBook", caller: { name: "Tests" }, id: "mine", cacheHit: false });
  await infoOf(path);
  expect(await infoOf(path)).toMatchObject({ route: "getBook", cacheHit: true });
  expect(await infoOf("/openapi.json")).toMatchObject({ route: "page", caller: undefined });
  expect(await infoOf("/nothing")).toMatchObject({ route: undefined, caller: undefined });
});

describe("parseRequestId", () => {
  test.each(["a", "5f0c2a7e-12", "4bf92f3577b34da6a3ce929d0e0e4736", "A.b_c~d-e", "x".repeat(128)])(
    "accepts %s",
    (id) => {
      expect(parseRequestId(id)).toBe(id);
    },
  );

  test.each([
    "",
    "x".repeat(129),
    "a b",
    "a\nb",
    "a\n",
    "a,b",
    'a"b',
    "añb",
    "a/b",
    "a\u0000",
    "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhIn0.c2ln",
  ])("rejects %j", (id) => {
    expect(parseRequestId(id)).toBeUndefined();
  });

  test("returns undefined without a header", () => {
    expect(parseRequestId(null)).toBeUndefined();
  });
});

describe("randomRequestId", () => {
  test("returns random ids that parseRequestId accepts, and that do not show the traffic", () => {
    const ids = Array.from({ length: 1000 }, randomRequestId);
    expect(new Set(ids).size).toBe(1000);
    for (const id of ids) expect(parseRequestId(id)).toBe(id);
    expect(ids.toSorted()).not.toEqual(ids);
    expect(new Set(ids.map((id) => id.slice(0, 8))).size).toBeGreaterThan(990);
  });
});
