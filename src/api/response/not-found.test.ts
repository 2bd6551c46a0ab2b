import { afterAll, beforeAll, expect, test } from "bun:test";
import { SQLITE } from "../../stores/testing/engines.ts";
import type { Page } from "../../web/page-file.ts";
import { createTestApi, type TestApi } from "../testing/api.ts";

const BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8";
const roots: string[] = [];

/** The page has nothing but the way to the root. */
function notFoundPage(root: string): Page {
  roots.push(root);
  const headers = { "Content-Security-Policy": "default-src 'none'" };
  return { body: Buffer.from(`<a href="${root}">`), type: "text/html; charset=utf-8", etag: "x", headers };
}

let api: TestApi;
beforeAll(async () => {
  api = await createTestApi(SQLITE, { notFoundPage });
});
afterAll(() => api[Symbol.asyncDispose]());

const get = (path: string, accept: string | undefined, method = "GET") =>
  api.get(path, { token: null, method, headers: accept === undefined ? {} : { Accept: accept } });

test.each([BROWSER, "text/html", "text/html, application/json;q=0.9", "TEXT/HTML;q=0.1, image/png"])(
  "returns the page for Accept: %s, and not to be stored",
  async (accept) => {
    const { status, headers, text } = await get("/nothing", accept);
    expect([status, text]).toEqual([404, '<a href="./">']);
    expect(headers.get("content-type")).toBe("text/html; charset=utf-8");
    expect(headers.get("cache-control")).toBe("no-store");
    expect(headers.get("content-security-policy")).toBe("default-src 'none'");
    expect(headers.get("vary")).toEndWith(", Accept");
    expect(headers.get("x-request-id")).not.toBeNull();
  },
);

test.each([
  undefined,
  "*/*",
  "application/json",
  "text/html;q=0",
  "text/html, application/json",
  "text/*",
  "application/xml",
  "image/avif,image/webp,*/*;q=0.8",
])("returns the problem for Accept: %p, byte for byte the same", async (accept) => {
  const { status, headers, text } = await get("/nothing", accept);
  expect(status).toBe(404);
  expect(headers.get("content-type")).toBe("application/problem+json");
  expect(headers.get("vary")).not.toContain("Accept,");
  expect(headers.get("vary")).not.toEndWith("Accept");
  expect(text).toBe(
    '{"type":"about:blank","title":"Not Found","status":404,"message":"Not Found","detail":"No endpoint has this path; ' +
      'the endpoints are described at /openapi.html."}',
  );
});

test.each([
  ["/a", "./"],
  ["/a?b/c", "./"],
  ["/a/", "../"],
  ["/a/b", "../"],
  ["/api/nothing/%2F", "../../"],
  [`${"/x".repeat(33)}`, "../".repeat(32)],
])("leads from %s to the root by %s", async (path, root) => {
  expect((await get(path, BROWSER)).text).toBe(`<a href="${root}">`);
});

test("returns the problem for a path of many segments, and makes each page once", async () => {
  expect((await get("/x".repeat(34), BROWSER)).headers.get("content-type")).toBe("application/problem+json");
  expect((await get(`/${"/".repeat(5000)}`, BROWSER)).headers.get("content-type")).toBe(
    "application/problem+json",
  );
  expect(new Set(roots).size).toBe(roots.length);
});

test("returns the problem for other methods and for the errors of endpoints", async () => {
  for (const method of ["POST", "OPTIONS"])
    expect((await get("/nothing", BROWSER, method)).headers.get("content-type")).toBe(
      "application/problem+json",
    );
  const unknown = await api.get("/api/isbn/9780000000002", { headers: { Accept: BROWSER } });
  expect([unknown.status, unknown.json.message]).toEqual([404, "Book not found"]);
});

test("returns the header fields of the page for HEAD", async () => {
  const { status, headers, body } = await get("/nothing", BROWSER, "HEAD");
  expect([status, headers.get("content-type"), body.length]).toEqual([404, "text/html; charset=utf-8", 0]);
});
