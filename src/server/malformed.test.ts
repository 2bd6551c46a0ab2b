/** What no client should send, written to the socket by hand. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type Api, api } from "../api/testing/api.ts";
import { SQLITE } from "../api/testing/engines.ts";
import { parsed, send } from "../api/testing/socket.ts";

let it: Api;
beforeAll(async () => {
  it = await api(SQLITE);
});
afterAll(() => it[Symbol.asyncDispose]());

const ask = async (line: string, headers: string[] = ["Host: x"]) =>
  parsed(await send(it.port, [line, ...headers, `Authorization: Bearer ${it.token}`, "", ""].join("\r\n")));

describe("the target", () => {
  test.each([
    ["//api/skus", 404],
    ["///api/skus", 404],
    ["/api/skus#fragment", 200],
    ["/api/news?date=20260715#date=1", 200],
    ["/api/skus#?date", 200],
    ["/api/../api/skus", 200],
    ["/api/imprint/..", 404],
    ["/api/imprint/%2e%2E", 404],
    ["/api/imprint/..%2f..%2fetc%2fpasswd", 404],
    ["/api\\skus", 200],
    ["/api/isbn/%009789999923019", 400],
    ["/api/isbn/9789999923019%0d%0aX-Injected:%201", 400],
    ["/api/imprint/%E2%80%A8", 404],
    ["/api/skus?%", 200],
    ["/api/skus?date=x&language=y", 200],
    ["http://elsewhere/api/skus", 200],
  ])("%p is %d", async (target, status) => {
    const reply = await ask(`GET ${target} HTTP/1.1`);
    expect(reply.status).toBe(status);
    expect(reply.headers.has("x-injected")).toBe(false);
  });

  test("a NUL is no part of a request line", async () => {
    const reply = await ask("GET /api/isbn/978\x00 HTTP/1.1");
    expect(reply.status).toBe(400);
    expect(JSON.parse(reply.body).message).toBe("Bad Request");
  });

  test("an over-long segment is answered, and cut in the answer", async () => {
    const reply = await ask(`GET /api/isbn/${"9".repeat(12_000)} HTTP/1.1`);
    expect(reply.status).toBe(400);
    expect(reply.body.length).toBeLessThan(400);
    expect((await ask(`GET /api/imprint/${"%C3%B1".repeat(2000)} HTTP/1.1`)).status).toBe(404);
  });

  test("more than there is room for is 414 or 431, and the server goes on", async () => {
    expect((await ask(`GET /api/isbn/${"9".repeat(200_000)} HTTP/1.1`)).status).toBe(414);
    expect((await ask(`GET /api/isbn/${"9".repeat(40_000)} HTTP/1.1`)).status).toBe(414);
    expect((await ask("GET /api/skus HTTP/1.1", ["Host: x", `X-Large: ${"x".repeat(200_000)}`])).status).toBe(
      431,
    );
    expect((await ask("GET /api/skus HTTP/1.1")).status).toBe(200);
  });
});

describe("the host", () => {
  test("two are 400", async () => {
    const reply = await ask("GET /api/skus HTTP/1.1", ["Host: a", "Host: b"]);
    expect(reply.status).toBe(400);
    expect(JSON.parse(reply.body)).toMatchObject({
      message: "Bad Request",
      detail: expect.stringContaining("Host"),
    });
    expect((await ask("GET /api/nothing HTTP/1.1", ["Host: a", "Host: b"])).status).toBe(400);
  });

  test("none is 400 to HEAD, too, which has no body: RFC 9110, 9.3.2", async () => {
    const reply = await send(it.port, "HEAD /api/skus HTTP/1.1\r\n\r\n");
    expect(parsed(reply)).toMatchObject({ status: 400, body: "" });
    expect(parsed(reply).headers.get("content-length")).not.toBe("0");
  });

  test("none is 400 in HTTP/1.1, and fine in HTTP/1.0", async () => {
    expect((await ask("GET /api/skus HTTP/1.1", [])).status).toBe(400);
    expect((await ask("GET /api/skus HTTP/1.0", [])).status).toBe(200);
  });

  test.each(["x/../y?z", "a b", "x@y", "a,b", "x\\y", "x#y"])("%p is none, and 400", async (host) => {
    const reply = await ask("GET /api/isbn/9789999923019 HTTP/1.1", [`Host: ${host}`]);
    expect(reply.status).toBe(400);
  });

  test.each(["", "x:80", "[::1]:80", "bücher.example".replace("ü", "%C3%BC")])(
    "%p does not change the answer",
    async (host) => {
      const reply = await ask("GET /api/isbn/9789999923019 HTTP/1.1", [`Host: ${host}`]);
      expect(reply.status).toBe(200);
    },
  );
});

describe("the method", () => {
  test.each(["TRACE", "PROPFIND", "FOO", "get"])("%s, which fetch may not send, is 405", async (method) => {
    const reply = await ask(`${method} /api/skus HTTP/1.1`);
    expect(reply.status).toBe(405);
    expect(reply.headers.get("allow")).toBe("GET, HEAD, OPTIONS");
  });

  test("TRACE does not give the token back", async () => {
    expect(await ask("TRACE /api/skus HTTP/1.1").then(({ body }) => body)).not.toContain(it.token);
  });
});

describe("headers", () => {
  test("two tokens are none", async () => {
    const reply = await ask("GET /api/skus HTTP/1.1", ["Host: x", "Authorization: Bearer x"]);
    expect(reply.status).toBe(401);
  });

  test("a line that is no header is 400", async () => {
    expect((await ask("GET /api/skus HTTP/1.1", ["Host: x", "no colon"])).status).toBe(400);
  });

  test("repeated conditions and preferences are one list each", async () => {
    const tag = (await ask("GET /api/skus HTTP/1.1")).headers.get("etag")!;
    const headers = [
      "Host: x",
      'If-None-Match: "a"',
      `If-None-Match: ${tag}`,
      "Accept: text/html",
      "Accept: */*",
    ];
    expect((await ask("GET /api/skus HTTP/1.1", headers)).status).toBe(304);
  });
});

test("a GET with a body is answered, and the body is not taken for the next request", async () => {
  const body = "GET /api/isbn/abc HTTP/1.1\r\nHost: x\r\n\r\n";
  const first = `GET /api/isbn/1 HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${it.token}\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
  const text = await send(it.port, `${first}GET /api/nothing HTTP/1.1\r\nHost: x\r\n\r\n`, 2);
  expect(text.match(/HTTP\/1\.1 \d+/g)).toEqual(["HTTP/1.1 400", "HTTP/1.1 404"]);
});
