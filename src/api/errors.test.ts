import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { StoreError } from "../catalog/store-errors.ts";
import { Request } from "../server/request.ts";
import { parseRequest } from "../server/testing/inject.ts";
import { ENGINES, SQLITE } from "../stores/testing/engines.ts";
import { ERRORS } from "./errors.ts";
import { createTestApi, GENERATED_ID, type TestApi } from "./testing/api.ts";
import { BOOKS } from "./testing/books.ts";
import { testPaths } from "./testing/example-paths.ts";

const ISBN = BOOKS[0]!.isbn;
const ENDPOINTS = testPaths();

let api: TestApi;
beforeAll(async () => {
  api = await createTestApi(SQLITE);
});
afterAll(() => api[Symbol.asyncDispose]());

test("503 with Retry-After is the response on every endpoint while no token can be verified, and is no failure", async () => {
  const authenticator = { authenticate: () => ({ ok: false, challenge: undefined }) as const };
  await using keyless = await createTestApi(SQLITE, { authenticator });
  for (const path of ENDPOINTS) {
    const response = await keyless.get(path);
    expect([response.status, response.headers.get("retry-after")]).toEqual([503, "60"]);
    expect(response.json).toMatchObject({ message: "Service Unavailable" });
  }
  expect(keyless.errors).toEqual([]);
});

describe("401 Unauthorized", () => {
  test.each(ENDPOINTS)("is the response to %s without a token", async (path) => {
    const response = await api.get(path, { token: null });
    expect(response.status).toBe(401);
    expect(response.headers.get("content-type")).toBe("application/problem+json");
    expect(response.headers.get("www-authenticate")).toBe('Bearer realm="colophon"');
    expect(response.json).toEqual({
      type: "about:blank",
      title: "Unauthorized",
      status: 401,
      message: "Unauthorized",
      detail: expect.stringContaining("Authorization: Bearer"),
    });
  });

  test.each(ENDPOINTS)("is the response to %s with an invalid token, with the same body", async (path) => {
    const response = await api.get(path, { token: "a.b.c" });
    expect(response.status).toBe(401);
    expect(response.headers.get("www-authenticate")).toBe('Bearer realm="colophon", error="invalid_token"');
    expect(response.json).toEqual((await api.get(path, { token: null })).json);
  });

  test.each([
    ["400", "/api/isbn/abc", {}],
    ["400", "/api/news?date=x", {}],
    ["400", "/api/imprint/%zz", {}],
    ["404", "/api/isbn/9780000000002", {}],
    ["404", "/api/imprint/nobody", {}],
    ["304", "/api/skus", { "If-None-Match": "*" }],
    ["406", "/api/skus", { Accept: "text/html" }],
  ])("takes precedence over %s for %s", async (status, path, headers) => {
    expect((await api.get(path, { token: null, headers })).status).toBe(401);
    expect((await api.get(path, { headers })).status).toBe(Number(status));
  });

  test("is the response to a token in a query, a cookie or another header", async () => {
    const response = await api.get(`/api/skus?access_token=${api.token}&token=${api.token}`, {
      token: null,
      headers: { Cookie: `token=${api.token}`, "X-Authorization": `Bearer ${api.token}` },
    });
    expect(response.status).toBe(401);
  });
});

describe("404 Not Found", () => {
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
    "/favicon.png",
  ])("is the response to %s, with or without a token", async (path) => {
    for (const token of [undefined, null]) {
      const response = await api.get(path, token === null ? { token } : {});
      expect(response.status).toBe(404);
      expect(response.json.message).toBe("Not Found");
      expect(response.headers.has("www-authenticate")).toBe(false);
    }
  });

  test("is the response to an unknown path for every method", async () => {
    for (const method of ["POST", "OPTIONS", "DELETE"]) {
      expect((await api.get("/api/nothing", { method, token: null })).status).toBe(404);
    }
  });
});

describe("400 Bad Request", () => {
  test.each(["%", "%4", "%zz", "%C3", "%C0%AF", "%ED%A0%80", "a%FFb", "%F8%88%80%80%80"])(
    "is the response to the segment %s, which is not percent-encoded UTF-8",
    async (segment) => {
      for (const path of ["/api/isbn/", "/api/isbns/", "/api/imprint/"]) {
        const response = await api.get(path + segment);
        expect(response.status).toBe(400);
        expect(response.json.message).toBe("Bad Request");
        expect(response.json.detail).toContain("percent-encoding");
      }
    },
  );
});

describe("405 Method Not Allowed", () => {
  test.each(["POST", "PUT", "PATCH", "DELETE", "PROPFIND"])("is the response to %s", async (method) => {
    for (const path of [...ENDPOINTS, "/openapi.json"]) {
      const response = await api.get(path, { method, token: null });
      expect(response.status).toBe(405);
      expect(response.headers.get("allow")).toBe("GET, HEAD, OPTIONS");
      expect(response.json).toMatchObject({ status: 405, message: "Method Not Allowed" });
    }
    expect((await api.get("/api/skus", { method })).status).toBe(405);
  });
});

describe("406 Not Acceptable", () => {
  test.each([
    "text/html",
    "application/json;q=0",
    "application/json;q=0, */*",
    "image/*, text/*",
    "application/problem+json",
  ])("is the response to Accept: %s", async (accept) => {
    const response = await api.get("/api/skus", { headers: { Accept: accept } });
    expect(response.status).toBe(406);
    expect(response.json.detail).toContain("application/json");
  });

  test.each(["application/problem+json", "text/html, application/problem+json;q=0.1"])(
    "is the response to Accept: %s only in place of a 200",
    async (accept) => {
      for (const path of ENDPOINTS) {
        for (let count = 0; count < 3; count++) {
          expect([path, (await api.get(path, { headers: { Accept: accept } })).status]).toEqual([path, 406]);
        }
      }
      for (const [path, status] of [
        ["/api/isbn/9780000000002", 404],
        [`/api/isbns/${ISBN},9780000000002`, 404],
        ["/api/imprint/nobody", 404],
        ["/api/isbn/abc", 400],
        ["/api/news?date=x", 400],
        ["/api/nothing", 404],
      ] as const) {
        const response = await api.get(path, { headers: { Accept: accept } });
        expect([path, response.status]).toEqual([path, status]);
        expect(response.headers.get("content-type")).toBe("application/problem+json");
      }
      expect(api.observed.openSnapshots).toBe(0);
    },
  );

  test.each([
    "application/json",
    "*/*",
    "text/html, */*;q=0.1",
    "application/*",
    "APPLICATION/JSON; charset=utf-8",
    "",
  ])("is not the response to Accept: %s", async (accept) => {
    expect((await api.get("/api/skus", { headers: { Accept: accept } })).status).toBe(200);
  });

  test.each(["identity;q=0", "*;q=0", "identity;q=0, deflate"])(
    "is the response to Accept-Encoding: %s",
    async (codings) => {
      const response = await api.get("/api/skus", { headers: { "Accept-Encoding": codings } });
      expect(response.status).toBe(406);
      expect(response.json.detail).toContain("Accept-Encoding");
    },
  );
});

for (const engine of ENGINES) {
  describe(`503 Service Unavailable (${engine.name})`, () => {
    let shared: TestApi;
    beforeAll(async () => {
      shared = await createTestApi(engine);
    });
    afterAll(() => shared[Symbol.asyncDispose]());

    test("is the response when the store fails, and does not contain the store's error", async () => {
      const broken = await shared.withOptions({});
      broken.observed.failure = new Error("SQLITE_CORRUPT: SELECT secret FROM record");
      for (const path of ENDPOINTS.filter((endpoint) => endpoint !== "/api/translations")) {
        const response = await broken.get(path);
        expect(response.status).toBe(503);
        expect(response.headers.get("retry-after")).toBe("5");
        expect(response.json).toMatchObject({ status: 503, message: "Service Unavailable" });
        expect(response.text).not.toContain("SQLITE");
        expect(response.text).not.toContain("SELECT");
        const { error, request } = broken.errors.pop()!;
        expect(error).toBe(broken.observed.failure!);
        expect(request).toEqual({
          id: response.headers.get("x-request-id")!,
          client: "",
          method: "GET",
          path,
          route: expect.stringMatching(/^(get|search)[A-Z]/),
        });
      }
      expect((await broken.get("/api/translations")).status).toBe(200);
      delete broken.observed.failure;
      expect((await broken.get("/api/skus")).status).toBe(200);
      expect(broken.observed.openSnapshots).toBe(0);
    });

    test("is the response when the store fails before the first chunk of a list, and the snapshot is closed", async () => {
      const broken = await shared.withOptions({});
      broken.observed.failAfterBytes = 0;
      const response = await broken.get("/api/imprint/zeta");
      expect(response.status).toBe(503);
      expect(response.text).not.toContain("secret");
      expect(broken.observed.openSnapshots).toBe(0);
    });
  });
}

test("503, not 401, is the response when the token registry fails", async () => {
  const failure = new StoreError("disk I/O error");
  const broken = await api.withOptions({
    authenticator: {
      authenticate() {
        throw failure;
      },
    },
  });
  const response = await broken.get("/api/skus");
  expect(response.status).toBe(503);
  expect(broken.errors[0]!.error).toBe(failure);
});

test("500 with an id and without a stack is the response to any other failure", async () => {
  const failure = new Error("a bug at /home/somebody/file.ts");
  const broken = await api.withOptions({
    today() {
      throw failure;
    },
  });
  const response = await broken.get("/api/news");
  expect(response.status).toBe(500);
  expect(response.json.message).toBe("Internal Server Error");
  expect(response.text).not.toContain("somebody");
  expect(broken.errors[0]).toEqual({
    error: failure,
    request: {
      id: response.headers.get("x-request-id")!,
      client: "",
      method: "GET",
      path: "/api/news",
      route: "getNews",
    },
  });
});

test("every error has an X-Request-Id that the log has too, or the client's own", async () => {
  const headers = new Headers({ Authorization: `Bearer ${api.token}`, "Accept-Encoding": "identity" });
  for (const [path, status] of [
    ["/api/isbn/abc", 400],
    ["/api/isbn/9780000000002", 404],
    ["/api/nothing", 404],
  ] as const) {
    const parsed = parseRequest({ method: "GET", target: path, headers });
    if (!(parsed instanceof Request)) throw new Error("The request is valid");
    const { response, extraHeaders, info } = await api.app.handle(parsed);
    expect(response.status).toBe(status);
    expect(info.id).toMatch(GENERATED_ID);
    expect(extraHeaders).toBe(`X-Request-Id: ${info.id}\r\n`);
    const own = await api.get(path, { headers: { "X-Request-Id": "mine" } });
    expect(own.headers.get("x-request-id")).toBe("mine");
  }
  for (const options of [{ token: null }, { method: "POST" }, { headers: { Accept: "text/html" } }])
    expect((await api.get("/api/skus", options)).headers.get("x-request-id")).toMatch(GENERATED_ID);
  expect((await api.get("/api/skus")).headers.has("x-request-id")).toBe(false);
});

test("the error table has the messages of the specification", () => {
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
