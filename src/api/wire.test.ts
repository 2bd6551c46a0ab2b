/** Raw requests, as no well-behaved client sends them, and several on one connection. */
import { describe, expect, test } from "bun:test";
import { waitFor } from "../lib/testing/wait-for.ts";
import { openSocket, parseResponse, sendRaw } from "../server/testing/socket.ts";
import { importBooks } from "../stores/testing/books.ts";
import { ENGINES, SQLITE } from "../stores/testing/engines.ts";
import { serveTestApi } from "./testing/api.ts";
import { BOOKS, entryOf, longListIsbn } from "./testing/books.ts";
import { sharedApi } from "./testing/shared-api.ts";

const api = sharedApi(() => serveTestApi(SQLITE));

const request = async (line: string, headers: readonly string[] = ["Host: x"]) =>
  parseResponse(
    await sendRaw(api.port, [line, ...headers, `Authorization: Bearer ${api.token}`, "", ""].join("\r\n")),
  );

describe("the request target", () => {
  test.each([
    ["/api/skus#fragment", 400],
    ["/api/news?date=20260715#date=1", 400],
    ["/api/skus#?date", 400],
    ["/api/imprint/{imprint}", 404],
    ["/api/imprint/10%2F18", 200],
    ["/api/imprint/Pen\u00ednsula", 400],
    ["/api/isbn/9789999923019%0d%0aX-Injected:%201", 400],
    ["/api/imprint/%E2%80%A8", 404],
    ["/api/skus?%", 200],
    ["/api/skus?date=x&language=y", 200],
    ["http://elsewhere/api/skus", 200],
  ])("%p gets %d", async (target, status) => {
    const response = await request(`GET ${target} HTTP/1.1`);
    expect(response.status).toBe(status);
    expect(response.headers.has("x-injected")).toBe(false);
  });

  test("an over-long segment gets an error that quotes only its beginning", async () => {
    const response = await request(`GET /api/isbn/${"9".repeat(12_000)} HTTP/1.1`);
    expect(response.status).toBe(400);
    expect(response.body.length).toBeLessThan(400);
    expect((await request(`GET /api/imprint/${"%C3%B1".repeat(2000)} HTTP/1.1`)).status).toBe(404);
  });

  test("may have 1,000 ISBNs with hyphens and encoded spaces", async () => {
    await using api = await serveTestApi(SQLITE, { books: false });
    const isbns = Array.from({ length: 1000 }, (_, index) => longListIsbn(index));
    await importBooks(
      api.store,
      isbns.map((isbn) => entryOf({ isbn, title: isbn })),
    );
    const printed = isbns.map(
      (isbn) => `${isbn.slice(0, 3)}-${isbn.slice(3, 5)}%20${isbn.slice(5, 12)}-${isbn[12]}`,
    );
    const path = `/api/isbns/${printed.join(",")}`;
    expect(path.length).toBeGreaterThan(18_000);
    const response = await fetch(api.url + path, { headers: { Authorization: `Bearer ${api.token}` } });
    expect(response.status).toBe(200);
    const records = (await response.json()) as { RecordReference: string }[];
    expect(records.map((record) => record.RecordReference)).toEqual(isbns);
  });
});

const SKUS = "GET /api/skus HTTP/1.1";
const BOOK = "GET /api/isbn/9789999923019 HTTP/1.1";

test.each([
  ["two Host fields", SKUS, ["Host: a", "Host: b"], 400],
  ["two Host fields for an unknown path", "GET /api/nothing HTTP/1.1", ["Host: a", "Host: b"], 400],
  ["no Host in HTTP/1.1", SKUS, [], 400],
  ["no Host in HTTP/1.0", "GET /api/skus HTTP/1.0", [], 200],
  ...["x/../y?z", "a b", "x@y", "a,b", "x\\y", "x#y"].map(
    (host) => [host, BOOK, [`Host: ${host}`], 400] as const,
  ),
  ...["", "x:80", "[::1]:80", "b%C3%BCcher.example"].map(
    (host) => [host, BOOK, [`Host: ${host}`], 200] as const,
  ),
  ["two tokens", SKUS, ["Host: x", "Authorization: Bearer x"], 401],
  ["a line without a colon", SKUS, ["Host: x", "no colon"], 400],
] as const)("%p with %p %j gets %d", async (_case, line, headers, status) => {
  expect((await request(line, headers)).status).toBe(status);
});

test("two Host fields are named in the error", async () => {
  const { body } = await request(SKUS, ["Host: a", "Host: b"]);
  const detail = expect.stringContaining("Host");
  expect(JSON.parse(body)).toMatchObject({ message: "Bad Request", detail });
});

test("a missing Host gets 400 for HEAD, too, without a body (RFC 9110 §9.3.2)", async () => {
  const response = parseResponse(await sendRaw(api.port, "HEAD /api/skus HTTP/1.1\r\n\r\n"));
  expect(response).toMatchObject({ status: 400, body: "" });
  expect(response.headers.get("content-length")).not.toBe("0");
});

for (const engine of ENGINES) {
  describe(`several requests on one connection (${engine.name})`, () => {
    const api = sharedApi(() => serveTestApi(engine));
    const head = (method: string, path: string) =>
      `${method} ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${api.token}\r\n\r\n`;

    test("the response to HEAD is followed by the next response", async () => {
      const text = await sendRaw(api.port, head("HEAD", "/api/skus") + head("GET", "/api/isbn/abc"), 2);
      expect(text.startsWith("HTTP/1.1 200")).toBe(true);
      const [, second] = text.split(/(?=HTTP\/1\.1 400)/);
      expect(JSON.parse(parseResponse(second!).body).message).toBe("Bad Request");
    });

    test("the responses to pipelined requests come in the order of the requests", async () => {
      const isbns = BOOKS.map(({ isbn }) => isbn);
      const requests = isbns.map((isbn) => head("GET", `/api/isbn/${isbn}`));
      const text = await sendRaw(api.port, requests.join(""), isbns.length);
      expect(text.match(/HTTP\/1\.1 200/g)).toHaveLength(isbns.length);
      expect([...text.matchAll(/"RecordReference":"(\d+)"/g)].map(([, isbn]) => isbn!)).toEqual(isbns);
    });
  });
}

describe("requests with the same header fields on one connection", () => {
  const ISBN = BOOKS[0]!.isbn;
  const get = (token: string) =>
    `GET /api/isbn/${ISBN} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n\r\n`;

  function isComplete(text: string): boolean {
    if (!text.includes("\r\n\r\n")) return false;
    const { headers, body } = parseResponse(text);
    return body.length === Number(headers.get("content-length"));
  }

  /** Sends each request after the response to the one before. */
  async function connect(port: number) {
    const socket = await openSocket(port);
    let received = "";
    socket.on("data", (chunk) => {
      received += chunk.toString("latin1");
    });
    return {
      async send(text: string): Promise<string> {
        received = "";
        socket.write(text);
        await waitFor("the response is complete", () => isComplete(received));
        return received;
      },
      [Symbol.dispose]: () => void socket.destroy(),
    };
  }

  test("have their tokens checked each time", async () => {
    using connection = await connect(api.port);
    const invalid = `${api.token.slice(0, -2)}xx`;
    const statuses: number[] = [];
    for (const token of [api.token, api.token, invalid, api.token, invalid])
      statuses.push(parseResponse(await connection.send(get(token))).status);
    expect(statuses).toEqual([200, 200, 401, 200, 401]);
  });

  test("see an import that ended before them", async () => {
    await using api = await serveTestApi(SQLITE);
    using connection = await connect(api.port);
    for (let count = 0; count < 5; count++)
      expect(await connection.send(get(api.token))).not.toContain("Changed");
    await importBooks(api.store, [entryOf({ ...BOOKS[0]!, title: "Changed" })]);
    expect(await connection.send(get(api.token))).toContain("Changed");
  });
});
