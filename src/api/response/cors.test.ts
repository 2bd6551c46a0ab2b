import { describe, expect, test } from "bun:test";
import { SQLITE } from "../../stores/testing/engines.ts";
import { createTestApi } from "../testing/api.ts";
import { BOOKS } from "../testing/books.ts";
import { Cors } from "./cors.ts";

const EXPOSED =
  "ETag, Link, RateLimit, RateLimit-Policy, Retry-After, WWW-Authenticate, X-Missing, X-Missing-Count, " +
  "X-Request-Id, X-Total-Count";
const SHOP = "https://shop.example";

/** Requests with the status of their response. */
const REQUESTS: readonly (readonly [path: string, status: number, headers?: Record<string, string>])[] = [
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

describe("by default, CORS", () => {
  test("lets any origin read, errors too", async () => {
    await using api = await createTestApi(SQLITE);
    for (const [path, status, headers] of REQUESTS) {
      const response = await api.get(path, { headers: { Origin: SHOP, ...headers } });
      expect([path, response.status]).toEqual([path, status]);
      expect(response.headers.get("access-control-allow-origin")).toBe("*");
      expect(response.headers.get("access-control-expose-headers")).toBe(EXPOSED);
      expect(response.headers.get("vary")).toBe("Accept-Encoding, Authorization");
      expect(response.headers.has("access-control-allow-credentials")).toBe(false);
    }
  });

  test("lets a preflight request the Authorization header", async () => {
    await using api = await createTestApi(SQLITE);
    const response = await api.get("/api/skus", {
      method: "OPTIONS",
      token: null,
      headers: {
        Origin: SHOP,
        "Access-Control-Request-Method": "GET",
        "Access-Control-Request-Headers": "authorization",
      },
    });
    expect(response.status).toBe(204);
    expect(response.headers.get("access-control-allow-origin")).toBe("*");
    expect(response.headers.get("access-control-allow-methods")).toBe("GET, HEAD, OPTIONS");
    expect(response.headers.get("access-control-allow-headers")).toBe(
      "Authorization, If-None-Match, Accept, Content-Type, Cache-Control, X-Request-Id",
    );
    expect(response.headers.get("access-control-max-age")).toBe("86400");
  });
});

describe("with configured origins, CORS", () => {
  test("lets only these origins read, and says so to caches with Vary", async () => {
    await using api = await createTestApi(SQLITE, { cors: ` ${SHOP}/ , http://localhost:3000` });
    for (const [path, status, headers] of REQUESTS) {
      for (const origin of [SHOP, "http://localhost:3000"]) {
        const response = await api.get(path, { headers: { Origin: origin, ...headers } });
        expect([path, response.status]).toEqual([path, status]);
        expect(response.headers.get("access-control-allow-origin")).toBe(origin);
        expect(response.headers.get("vary")).toBe("Accept-Encoding, Authorization, Origin");
      }
      for (const origin of [
        "https://evil.example",
        `${SHOP}.evil.example`,
        "http://shop.example",
        "null",
        "*",
        undefined,
      ]) {
        const response = await api.get(path, { headers: { ...(origin && { Origin: origin }), ...headers } });
        expect(response.status).toBe(status);
        expect(response.headers.has("access-control-allow-origin")).toBe(false);
        expect(response.headers.get("vary")).toBe("Accept-Encoding, Authorization, Origin");
      }
    }
    const preflight = { method: "OPTIONS", token: null, headers: { Origin: "https://evil.example" } };
    expect((await api.get("/api/skus", preflight)).headers.has("access-control-allow-origin")).toBe(false);
  });

  test.each([
    "shop.example",
    "https://shop.example/path",
    "ftp://shop.example",
    "https://a@shop.example",
    "null",
  ])("rejects the setting %s, which is not an origin", (setting) => {
    expect(() => new Cors(setting)).toThrow("is not an origin");
  });
});
