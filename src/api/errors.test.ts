import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { ERRORS } from "./errors.ts";
import { type ServedApi, serveTestApi } from "./testing/api.ts";
import { BOOKS } from "./testing/books.ts";
import { ENGINES, SQLITE } from "../stores/testing/engines.ts";

const ISBN = BOOKS[0]!.isbn;
const ENDPOINTS = [
  `/api/isbn/${ISBN}`,
  `/api/isbns/${ISBN}`,
  "/api/imprint/zeta",
  "/api/imprints",
  "/api/news",
  "/api/skus",
  "/api/translations",
];

let it: ServedApi;
beforeAll(async () => {
  it = await serveTestApi(SQLITE);
});
afterAll(() => it[Symbol.asyncDispose]());

describe("401", () => {
  test.each(ENDPOINTS)("%s without a token", async (path) => {
    const reply = await it.get(path, { token: null });
    expect(reply.status).toBe(401);
    expect(reply.headers.get("content-type")).toBe("application/problem+json");
    expect(reply.headers.get("www-authenticate")).toBe('Bearer realm="colophon"');
    expect(reply.json).toEqual({
      type: "about:blank",
      title: "Unauthorized",
      status: 401,
      message: "Unauthorized",
      detail: expect.stringContaining("Authorization: Bearer"),
    });
  });

  test.each(ENDPOINTS)("%s with a bad token: the same body", async (path) => {
    const reply = await it.get(path, { token: "a.b.c" });
    expect(reply.status).toBe(401);
    expect(reply.headers.get("www-authenticate")).toBe('Bearer realm="colophon", error="invalid_token"');
    expect(reply.json).toEqual((await it.get(path, { token: null })).json);
  });

  test.each([
    ["400", "/api/isbn/abc", {}],
    ["400", "/api/news?date=x", {}],
    ["400", "/api/imprint/%zz", {}],
    ["404", "/api/isbn/9780000000002", {}],
    ["404", "/api/imprint/nobody", {}],
    ["304", "/api/skus", { "If-None-Match": "*" }],
    ["406", "/api/skus", { Accept: "text/html" }],
  ])("comes before %s: %s", async (_, path, headers) => {
    expect((await it.get(path, { token: null, headers })).status).toBe(401);
    expect((await it.get(path, { headers })).status).not.toBe(401);
  });

  test("a token in a query or a cookie does not count", async () => {
    const reply = await it.get(`/api/skus?access_token=${it.token}&token=${it.token}`, {
      token: null,
      headers: { Cookie: `token=${it.token}`, "X-Authorization": `Bearer ${it.token}` },
    });
    expect(reply.status).toBe(401);
  });
});

describe("404", () => {
  test.each([
    "/",
    "/api",
    "/api/",
    "/api/isbn",
    "/api/isbn/",
    "/api/isbns/",
    "/api/imprint/",
    "/api/imprints/",
    "/api/skus/1",
    "/api/nothing",
    "/API/skus",
    "/api//skus",
    "/api/isbn/9789999923019/x",
    "/api/%73kus",
    "/api/skus%2F",
    "/api/{isbn}",
    "/api/__proto__",
    "/api/constructor",
    "/favicon.ico",
  ])("%s is no endpoint, with or without a token", async (path) => {
    for (const token of [undefined, null]) {
      const reply = await it.get(path, token === null ? { token } : {});
      expect(reply.status).toBe(404);
      expect(reply.json.message).toBe("Not Found");
      expect(reply.headers.has("www-authenticate")).toBe(false);
    }
  });

  test("for any method", async () => {
    for (const method of ["POST", "OPTIONS", "DELETE"]) {
      expect((await it.get("/api/nothing", { method, token: null })).status).toBe(404);
    }
  });
});

describe("400", () => {
  test.each(["%", "%4", "%zz", "%C3", "%C0%AF", "%ED%A0%80", "a%FFb", "%F8%88%80%80%80"])(
    "the segment %s is no UTF-8 in percent-encoding",
    async (segment) => {
      for (const path of ["/api/isbn/", "/api/isbns/", "/api/imprint/"]) {
        const reply = await it.get(path + segment);
        expect(reply.status).toBe(400);
        expect(reply.json.message).toBe("Bad Request");
        expect(reply.json.detail).toContain("percent-encoding");
      }
    },
  );
});

describe("405", () => {
  test.each(["POST", "PUT", "PATCH", "DELETE", "PROPFIND"])("%s", async (method) => {
    for (const path of [...ENDPOINTS, "/openapi.json"]) {
      const response = await fetch(it.url + path, { method });
      expect(response.status).toBe(405);
      expect(response.headers.get("allow")).toBe("GET, HEAD, OPTIONS");
      expect(await response.json()).toMatchObject({ status: 405, message: "Method Not Allowed" });
    }
    expect((await it.get("/api/skus", { method })).status).toBe(405);
  });
});

describe("406", () => {
  test.each([
    "text/html",
    "application/json;q=0",
    "application/json;q=0, */*",
    "image/*, text/*",
    "application/problem+json",
  ])("Accept: %s", async (accept) => {
    const reply = await it.get("/api/skus", { headers: { Accept: accept } });
    expect(reply.status).toBe(406);
    expect(reply.json.detail).toContain("application/json");
  });

  test.each([
    "application/json",
    "*/*",
    "text/html, */*;q=0.1",
    "application/*",
    "APPLICATION/JSON; charset=utf-8",
    "",
  ])("not for Accept: %s", async (accept) => {
    expect((await it.get("/api/skus", { headers: { Accept: accept } })).status).toBe(200);
  });

  test.each(["identity;q=0", "*;q=0", "identity;q=0, deflate"])("Accept-Encoding: %s", async (codings) => {
    const reply = await it.get("/api/skus", { headers: { "Accept-Encoding": codings } });
    expect(reply.status).toBe(406);
    expect(reply.json.detail).toContain("Accept-Encoding");
  });
});

for (const engine of ENGINES) {
  describe(`a store that fails (${engine.name})`, () => {
    test("is 503, never a 404 or an empty list; nothing of the failure is told", async () => {
      await using broken = await serveTestApi(engine);
      broken.observed.failure = new Error("SQLITE_CORRUPT: SELECT secret FROM record");
      for (const path of ENDPOINTS.filter((one) => one !== "/api/translations")) {
        const reply = await broken.get(path);
        expect(reply.status).toBe(503);
        expect(reply.headers.get("retry-after")).toBe("5");
        expect(reply.json).toMatchObject({ status: 503, message: "Service Unavailable" });
        expect(reply.text).not.toContain("SQLITE");
        expect(reply.text).not.toContain("SELECT");
        const { error, request } = broken.errors.pop()!;
        expect(error).toBe(broken.observed.failure!);
        expect(request).toEqual({ id: reply.headers.get("x-request-id")!, method: "GET", path });
      }
      expect((await broken.get("/api/translations")).status).toBe(200);
      delete broken.observed.failure;
      expect((await broken.get("/api/skus")).status).toBe(200);
      expect(broken.observed.openSnapshots).toBe(0);
    });

    test("before the first block of a list: 503, and the view is closed", async () => {
      await using broken = await serveTestApi(engine);
      broken.observed.failAfterBytes = 0;
      const reply = await broken.get("/api/imprint/zeta");
      expect(reply.status).toBe(503);
      expect(reply.text).not.toContain("secret");
      expect(broken.observed.openSnapshots).toBe(0);
    });
  });
}

test("a ledger that fails is 503, not 401", async () => {
  const failure = new Error("disk I/O error");
  await using broken = await serveTestApi(SQLITE, {
    authenticator: {
      authenticate() {
        throw failure;
      },
    },
  });
  const reply = await broken.get("/api/skus");
  expect(reply.status).toBe(503);
  expect(broken.errors[0]!.error).toBe(failure);
});

test("any other failure is 500, with an id and without a stack", async () => {
  const failure = new Error("a bug at /home/somebody/file.ts");
  await using broken = await serveTestApi(SQLITE, {
    today() {
      throw failure;
    },
  });
  const reply = await broken.get("/api/news");
  expect(reply.status).toBe(500);
  expect(reply.json.message).toBe("Internal Server Error");
  expect(reply.text).not.toContain("somebody");
  expect(broken.errors[0]).toEqual({
    error: failure,
    request: { id: reply.headers.get("x-request-id")!, method: "GET", path: "/api/news" },
  });
});

test("the table has the specification's messages", () => {
  const messages = Object.values(ERRORS).map(({ status, message }) => `${status} ${message}`);
  for (const row of [
    "400 Invalid date format",
    "400 Bad Request",
    "401 Unauthorized",
    "404 Imprint not found",
    "404 Book not found",
    "404 Not Found",
  ]) {
    expect(messages).toContain(row as (typeof messages)[number]);
  }
});
