import { describe, expect, test } from "bun:test";
import { ColophonError, type Problem } from "./errors.ts";
import { EtagCache, Transport, waitMs } from "./transport.ts";

interface Step {
  readonly status: number;
  readonly headers?: Record<string, string>;
  readonly body?: string;
}

/** A service that sends these responses, one for each request. It notes what each request asked for. */
function serviceWith(...steps: Step[]) {
  const requests: { path: string; ifNoneMatch: string | null; authorization: string | null }[] = [];
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch({ url, headers }) {
      const { pathname, search } = new URL(url);
      requests.push({
        path: pathname + search,
        ifNoneMatch: headers.get("if-none-match"),
        authorization: headers.get("authorization"),
      });
      const { status, headers: fields = {}, body } = steps.shift() ?? { status: 500 };
      return new Response(body ?? null, { status, headers: fields });
    },
  });
  const url = `http://127.0.0.1:${server.port}/prefix`;
  return { requests, url, [Symbol.dispose]: () => void server.stop(true) };
}

const NOW = { "Retry-After": "0" };

describe("a request", () => {
  test("is sent again after 429, 502, 503 and 504, when Retry-After says so", async () => {
    using service = serviceWith(...[429, 502, 503, 504].map((status) => ({ status, headers: NOW })), {
      status: 200,
      body: "[1]",
    });
    const transport = new Transport({ url: service.url, token: "t" });
    expect((await transport.get(transport.urlOf("skus"))).body).toEqual([1]);
    expect(service.requests).toHaveLength(5);
  });

  test("fails after the last retry, and at once when the service wants more time than allowed", async () => {
    using service = serviceWith(...Array.from({ length: 9 }, () => ({ status: 503, headers: NOW })), {
      status: 503,
      headers: { "Retry-After": "61" },
    });
    const transport = new Transport({ url: service.url, token: "t", retries: 8 });
    const first = await transport.get(transport.urlOf("skus")).catch((error: unknown) => error);
    expect(first).toMatchObject({ status: 503 });
    expect(service.requests).toHaveLength(9);
    await transport.get(transport.urlOf("skus")).catch(() => {});
    expect(service.requests).toHaveLength(10);
  });

  test("is sent again after a connection that is lost in the middle of the body", async () => {
    let requests = 0;
    using server = Bun.listen({
      hostname: "127.0.0.1",
      port: 0,
      socket: {
        data(socket) {
          socket.write(`HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n${++requests < 3 ? "[1," : "[1,2]"}`);
          if (requests < 3) socket.end();
        },
      },
    });
    const transport = new Transport({ url: `http://127.0.0.1:${server.port}`, token: "t" });
    expect((await transport.get(transport.urlOf("skus"))).body).toEqual([1, 2]);
    expect(requests).toBe(3);
  });

  test("is not sent again after other errors, which have the problem and the request id", async () => {
    const problem: Problem = {
      title: "Not Found",
      status: 404,
      message: "Book not found",
      missing: ["9789999900003"],
      code: "open-quotation",
      position: 5,
      allowed: ["eng", "spa"],
    };
    using service = serviceWith({
      status: 404,
      headers: { "X-Request-Id": "abc" },
      body: JSON.stringify({ ...problem, detail: "It is not in the catalog." }),
    });
    const transport = new Transport({ url: service.url, token: "t" });
    const error = await transport.get(transport.urlOf("isbns/1")).catch((each: unknown) => each);
    expect(error).toBeInstanceOf(ColophonError);
    expect(error).toMatchObject({ status: 404, requestId: "abc", problem });
    expect((error as Error).message).toBe("Book not found: It is not in the catalog.");
    expect(service.requests).toHaveLength(1);
  });

  test("has the prefix of the service, the parameters, and a token of its own time", async () => {
    using service = serviceWith({ status: 200, body: "{}" }, { status: 200, body: "{}" });
    let calls = 0;
    const transport = new Transport({ url: `${service.url}/`, token: () => `t${++calls}` });
    await transport.get(transport.urlOf("search", { q: "a b&c", language: undefined, limit: 5 }));
    await transport.get(transport.urlOf("skus"));
    expect(service.requests.map(({ path, authorization }) => [path, authorization])).toEqual([
      ["/prefix/api/search?q=a+b%26c&limit=5", "Bearer t1"],
      ["/prefix/api/skus", "Bearer t2"],
    ]);
  });

  test("ends when the signal is aborted, also while it waits", async () => {
    using service = serviceWith({ status: 503, headers: { "Retry-After": "30" } });
    const abort = new AbortController();
    const transport = new Transport({ url: service.url, token: "t", signal: abort.signal });
    const result = transport.get(transport.urlOf("skus"));
    while (service.requests.length === 0) await Bun.sleep(1);
    abort.abort(new Error("enough"));
    await expect(result).rejects.toThrow("enough");
  });

  test("ends with any of its signals, and the other requests go on with the same bodies", async () => {
    const headers = { ETag: '"1"' };
    const waits = { status: 503, headers: { "Retry-After": "30" } };
    using service = serviceWith({ status: 200, headers, body: "[1]" }, waits, { status: 304 }, waits);
    const [all, one] = [new AbortController(), new AbortController()];
    const transport = new Transport({ url: service.url, token: "t", signal: all.signal });
    const url = transport.urlOf("skus");
    await transport.get(url);
    const ended = transport.until(one.signal).get(url);
    while (service.requests.length < 2) await Bun.sleep(1);
    one.abort(new Error("not needed any more"));
    await expect(ended).rejects.toThrow("not needed any more");
    const other = transport.until(new AbortController().signal);
    expect((await other.get(url)).body).toEqual([1]);
    const last = other.get(url);
    while (service.requests.length < 4) await Bun.sleep(1);
    all.abort(new Error("the end"));
    await expect(last).rejects.toThrow("the end");
    expect(service.requests.map(({ ifNoneMatch }) => ifNoneMatch)).toEqual([null, '"1"', '"1"', '"1"']);
  });
});

describe("a body", () => {
  test("is sent once: after 304 the earlier one is returned, as a new object", async () => {
    const headers = { ETag: '"1"', "X-Total-Count": "1" };
    using service = serviceWith({ status: 200, headers, body: '{"a":1}' }, { status: 304 }, { status: 304 });
    const transport = new Transport({ url: service.url, token: "t" });
    const url = transport.urlOf("isbn/1");
    const first = await transport.get<{ a: number }>(url);
    first.body.a = 2;
    const second = await transport.get(url);
    expect(second.body).toEqual({ a: 1 });
    expect(second.headers.get("x-total-count")).toBe("1");
    expect(service.requests.map(({ ifNoneMatch }) => ifNoneMatch)).toEqual([null, '"1"']);
  });

  test("is not kept when it is larger than the cache", async () => {
    const headers = { ETag: '"1"' };
    using service = serviceWith({ status: 200, headers, body: "[1]" }, { status: 200, headers, body: "[2]" });
    const transport = new Transport({ url: service.url, token: "t", cacheCharacters: 2 });
    await transport.get(transport.urlOf("skus"));
    expect((await transport.get(transport.urlOf("skus"))).body).toEqual([2]);
    expect(service.requests.map(({ ifNoneMatch }) => ifNoneMatch)).toEqual([null, null]);
  });
});

test("waits as long as Retry-After says, in seconds or as a date", () => {
  const now = Date.parse("2026-11-16T12:00:00Z");
  expect(waitMs(1, "7", now)).toBe(7000);
  expect(waitMs(1, "Mon, 16 Nov 2026 12:00:05 GMT", now)).toBe(5000);
  expect(waitMs(1, "Mon, 16 Nov 2026 11:00:00 GMT", now)).toBe(0);
});

test("waits twice as long each time without Retry-After, with a random part", () => {
  for (const [attempt, longest] of [
    [1, 250],
    [2, 500],
    [3, 1000],
  ] as const) {
    for (const retryAfter of [null, "soon"]) {
      const wait = waitMs(attempt, retryAfter);
      expect(wait).toBeGreaterThanOrEqual(longest / 2);
      expect(wait).toBeLessThanOrEqual(longest);
    }
  }
});

const response = (characters: number) => ({
  etag: '"1"',
  body: "x".repeat(characters),
  headers: new Headers(),
});

test("evicts the bodies that were not used for the longest time", () => {
  const cache = new EtagCache(10);
  cache.set("a", response(4));
  cache.set("b", response(4));
  cache.get("a");
  cache.set("c", response(4));
  expect(["a", "b", "c"].map((url) => cache.get(url) !== undefined)).toEqual([true, false, true]);
});

test("counts a replaced body once", () => {
  const cache = new EtagCache(10);
  for (let time = 0; time < 100; time++) cache.set("a", response(5));
  cache.set("b", response(5));
  expect(cache.get("a")).toBeDefined();
  expect(cache.get("b")).toBeDefined();
});

test("a client without a token is refused at once, with what to do", () => {
  for (const token of ["", process.env.COLOPHON_NOT_SET!])
    expect(() => new Transport({ url: "http://127.0.0.1", token })).toThrow(
      /^The token is missing; .* prints one\.$/,
    );
});
