import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { Answered, Event } from "./event.ts";
import { createLog, type LogLevel } from "./log.ts";
import { LONGEST_LINE } from "./log-writer.ts";

const AT = Date.UTC(2026, 0, 2, 3, 4, 5, 6);

const answered: Answered = {
  kind: "answered",
  id: "5f0c2a7e-12",
  method: "GET",
  path: "/api/isbn/9789999901116",
  route: "getBook",
  status: 200,
  bytes: 3532,
  seconds: 0.0004127,
  caller: { id: "4f0c", name: "Bookshop" },
  kept: true,
  whole: true,
};

/** What the log writes of these events, line by line. */
async function written(
  events: readonly Event[],
  form: "json" | "short" = "json",
  level: LogLevel = "requests",
): Promise<string[]> {
  let text = "";
  const log = createLog({
    level,
    form,
    now: () => AT,
    async sink(piece) {
      text += piece.toString();
    },
  });
  for (const event of events) log.observe(event);
  await log.close();
  expect(text === "" || text.endsWith("\n")).toBe(true);
  return text.split("\n").slice(0, -1);
}

async function asJson(...events: readonly Event[]): Promise<Record<string, unknown>> {
  const lines = await written(events);
  expect(lines).toHaveLength(1);
  return JSON.parse(lines[0]!);
}

describe("a request", () => {
  test("as JSON", async () => {
    expect(await asJson(answered)).toEqual({
      time: "2026-01-02T03:04:05.006Z",
      event: "answered",
      id: "5f0c2a7e-12",
      method: "GET",
      path: "/api/isbn/9789999901116",
      route: "getBook",
      status: 200,
      bytes: 3532,
      ms: 0.413,
      kept: true,
      whole: true,
      tokenId: "4f0c",
      tokenName: "Bookshop",
    });
  });

  test("short, for a terminal", async () => {
    const time = new Date(AT).toTimeString().slice(0, 8);
    expect(await written([answered, { ...answered, caller: undefined, whole: false }], "short")).toEqual([
      `${time} 200 GET /api/isbn/9789999901116 3532 B 0.413 ms Bookshop`,
      `${time} 200 GET /api/isbn/9789999901116 3532 B 0.413 ms (broken off)`,
    ]);
  });

  test("without a caller, or with one of whom little is known", async () => {
    expect(Object.keys(await asJson({ ...answered, caller: undefined }))).not.toContain("tokenId");
    const nameless = await asJson({ ...answered, caller: { id: "4f0c", name: undefined } });
    expect([nameless.tokenId, "tokenName" in nameless]).toEqual(["4f0c", false]);
    const [short] = await written([{ ...answered, caller: { id: "4f0c", name: undefined } }], "short");
    expect(short).toEndWith(" ms 4f0c");
  });
});

describe("nobody can forge a line, or make one too long", () => {
  const text = fc.oneof(
    fc.string({ unit: "binary", maxLength: 60 }),
    fc.constantFrom('\n{"event":"answered"}\n', "\r\n\x1b[2K", "\u2028", '","status":200,"x":"', "\\", "a b"),
    fc
      .tuple(fc.constantFrom("\n", "x", "中", '"', "\ud800"), fc.integer({ min: 1, max: 9000 }))
      .map(([part, times]) => part.repeat(times)),
  );
  const optional = fc.option(text, { nil: undefined });
  const event: fc.Arbitrary<Event> = fc.oneof(
    fc
      .record({ id: text, method: text, path: text, caller: fc.record({ id: optional, name: optional }) })
      .map((parts) => ({ ...answered, ...parts })),
    fc
      .record({ id: text, method: text, path: text, error: text, cause: text })
      .map(({ id, method, path, error, cause }) => ({
        kind: "failed" as const,
        id,
        method,
        path,
        error: new Error(error, { cause: new TypeError(cause) }),
      })),
    text.map((why) => ({ kind: "stopping" as const, why })),
    text.map((error) => ({ kind: "keys" as const, error: new Error(error) })),
    text.map((url) => ({ kind: "started" as const, url, version: "1", workers: 1 })),
    text.map((why) => ({ kind: "worker" as const, state: "died" as const, pid: 1, why })),
  );

  test("any event is one line of JSON that says the same, or one short line", async () => {
    await fc.assert(
      fc.asyncProperty(event, async (given) => {
        const read = await asJson(given);
        expect(read.event).toBe(given.kind);
        if (given.kind === "answered") expect([read.status, read.route]).toEqual([200, "getBook"]);
        for (const form of ["json", "short"] as const) {
          const [line, ...more] = await written([given], form);
          expect(more).toEqual([]);
          expect(line).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}]/u);
          expect(Buffer.byteLength(line!) + 1).toBeLessThanOrEqual(LONGEST_LINE);
        }
      }),
      { numRuns: 500 },
    );
  });
});

test("never a token, wherever a client has put it", async () => {
  const token = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJCb29rc2hvcCJ9.c2lnbmF0dXJl";
  const caller = { id: token, name: token };
  const events: Event[] = [
    { ...answered, id: token, path: `/api/isbn/${token}`, caller },
    { kind: "failed", id: token, method: "GET", path: `/${token}`, error: new Error(`Bearer ${token}`) },
    { kind: "fault", error: new Error("x", { cause: new Error(token) }) },
    { kind: "keys", error: token },
  ];
  for (const form of ["json", "short"] as const) {
    const lines = await written(events, form);
    expect(lines).toHaveLength(4);
    for (const line of lines) {
      expect(line).toContain("[token]");
      expect(line).not.toMatch(/eyJ|c2lnbmF0dXJl/);
    }
  }
});

describe("errors", () => {
  const error = new Error("The store cannot answer", { cause: new Error("disk I/O error") });

  test("have their causes, on one line", async () => {
    const read = await asJson({ kind: "failed", id: "1-2", method: "GET", path: "/api/skus", error });
    expect(read).toMatchObject({ event: "failed", id: "1-2", method: "GET", path: "/api/skus" });
    expect(read.error).toMatch(
      /^Error: The store cannot answer \(at .*\); caused by Error: disk I\/O error \(at /,
    );
    const [short] = await written([{ kind: "failed", id: "1-2", method: "GET", path: "/x", error }], "short");
    expect(short).toMatch(/^\S+ failed 1-2 GET \/x: Error: The store .*; caused by Error: disk/);
  });

  test("the rest of what can happen", async () => {
    expect(await asJson({ kind: "fault", error: "x" })).toMatchObject({ event: "fault", error: "x" });
    expect(await asJson({ kind: "keys" })).toEqual({ time: expect.any(String), event: "keys" });
    expect(await asJson({ kind: "keys", error: "gone" })).toMatchObject({ event: "keys", error: "gone" });
    expect(await asJson({ kind: "stopping", why: "SIGTERM" })).toMatchObject({ why: "SIGTERM" });
    expect(await asJson({ kind: "stopped", seconds: 0.1234567, cut: 2 })).toMatchObject({
      seconds: 0.123,
      cut: 2,
    });
    expect(await asJson({ kind: "worker", state: "died", pid: 7, why: "SIGKILL" })).toMatchObject({
      state: "died",
      pid: 7,
      why: "SIGKILL",
    });
    expect(await written([{ kind: "stopped", seconds: 1, cut: 2 }], "short")).toEqual([
      expect.stringContaining("stopped after 1 s; 2 answers were cut off"),
    ]);
  });
});

describe("levels", () => {
  const events: Event[] = [
    answered,
    { ...answered, status: 503 },
    { kind: "store", seconds: 0.1 },
    { kind: "failed", id: "1", method: "GET", path: "/", error: "x" },
    { kind: "stopping", why: "SIGTERM" },
    { kind: "refused", why: "not-http" },
  ];
  const kinds = async (level: LogLevel) =>
    (await written(events, "json", level)).map((line) => JSON.parse(line).event);

  test("requests, errors, none", async () => {
    expect(await kinds("requests")).toEqual(["answered", "answered", "failed", "stopping", "refused"]);
    expect(await kinds("errors")).toEqual(["failed", "stopping", "refused"]);
    expect(await kinds("none")).toEqual([]);
  });
});

describe("floods", () => {
  test("refusals are counted, and said once for many", async () => {
    const flood = Array.from({ length: 10_000 }, (_, at): Event => {
      return { kind: "refused", why: at % 4 === 0 ? "connections" : "too-slow" };
    });
    expect((await written(flood)).map((line) => JSON.parse(line))).toEqual([
      { time: expect.any(String), event: "refused", why: "connections", count: 2500 },
      { time: expect.any(String), event: "refused", why: "too-slow", count: 7500 },
    ]);
  });

  test("lines that do not fit are dropped, counted, and said to be", async () => {
    let text = "";
    let open = () => {};
    const opened = new Promise<void>((resolve) => {
      open = resolve;
    });
    const log = createLog({
      level: "requests",
      form: "json",
      most: 100_000,
      async sink(piece) {
        await opened;
        text += piece.toString();
      },
    });
    for (let count = 0; count < 1000; count++) log.observe(answered);
    expect(log.dropped).toBeGreaterThan(500);
    open();
    await log.close(60_000);
    const lines = text.split("\n").slice(0, -1);
    expect(JSON.parse(lines.at(-1)!)).toMatchObject({ event: "dropped", count: log.dropped });
    expect(lines).toHaveLength(1000 - log.dropped + 1);
  });
});
