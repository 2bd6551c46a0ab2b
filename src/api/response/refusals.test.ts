/** Errors from below the app: a browser can read them, and they have an id that the log has too. */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { waitFor } from "../../lib/testing/wait-for.ts";
import { MAX_HEAD_BYTES, MAX_TARGET_BYTES } from "../../server/limits.ts";
import { openSocket, parseResponse, sendRaw } from "../../server/testing/socket.ts";
import { SQLITE } from "../../stores/testing/engines.ts";
import { type ServedApi, serveTestApi } from "../testing/api.ts";
import { GENERATED_ID } from "../testing/generated-id.ts";

setDefaultTimeout(60_000);

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
let api: ServedApi;
beforeAll(async () => {
  api = await serveTestApi(SQLITE, {
    server: { timeouts: { requestSeconds: 1 }, onRefused: (_, __, id) => refusedIds.push(id) },
  });
});
afterAll(() => api[Symbol.asyncDispose]());

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
