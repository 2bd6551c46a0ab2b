import { heapStats } from "bun:jsc";
import { describe, expect, test } from "bun:test";
import { waitFor } from "../lib/testing/wait-for.ts";
import { MAX_TARGET_BYTES } from "./limits.ts";
import { ProtocolError, Request } from "./request.ts";
import { RequestParser } from "./request-parser.ts";

const parse = (...lines: string[]) => new RequestParser().parse(`${lines.join("\r\n")}\r\n\r\n`);

function request(...lines: string[]): Request {
  const found = parse(...lines);
  if (found instanceof Request) return found;
  throw new Error(`refused: ${JSON.stringify(found)}`);
}

describe("refuses", () => {
  test.each([
    ["a line without a colon", ["GET / HTTP/1.1", "Host: x", "nothing"], 400],
    ["a space before the colon (RFC 9112 §5.1)", ["GET / HTTP/1.1", "Host : x"], 400],
    ["a folded line (RFC 9112 §5.2)", ["GET / HTTP/1.1", "Host: x", " y"], 400],
    ["a bare line feed", ["GET / HTTP/1.1", "Host: x\nX-Y: z"], 400],
    ["a bare carriage return", ["GET / HTTP/1.1", "Host: x\rX-Y: z"], 400],
    ["a control character", ["GET / HTTP/1.1", "Host: x\u0001"], 400],
    ["a field name that is not a token", ["GET / HTTP/1.1", "Ho(st: x"], 400],
    [
      "two different lengths (RFC 9112 §6.3)",
      ["GET / HTTP/1.1", "Host: x", "Content-Length: 1", "Content-Length: 2"],
      400,
    ],
    ["a length that is not a number", ["GET / HTTP/1.1", "Host: x", "Content-Length: +1"], 400],
    [
      "a length beside a transfer coding (RFC 9112 §6.1)",
      ["GET / HTTP/1.1", "Host: x", "Content-Length: 1", "Transfer-Encoding: chunked"],
      400,
    ],
    ["no Host", ["GET / HTTP/1.1", "Accept: */*"], 400],
    ["a Host with a port that is no number", ["GET / HTTP/1.1", "Host: x:y"], 400],
    ["a Host with a bracket that is not closed", ["GET / HTTP/1.1", "Host: [::1"], 400],
    ["no target", ["GET HTTP/1.1", "Host: x"], 400],
    ["a space in the target", ["GET /a b HTTP/1.1", "Host: x"], 400],
    ["no version", ["GET /", "Host: x"], 400],
    ["another version", ["GET / HTTP/2.0", "Host: x"], 505],
    ["no method", [" / HTTP/1.1", "Host: x"], 400],
    ["the same length twice", ["GET / HTTP/1.1", "Host: x", "Content-Length: 1, 1"], 400],
    ["two Hosts", ["GET / HTTP/1.1", "Host: x", "Host: y"], 400],
    ["an invalid Host", ["GET / HTTP/1.1", "Host: x/y"], 400],
    ["a target without a slash", ["GET a HTTP/1.1", "Host: x"], 400],
    ["a URL without a host (RFC 9110 §4.2.1)", ["GET http:///a HTTP/1.1", "Host: x"], 400],
    ["a URL with a port alone", ["GET http://:80/a HTTP/1.1", "Host: x"], 400],
    ["a URL with user info (RFC 9110 §4.2.4)", ["GET http://u:p@x/a HTTP/1.1", "Host: x"], 400],
    ["a URL of another scheme", ["GET ftp://x/a HTTP/1.1", "Host: x"], 400],
    [
      "a no-break space after a length (RFC 9110 §5.6.3)",
      ["GET / HTTP/1.1", "Host: x", "Content-Length: 1\xa0"],
      400,
    ],
    ...[
      ["a backslash in the path", "/api\\skus"],
      ["a fragment", "/api/skus#x"],
      ["a fragment in the query", "/api/skus?a#x"],
      ["a byte beyond ASCII in the path", "/api/imprint/\xc3\xa1"],
      ["a byte beyond ASCII in the query", "/api/news?\xff"],
      ["a URL with a port that is no number", "http://x:8a/a"],
      ["a URL with a fragment", "http://x/a#b"],
      ["a URL with a backslash for a slash", "http:\\\\x/a"],
      ["a URL with one slash", "http:/x/a"],
    ].map(([name, target]) => [name!, [`GET ${target} HTTP/1.1`, "Host: x"], 400] as const),
    ["a method of 33 characters", [`${"A".repeat(33)} / HTTP/1.1`, "Host: x"], 400],
    ["a Host of more than 1 kB", ["GET / HTTP/1.1", `Host: ${"x".repeat(1025)}`], 400],
    [
      "a Connection of more than 1 kB (RFC 9110 §5.4)",
      ["GET / HTTP/1.1", "Host: x", `Connection: ${"a,".repeat(513)}`],
      431,
    ],
    [
      "a Connection of more than 1 kB in several lines",
      ["GET / HTTP/1.1", "Host: x", ...Array(60).fill("Connection: keep-alive, close")],
      431,
    ],
    ["CONNECT", ["CONNECT x:443 HTTP/1.1", "Host: x"], 400],
    ["a target that is too long", [`GET /${"a".repeat(MAX_TARGET_BYTES)} HTTP/1.1`, "Host: x"], 414],
    ["a request line that does not end", [`GET /${"a".repeat(70_000)} HTTP/1.1`, "Host: x"], 414],
    ["too many bytes of header fields", ["GET / HTTP/1.1", "Host: x", `X: ${"a".repeat(70_000)}`], 431],
    [
      "too many header fields",
      ["GET / HTTP/1.1", "Host: x", ...Array.from({ length: 100 }, (_, at) => `X-${at}: x`)],
      431,
    ],
  ] as const)("%s", (_, lines, status) => {
    const refused = parse(...lines);
    expect(refused instanceof ProtocolError && refused.status).toBe(status);
  });
});

test("header fields are case-insensitive, trimmed, and joined when they repeat", () => {
  const found = request("GET /a?b HTTP/1.1", "hOST:x", "Accept: \t text/html \t", "ACCEPT:*/*", "Empty:");
  const { method, target, isHttp10, headers } = found;
  expect([method, target, isHttp10]).toEqual(["GET", "/a?b", false]);
  expect(["host", "accept", "empty", "none"].map((name) => headers.get(name))).toEqual([
    "x",
    "text/html, */*",
    "",
    null,
  ]);
});

test.each([
  ["http://x/a?b", "/a?b"],
  ["HTTPS://x:443/a", "/a"],
  ["http://[::1]:80/a", "/a"],
  ["http://x", "/"],
  ["http://x?b", "/?b"],
  ["/http://x/a", "/http://x/a"],
])("reads the target %s as %s (RFC 9112 §3.2.2)", (sent, target) => {
  expect(request(`GET ${sent} HTTP/1.1`, "Host: y").target).toBe(target);
});

test.each([
  "/a/../b",
  "/./a",
  "/a//b",
  "//a",
  "/%2e%2e/%61",
  "/a;b=c",
  "/A",
  "/%zz%",
  '/a|b[c]{}<>^`"',
  "/?a={b}\\^`<>\"'|",
])("does not change the target %s", (target) => {
  expect(request(`GET ${target} HTTP/1.1`, "Host: x").target).toBe(target);
  expect(request(`GET http://y${target} HTTP/1.1`, "Host: x").target).toBe(target);
});

test.each([
  ["", 0],
  ["Content-Length: 5", 5],
  ["Transfer-Encoding: chunked", undefined],
  ["Expect: 100-continue\r\nContent-Length: 5", undefined],
])("reads the body length of %p as %p", (field, length) => {
  const { headers } = request("GET / HTTP/1.1", "Host: x", ...(field === "" ? [] : [field]));
  expect(headers.bodyBytes).toBe(length as number);
});

test.each(["close", "Close", "keep-alive, close"])("Connection: %s closes the connection", (value) => {
  expect(request("GET / HTTP/1.1", "Host: x", `Connection: ${value}`).headers.closesConnection).toBe(true);
});

test("returns undefined until the head is complete, wherever it is cut", () => {
  const text = "\r\nGET /x HTTP/1.0\r\nA: b\r\n\r\n";
  const parser = new RequestParser();
  for (let cut = 0; cut < text.length; cut++) expect(parser.parse(text.slice(0, cut))).toBeUndefined();
  expect(parser.parse(`${text}GET`)).toMatchObject({ target: "/x", isHttp10: true });
  expect(parser.end).toBe(text.length);
});

test("refuses the greeting of another protocol without waiting for its end", () => {
  for (const text of [
    "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03".padEnd(60, "\x00"),
    '{"jsonrpc": "2.0", "method": "eth_blockNumber", "id": 1}',
  ]) {
    expect(new RequestParser().parse(text)).toBeInstanceOf(ProtocolError);
  }
});

describe("on one connection", () => {
  const GET = (target: string, fields = "Host: x\r\n") => `GET ${target} HTTP/1.1\r\n${fields}\r\n`;

  test("tells similar heads apart", () => {
    const parser = new RequestParser();
    const values = ["A: 1", "A: 1", "A: 2", "A: 1", "B: 1", "A: 1\r\nA: 1"].map((field) => {
      const found = parser.parse(GET("/", `Host: x\r\n${field}\r\n`));
      return found instanceof Request ? found.headers.get("a") : found;
    });
    expect(values).toEqual(["1", "1", "2", "1", null, "1, 1"]);
  });

  test("an incomplete head does not affect where the next one ends", () => {
    const parser = new RequestParser();
    const long = GET("/long", `Host: x\r\nX-Filler: ${"y".repeat(300)}\r\n`);
    expect(parser.parse(long)).toMatchObject({ target: "/long" });
    expect(parser.parse(long.slice(0, -4))).toBeUndefined();
    expect(parser.parse(long)).toMatchObject({ target: "/long" });
    expect(parser.parse(GET("/a", "Host: y\r\n") + GET("/b"))).toMatchObject({ target: "/a" });
  });

  test.each([
    ["two requests at once", GET("/a") + GET("/b"), "/a"],
    ["another target", GET("/b?c"), "/b?c"],
    ["a target with dot segments", GET("/a/../b"), "/a/../b"],
    ["a target with a backslash", GET("/a\\b"), 400],
    ["another method", `POST /b HTTP/1.1\r\nHost: x\r\n\r\n`, "/b"],
    ["a space in the target", GET("/a b"), 400],
    ["a line break in the target", GET("/a\r\nX: y"), 400],
    ["a target that is too long", GET(`/${"a".repeat(MAX_TARGET_BYTES)}`), 414],
  ])("parses %s after a first request as if it were the first", (_, text, expected) => {
    const parser = new RequestParser();
    parser.parse(GET("/first"));
    for (const reader of [parser, new RequestParser()]) {
      const found = reader.parse(text);
      expect(found instanceof Request ? found.target : (found?.status as number)).toBe(expected);
    }
  });
});

test("does not keep a long head in memory for the next request", async () => {
  const heapBytes = () => {
    Bun.gc(true);
    return heapStats().extraMemorySize;
  };
  const before = heapBytes();
  const parsers = Array.from({ length: 200 }, (_, index) => {
    const parser = new RequestParser();
    const text = `GET /${index} HTTP/1.1\r\nHost: x\r\nX-Filler: ${"x".repeat(60_000)}\r\n\r\n`;
    expect(parser.parse(Buffer.from(text).toString("latin1"))).toMatchObject({ target: `/${index}` });
    return parser;
  });
  // All of the heads take 12 MB. One collection may miss heads whose addresses are still on the stack.
  await waitFor("the heads are released", () => heapBytes() - before < 3_000_000);
  expect(parsers).toHaveLength(200);
});

describe("the first request of a connection", () => {
  const head = (target: string, token: string) =>
    `GET ${target} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n\r\n`;
  const parsed = (text: string) => new RequestParser().parse(text) as Request;

  test("shares the headers of another connection that has sent the same fields", () => {
    const first = parsed(head("/a", "one"));
    const second = parsed(head("/b", "one"));
    expect(second.target).toBe("/b");
    expect(second.headers).toBe(first.headers);
  });

  test("has headers of its own when a field differs", () => {
    parsed(head("/a", "one"));
    expect(parsed(head("/a", "two")).headers.get("authorization")).toBe("Bearer two");
    expect(parsed(head("/a", "one")).headers.get("authorization")).toBe("Bearer one");
  });
});
