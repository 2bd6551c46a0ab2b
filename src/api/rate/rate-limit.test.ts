import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { SQLITE } from "../../stores/testing/engines.ts";
import { createTestApi } from "../testing/api.ts";
import { LocalRateBuckets } from "./rate-buckets.ts";
import { FailedTokens, parseRate, RateLimit } from "./rate-limit.ts";

const SHOP = { id: "4f0c", name: "Bookshop" };

describe("parseRate", () => {
  test.each([
    ["600/60", { requests: 600, seconds: 60 }],
    ["1/1", { requests: 1, seconds: 1 }],
    ["1000000/86400", { requests: 1_000_000, seconds: 86_400 }],
  ])("parses %s", (text, rate) => {
    expect(parseRate(text)).toEqual(rate);
  });

  test.each([
    "",
    "600",
    "600/",
    "/60",
    "0/60",
    "600/0",
    "1000001/1",
    "1/86401",
    "6e2/60",
    "-1/60",
    "1.5/60",
    " 1/1",
  ])("rejects %j", (text) => {
    expect(parseRate(text)).toBeUndefined();
  });
});

describe("RateLimit.take", () => {
  test("allows all requests at once, and then one per interval", () => {
    const limit = new RateLimit({ requests: 4, seconds: 8 });
    const at = (seconds: number) => limit.take(SHOP, seconds * 1000);
    expect(at(0)).toEqual({ allowed: true, remaining: 3, resetSeconds: 2 });
    expect(at(0)).toEqual({ allowed: true, remaining: 2, resetSeconds: 4 });
    expect(at(0)).toEqual({ allowed: true, remaining: 1, resetSeconds: 6 });
    expect(at(0)).toEqual({ allowed: true, remaining: 0, resetSeconds: 8 });
    expect(at(0)).toEqual({ allowed: false, retryAfterSeconds: 2 });
    expect(at(1)).toEqual({ allowed: false, retryAfterSeconds: 1 });
    expect(at(1.5)).toEqual({ allowed: false, retryAfterSeconds: 1 });
    expect(at(2)).toEqual({ allowed: true, remaining: 0, resetSeconds: 8 });
    expect(at(2)).toEqual({ allowed: false, retryAfterSeconds: 2 });
    expect(at(100)).toEqual({ allowed: true, remaining: 3, resetSeconds: 2 });
  });

  test("does not add a second to a time that floating point cannot represent", () => {
    const limit = new RateLimit({ requests: 1, seconds: 1 });
    const now = 256.0000000734378;
    expect(limit.take(SHOP, now)).toEqual({ allowed: true, remaining: 0, resetSeconds: 1 });
    expect(limit.take(SHOP, now)).toEqual({ allowed: false, retryAfterSeconds: 1 });
  });
});

const rate = fc.record({
  requests: fc.integer({ min: 1, max: 50 }),
  seconds: fc.integer({ min: 1, max: 30 }),
});
/** Milliseconds between requests: many at once, some close by, some after a pause. */
const gaps = fc.array(
  fc.oneof(fc.constant(0), fc.double({ min: 0, max: 500, noNaN: true }), fc.nat(40_000)),
  { maxLength: 300 },
);

describe("for any times of requests, RateLimit.take", () => {
  test("never allows more than a burst and the rate", () => {
    fc.assert(
      fc.property(rate, gaps, ({ requests, seconds }, between) => {
        const limit = new RateLimit({ requests, seconds });
        const allowed: number[] = [];
        let now = 0;
        for (const gap of between) {
          now += gap;
          if (limit.take(SHOP, now).allowed) allowed.push(now);
        }
        for (let from = 0; from < allowed.length; from++) {
          for (let to = from; to < allowed.length; to++) {
            const span = (allowed[to]! - allowed[from]!) / 1000;
            expect(to - from + 1).toBeLessThanOrEqual(requests * (1 + span / seconds) + 1e-3);
          }
        }
      }),
      { numRuns: 60 },
    );
  });

  test("returns a `remaining`, `resetSeconds` and `retryAfterSeconds` that hold", () => {
    fc.assert(
      fc.property(rate, gaps, ({ requests, seconds }, between) => {
        // The values of one limit are tried on another with the same history.
        const [limit, twin] = [new RateLimit({ requests, seconds }), new RateLimit({ requests, seconds })];
        let now = 0;
        for (const gap of between) {
          now += gap;
          limit.take(SHOP, now);
          twin.take(SHOP, now);
        }
        const allowance = limit.take(SHOP, now);
        expect(twin.take(SHOP, now)).toEqual(allowance);
        if (allowance.allowed) {
          for (let more = 0; more < allowance.remaining; more++)
            expect(twin.take(SHOP, now).allowed).toBe(true);
          expect(twin.take(SHOP, now).allowed).toBe(false);
          const later = limit.take(SHOP, now + allowance.resetSeconds * 1000);
          expect(later).toMatchObject({ allowed: true, remaining: requests - 1 });
        } else {
          expect(allowance.retryAfterSeconds).toBeGreaterThanOrEqual(1);
          expect(limit.take(SHOP, now + allowance.retryAfterSeconds * 1000).allowed).toBe(true);
          // One second less would be too early.
          expect(twin.take(SHOP, now + (allowance.retryAfterSeconds - 1) * 1000).allowed).toBe(false);
        }
      }),
    );
  });

  test("never rejects a client that keeps to the rate", () => {
    fc.assert(
      fc.property(rate, ({ requests, seconds }) => {
        const limit = new RateLimit({ requests, seconds });
        for (let count = 0; count < 500; count++)
          expect(limit.take(SHOP, (count * seconds * 1000) / requests).allowed).toBe(true);
      }),
    );
  });

  test("rejects for at most one window when the clock goes back", () => {
    const limit = new RateLimit({ requests: 2, seconds: 10 });
    limit.take(SHOP, 1e12);
    limit.take(SHOP, 1e12);
    expect(limit.take(SHOP, 1e9)).toMatchObject({ allowed: false, retryAfterSeconds: 5 });
    expect(limit.take(SHOP, 1e9 + 10_000).allowed).toBe(true);
  });
});

describe("the limit", () => {
  const once = { requests: 1, seconds: 60 };

  test("is separate for each token id, also with the same name", () => {
    const limit = new RateLimit(once);
    for (const id of ["a", "b", "", "Bookshop"]) {
      expect(limit.take({ id, name: "Bookshop" }, 0).allowed).toBe(true);
      expect(limit.take({ id, name: "Bookshop" }, 0).allowed).toBe(false);
    }
  });

  test("is separate for each name without an id, and a name is not an id", () => {
    const limit = new RateLimit(once);
    expect(limit.take({ id: undefined, name: "a" }, 0).allowed).toBe(true);
    expect(limit.take({ id: undefined, name: "a" }, 0).allowed).toBe(false);
    expect(limit.take({ id: undefined, name: "b" }, 0).allowed).toBe(true);
    expect(limit.take({ id: "a", name: undefined }, 0).allowed).toBe(true);
    expect(limit.take({ id: undefined, name: undefined }, 0).allowed).toBe(true);
    expect(limit.take({ id: undefined, name: undefined }, 0).allowed).toBe(false);
  });

  test("is separate for long ids that differ in their last letter", () => {
    const limit = new RateLimit(once);
    const long = "x".repeat(8000);
    expect(limit.take({ id: `${long}a`, name: undefined }, 0).allowed).toBe(true);
    expect(limit.take({ id: `${long}b`, name: undefined }, 0).allowed).toBe(true);
    expect(limit.take({ id: `${long}a`, name: undefined }, 0).allowed).toBe(false);
  });
});

describe("the memory of RateLimit", () => {
  test("keeps every token until its window ends, as long as the tokens fit", () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.nat(9), fc.nat(4000)), { maxLength: 200 }),
        fc.integer({ min: 1, max: 3 }),
        (calls, requests) => {
          // Two generations of ten hold all ten tokens. The other limits never forget.
          const [limit, unbounded] = [
            new RateLimit({ requests, seconds: 10 }, new LocalRateBuckets(10_000, 10)),
            new Map<number, RateLimit>(),
          ];
          let now = 0;
          for (const [token, gap] of calls) {
            now += gap;
            if (!unbounded.has(token)) unbounded.set(token, new RateLimit({ requests, seconds: 10 }));
            const caller = { id: String(token), name: undefined };
            expect(limit.take(caller, now)).toEqual(unbounded.get(token)!.take(caller, now));
          }
        },
      ),
    );
  });

  test("keeps the tokens used last, between one and two generations of them", () => {
    const limit = new RateLimit({ requests: 1, seconds: 3600 }, new LocalRateBuckets(3_600_000, 100));
    const take = (id: number) => limit.take({ id: String(id), name: undefined }, 1000).allowed;
    for (let id = 0; id < 100_000; id++) expect(take(id)).toBe(true);
    const remembered = Array.from({ length: 1000 }, (_, index) => 99_999 - index).filter((id) => !take(id));
    expect(remembered.length).toBeGreaterThanOrEqual(100);
    expect(remembered.length).toBeLessThanOrEqual(200);
  });
});

describe("the headers of RateLimit", () => {
  const limit = new RateLimit({ requests: 2, seconds: 60 });

  test("are RateLimit and RateLimit-Policy for an allowed request", () => {
    expect(limit.headers(limit.take(SHOP, 0))).toEqual({
      "RateLimit-Policy": '"default";q=2;w=60',
      RateLimit: '"default";r=1;t=30',
    });
    expect(limit.headerLines(limit.take(SHOP, 0))).toBe(
      'RateLimit-Policy: "default";q=2;w=60\r\nRateLimit: "default";r=0;t=60\r\n',
    );
  });

  test("also have Retry-After for a rejected request, which is 429", () => {
    const allowance = limit.take(SHOP, 500);
    if (allowance.allowed) throw new Error("The request must be rejected");
    const error = limit.error(allowance);
    expect(error.status).toBe(429);
    expect(error.headers).toEqual({
      "Retry-After": "30",
      "RateLimit-Policy": '"default";q=2;w=60',
      RateLimit: '"default";r=0;t=30',
    });
    expect(error.toJSON()).toMatchObject({ status: 429, message: "Too Many Requests" });
  });
});

test("the first 20 failures of an address are answered at once, and further ones later", async () => {
  const failed = new FailedTokens(5);
  for (let count = 0; count < 20; count++) expect(failed.count("192.0.2.1")).toBeUndefined();
  const late = failed.count("192.0.2.1");
  expect(late).toBeInstanceOf(Promise);
  await late;
  expect(failed.count("192.0.2.2")).toBeUndefined();
});

test("the addresses of one IPv6 network count together", async () => {
  const failed = new FailedTokens(0);
  const delays = Array.from({ length: 21 }, (_, index) => failed.count(`2001:db8::${index}`));
  expect(delays.map((delay) => delay !== undefined)).toEqual([...Array(20).fill(false), true]);
  expect(failed.count("2001:db8:0:1::1")).toBeUndefined();
  await Promise.all(delays);
});

test("no more than 1,000 answers wait", async () => {
  const failed = new FailedTokens(5);
  const waits = Array.from({ length: 1100 }, () => failed.count("192.0.2.1"));
  expect(waits.filter((wait) => wait !== undefined)).toHaveLength(1000);
  await Promise.all(waits);
  expect(failed.count("192.0.2.1")).toBeInstanceOf(Promise);
});

test("the API slows failed tokens down, but no valid one and no request without a token", async () => {
  const delay = Promise.withResolvers<void>();
  const failedTokens = new FailedTokens();
  failedTokens.count = () => delay.promise;
  await using api = await createTestApi(SQLITE, { failedTokens });
  let isAnswered = false;
  const failed = api.get("/api/imprints", { token: "a.b.c" }).finally(() => {
    isAnswered = true;
  });
  expect((await api.get("/api/imprints")).status).toBe(200);
  expect((await api.get("/api/imprints", { token: null })).status).toBe(401);
  expect(isAnswered).toBe(false);
  delay.resolve();
  expect((await failed).status).toBe(401);
});
