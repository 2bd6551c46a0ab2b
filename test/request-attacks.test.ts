/**
 * Attacks by raw bytes on the socket of the real program: request smuggling (RFC 9112 §11.2), ways around the token, and
 * malformed requests. The server must reject them and keep serving the same catalog.
 */
import { beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { duringTests } from "./during-tests.ts";
import { exchange, type RawResponse } from "./fuzz/raw-http.ts";
import { words } from "./path-spellings.ts";
import { fetchAs, startWithSample, temporaryFolder } from "./process.ts";

const folder = temporaryFolder();
let port: number;
let authorization: string;
let before: string;

const server = duringTests(() => startWithSample(join(folder, "catalog.db")));
beforeAll(async () => {
  port = server.port;
  authorization = `Authorization: Bearer ${server.token}`;
  before = await skus();
});

async function skus(): Promise<string> {
  const response = await fetchAs(server.token, `${server.url}/api/skus`);
  expect(response.status).toBe(200);
  return response.text();
}

const HOST = "Host: catalog.example";
/** Its response is the only 204 here: a 204 shows that these bytes were read as a request. */
const SMUGGLED = `OPTIONS /api/skus HTTP/1.1\r\n${HOST}\r\n\r\n`;
/** Its response is a 404 that closes the connection. */
const LAST = `GET /last HTTP/1.1\r\n${HOST}\r\nConnection: close\r\n\r\n`;
const REJECTIONS = [400, 404, 405, 408, 411, 413, 414, 417, 431, 501, 505];

function request(line: string, fields: readonly string[], body = ""): string {
  return [line, ...fields, "", body].join("\r\n");
}

const statuses = (responses: readonly RawResponse[]) => responses.map(({ status }) => status);

/** Expects one rejection or a closed connection, and nothing after it. */
async function expectRejected(bytes: string): Promise<void> {
  const { responses, rest } = await exchange(port, bytes, { count: 2, mayBeSilent: true });
  expect(rest).toHaveLength(0);
  expect(responses.length).toBeLessThanOrEqual(1);
  for (const status of statuses(responses)) expect(REJECTIONS).toContain(status);
  expect(await skus()).toBe(before);
}

const LINES = [
  ["GET", "GET /api/skus HTTP/1.1", 200],
  ["POST", "POST /api/skus HTTP/1.1", 405],
] as const;

for (const [method, line, ownStatus] of LINES) {
  const withFields = (fields: readonly string[], body: string) =>
    request(line, [HOST, authorization, ...fields], body);

  describe(`${method} with an ambiguous body length`, () => {
    const size = SMUGGLED.length;
    const chunk = `${size.toString(16)}\r\n${SMUGGLED}\r\n0\r\n\r\n`;
    const ambiguous: [name: string, fields: string[], body: string][] = [
      ["CL.TE", ["Content-Length: 5", "Transfer-Encoding: chunked"], `0\r\n\r\n${SMUGGLED}`],
      [
        "CL.TE, longer",
        [`Content-Length: ${5 + size}`, "Transfer-Encoding: chunked"],
        `0\r\n\r\n${SMUGGLED}`,
      ],
      ["TE.CL", ["Transfer-Encoding: chunked", "Content-Length: 4"], chunk],
      ["TE.CL of nothing", ["Transfer-Encoding: chunked", "Content-Length: 0"], chunk],
      ["two lengths", ["Content-Length: 0", `Content-Length: ${size}`], SMUGGLED],
      ["two lengths, in the other order", [`Content-Length: ${size}`, "Content-Length: 0"], SMUGGLED],
      ["a list of lengths", [`Content-Length: 0, ${size}`], SMUGGLED],
      ...[
        "+5",
        "-5",
        "-0",
        "0x5",
        "5 5",
        "",
        "five",
        "5a",
        "1e1",
        "5.0",
        "5;",
        "5\x0b",
        "\xb5",
        "99999999999999999999",
        "18446744073709551621",
      ].map((length): [string, string[], string] => [
        `the length ${JSON.stringify(length)}`,
        [`Content-Length: ${length}`],
        `hello${SMUGGLED}`,
      ]),
      ...[
        "xchunked",
        "chunked, gzip",
        "chunked, identity",
        "chunked, chunked",
        "gzip",
        "identity",
        '"chunked"',
        "chunked;q=1",
        "\x0bchunked",
        "chunked\0",
        "chunk\0ed",
        "x chunked",
        "",
      ].map((coding): [string, string[], string] => [
        `the coding ${JSON.stringify(coding)}`,
        [`Transfer-Encoding: ${coding}`],
        `0\r\n\r\n${SMUGGLED}`,
      ]),
      ["two codings", ["Transfer-Encoding: chunked", "Transfer-Encoding: identity"], `0\r\n\r\n${SMUGGLED}`],
      ...[
        ["a space before the colon", "Transfer-Encoding : chunked"],
        ["a tab before the colon", "Content-Length\t: 5"],
        ["a NUL in the name", "Transfer-Encoding\0: chunked"],
        ["a folded line", "Transfer-Encoding:\r\n chunked"],
        ["a space before the name", " Transfer-Encoding: chunked"],
        ["a bare CR before it", "X: y\rTransfer-Encoding: chunked"],
        ["a bare LF before it", "X: y\nTransfer-Encoding: chunked"],
      ].map(([name = "", field = ""]): [string, string[], string] => [name, [field], `0\r\n\r\n${SMUGGLED}`]),
    ];
    test.each(ambiguous)("is rejected: %s", async (_, fields, body) => {
      await expectRejected(withFields(fields, body));
    });

    const broken = [
      "g",
      "",
      "+5",
      "-1",
      "0x5",
      "5 5",
      "5\n",
      "ffffffffffffffff",
      "10000000000000005",
      "5\r",
      "5\0",
    ];
    test.each([
      ...broken.map((given) => [`the chunk size ${JSON.stringify(given)}`, `${given}\r\nhello\r\n0\r\n\r\n`]),
      ["more data than the chunk's size", "5\r\nhelloXX0\r\n\r\n"],
      ["less data than the chunk's size", "7\r\nhello\r\n0\r\n\r\n"],
      ["chunks that end in LF", "5\nhello\n0\n\n"],
      ["no end", `0\r\n${" "}\r\n`],
    ])("closes the connection: %s", async (_, body = "") => {
      // A server that needs no body may respond before it has arrived.
      const { responses, rest } = await exchange(
        port,
        withFields(["Transfer-Encoding: chunked"], body + SMUGGLED + SMUGGLED),
        { count: 3, mayBeSilent: true },
      );
      expect(rest).toHaveLength(0);
      expect(responses.length).toBeLessThanOrEqual(2);
      const [first, second] = statuses(responses);
      expect([ownStatus, ...REJECTIONS, undefined]).toContain(first);
      expect([...REJECTIONS, undefined]).toContain(second);
      expect(await skus()).toBe(before);
    });

    test.each([
      ["a length", [`Content-Length: ${size}`], SMUGGLED],
      ["the same length twice", [`Content-Length: ${size}`, `Content-Length: ${size}`], SMUGGLED],
      ["a length with a zero in front", [`Content-Length: 0${size}`], SMUGGLED],
      ["chunks", ["Transfer-Encoding: chunked"], chunk],
      ["chunks with an extension", ["Transfer-Encoding: chunked"], chunk.replace("\r\n", ";a=b\r\n")],
      ["chunks with a trailer", ["Transfer-Encoding: chunked"], `${chunk.slice(0, -2)}X: y\r\n\r\n`],
      ["Expect", ["Expect: 100-continue", `Content-Length: ${size}`], SMUGGLED],
      ["h2c", ["Connection: Upgrade, HTTP2-Settings", "Upgrade: h2c", "HTTP2-Settings: AAMAAABk"], ""],
      ["WebSocket", ["Connection: Upgrade", "Upgrade: websocket", "Sec-WebSocket-Version: 13"], ""],
    ])("is one request, and its body is not read as a second one: %s", async (_, fields, body) => {
      const { responses, rest } = await exchange(port, withFields(fields, body) + LAST, { count: 2 });
      expect(rest).toHaveLength(0);
      // Both requests may be rejected, but a 204 must not occur.
      expect([1, 2]).toContain(responses.length);
      for (const status of statuses(responses)) expect([ownStatus, ...REJECTIONS]).toContain(status);
    });
  });

  test(`${method} and another request on the same connection get two responses`, async () => {
    // The control: without it, the missing 204 above would prove nothing.
    const body = [`Content-Length: ${SMUGGLED.length}`];
    const two = await exchange(port, withFields([], SMUGGLED), { count: 2 });
    expect(statuses(two.responses)).toEqual([ownStatus, 204]);
    const afterBody = await exchange(port, withFields(body, SMUGGLED + SMUGGLED), { count: 2 });
    expect(statuses(afterBody.responses)).toEqual([ownStatus, 204]);
  });
}

const GET = "GET /api/skus HTTP/1.1";

describe("the server rejects", () => {
  const whole =
    (line: string, more: readonly string[] = []) =>
    () =>
      request(line, [HOST, authorization, ...more], SMUGGLED);
  const forms: [name: string, bytes: () => string][] = [
    ["the HTTP/2 connection preface", () => "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"],
    ["HTTP/0.9", () => `GET /api/skus\r\n${SMUGGLED}`],
    ...["HTTP/2.0", "HTTP/1.10", "HTTP/3", "http/1.1", "HTTP/ 1.1", "HTP/1.1", "HTTP/1.1 ", ""].map(
      (version): [string, () => string] => [
        `the version ${JSON.stringify(version)}`,
        whole(`GET /api/skus ${version}`),
      ],
    ),
    ["HTTP/1.0 with chunks", whole("POST /api/skus HTTP/1.0", ["Transfer-Encoding: chunked"])],
    ["CONNECT", () => request("CONNECT catalog.example:443 HTTP/1.1", ["Host: catalog.example:443"])],
    ["another scheme", whole("GET ftp://catalog.example/api/skus HTTP/1.1")],
    ["a target without a slash", whole("GET api/skus HTTP/1.1")],
    ["no target", whole("GET  HTTP/1.1")],
    ["two spaces", whole("GET /api/skus  HTTP/1.1")],
    ["a space in the target", whole("GET /api/ skus HTTP/1.1")],
    ["tabs instead of spaces", whole("GET\t/api/skus\tHTTP/1.1")],
    ["a NUL in the target", whole("GET /api/sk\0us HTTP/1.1")],
    ["a NUL in the method", whole("G\0ET /api/skus HTTP/1.1")],
    ["a method that is no RFC 9110 token", whole("G{T /api/skus HTTP/1.1")],
    ["a leading space", () => ` ${request(GET, [HOST, authorization])}`],
    ["an endless method", whole(`${"A".repeat(100_000)} /api/skus HTTP/1.1`)],
    ["lines that end in LF", () => `${GET}\n${HOST}\n${authorization}\n\n${SMUGGLED}`],
    ["lines that end in CR", () => `${GET}\r${HOST}\r${authorization}\r\r${SMUGGLED}`],
    ["a header that ends in LF", () => `${GET}\r\n${HOST}\r\n${authorization}\n\r\n${SMUGGLED}`],
    ["no Host", () => request(GET, [authorization])],
    ["a folded first line", () => request(GET, [` ${HOST}`, authorization])],
    ["a folded token", () => request(GET, [HOST, authorization.replace("Bearer ", "Bearer\r\n ")])],
    ["a line without a colon", whole(GET, ["no colon"])],
    ["a header without a name", whole(GET, [": x"])],
    ["a space in a header name", whole(GET, ["X Y: z"])],
    ["a non-ASCII header name", whole(GET, ["X\xe9: z"])],
    ["a NUL in a value", whole(GET, ["X: y\0z"])],
    ["a CR in a value", whole(GET, ["X: y\rz"])],
    ["an endless target", whole(`GET /${"a".repeat(200_000)} HTTP/1.1`)],
    ["an endless query", whole(`GET /api/skus?${"a=b&".repeat(50_000)} HTTP/1.1`)],
    ["an endless header value", whole(GET, [`X: ${"a".repeat(200_000)}`])],
    ["an endless header name", whole(GET, [`${"a".repeat(200_000)}: b`])],
    [
      "endless headers",
      whole(
        GET,
        Array.from({ length: 20_000 }, (_, index) => `X-${index}: ${index}`),
      ),
    ],
    ["endless empty headers", whole(GET, Array(50_000).fill("X:"))],
  ];
  test.each(forms)("%s", async (_, bytes) => {
    await expectRejected(bytes());
  });

  test.each([
    ["two Hosts", [HOST, "Host: other.example"]],
    ["one Host twice", [HOST, HOST]],
    ["a list of Hosts", ["Host: a.example, b.example"]],
  ])("%s", async (_, hosts) => {
    const { responses } = await exchange(port, request(GET, [...hosts, authorization]));
    expect(statuses(responses)).toEqual([400]);
  });
});

describe("the token cannot be bypassed", () => {
  /** The path of an endpoint, or its URL in absolute form (RFC 9112 §3.2.2). */
  const endpoints = [
    "/api/skus",
    "/api/skus?",
    "/api/skus?/../..",
    "http://catalog.example/api/skus",
    "https://other.example:8443/api/skus",
  ];
  test.each(endpoints)("by the path spelling %s", async (target) => {
    await expectStatus(target, [401]);
  });

  /** A proxy may read each of them as another path than a URL parser does. */
  const otherPaths = words`
    /api/../api/skus /../api/skus /%2e%2e/api/skus /api/%2e/skus /api/./skus /./api/skus //api/skus
    /api//skus /api/skus/ /api/skus/. /api/x/..%2fskus /api/x/../skus /api/skus; /api/skus;x=y
    /api;x/skus /..;/api/skus /api/skus%20 /api/skus%09 /api/skus%00 /api/skus%3f /api/skus# /api/skus?#
    /api/skus#/../.. /api\skus /api/x\..\skus \api\skus /API/SKUS /Api/skus /%61pi/skus /api/%73kus
    /api%2fskus /api%5cskus /api%c0%afskus /%c0%ae%c0%ae/api/skus /api/imprint/.. /api/imprint/%2e%2E
    /api/imprint/..%2f..%2fopenapi.html /api/imprint/x%2f..%2f..%2f..%2fopenapi.html
    /api/imprint/..%5c..%5copenapi.html /openapi/../api/skus /openapi/%2e%2e/api/skus
    /openapi.html/../api/skus /openapi.json/api/skus http://x@catalog.example/api/skus
    http://catalog.example:port/api/skus http://catalog.example:80:80/api/skus
    http://catalog.example/../api/skus http://catalog.example//api/skus http://catalog.example\api\skus
    http:///api/skus http:/api/skus file:///api/skus *
  `.concat("/\xc0\xaf/api/skus");
  test.each(otherPaths)("and no endpoint is found by the path spelling %s", async (target) => {
    await expectStatus(target, [400, 404]);
  });

  async function expectStatus(target: string, statuses: readonly number[]): Promise<void> {
    for (const method of ["GET", "HEAD", "OPTIONS"]) {
      const { responses } = await exchange(port, request(`${method} ${target} HTTP/1.1`, [HOST]), {
        methods: [method],
      });
      expect(responses).toHaveLength(1);
      const expected = method === "OPTIONS" && statuses.includes(401) ? [204] : statuses;
      expect(expected).toContain(responses[0]!.status);
    }
  }

  test.each([
    "X-HTTP-Method-Override: OPTIONS",
    "X-Original-URL: /openapi.json",
    "X-Rewrite-URL: /openapi.json",
    "X-Forwarded-For: 127.0.0.1",
    "X-Forwarded-Host: 127.0.0.1",
    "Forwarded: for=127.0.0.1;proto=https",
    "X-Access-Token: {}",
    "Proxy-Authorization: Bearer {}",
    "Cookie: access_token={}; Authorization={}",
    "Connection: Authorization",
  ])("by the header %s", async (field) => {
    const fields = [HOST, field.replaceAll("{}", server.token!)];
    const { responses } = await exchange(port, request(GET, fields));
    expect(statuses(responses)).toEqual([401]);
  });

  test("by a body or a query parameter (RFC 6750 §2.2 and §2.3)", async () => {
    const form = `access_token=${server.token}`;
    const fields = [
      HOST,
      "Content-Type: application/x-www-form-urlencoded",
      `Content-Length: ${form.length}`,
    ];
    expect(statuses((await exchange(port, request(GET, fields, form))).responses)).toEqual([401]);
    const query = request(`GET /api/skus?${form} HTTP/1.1`, [HOST]);
    expect(statuses((await exchange(port, query)).responses)).toEqual([401]);
  });

  test("by a second Authorization header, before or after the first", async () => {
    for (const fields of [
      [authorization, "Authorization: Bearer x"],
      ["Authorization: Bearer x", authorization],
      ["Authorization: Basic eDp5", authorization],
      [authorization, authorization],
    ]) {
      const { responses } = await exchange(port, request(GET, [HOST, ...fields]));
      expect(responses).toHaveLength(1);
      expect([400, 401]).toContain(responses[0]!.status);
    }
  });
});

describe("a path with special characters returns 400 or 404 and no file:", () => {
  test.each(words`
    /api/isbn/%00 /api/isbn/9789999901116%00 /api/isbn/9789999901116%0d%0aX-Injected:%201
    /api/isbn/%252e%252e /api/isbn/..%2f..%2fopenapi.json /api/isbn/1'%20OR%20'1'='1
    /api/imprint/..%2f..%2f..%2fetc%2fpasswd /api/imprint/%c0%ae%c0%ae%c0%af /api/imprint/%e0%80%af
    /api/imprint/%f8%80%80%80%af /api/imprint/%ed%a0%80 /api/imprint/%ff /api/imprint/% /api/imprint/%2
    /api/imprint/%zz /api/imprint/%u002e /api/imprint/'%3bDROP%20TABLE%20records%3b--
    /api/imprint/__proto__ /api/imprint/%7b%7b7*7%7d%7d /openapi/../../../etc/passwd
    /openapi/%2e%2e/%2e%2e/package.json /openapi/..%5c..%5cpackage.json /openapi/..%2fpage.js
    /openapi//page.js /page/openapi.js%00.html /.git/config /package.json /data/catalog.db.secret
  `)("%s", async (target) => {
    const { responses } = await exchange(port, request(`GET ${target} HTTP/1.1`, [HOST, authorization]));
    expect(responses).toHaveLength(1);
    const [{ status, headers, body } = expect.unreachable()] = responses;
    expect([400, 404]).toContain(status);
    expect(headers.has("x-injected")).toBe(false);
    expect(Buffer.from(body).toString()).not.toMatch(/root:|"dependencies"|base64url:|SQL|\n *at /);
    expect(await skus()).toBe(before);
  });
});

describe("a client that disconnects", () => {
  test.each([
    ["within the first line", "GET /api/sk"],
    ["within the headers", `${GET}\r\n${HOST}\r\nX-Half: `],
    ["before the body", request(GET, [HOST, "Content-Length: 100"])],
    ["within a chunk", request(GET, [HOST, "Transfer-Encoding: chunked"], "ff\r\nhalf")],
    ["at once", ""],
  ])("%s does not affect the server", async (_, bytes) => {
    const { responses } = await exchange(port, bytes, { end: true, mayBeSilent: true });
    for (const { status } of responses) expect([401, ...REJECTIONS]).toContain(status);
    expect(await skus()).toBe(before);
  });
});

test("invalid bytes after a request never appear in its response", async () => {
  // The first response is a list that is still being sent when the server reads the invalid second request.
  for (const coding of ["br", "gzip", "zstd", "identity"]) {
    const first = request("GET /api/news?date=20000101 HTTP/1.1", [
      HOST,
      authorization,
      `Accept-Encoding: ${coding}`,
    ]);
    const { responses } = await exchange(port, `${first}; no request\r\n\r\n`, { count: 2 });
    // The list may be aborted, but an aborted list must not look complete.
    const [list, rejection] = statuses(responses);
    expect([200, 400, undefined]).toContain(list);
    expect([400, undefined]).toContain(rejection);
    if (list === 200) expect(responses[0]!.body.length).toBeGreaterThan(1000);
  }
});

test("TRACE does not echo the token, and an unknown method is not treated as a known one", async () => {
  for (const method of ["TRACE", "TRACK", "get", "FOO", "PROPFIND", "PURGE"]) {
    const { responses } = await exchange(
      port,
      request(`${method} /api/skus HTTP/1.1`, [HOST, authorization]),
    );
    for (const { status, body } of responses) {
      expect([400, 405, 501]).toContain(status);
      expect(Buffer.from(body).includes(server.token!)).toBe(false);
    }
  }
});

test("the same process serves the same catalog after all attacks", async () => {
  expect(server.process.exitCode).toBeNull();
  expect(await skus()).toBe(before);
});
