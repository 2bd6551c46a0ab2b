import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { StoreError } from "../../catalog/store-errors.ts";
import type { RequestEvent, RequestFailedEvent, ServiceEvent } from "../event.ts";
import { createLog, type LogLevel } from "./log.ts";
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
  level: LogLevel = "requests",
): Promise<string[]> {
  let text = "";
  const log = createLog({
    level,
    format,
    now: () => AT,
    async sink(chunk) {
      text += chunk.toString();
    },
  });
  for (const event of events) log.observe(event);
  await log.close();
  expect(text === "" || text.endsWith("\n")).toBe(true);
  return text.split("\n").slice(0, -1);
}

/** Logs one event, and parses its line. */
async function loggedJson(event: ServiceEvent): Promise<Record<string, unknown>> {
  const lines = await logged([event]);
  expect(lines).toHaveLength(1);
  return JSON.parse(lines[0]!);
}

describe("the log of a request", () => {
  test("is one JSON object", async () => {
    expect(await loggedJson(request)).toEqual({
      time: "2026-01-02T03:04:05.006Z",
      event: "request",
      id: "5f0c2a7e-12",
      client: "192.0.2.7",
      method: "GET",
      path: "/api/isbn/9789999901116",
      route: "getBook",
      status: 200,
      bytes: 3532,
      ms: 0.413,
      cached: true,
      complete: true,
      tokenId: "4f0c",
      tokenName: "Bookshop",
    });
  });

  test("is one short line on a terminal", async () => {
    const time = new Date(AT).toTimeString().slice(0, 8);
    expect(await logged([request, { ...request, caller: undefined, complete: false }], "text")).toEqual([
      `${time} 192.0.2.7 200 GET /api/isbn/9789999901116 3532 B 0.413 ms Bookshop`,
      `${time} 192.0.2.7 200 GET /api/isbn/9789999901116 3532 B 0.413 ms (cut off)`,
    ]);
  });

  test("omits what is unknown about the caller", async () => {
    expect(Object.keys(await loggedJson({ ...request, caller: undefined }))).not.toContain("tokenId");
    const unnamed = await loggedJson({ ...request, caller: { id: "4f0c", name: undefined } });
    expect([unnamed.tokenId, "tokenName" in unnamed]).toEqual(["4f0c", false]);
    const [line] = await logged([{ ...request, caller: { id: "4f0c", name: undefined } }], "text");
    expect(line).toEndWith(" ms 4f0c");
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
  const event: fc.Arbitrary<ServiceEvent> = fc.oneof(
    fc
      .record({
        id: text,
        client: text,
        method: text,
        path: text,
        caller: fc.record({ id: optional, name: optional }),
      })
      .map((parts) => ({ ...request, ...parts })),
    fc
      .record({ id: text, client: text, method: text, path: text, error: text, cause: text })
      .map(({ error, cause, ...others }) => ({
        ...failed,
        ...others,
        error: new Error(error, { cause: new TypeError(cause) }),
      })),
    text.map((reason) => ({ kind: "stopping" as const, reason })),
    text.map((error) => ({ ...failedKeys, error: new Error(error) })),
    text.map((url) => ({ kind: "started" as const, url, version: "1", workers: 1, books: 1 })),
    text.map((reason) => ({ kind: "worker" as const, state: "died" as const, pid: 1, reason })),
  );

  test("cannot be forged or made too long by any text in an event", async () => {
    await fc.assert(
      fc.asyncProperty(event, async (given) => {
        const read = await loggedJson(given);
        expect(read.event).toBe(given.kind);
        if (given.kind === "request") expect([read.status, read.route]).toEqual([200, "getBook"]);
        for (const format of ["json", "text"] as const) {
          const [line, ...others] = await logged([given], format);
          expect(others).toEqual([]);
          expect(line).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}]/u);
          expect(Buffer.byteLength(line!) + 1).toBeLessThanOrEqual(MAX_LINE_BYTES);
        }
      }),
      { numRuns: 500 },
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

describe("the log of other events", () => {
  const error = new Error("The store failed", { cause: new Error("disk I/O error") });

  test("describes a failed request with the causes of its error, on one line", async () => {
    const read = await loggedJson({ ...failed, error });
    expect(read).toEqual({
      time: expect.any(String),
      event: "failed",
      id: "1-2",
      client: "192.0.2.7",
      method: "GET",
      path: "/api/skus",
      error: expect.any(String),
      count: 1,
      routes: "getSkus",
      clients: 1,
    });
    expect(read.error).toMatch(/^Error: The store failed \(at .*\); caused by Error: disk I\/O error \(at /);
    const [line] = await logged([{ ...failed, error }], "text");
    expect(line).toMatch(
      /^\S+ failed 192\.0\.2\.7 1-2 GET \/api\/skus: Error: The store .*; caused by Error: disk/,
    );
  });

  test("has the members of each event", async () => {
    expect(await loggedJson({ kind: "fault", error: "x" })).toMatchObject({ event: "fault", error: "x" });
    expect(await loggedJson({ kind: "keys", outcome: "changed", reason: "time" })).toEqual({
      time: expect.any(String),
      event: "keys",
      outcome: "changed",
      reason: "time",
    });
    expect(await loggedJson({ ...failedKeys, error: "gone" })).toMatchObject({
      event: "keys",
      error: "gone",
    });
    expect(await loggedJson({ kind: "stopping", reason: "SIGTERM" })).toMatchObject({ reason: "SIGTERM" });
    expect(await loggedJson({ kind: "stopped", seconds: 0.1234567, cutConnections: 2 })).toMatchObject({
      seconds: 0.123,
      cut: 2,
    });
    expect(await loggedJson({ kind: "worker", state: "died", pid: 7, reason: "SIGKILL" })).toMatchObject({
      state: "died",
      pid: 7,
      reason: "SIGKILL",
    });
    expect(await logged([{ kind: "stopped", seconds: 1, cutConnections: 2 }], "text")).toEqual([
      expect.stringContaining("stopped after 1 s; 2 connections were cut"),
    ]);
  });
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
  const kinds = async (level: LogLevel) =>
    (await logged(events, "json", level)).map((line) => JSON.parse(line).event);

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
    expect((await logged(flood)).map((line) => JSON.parse(line))).toEqual([
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
    const lines = await logged([...outage, defect, defect, { kind: "fault", error: new StoreError("full") }]);
    const read = lines.map((line) => JSON.parse(line));
    expect(read.map(({ event, id, count, routes, clients }) => [event, id, count, routes, clients])).toEqual([
      ["failed", "1-0", 1, "getSkus", 1],
      ["failed", "1-2", 1, "getSkus", 1],
      ["fault", undefined, 1, undefined, undefined],
      ["failed", "1-1", 4999, "getBook getSkus", 2],
      ["failed", "1-2", 1, "getSkus", 1],
    ]);
    expect(lines[3]!.length).toBeLessThan(300);
    expect(read[3].error).toBe("StoreError: PostgreSQL at db:5432 does not respond (timeout 1)");
    expect(read[1].error).toContain(" (at ");
  });

  test("gathers failures of too many kinds as one more kind", async () => {
    const word = (index: number) => String.fromCharCode(97 + (index % 26), 97 + Math.floor(index / 26));
    const failures = Array.from({ length: 500 }, (_, index) => ({
      ...failed,
      error: `failure ${word(index)}`,
    }));
    const counts = (await logged(failures)).map((line) => JSON.parse(line).count);
    expect(counts).toHaveLength(22);
    expect(counts.at(-1)).toBe(479);
  });

  test("drops lines that do not fit, and reports their number", async () => {
    let text = "";
    let open = () => {};
    const opened = new Promise<void>((resolve) => {
      open = resolve;
    });
    const log = createLog({
      level: "requests",
      format: "json",
      maxBufferedChars: 100_000,
      async sink(chunk) {
        await opened;
        text += chunk.toString();
      },
    });
    for (let count = 0; count < 1000; count++) log.observe(request);
    expect(log.droppedLines).toBeGreaterThan(500);
    open();
    await log.close(60_000);
    const lines = text.split("\n").slice(0, -1);
    expect(JSON.parse(lines.at(-1)!)).toMatchObject({ event: "dropped", count: log.droppedLines });
    expect(lines).toHaveLength(1000 - log.droppedLines + 1);
  });
});
