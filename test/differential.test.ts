/** The same app on our server and on Bun.serve: generated legal requests get the same response. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import fc from "fast-check";
import { FailedTokens } from "../src/api/rate/rate-limit.ts";
import { GENERATED_ID, type ServedApi, serveTestApi } from "../src/api/testing/api.ts";
import { BOOKS, UNKNOWN_ISBN } from "../src/api/testing/books.ts";
import { testPaths } from "../src/api/testing/example-paths.ts";
import { type BunServer, serveOnBun } from "../src/server/testing/bun-serve.ts";
import { openSocket } from "../src/server/testing/socket.ts";
import { SQLITE } from "../src/stores/testing/engines.ts";
import { parseResponses, type RawResponse } from "./fuzz/raw-http.ts";

let api: ServedApi;
let oracle: BunServer;
beforeAll(async () => {
  // Many of the requests have a wrong token, and all have the same address.
  api = await serveTestApi(SQLITE, { failedTokens: new FailedTokens(0) });
  oracle = serveOnBun(api.app);
});
afterAll(async () => {
  await oracle.stop();
  await api[Symbol.asyncDispose]();
});

const isbn = fc.constantFrom(
  ...BOOKS.map((book) => book.isbn),
  UNKNOWN_ISBN,
  "978-99999-23-01-9",
  "abc",
  "%20",
  "%C3%A1",
);
const path = fc.oneof(
  isbn.map((item) => `/api/isbn/${item}`),
  fc.array(isbn, { minLength: 1, maxLength: 5 }).map((items) => `/api/isbns/${items.join(",")}`),
  fc
    .constantFrom("zeta", "10-18", "10%2F18", "nobody", "Pen%C3%ADnsula%20Imaginaria")
    .map((name) => `/api/imprint/${name}`),
  fc.constantFrom(...testPaths(), "/openapi.json", "/", "/api", "/api/skus/", "//api/skus", "/api/%73kus"),
);
const query = fc.constantFrom(
  "",
  "?",
  "?date=20260101",
  "?date=x",
  "?language=spa",
  "?q=la&limit=2",
  "?q=%22la+odisea%22&view=record",
  "?q=%22la",
  "?sort=title&status=04",
  "?language=es",
  "?a=%ff&b=+",
  "?x=a%20b",
  "?date=20260715&date=1",
);
const method = fc.constantFrom("GET", "GET", "GET", "HEAD", "OPTIONS", "POST", "DELETE", "PUT");
const optional = (...values: string[]) => fc.constantFrom(undefined, ...values);
const headers = fc.record({
  authorization: fc.constantFrom("valid", "valid", "valid", "invalid", undefined),
  "accept-encoding": optional("gzip", "br", "zstd", "gzip, br;q=0.5", "identity;q=0", "*", "gzip;q=0, *;q=0"),
  accept: optional("*/*", "application/json", "text/html", "application/*;q=0.1"),
  "if-none-match": optional("*", '"other"', "current", "W/current"),
  origin: optional("https://shop.example"),
  "x-request-id": optional("mine-1", "not valid", "x".repeat(200)),
  "user-agent": optional("test/1.0 (ünïcode)", "x".repeat(3000)),
  "cache-control": optional("no-cache"),
});

interface Generated {
  readonly method: string;
  readonly target: string;
  /** RFC 9112 §3.2.2: the target as a whole URL. */
  readonly isAbsolute: boolean;
  readonly fields: Readonly<Record<string, string | undefined>>;
  /** Header lines that repeat a field. */
  readonly repeated: readonly string[];
  readonly body: string;
}
const request: fc.Arbitrary<Generated> = fc.record({
  method,
  target: fc.tuple(path, query).map((parts) => parts.join("")),
  isAbsolute: fc.constantFrom(false, false, false, true),
  fields: headers,
  repeated: fc.subarray(["Accept: application/json", "Accept-Encoding: gzip", 'If-None-Match: "a"'], {
    maxLength: 2,
  }),
  body: fc.constantFrom("", "", "", "x", "GET /api/skus HTTP/1.1\r\n\r\n"),
});

function text(generated: Generated, etag: string): string {
  const { method, target, isAbsolute, fields, repeated, body } = generated;
  const lines = [`${method} ${isAbsolute ? `http://x${target}` : target} HTTP/1.1`, "Host: x", ...repeated];
  if (body !== "") lines.push(`Content-Length: ${body.length}`);
  for (const [name, value] of Object.entries(fields)) {
    if (value === undefined) continue;
    const token =
      value === "valid" ? `Bearer ${api.token}` : value === "invalid" ? "Bearer a.b.c" : undefined;
    lines.push(`${name}: ${token ?? value.replace("current", etag)}`);
  }
  return `${lines.join("\r\n")}\r\n\r\n${body}`;
}

/** Opens a connection, on which each response is read to its end before the next request is sent. */
async function connect(port: number) {
  const socket = await openSocket(port);
  return {
    async send(text: string, method: string): Promise<RawResponse> {
      const { promise, resolve, reject } = Promise.withResolvers<RawResponse>();
      let bytes = Buffer.alloc(0);
      const read = (chunk: Buffer) => {
        bytes = Buffer.concat([bytes, chunk]);
        const [response] = parseResponses(bytes, [method]).responses;
        if (response) resolve(response);
      };
      const fail = () => reject(new Error("The connection was closed in the middle of a response"));
      socket.on("data", read).on("close", fail).write(Buffer.from(text, "latin1"));
      return promise.finally(() => socket.off("data", read).off("close", fail));
    },
    close: () => void socket.destroy(),
  };
}

/**
 * Removes the headers that a server adds by itself: the date, the framing, and `Connection`. Bun.serve sends a stream
 * with a known end as one chunk or with a length; both are legal. Content-Length of HEAD is optional (RFC 9110 §9.3.2).
 * Each error has an id of its own.
 */
function comparable({ status, headers, body }: RawResponse) {
  for (const name of ["date", "connection", "content-length", "transfer-encoding"]) headers.delete(name);
  if (GENERATED_ID.test(headers.get("x-request-id") ?? "")) headers.set("x-request-id", "generated");
  return { status, headers: [...headers], body: Buffer.from(body).toString("latin1") };
}

describe("our server and Bun.serve", () => {
  test("respond alike to 800 generated legal requests", async () => {
    const [ours, theirs] = [await connect(api.port), await connect(oracle.port)];
    const etag = (await api.get(`/api/isbn/${BOOKS[0]!.isbn}`)).headers.get("etag")!;
    let compared = 0;
    const statuses = new Set<number>();
    await fc.assert(
      fc.asyncProperty(request, async (generated) => {
        const sent = text(generated, etag);
        const [own, other] = [
          await ours.send(sent, generated.method),
          await theirs.send(sent, generated.method),
        ];
        expect(comparable(own)).toEqual(comparable(other));
        statuses.add(own.status);
        compared++;
      }),
      { numRuns: 800, endOnFailure: true },
    );
    expect(compared).toBe(800);
    // The generator reaches every kind of response, or the comparison would mean little.
    for (const status of [200, 204, 304, 400, 401, 404, 405, 406]) expect(statuses).toContain(status);
    ours.close();
    theirs.close();
  });
});
