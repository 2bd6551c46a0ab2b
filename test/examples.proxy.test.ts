/** Runs the real proxies with the files in examples/ in front of the real program. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { connect as connectHttp2, type IncomingHttpHeaders, type IncomingHttpStatusHeader } from "node:http2";
import { connect } from "node:net";
import { join } from "node:path";
import { connect as connectTls } from "node:tls";
import { waitFor } from "../src/lib/testing/wait-for.ts";
import {
  type Certificate,
  createCertificate,
  isProxyMissing,
  PROXIES,
  type RunningProxy,
  startProxy,
} from "./example-proxy.ts";
import { longFeed } from "./postgres/feeds.ts";
import { colophon, type ServeProcess, startWithSample, temporaryFolder } from "./process.ts";

/** The limit of Colophon for a request target; see docs/contract.md. */
const MAX_TARGET_BYTES = 56 * 1024;
const ISBNS_PER_REQUEST = 1000;
/** A list of more than 40 MB: more than the sockets on both sides of a proxy can hold. */
const LONG_LIST = "/api/imprint/long";

const folder = temporaryFolder();
let server: ServeProcess;
let certificate: Certificate;
let isbns: readonly string[] = [];
/** The requests whose client the log must name. */
const requestIds: string[] = [];
const OTHER_ADDRESS = "127.0.0.2";

beforeAll(async () => {
  if (PROXIES.every(isProxyMissing)) return;
  certificate = createCertificate(folder);
  const db = join(folder, "catalog.db");
  const options = ["--trusted-proxy", "127.0.0.1", "--admin-port", "0"];
  server = await startWithSample(db, options);
  const feed = join(folder, "long.xml");
  writeFileSync(feed, longFeed());
  // The sample is read first: its books are the ones that the ISBN lists below are made of.
  isbns = (await (await direct("/api/skus")).json()) as string[];
  expect((await colophon(["import", "--db", db, feed])).code).toBe(0);
});

afterAll(() => server?.stop());

describe.each(PROXIES)("examples/$file", (proxy) => {
  describe.skipIf(isProxyMissing(proxy))(
    `with ${proxy.program} (skipped where it or openssl is not installed)`,
    () => {
      let running: RunningProxy | undefined;

      beforeAll(async () => {
        running = await startProxy(proxy, new URL(server.url).host, certificate);
      });

      afterAll(() => running?.[Symbol.asyncDispose]());

      const get = (path: string, headers: Record<string, string> = {}, method = "GET") =>
        request(running!.url, path, {
          headers: { Authorization: `Bearer ${server.token}`, ...headers },
          method,
        });

      test("passes a book on, byte for byte, with its ETag", async () => {
        const [own, proxied] = [await direct(`/api/isbn/${isbns[0]}`), await get(`/api/isbn/${isbns[0]}`)];
        expect(proxied.status).toBe(200);
        expect(await proxied.bytes()).toEqual(await own.bytes());
        for (const name of ["etag", "cache-control", "content-type", "vary", "content-encoding"])
          expect([name, proxied.headers.get(name)]).toEqual([name, own.headers.get(name)]);
        expect(proxied.headers.get("strict-transport-security")).toBe("max-age=31536000");
      });

      test("returns the headers of GET for HEAD", async () => {
        const [head, full] = [
          await get(`/api/isbn/${isbns[0]}`, {}, "HEAD"),
          await get(`/api/isbn/${isbns[0]}`),
        ];
        expect(head.status).toBe(200);
        expect(head.headers.get("etag")).toBe(full.headers.get("etag"));
        expect(head.headers.get("content-length")).toBe(full.headers.get("content-length"));
        expect((await head.bytes()).length).toBe(0);
      });

      test.each(["plain", "hyphenated", "encoded"] as const)(
        "accepts 1,000 %s ISBNs in one URL",
        async (form) => {
          const path = severalIsbns(form);
          const [own, proxied] = [await direct(path), await get(path)];
          expect(own.status).toBe(200);
          expect(proxied.status).toBe(200);
          const text = await proxied.text();
          expect(text).toBe(await own.text());
          expect(JSON.parse(text)).toHaveLength(ISBNS_PER_REQUEST);
        },
      );

      test("accepts 1,000 encoded ISBNs over HTTP/2", async () => {
        const { headers, body } = await requestHttp2(running!.url, severalIsbns("encoded"));
        expect(headers[":status"]).toBe(200);
        expect(JSON.parse(body)).toHaveLength(ISBNS_PER_REQUEST);
      });

      test("requests no encoding for a client that sent no Accept-Encoding", async () => {
        const { headers } = await requestHttp2(running!.url, "/api/translations");
        const own = await direct("/api/translations");
        expect([headers[":status"], headers["content-encoding"]]).toEqual([200, undefined]);
        expect(headers.etag).toBe(own.headers.get("etag")!);
      });

      test("does not compress what Colophon has not compressed", async () => {
        const headers = { "Accept-Encoding": "gzip" };
        for (const path of [
          `/api/isbn/${isbns[0]}`,
          "/api/isbn/9788499999999",
          "/api/imprints",
          "/openapi.html",
        ]) {
          const [own, proxied] = [await direct(path, headers), await get(path, headers)];
          for (const name of ["content-encoding", "etag"])
            expect([path, name, proxied.headers.get(name)]).toEqual([path, name, own.headers.get(name)]);
          expect(await proxied.bytes()).toEqual(await own.bytes());
        }
      });

      test("leaves 3,000 ISBNs to Colophon, which returns 400 and names its limit", async () => {
        const response = await get(`/api/isbns/${Array(3000).fill(isbns[0]).join(",")}`);
        expect(response.status).toBe(400);
        expect(await response.json()).toMatchObject({ detail: expect.stringContaining("at most 1000") });
      });

      test("leaves a URL that is too long to Colophon, which returns 414 and a problem document", async () => {
        const response = await get(`/api/isbns/${"9".repeat(MAX_TARGET_BYTES)}`);
        expect(response.status).toBe(414);
        expect(response.headers.get("content-type")).toBe("application/problem+json");
        expect(await response.json()).toMatchObject({ message: "URI Too Long" });
      });

      test("returns 304 for a matching If-None-Match", async () => {
        for (const path of [`/api/isbn/${isbns[0]}`, "/api/skus"]) {
          const etag = (await get(path)).headers.get("etag")!;
          const response = await get(path, { "If-None-Match": etag });
          expect(response.status).toBe(304);
          expect(response.headers.get("etag")).toBe(etag);
          expect((await response.bytes()).length).toBe(0);
        }
      });

      test.each(["gzip", "br", "zstd"])(
        "passes %s on untouched, with the ETag of that encoding",
        async (coding) => {
          const headers = { "Accept-Encoding": coding };
          const [own, proxied] = [
            await direct("/api/translations", headers),
            await get("/api/translations", headers),
          ];
          expect(proxied.headers.get("content-encoding")).toBe(coding);
          expect(proxied.headers.get("etag")).toBe(own.headers.get("etag"));
          expect(await proxied.bytes()).toEqual(await own.bytes());
        },
      );

      test("returns 401 with WWW-Authenticate without a token", async () => {
        const response = await request(running!.url, "/api/skus", {});
        expect(response.status).toBe(401);
        expect(response.headers.get("www-authenticate")).toBe('Bearer realm="colophon"');
        expect(await response.json()).toMatchObject({ message: "Unauthorized" });
      });

      test("passes X-Request-Id in both directions", async () => {
        const response = await get(`/api/isbn/${isbns[0]}`, { "X-Request-Id": "example-1" });
        expect(response.headers.get("x-request-id")).toBe("example-1");
      });

      test("keeps connections to Colophon open between requests", async () => {
        await (await get("/api/imprints")).bytes();
        expect(await metric("colophon_connections")).toBeGreaterThan(0);
      });

      test("names the client's address, which a client cannot choose", async () => {
        const id = `from-${proxy.program}`;
        const fields = `X-Request-Id: ${id}\r\nX-Forwarded-For: 203.0.113.9\r\n`;
        expect(await requestFrom(OTHER_ADDRESS, running!.url, fields)).toStartWith("HTTP/1.1 200");
        requestIds.push(id);
      });

      test("streams a list at the client's pace", async () => {
        const sent = () => metric('colophon_requests_total{route="getBooksOfImprint"');
        const before = await sent();
        const body = await readWithPause(running!.url, LONG_LIST, async () => {
          await Bun.sleep(1000);
          // Colophon counts a response when its last byte is sent. A proxy that buffers has taken it all by now.
          expect(await sent()).toBe(before);
        });
        expect(body.length).toBeGreaterThan(40_000_000);
        expect(JSON.parse(body)).toHaveLength(4000);
        await waitFor("the response is counted", async () => (await sent()) === before + 1);
      });
    },
  );
});

test.skipIf(PROXIES.every(isProxyMissing))(
  "the log of Colophon has the addresses that the proxies named (skipped where none is installed)",
  async () => {
    expect(await server.stop()).toBe(0);
    const lines = (await server.stderr).split("\n").filter((line) => line.includes('"event":"request"'));
    const clients = lines
      .map((line) => JSON.parse(line) as { id?: string; client: string })
      .filter(({ id }) => id !== undefined && requestIds.includes(id))
      .map(({ id, client }) => [id, client]);
    expect(clients).toEqual(requestIds.map((id) => [id, OTHER_ADDRESS]));
  },
);

/** Sends a request from another address of this machine. Returns the response. */
function requestFrom(localAddress: string, url: string, fields: string): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const plain = connect({ port: Number(new URL(url).port), host: "127.0.0.1", localAddress });
  const socket = connectTls({ socket: plain, servername: "localhost", ca: certificate.text });
  let text = "";
  socket.on("data", (chunk: Buffer) => {
    text += chunk.toString("latin1");
  });
  socket.once("close", () => resolve(text));
  socket.once("error", reject);
  socket.write(
    `GET /api/imprints HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n${fields}Authorization: Bearer ${server.token}\r\n\r\n`,
  );
  return promise;
}

/** Requests Colophon itself, on a connection that is not reused. */
function direct(path: string, headers: Record<string, string> = {}): Promise<Response> {
  return request(server.url, path, {
    headers: { Authorization: `Bearer ${server.token}`, Connection: "close", ...headers },
  });
}

function request(url: string, path: string, init: RequestInit): Promise<Response> {
  return fetch(url + path, {
    ...init,
    headers: { "Accept-Encoding": "identity", ...(init.headers as Record<string, string>) },
    decompress: false,
    tls: { ca: certificate.text },
  } as BunFetchRequestInit);
}

interface Http2Response {
  readonly headers: IncomingHttpHeaders & IncomingHttpStatusHeader;
  readonly body: string;
}

/** Sends a GET request without Accept-Encoding. */
function requestHttp2(url: string, path: string): Promise<Http2Response> {
  const session = connectHttp2(url, { ca: certificate.text });
  const response = new Promise<Http2Response>((resolve, reject) => {
    session.once("error", reject);
    const stream = session.request({ ":path": path, authorization: `Bearer ${server.token}` });
    let headers: Http2Response["headers"] = {};
    const chunks: Buffer[] = [];
    stream.once("response", (received) => {
      headers = received;
    });
    stream.on("data", (chunk: Buffer) => chunks.push(chunk));
    stream.once("error", reject);
    stream.once("end", () => resolve({ headers, body: Buffer.concat(chunks).toString() }));
    stream.end();
  });
  return response.finally(() => session.close());
}

/** Reads the first bytes of a response, runs `meanwhile`, then reads the rest and returns the body. */
async function readWithPause(url: string, path: string, meanwhile: () => Promise<void>): Promise<string> {
  const socket = connectTls({
    port: Number(new URL(url).port),
    host: "127.0.0.1",
    servername: "localhost",
    ca: certificate.text,
  });
  const chunks: Buffer[] = [];
  const closed = new Promise<void>((resolve, reject) => {
    socket.once("close", () => resolve());
    socket.once("error", reject);
  });
  const first = new Promise<void>((resolve) => socket.once("data", () => resolve()));
  socket.on("data", (chunk: Buffer) => chunks.push(chunk));
  socket.write(
    `GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nAccept-Encoding: identity\r\nAuthorization: Bearer ${server.token}\r\n\r\n`,
  );
  await Promise.race([first, closed]);
  socket.pause();
  await meanwhile();
  socket.resume();
  await closed;
  return chunkedBody(Buffer.concat(chunks));
}

/** RFC 9112 §7.1. Throws when the last chunk is missing. */
function chunkedBody(response: Buffer): string {
  let at = response.indexOf("\r\n\r\n") + 4;
  const chunks: Buffer[] = [];
  for (;;) {
    const end = response.indexOf("\r\n", at);
    const size = Number.parseInt(response.toString("latin1", at, end), 16);
    if (end === -1 || Number.isNaN(size)) throw new Error("the response is incomplete");
    if (size === 0) return Buffer.concat(chunks).toString();
    chunks.push(response.subarray(end + 2, end + 2 + size));
    at = end + 2 + size + 2;
  }
}

/** 14 kB, 21 kB and 28 kB of URL. */
function severalIsbns(form: "plain" | "hyphenated" | "encoded"): string {
  const [hyphen, comma] = { plain: ["", ","], hyphenated: ["-", "%2C"], encoded: ["%20", "%2C"] }[form];
  const groups = /^(...)(..)(......)(.)(.)$/;
  const written = isbns.map((isbn) => isbn.replace(groups, ["$1", "$2", "$3", "$4", "$5"].join(hyphen)));
  const all = Array.from({ length: ISBNS_PER_REQUEST }, (_, index) => written[index % written.length]!);
  return `/api/isbns/${all.join(comma)}`;
}

/** The sum of a metric's values, over all labels behind `prefix`. */
async function metric(prefix: string): Promise<number> {
  const text = await (await fetch(`${server.adminUrl}/metrics`)).text();
  const values = text.split("\n").filter((line) => line.startsWith(prefix));
  return values.reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(" "))), 0);
}
