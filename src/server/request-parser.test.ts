import { describe, expect, test } from "bun:test";
import { ApiError } from "../api/errors.ts";
import { HeadReader, WireRequest } from "./request-parser.ts";

const read = (...lines: string[]) => new HeadReader().read(`${lines.join("\r\n")}\r\n\r\n`);

function request(...lines: string[]): WireRequest {
  const found = read(...lines);
  if (found instanceof WireRequest) return found;
  throw new Error(`refused: ${JSON.stringify(found)}`);
}

describe("what is refused", () => {
  test.each([
    ["a line that is no field", ["GET / HTTP/1.1", "Host: x", "nothing"], 400],
    ["a blank before the colon, RFC 9112, 5.1", ["GET / HTTP/1.1", "Host : x"], 400],
    ["a folded line, RFC 9112, 5.2", ["GET / HTTP/1.1", "Host: x", " y"], 400],
    ["a line feed alone", ["GET / HTTP/1.1", "Host: x\nX-Y: z"], 400],
    ["a carriage return alone", ["GET / HTTP/1.1", "Host: x\rX-Y: z"], 400],
    ["a control character", ["GET / HTTP/1.1", "Host: x\u0001"], 400],
    ["a name that is no token", ["GET / HTTP/1.1", "Ho(st: x"], 400],
    [
      "two lengths, RFC 9112, 6.3",
      ["GET / HTTP/1.1", "Host: x", "Content-Length: 1", "Content-Length: 2"],
      400,
    ],
    ["a length that is no number", ["GET / HTTP/1.1", "Host: x", "Content-Length: +1"], 400],
    [
      "a length beside a coding, RFC 9112, 6.1",
      ["GET / HTTP/1.1", "Host: x", "Content-Length: 1", "Transfer-Encoding: chunked"],
      400,
    ],
    ["no Host", ["GET / HTTP/1.1", "Accept: */*"], 400],
    ["no target", ["GET HTTP/1.1", "Host: x"], 400],
    ["a blank in the target", ["GET /a b HTTP/1.1", "Host: x"], 400],
    ["no version", ["GET /", "Host: x"], 400],
    ["another version", ["GET / HTTP/2.0", "Host: x"], 505],
    ["no method", [" / HTTP/1.1", "Host: x"], 400],
    ["a length twice, though the same", ["GET / HTTP/1.1", "Host: x", "Content-Length: 1, 1"], 400],
    ["two Hosts", ["GET / HTTP/1.1", "Host: x", "Host: y"], 400],
    ["what is no host", ["GET / HTTP/1.1", "Host: x/y"], 400],
    ["a target without a slash", ["GET a HTTP/1.1", "Host: x"], 400],
    ["a URL without a host, RFC 9110, 4.2.1", ["GET http:///a HTTP/1.1", "Host: x"], 400],
    ["a URL with a port alone", ["GET http://:80/a HTTP/1.1", "Host: x"], 400],
    ["a URL with a password, RFC 9110, 4.2.4", ["GET http://u:p@x/a HTTP/1.1", "Host: x"], 400],
    ["a URL of another scheme", ["GET ftp://x/a HTTP/1.1", "Host: x"], 400],
    [
      "a blank that is none, RFC 9110, 5.6.3, behind a length",
      ["GET / HTTP/1.1", "Host: x", "Content-Length: 1\xa0"],
      400,
    ],
    ["a tunnel", ["CONNECT x:443 HTTP/1.1", "Host: x"], 400],
    ["too long a target", [`GET /${"a".repeat(40_000)} HTTP/1.1`, "Host: x"], 414],
    ["a target without an end", [`GET /${"a".repeat(70_000)} HTTP/1.1`, "Host: x"], 414],
    ["too much", ["GET / HTTP/1.1", "Host: x", `X: ${"a".repeat(70_000)}`], 431],
    ["too many", ["GET / HTTP/1.1", "Host: x", ...Array.from({ length: 100 }, (_, at) => `X-${at}: x`)], 431],
  ] as const)("%s", (_, lines, status) => {
    const refused = read(...lines);
    expect(refused instanceof ApiError && refused.status).toBe(status);
  });
});

test("fields have any case and blanks around them, and are one list when they repeat", () => {
  const found = request("GET /a?b HTTP/1.1", "hOST:x", "Accept: \t text/html \t", "ACCEPT:*/*", "Empty:");
  const { method, target, old, headers } = found;
  expect([method, target, old]).toEqual(["GET", "/a?b", false]);
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
])("RFC 9112, 3.2.2: the target %s is %s", (sent, target) => {
  expect(request(`GET ${sent} HTTP/1.1`, "Host: y").target).toBe(target);
});

test.each([
  ["", 0],
  ["Content-Length: 5", 5],
  ["Transfer-Encoding: chunked", undefined],
  ["Expect: 100-continue\r\nContent-Length: 5", undefined],
])("the body after %p has the length %p", (field, length) => {
  const { headers } = request("GET / HTTP/1.1", "Host: x", ...(field === "" ? [] : [field]));
  expect(headers.bodyLength).toBe(length as number);
});

test.each(["close", "Close", "keep-alive, close"])("Connection: %s ends it", (value) => {
  expect(request("GET / HTTP/1.1", "Host: x", `Connection: ${value}`).headers.last).toBe(true);
});

test("a head that is not whole yet is waited for, wherever it is cut", () => {
  const text = "\r\nGET /x HTTP/1.0\r\nA: b\r\n\r\n";
  const heads = new HeadReader();
  for (let cut = 0; cut < text.length; cut++) expect(heads.read(text.slice(0, cut))).toBeUndefined();
  expect(heads.read(`${text}GET`)).toMatchObject({ target: "/x", old: true });
  expect(heads.end).toBe(text.length);
});

test("what cannot become a request is not waited for", () => {
  for (const text of [
    "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03".padEnd(60, "\x00"),
    '{"jsonrpc": "2.0", "method": "eth_blockNumber", "id": 1}',
  ]) {
    expect(new HeadReader().read(text)).toBeInstanceOf(ApiError);
  }
});

describe("on one connection", () => {
  const GET = (target: string, fields = "Host: x\r\n") => `GET ${target} HTTP/1.1\r\n${fields}\r\n`;

  test("heads are told apart, however alike they are", () => {
    const heads = new HeadReader();
    const values = ["A: 1", "A: 1", "A: 2", "A: 1", "B: 1", "A: 1\r\nA: 1"].map((field) => {
      const found = heads.read(GET("/", `Host: x\r\n${field}\r\n`));
      return found instanceof WireRequest ? found.headers.get("a") : found;
    });
    expect(values).toEqual(["1", "1", "2", "1", null, "1, 1"]);
  });

  test("one that has come in two pieces says nothing of where the next one ends", () => {
    const heads = new HeadReader();
    const long = GET("/long", `Host: x\r\nX-Filler: ${"y".repeat(300)}\r\n`);
    expect(heads.read(long)).toMatchObject({ target: "/long" });
    expect(heads.read(long.slice(0, -4))).toBeUndefined();
    expect(heads.read(long)).toMatchObject({ target: "/long" });
    expect(heads.read(GET("/a", "Host: y\r\n") + GET("/b"))).toMatchObject({ target: "/a" });
  });

  test.each([
    ["two requests at once", GET("/a") + GET("/b"), "/a"],
    ["another target", GET("/b?c"), "/b?c"],
    ["a target that is to be read as a URL", GET("/a/../b"), "/b"],
    ["another beginning", `POST /b HTTP/1.1\r\nHost: x\r\n\r\n`, "/b"],
    ["a blank in the target", GET("/a b"), 400],
    ["a line end in the target", GET("/a\r\nX: y"), 400],
    ["too long a target", GET(`/${"a".repeat(40_000)}`), 414],
  ])("after a first request, %s is read as if it were the first", (_, text, expected) => {
    const heads = new HeadReader();
    heads.read(GET("/first"));
    for (const reader of [heads, new HeadReader()]) {
      const found = reader.read(text);
      expect(found instanceof WireRequest ? found.target : (found?.status as number)).toBe(expected);
    }
  });
});
