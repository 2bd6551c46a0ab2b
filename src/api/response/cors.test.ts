import { describe, expect, test } from "bun:test";
import { SQLITE } from "../../stores/testing/engines.ts";
import { createTestApi } from "../testing/api.ts";
import { BOOKS } from "../testing/books.ts";
import { Cors } from "./cors.ts";

const EXPOSED = "ETag, RateLimit, RateLimit-Policy, Retry-After, WWW-Authenticate, X-Request-Id";
const SHOP = "https://shop.example";

/** Each with the status of its answer. */
const ASKED: readonly (readonly [path: string, status: number, headers?: Record<string, string>])[] = [
  [`/api/isbn/${BOOKS[0]!.isbn}`, 200],
  [`/api/isbn/${BOOKS[0]!.isbn}`, 200, { "Accept-Encoding": "gzip" }],
  ["/api/skus", 200],
  ["/api/skus", 304, { "If-None-Match": "*" }],
  ["/api/skus", 401, { Authorization: "Bearer x" }],
  ["/api/isbn/1", 400],
  ["/api/nothing", 404],
  ["/api/translations", 200],
  ["/openapi.json", 200],
];

describe("by default", () => {
  test("any origin may read, errors too", async () => {
    await using it = await createTestApi(SQLITE);
    for (const [path, status, headers] of ASKED) {
      const reply = await it.get(path, { headers: { Origin: SHOP, ...headers } });
      expect([path, reply.status]).toEqual([path, status]);
      expect(reply.headers.get("access-control-allow-origin")).toBe("*");
      expect(reply.headers.get("access-control-expose-headers")).toBe(EXPOSED);
      expect(reply.headers.get("vary")).toBe("Accept-Encoding, Authorization");
      expect(reply.headers.has("access-control-allow-credentials")).toBe(false);
    }
  });

  test("a preflight lets the token through", async () => {
    await using it = await createTestApi(SQLITE);
    const reply = await it.get("/api/skus", {
      method: "OPTIONS",
      token: null,
      headers: {
        Origin: SHOP,
        "Access-Control-Request-Method": "GET",
        "Access-Control-Request-Headers": "authorization",
      },
    });
    expect(reply.status).toBe(204);
    expect(reply.headers.get("access-control-allow-origin")).toBe("*");
    expect(reply.headers.get("access-control-allow-methods")).toBe("GET, HEAD, OPTIONS");
    expect(reply.headers.get("access-control-allow-headers")).toBe(
      "Authorization, If-None-Match, Accept, Content-Type, Cache-Control, X-Request-Id",
    );
    expect(reply.headers.get("access-control-max-age")).toBe("86400");
  });
});

describe("narrowed", () => {
  test("the origins named may read, no other, and caches are told", async () => {
    await using it = await createTestApi(SQLITE, { cors: ` ${SHOP}/ , http://localhost:3000` });
    for (const [path, status, headers] of ASKED) {
      for (const origin of [SHOP, "http://localhost:3000"]) {
        const reply = await it.get(path, { headers: { Origin: origin, ...headers } });
        expect([path, reply.status]).toEqual([path, status]);
        expect(reply.headers.get("access-control-allow-origin")).toBe(origin);
        expect(reply.headers.get("vary")).toBe("Accept-Encoding, Authorization, Origin");
      }
      for (const origin of [
        "https://evil.example",
        `${SHOP}.evil.example`,
        "http://shop.example",
        "null",
        "*",
        undefined,
      ]) {
        const reply = await it.get(path, { headers: { ...(origin && { Origin: origin }), ...headers } });
        expect(reply.status).toBe(status);
        expect(reply.headers.has("access-control-allow-origin")).toBe(false);
        expect(reply.headers.get("vary")).toBe("Accept-Encoding, Authorization, Origin");
      }
    }
    const preflight = { method: "OPTIONS", token: null, headers: { Origin: "https://evil.example" } };
    expect((await it.get("/api/skus", preflight)).headers.has("access-control-allow-origin")).toBe(false);
  });

  test.each([
    "shop.example",
    "https://shop.example/path",
    "ftp://shop.example",
    "https://a@shop.example",
    "null",
  ])("%s is not an origin", (setting) => {
    expect(() => new Cors(setting)).toThrow("is not an origin");
  });
});
