/** Errors from below the app: a browser can read them, and they have an id that the log has too. */
import { describe, expect, test } from "bun:test";
import { STATUS_CODES } from "node:http";
import { waitFor } from "../../lib/testing/wait-for.ts";
import { MAX_HEAD_BYTES, MAX_TARGET_BYTES } from "../../server/limits.ts";
import { openSocket, parseResponse, sendRaw } from "../../server/testing/socket.ts";
import { SQLITE } from "../../stores/testing/engines.ts";
import type { Page } from "../../web/page-file.ts";
import { createTestApi, GENERATED_ID, serveTestApi } from "../testing/api.ts";
import { expectGet, sharedApi } from "../testing/shared-api.ts";

const SHOP = "https://shop.example";
const LONG_PATH = `/api/isbns/${"9".repeat(MAX_TARGET_BYTES)}`;

const request = (line: string, ...fields: string[]) => [line, "Host: x", ...fields, "", ""].join("\r\n");

const INVALID: readonly (readonly [status: number, text: (origin: string) => string])[] = [
  [400, (origin) => request("GET /a b HTTP/1.1", `Origin: ${origin}`)],
  [400, (origin) => request("GET /api/skus HTTP/1.1", "Host: y", `origin:${origin} `)],
  [414, (origin) => request(`GET ${LONG_PATH} HTTP/1.1`, `Origin: ${origin}`)],
  [431, (origin) => request("GET / HTTP/1.1", `Origin: ${origin}`, `X: ${"a".repeat(MAX_HEAD_BYTES)}`)],
  [505, (origin) => request("GET / HTTP/2.0", `Origin: ${origin}`)],
];

const refusedIds: (string | undefined)[] = [];
const api = sharedApi(() =>
  serveTestApi(SQLITE, {
    server: { timeouts: { requestSeconds: 1 }, onRefused: (_, __, id) => refusedIds.push(id) },
  }),
);

describe("a response from below the app", () => {
  test.each(INVALID)(
    "with status %d lets any origin read it, and has the id that is logged",
    async (status, text) => {
      refusedIds.length = 0;
      const response = parseResponse(await sendRaw(api.port, text(SHOP)));
      expect(response.status).toBe(status);
      expect(response.headers.get("access-control-allow-origin")).toBe("*");
      expect(response.headers.get("access-control-expose-headers")).toContain("X-Request-Id");
      expect(response.headers.get("x-request-id")).toMatch(GENERATED_ID);
      expect(response.headers.get("content-type")).toBe(PROBLEM_TYPE);
      expect(response.headers.get("cache-control")).toBe("no-store");
      expect(JSON.parse(response.body)).toMatchObject({ status, message: STATUS_CODES[status] });
      expect(refusedIds).toEqual([response.headers.get("x-request-id")!]);
    },
  );

  test("to an incomplete request is 408 with the same headers", async () => {
    refusedIds.length = 0;
    const response = parseResponse(await sendRaw(api.port, "GET /api/skus HTTP/1.1\r\nHost: x\r\n"));
    expect(response.status).toBe(408);
    expect(response.headers.get("access-control-allow-origin")).toBe("*");
    expect(refusedIds).toEqual([response.headers.get("x-request-id")!]);
  });

  test.each([
    [429, { maxPerAddress: 1 }],
    [503, { maxConnections: 1 }],
  ])("to a connection beyond the limit is %d with the same headers", async (status, server) => {
    await using limited = await serveTestApi(SQLITE, { books: false, server });
    const socket = await openSocket(limited.port);
    await waitFor("the first connection is accepted", () => limited.server.connections === 1);
    const response = parseResponse(await sendRaw(limited.port, ""));
    socket.destroy();
    expect(response.status).toBe(status);
    expect(response.headers.get("access-control-allow-origin")).toBe("*");
    expect(response.headers.get("x-request-id")).toMatch(GENERATED_ID);
    expect(response.headers.get("retry-after")).toBe("5");
  });

  test("lets the preflight to a URL that is too long succeed, so that a browser shows the 414", async () => {
    const fields = [`Origin: ${SHOP}`, "Access-Control-Request-Method: GET"];
    for (const path of [LONG_PATH, `/${"a".repeat(2 * MAX_HEAD_BYTES)}`]) {
      const response = parseResponse(await sendRaw(api.port, request(`OPTIONS ${path} HTTP/1.1`, ...fields)));
      expect([response.status, response.body]).toEqual([204, ""]);
      expect(response.headers.get("access-control-allow-origin")).toBe("*");
      expect(response.headers.get("access-control-allow-headers")).toContain("Authorization");
    }
  });
});

describe("with configured origins, a response from below the app", () => {
  const originOf = async (cors: string, text: string) => {
    await using narrow = await serveTestApi(SQLITE, { books: false, cors });
    const response = parseResponse(await sendRaw(narrow.port, text));
    expect(response.headers.get("vary")).toBe("Accept-Encoding, Authorization, Origin");
    return response.headers.get("access-control-allow-origin");
  };

  test.each(INVALID)("with status %d lets only these origins read it", async (status, text) => {
    const cors = `${SHOP},http://localhost:3000`;
    // Of a URL that never ends, only the beginning is read.
    expect(await originOf(cors, text(SHOP))).toBe(SHOP);
    expect(await originOf(cors, text("https://evil.example"))).toBeNull();
    expect(await originOf(SHOP, text("https://evil.example"))).toBeNull();
    expect(status).toBeGreaterThan(0);
  });

  test("lets a single origin read it when no Origin has arrived", async () => {
    expect(await originOf(SHOP, request("GET /a b HTTP/1.1"))).toBe(SHOP);
    expect(await originOf(`${SHOP},http://localhost:3000`, request("GET /a b HTTP/1.1"))).toBeNull();
  });
});

const BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8";
const roots: string[] = [];

/** The page has nothing but the way to the root. */
function notFoundPage(root: string): Page {
  roots.push(root);
  const headers = { "Content-Security-Policy": "default-src 'none'" };
  return { body: Buffer.from(`<a href="${root}">`), type: "text/html; charset=utf-8", etag: "x", headers };
}

const pages = sharedApi(() => createTestApi(SQLITE, { notFoundPage }));

const PROBLEM_TYPE = "application/problem+json";
const PAGE_TYPE = "text/html; charset=utf-8";
const accepting = (accept: string | undefined, method = "GET") => ({
  token: null,
  method,
  headers: accept === undefined ? {} : { Accept: accept },
});

test.each([BROWSER, "text/html", "text/html, application/json;q=0.9", "TEXT/HTML;q=0.1, image/png"])(
  "returns the page for Accept: %s, and not to be stored",
  async (accept) => {
    const headers = {
      "content-type": PAGE_TYPE,
      "cache-control": "no-store",
      "content-security-policy": "default-src 'none'",
      vary: expect.stringMatching(/, Accept$/),
      "x-request-id": expect.any(String),
    };
    await expectGet(pages, "/nothing", { status: 404, text: '<a href="./">', headers }, accepting(accept));
  },
);

const JSON_FIRST = ["application/json", "text/html;q=0", "text/html, application/json", "text/*"];

test.each([undefined, "*/*", ...JSON_FIRST, "application/xml", "image/avif,image/webp,*/*;q=0.8"])(
  "returns the problem for Accept: %p, byte for byte the same",
  async (accept) => {
    const headers = { "content-type": PROBLEM_TYPE, vary: expect.not.stringMatching(/Accept(,|$)/) };
    const text =
      '{"type":"about:blank","title":"Not Found","status":404,"message":"Not Found","detail":"No endpoint has this path; ' +
      'the endpoints are described at /openapi.html."}';
    await expectGet(pages, "/nothing", { status: 404, text, headers }, accepting(accept));
  },
);

test.each([
  ["/a", "./"],
  ["/a?b/c", "./"],
  ["/a/", "../"],
  ["/a/b", "../"],
  ["/api/nothing/%2F", "../../"],
  [`${"/x".repeat(33)}`, "../".repeat(32)],
])("leads from %s to the root by %s", (path, root) =>
  expectGet(pages, path, { status: 404, text: `<a href="${root}">` }, accepting(BROWSER)),
);

test("returns the problem for a path of many segments, and makes each page once", async () => {
  const problem = { status: 404, headers: { "content-type": PROBLEM_TYPE } };
  for (const path of ["/x".repeat(34), `/${"/".repeat(5000)}`])
    await expectGet(pages, path, problem, accepting(BROWSER));
  expect(new Set(roots).size).toBe(roots.length);
});

test("returns the problem for other methods and for the errors of endpoints", async () => {
  const problem = { status: 404, headers: { "content-type": PROBLEM_TYPE } };
  for (const method of ["POST", "OPTIONS"])
    await expectGet(pages, "/nothing", problem, accepting(BROWSER, method));
  const headers = { Accept: BROWSER };
  await expectGet(pages, "/api/isbn/9780000000002", { status: 404, message: "Book not found" }, { headers });
});

test("returns the header fields of the page for HEAD", () => {
  const headers = { "content-type": PAGE_TYPE };
  return expectGet(pages, "/nothing", { status: 404, text: "", headers }, accepting(BROWSER, "HEAD"));
});
