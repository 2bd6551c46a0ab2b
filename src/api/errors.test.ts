import { describe, expect, test } from "bun:test";
import { StoreError } from "../catalog/store-errors.ts";
import { Request } from "../server/request.ts";
import { parseRequest } from "../server/testing/inject.ts";
import { ENGINES, SQLITE } from "../stores/testing/engines.ts";
import { ERRORS } from "./errors.ts";
import { createTestApi, GENERATED_ID } from "./testing/api.ts";
import { BOOKS } from "./testing/books.ts";
import { testPaths } from "./testing/example-paths.ts";
import { expectGet, sharedApi } from "./testing/shared-api.ts";

const ISBN = BOOKS[0]!.isbn;
const ENDPOINTS = testPaths();
const PROBLEM = "application/problem+json";

const ERROR_PATHS = [
  ["/api/isbn/9780000000002", 404],
  [`/api/isbns/${ISBN},9780000000002`, 404],
  ["/api/imprint/nobody", 404],
  ["/api/isbn/abc", 400],
  ["/api/news?date=x", 400],
] as const;

const api = sharedApi(() => createTestApi(SQLITE));

test("503 with Retry-After is the response on every endpoint while no token can be verified, and is no failure", async () => {
  const authenticator = { authenticate: () => ({ ok: false, challenge: undefined }) as const };
  await using keyless = await createTestApi(SQLITE, { authenticator });
  for (const path of ENDPOINTS) {
    const headers = { "retry-after": "60" };
    await expectGet(keyless, path, { status: 503, message: "Service Unavailable", headers });
  }
  expect(keyless.errors).toEqual([]);
});

describe("401 Unauthorized", () => {
  test.each(ENDPOINTS)("is the response to %s without a token", (path) =>
    expectGet(
      api,
      path,
      {
        status: 401,
        headers: { "content-type": PROBLEM, "www-authenticate": 'Bearer realm="colophon"' },
        json: {
          type: "about:blank",
          title: "Unauthorized",
          status: 401,
          message: "Unauthorized",
          detail: expect.stringContaining("Authorization: Bearer"),
        },
      },
      { token: null },
    ),
  );

  test.each(ENDPOINTS)("is the response to %s with an invalid token, with the same body", async (path) => {
    const { json } = await api.get(path, { token: null });
    const headers = { "www-authenticate": 'Bearer realm="colophon", error="invalid_token"' };
    await expectGet(api, path, { status: 401, headers, json }, { token: "a.b.c" });
  });

  test.each<[string, number, Record<string, string>]>([
    ...ERROR_PATHS.map(([path, status]): [string, number, Record<string, string>] => [path, status, {}]),
    ["/api/imprint/%zz", 400, {}],
    ["/api/skus", 304, { "If-None-Match": "*" }],
    ["/api/skus", 406, { Accept: "text/html" }],
  ])("takes precedence for %s over %d", async (path, status, headers) => {
    await expectGet(api, path, 401, { token: null, headers });
    await expectGet(api, path, status, { headers });
  });

  test("is the response to a token in a query, a cookie or another header", () =>
    expectGet(api, `/api/skus?access_token=${api.token}&token=${api.token}`, 401, {
      token: null,
      headers: { Cookie: `token=${api.token}`, "X-Authorization": `Bearer ${api.token}` },
    }));
});

describe("404 Not Found", () => {
  const PARENTS = ["/", "/api", "/api/", "/api/isbn", "/api/isbn/", "/api/isbns/", "/api/imprint/"];
  const SPELLINGS = [
    "/API/skus",
    "/api//skus",
    "/api/%73kus",
    "/api/skus%2F",
    "/api/imprints/",
    "/api/skus/1",
  ];
  const OTHERS = ["/api/nothing", "/api/{isbn}", "/api/__proto__", "/api/constructor", "/favicon.png"];

  test.each([...PARENTS, ...SPELLINGS, ...OTHERS, `/api/isbn/${ISBN}/x`])(
    "is the response to %s, with or without a token",
    async (path) => {
      const expected = { status: 404, message: "Not Found", headers: { "www-authenticate": null } };
      for (const options of [{}, { token: null }]) await expectGet(api, path, expected, options);
    },
  );

  test.each(["POST", "OPTIONS", "DELETE"])("is the response to an unknown path for %s", (method) =>
    expectGet(api, "/api/nothing", 404, { method, token: null }),
  );
});

describe("405 Method Not Allowed", () => {
  test.each(["POST", "PUT", "PATCH", "DELETE", "PROPFIND", "TRACE", "get"])(
    "is the response to %s",
    async (method) => {
      const headers = { allow: "GET, HEAD, OPTIONS" };
      const json = expect.objectContaining({ status: 405, message: "Method Not Allowed" });
      for (const path of [...ENDPOINTS, "/openapi.json"])
        await expectGet(api, path, { status: 405, headers, json }, { method, token: null });
      await expectGet(api, "/api/skus", 405, { method });
    },
  );
});

describe("406 Not Acceptable", () => {
  const CODINGS = ["identity;q=0", "*;q=0", "identity;q=0, deflate"];

  test.each(CODINGS)("is the response to Accept-Encoding: %s", (codings) => {
    const options = { headers: { "Accept-Encoding": codings } };
    return expectGet(api, "/api/skus", { status: 406, detail: "Accept-Encoding" }, options);
  });

  test.each([PROBLEM, `text/html, ${PROBLEM};q=0.1`])(
    "is the response to Accept: %s only in place of a 200",
    async (accept) => {
      const options = { headers: { Accept: accept } };
      for (const path of ENDPOINTS)
        for (let count = 0; count < 3; count++) await expectGet(api, path, 406, options);
      for (const [path, status] of [...ERROR_PATHS, ["/api/nothing", 404] as const])
        await expectGet(api, path, { status, headers: { "content-type": PROBLEM } }, options);
      expect(api.observed.openSnapshots).toBe(0);
    },
  );
});

for (const engine of ENGINES) {
  describe(`503 Service Unavailable (${engine.name})`, () => {
    const shared = sharedApi(() => createTestApi(engine));

    test("is the response when the store fails, and does not contain the store's error", async () => {
      const broken = await shared.withOptions({});
      broken.observed.failure = new Error("SQLITE_CORRUPT: SELECT secret FROM record");
      for (const path of ENDPOINTS.filter((endpoint) => endpoint !== "/api/translations")) {
        const response = await expectGet(broken, path, {
          status: 503,
          headers: { "retry-after": "5" },
          json: expect.objectContaining({ status: 503, message: "Service Unavailable" }),
        });
        expect(response.text).not.toMatch(/SQLITE|SELECT/);
        const { error, request } = broken.errors.pop()!;
        expect(error).toBe(broken.observed.failure!);
        expect(request).toEqual({
          id: response.headers.get("x-request-id")!,
          client: "",
          method: "GET",
          path,
          route: expect.stringMatching(/^(get|search|suggest)([A-Z]|$)/),
        });
      }
      await expectGet(broken, "/api/translations", 200);
      delete broken.observed.failure;
      await expectGet(broken, "/api/skus", 200);
      expect(broken.observed.openSnapshots).toBe(0);
    });

    test("is the response when the store fails before the first chunk of a list, and the snapshot is closed", async () => {
      const broken = await shared.withOptions({});
      broken.observed.failAfterBytes = 0;
      const { text } = await expectGet(broken, "/api/imprint/zeta", 503);
      expect(text).not.toContain("secret");
      expect(broken.observed.openSnapshots).toBe(0);
    });
  });
}

/** Returns a function that fails as a part of the service may. */
const failing = (failure: Error) => () => {
  throw failure;
};

test("503, not 401, is the response when the token registry fails", async () => {
  const failure = new StoreError("disk I/O error");
  const broken = await api.withOptions({ authenticator: { authenticate: failing(failure) } });
  await expectGet(broken, "/api/skus", 503);
  expect(broken.errors[0]!.error).toBe(failure);
});

test("500 with an id and without a stack is the response to any other failure", async () => {
  const failure = new Error("a bug at /home/somebody/file.ts");
  const broken = await api.withOptions({ today: failing(failure) });
  const response = await expectGet(broken, "/api/news", { status: 500, message: "Internal Server Error" });
  expect(response.text).not.toContain("somebody");
  const id = response.headers.get("x-request-id")!;
  const request = { id, client: "", method: "GET", path: "/api/news", route: "getNews" };
  expect(broken.errors[0]).toEqual({ error: failure, request });
});

test("every error has an X-Request-Id that the log has too, or the client's own", async () => {
  const headers = new Headers({ Authorization: `Bearer ${api.token}`, "Accept-Encoding": "identity" });
  for (const [path, status] of [...ERROR_PATHS, ["/api/nothing", 404] as const]) {
    const parsed = parseRequest({ method: "GET", target: path, headers });
    if (!(parsed instanceof Request)) throw new Error("The request is valid");
    const { response, extraHeaders, info } = await api.app.handle(parsed);
    expect(response.status).toBe(status);
    expect(info.id).toMatch(GENERATED_ID);
    expect(extraHeaders).toBe(`X-Request-Id: ${info.id}\r\n`);
    const own = { "X-Request-Id": "mine" };
    await expectGet(api, path, { status, headers: own }, { headers: own });
  }
  for (const options of [{ token: null }, { method: "POST" }, { headers: { Accept: "text/html" } }])
    expect((await api.get("/api/skus", options)).headers.get("x-request-id")).toMatch(GENERATED_ID);
  expect((await api.get("/api/skus")).headers.has("x-request-id")).toBe(false);
});

test("the error table has the messages of the specification", () => {
  const messages: string[] = Object.values(ERRORS).map(({ status, message }) => `${status} ${message}`);
  const badRequests = ["400 Invalid date format", "400 Bad Request"];
  const notFound = ["404 Imprint not found", "404 Book not found", "404 Not Found"];
  expect(messages).toEqual(expect.arrayContaining([...badRequests, "401 Unauthorized", ...notFound]));
});
