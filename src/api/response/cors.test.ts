import { describe, expect, test } from "bun:test";
import { SQLITE } from "../../stores/testing/engines.ts";
import { createTestApi } from "../testing/api.ts";
import { BOOKS } from "../testing/books.ts";
import { expectGet } from "../testing/shared-api.ts";
import { Cors } from "./cors.ts";

const EXPOSED =
  "ETag, Link, RateLimit, RateLimit-Policy, Retry-After, WWW-Authenticate, X-Ignored-Parameters, X-Missing, " +
  "X-Missing-Count, X-Request-Id, X-Search-Corrected, X-Total-Count";
const SHOP = "https://shop.example";

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
      const expected = {
        "access-control-allow-origin": "*",
        "access-control-expose-headers": EXPOSED,
        "access-control-allow-credentials": null,
        vary: "Accept-Encoding, Authorization",
      };
      await expectGet(api, path, { status, headers: expected }, { headers: { Origin: SHOP, ...headers } });
    }
  });

  test("lets a preflight request the Authorization header", async () => {
    await using api = await createTestApi(SQLITE);
    const requested = {
      "Access-Control-Request-Method": "GET",
      "Access-Control-Request-Headers": "authorization",
    };
    const headers = {
      "access-control-allow-origin": "*",
      "access-control-allow-methods": "GET, HEAD, OPTIONS",
      "access-control-allow-headers":
        "Authorization, If-None-Match, Accept, Content-Type, Cache-Control, X-Request-Id",
      "access-control-max-age": "86400",
    };
    const preflight = { method: "OPTIONS", token: null, headers: { Origin: SHOP, ...requested } };
    await expectGet(api, "/api/skus", { status: 204, headers }, preflight);
  });
});

describe("with configured origins, CORS", () => {
  test("lets only these origins read, and says so to caches with Vary", async () => {
    await using api = await createTestApi(SQLITE, { cors: ` ${SHOP}/ , http://localhost:3000` });
    const allowed = [SHOP, "http://localhost:3000"];
    const others = [
      "https://evil.example",
      `${SHOP}.evil.example`,
      "http://shop.example",
      "null",
      "*",
      undefined,
    ];
    for (const [path, status, headers] of REQUESTS) {
      for (const origin of [...allowed, ...others]) {
        const expected = {
          "access-control-allow-origin": allowed.find((each) => each === origin) ?? null,
          vary: "Accept-Encoding, Authorization, Origin",
        };
        const sent = { ...(origin && { Origin: origin }), ...headers };
        await expectGet(api, path, { status, headers: expected }, { headers: sent });
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
