import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { StoreError } from "../../catalog/store-errors.ts";
import type { RequestEvent, RequestFailedEvent, ServiceEvent } from "../event.ts";
import { createLog, type LogLevel, type LogOptions } from "./log.ts";
import { MAX_LINE_BYTES } from "./log-writer.ts";

const AT = Date.UTC(2026, 0, 2, 3, 4, 5, 6);

const failedKeys = { kind: "keys", outcome: "failed", reason: "time", remainingMs: 1 } as const;

const request: RequestEvent = {
  kind: "request",
  id: "5f0c2a7e-12",
  client: "192.0.2.7",
  method: "GET",
  path: "/api/isbn/9789999901116",
  route: "getBook",
  status: 200,
  bodyBytes: 3532,
  seconds: 0.0004127,
  firstByteSeconds: 0.0004,
  caller: { id: "4f0c", name: "Bookshop" },
  cacheHit: true,
  complete: true,
};

const failed: RequestFailedEvent = {
  kind: "failed",
  id: "1-2",
  client: "192.0.2.7",
  method: "GET",
  path: "/api/skus",
  route: "getSkus",
  error: "x",
};

/** Logs the events, and returns the lines. */
async function logged(
  events: readonly ServiceEvent[],
  format: "json" | "text" = "json",
  options: Partial<LogOptions> = {},
): Promise<string[]> {
  let text = "";
  const log = createLog({
    level: "requests",
    format,
    now: () => AT,
    async sink(chunk) {
      text += chunk.toString();
    },
    ...options,
  });
  for (const event of events) log.observe(event);
  await log.close(60_000);
  expect(text === "" || text.endsWith("\n")).toBe(true);
  return text.split("\n").slice(0, -1);
}

async function loggedJson(events: readonly ServiceEvent[], options?: Partial<LogOptions>) {
  return (await logged(events, "json", options)).map((line) => JSON.parse(line));
}

describe("the log", () => {
  const keys = { kind: "keys", reason: "time" } as const;
  const feed = { kind: "feed", feed: "a.xml" } as const;
  const events: ServiceEvent[] = [
    request,
    { ...request, caller: { id: "4f0c", name: undefined } },
    { ...request, caller: undefined, complete: false },
    { ...failed, error: new StoreError("The disk\nfailed", { cause: "x" }) },
    { kind: "fault", error: "x" },
    { kind: "started", url: "http://[::1]:1", version: "1.2.3", workers: 2, books: 223 },
    { kind: "stopping", reason: "SIGTERM" },
    { kind: "stopped", seconds: 0.1234567, cutConnections: 2 },
    { kind: "stopped", seconds: 1, cutConnections: 0 },
    { ...keys, outcome: "changed" },
    { ...keys, outcome: "unchanged", reason: "demand" },
    { ...keys, outcome: "withdrawn" },
    { ...keys, outcome: "failed", error: "gone", remainingMs: 60_001 },
    { kind: "catalog", state: "lost", reason: "gone" },
    { kind: "catalog", state: "opened", path: "/c.db" },
    { kind: "worker", state: "died", pid: 7, reason: "SIGKILL" },
    { kind: "worker", state: "replaced", pid: 8 },
    { ...feed, outcome: "changed", sender: "A", products: 3, rejected: 2, seconds: 0.1234 },
    { ...feed, outcome: "refused", reason: "no XML", movedTo: "refused/a.xml" },
    { kind: "watch", state: "watched", folder: "/feeds" },
    { kind: "hook", feed: "a.xml", reason: "exit 1" },
    // These are not logged.
    { kind: "store", seconds: 0.1 },
    { kind: "backlog", feeds: 1, oldestSeconds: 1 },
    { ...keys, outcome: "unchanged" },
  ];

  test("has one JSON object for each event", async () => {
    const requestMembers =
      '"request","id":"5f0c2a7e-12","client":"192.0.2.7","method":"GET","path":"/api/isbn/9789999901116","route":"getBook","status":200,"bytes":3532,"ms":0.413,"cached":true';
    const expected = [
      `${requestMembers},"complete":true,"tokenId":"4f0c","tokenName":"Bookshop"`,
      `${requestMembers},"complete":true,"tokenId":"4f0c"`,
      `${requestMembers},"complete":false`,
      '"failed","id":"1-2","client":"192.0.2.7","method":"GET","path":"/api/skus","error":"StoreError: The disk\\nfailed; caused by x","count":1,"routes":"getSkus","clients":1',
      '"fault","error":"x","count":1',
      '"started","url":"http://[::1]:1","version":"1.2.3","workers":2,"books":223',
      '"stopping","reason":"SIGTERM"',
      '"stopped","seconds":0.123,"cut":2',
      '"stopped","seconds":1,"cut":0',
      '"keys","outcome":"changed","reason":"time"',
      '"keys","outcome":"unchanged","reason":"demand"',
      '"keys","outcome":"withdrawn","reason":"time"',
      '"keys","outcome":"failed","reason":"time","error":"gone"',
      '"catalog","state":"lost","reason":"gone"',
      '"catalog","state":"opened","path":"/c.db"',
      '"worker","state":"died","pid":7,"reason":"SIGKILL"',
      '"worker","state":"replaced","pid":8',
      '"feed","outcome":"changed","feed":"a.xml","sender":"A","products":3,"rejected":2,"seconds":0.123',
      '"feed","outcome":"refused","feed":"a.xml","movedTo":"refused/a.xml","reason":"no XML"',
      '"watch","state":"watched","path":"/feeds"',
      '"hook","feed":"a.xml","reason":"exit 1"',
    ];
    expect(await logged(events)).toEqual(
      expected.map((members) => `{"time":"2026-01-02T03:04:05.006Z","event":${members}}`),
    );
  });

  test("has one short line for each event on a terminal", async () => {
    const requestText = "192.0.2.7 200 GET /api/isbn/9789999901116 3532 B 0.413 ms";
    const expected = [
      `${requestText} Bookshop`,
      `${requestText} 4f0c`,
      `${requestText} (cut off)`,
      "failed 192.0.2.7 1-2 GET /api/skus: StoreError: The disk\\nfailed; caused by x",
      "fault x",
      "started http://[::1]:1, Colophon 1.2.3",
      "stopping SIGTERM",
      "stopped after 0.123 s; 2 connections were cut",
      "stopped after 1 s",
      "keys replaced",
      "keys read again, unchanged",
      "keys withdrawn, every token is rejected",
      "keys could not be read, the previous keys stay in use for at most 2 min: gone",
      "catalog is not served: gone",
      "catalog /c.db is served",
      "worker 7 died: SIGKILL",
      "worker 8 replaced",
      "feed a.xml changed: 3 products, 2 rejected",
      "feed a.xml refused: no XML",
      "watch /feeds watched",
      "hook a.xml: exit 1",
    ];
    const time = new Date(AT).toTimeString().slice(0, 8);
    expect(await logged(events, "text")).toEqual(expected.map((line) => `${time} ${line}`));
  });
});

describe("a line of the log", () => {
  const text = fc.oneof(
    fc.string({ unit: "binary", maxLength: 60 }),
    fc.constantFrom('\n{"event":"request"}\n', "\r\n\x1b[2K", "\u2028", '","status":200,"x":"', "\\", "a b"),
    fc
      .tuple(fc.constantFrom("\n", "x", "中", '"', "\ud800"), fc.integer({ min: 1, max: 9000 }))
      .map(([part, times]) => part.repeat(times)),
  );
  const optional = fc.option(text, { nil: undefined });
  const refused = { kind: "feed", outcome: "refused", products: 1e9, rejected: 1e9, seconds: 1e6 } as const;
  const long = "x".repeat(9000);
  const parts = fc.record({ id: text, client: text, method: text, path: text });
  const event: fc.Arbitrary<ServiceEvent> = fc.oneof(
    fc
      .tuple(parts, optional, optional)
      .map(([own, id, name]) => ({ ...request, ...own, caller: { id, name } })),
    fc.tuple(parts, text, text).map(([own, message, reason]) => ({
      ...failed,
      ...own,
      error: new Error(message, { cause: new TypeError(reason) }),
    })),
    text.map((error) => ({ ...failedKeys, error: new Error(error) })),
    text.map((url) => ({ kind: "started" as const, url, version: "1", workers: 1, books: 1 })),
    text.map((reason) => ({ kind: "worker" as const, state: "died" as const, pid: 1, reason })),
    fc
      .record({ feed: text, sender: text, movedTo: text, reason: text })
      .map((own) => ({ ...refused, ...own })),
    fc
      .record({ folder: text, reason: text })
      .map((own) => ({ kind: "watch" as const, state: "left" as const, ...own })),
  );

  test("cannot be forged or made too long by any text in an event", async () => {
    await fc.assert(
      fc.asyncProperty(event, async (given) => {
        const [read] = await loggedJson([given]);
        expect(read.event).toBe(given.kind);
        if (given.kind === "request") expect([read.status, read.route]).toEqual([200, "getBook"]);
        for (const format of ["json", "text"] as const) {
          const [line, ...others] = await logged([given], format);
          expect(others).toEqual([]);
          expect(line).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}]/u);
          expect(Buffer.byteLength(line!) + 1).toBeLessThanOrEqual(MAX_LINE_BYTES);
        }
      }),
      { numRuns: 500, examples: [[{ ...refused, feed: long, sender: long, movedTo: long, reason: long }]] },
    );
  });
});

test("the log never contains a token, wherever a client has put it", async () => {
  const token = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJCb29rc2hvcCJ9.c2lnbmF0dXJl";
  const caller = { id: token, name: token };
  const events: ServiceEvent[] = [
    { ...request, id: token, path: `/api/isbn/${token}`, caller },
    { ...failed, id: token, client: token, path: `/${token}`, error: new Error(`Bearer ${token}`) },
    { kind: "fault", error: new Error("x", { cause: new Error(token) }) },
    { ...failedKeys, error: token },
  ];
  for (const format of ["json", "text"] as const) {
    const lines = await logged(events, format);
    expect(lines).toHaveLength(4);
    for (const line of lines) {
      expect(line).toContain("[token]");
      expect(line).not.toMatch(/eyJ|c2lnbmF0dXJl/);
    }
  }
});

describe("the log level", () => {
  const events: ServiceEvent[] = [
    request,
    { ...request, status: 503 },
    { kind: "store", seconds: 0.1 },
    failed,
    { kind: "stopping", reason: "SIGTERM" },
    { kind: "refused", reason: "not-http", client: "" },
  ];
  const kinds = async (level: LogLevel) => (await loggedJson(events, { level })).map(({ event }) => event);

  test("selects the events", async () => {
    expect(await kinds("requests")).toEqual(["request", "request", "failed", "stopping", "refused"]);
    expect(await kinds("errors")).toEqual(["failed", "stopping", "refused"]);
    expect(await kinds("none")).toEqual([]);
  });
});

describe("the log under a flood", () => {
  const time = expect.any(String);

  test("counts refusals and clients, and reports the numbers once, with the most frequent client", async () => {
    const flood = Array.from({ length: 10_000 }, (_, index): ServiceEvent => {
      const client = index % 3 === 0 ? "192.0.2.1" : `2001:db8::${index.toString(16)}`;
      return index % 4 === 0
        ? { kind: "refused", reason: "connections", client: "198.51.100.9", id: `a-${index}` }
        : { kind: "refused", reason: "too-slow", client };
    });
    expect(await loggedJson(flood)).toEqual([
      {
        time,
        event: "refused",
        reason: "connections",
        count: 2500,
        clients: 1,
        client: "198.51.100.9",
        id: "a-0",
        lastId: "a-9996",
      },
      { time, event: "refused", reason: "too-slow", count: 7500, clients: 1000, client: "192.0.2.1" },
    ]);
    expect(await logged(flood, "text")).toEqual([
      expect.stringContaining(
        "refused 2500 times: over the limit of connections, from 198.51.100.9, a-0 to a-9996",
      ),
      expect.stringContaining("too slow, from 1000 addresses, most often 192.0.2.1"),
    ]);
  });

  test("has one line at once for a kind of failure, and one for the others of its kind", async () => {
    const outage = Array.from(
      { length: 5000 },
      (_, index): ServiceEvent => ({
        ...failed,
        id: `1-${index}`,
        client: index % 2 === 0 ? "192.0.2.1" : "192.0.2.2",
        route: index % 5 === 0 ? "getSkus" : "getBook",
        error: new StoreError(`PostgreSQL at db:5432 does not respond (timeout ${index})`),
      }),
    );
    const defect: ServiceEvent = { ...failed, error: new TypeError("x is not a function") };
    const read = await loggedJson([
      ...outage,
      defect,
      defect,
      { kind: "fault", error: new StoreError("full") },
    ]);
    expect(read.map(({ event, id, count, routes, clients }) => [event, id, count, routes, clients])).toEqual([
      ["failed", "1-0", 1, "getSkus", 1],
      ["failed", "1-2", 1, "getSkus", 1],
      ["fault", undefined, 1, undefined, undefined],
      ["failed", "1-1", 4999, "getBook getSkus", 2],
      ["failed", "1-2", 1, "getSkus", 1],
    ]);
    expect(read[3].error).toBe("StoreError: PostgreSQL at db:5432 does not respond (timeout 1)");
    expect(read[1].error).toContain(" (at ");
  });

  test("gathers failures of too many kinds as one more kind", async () => {
    const word = (index: number) => String.fromCharCode(97 + (index % 26), 97 + Math.floor(index / 26));
    const failures = Array.from({ length: 500 }, (_, index) => ({
      ...failed,
      error: `failure ${word(index)}`,
    }));
    const counts = (await loggedJson(failures)).map(({ count }) => count);
    expect(counts).toHaveLength(22);
    expect(counts.at(-1)).toBe(479);
  });

  test("drops lines that do not fit, and reports their number", async () => {
    const lines = await loggedJson(Array(1000).fill(request), { maxBufferedChars: 100_000 });
    expect(lines.length).toBeLessThan(500);
    expect(lines.at(-1)).toMatchObject({ event: "dropped", count: 1000 - lines.length + 1 });
  });
});
