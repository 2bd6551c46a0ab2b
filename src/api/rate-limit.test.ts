import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { parseRate, RateLimit } from "./rate-limit.ts";

const SHOP = { id: "4f0c", name: "Bookshop" };

describe("--rate", () => {
  test.each([
    ["600/60", { requests: 600, seconds: 60 }],
    ["1/1", { requests: 1, seconds: 1 }],
    ["1000000/86400", { requests: 1_000_000, seconds: 86_400 }],
  ])("%s", (text, rate) => {
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
  ])("not %j", (text) => {
    expect(parseRate(text)).toBeUndefined();
  });
});

describe("a bucket", () => {
  test("holds all at once, then lets through as many as flow in", () => {
    const limit = new RateLimit({ requests: 4, seconds: 8 });
    const at = (seconds: number) => limit.take(SHOP, seconds * 1000);
    expect(at(0)).toEqual({ allowed: true, remaining: 3, reset: 2 });
    expect(at(0)).toEqual({ allowed: true, remaining: 2, reset: 4 });
    expect(at(0)).toEqual({ allowed: true, remaining: 1, reset: 6 });
    expect(at(0)).toEqual({ allowed: true, remaining: 0, reset: 8 });
    expect(at(0)).toEqual({ allowed: false, retryAfter: 2 });
    expect(at(1)).toEqual({ allowed: false, retryAfter: 1 });
    expect(at(1.5)).toEqual({ allowed: false, retryAfter: 1 });
    expect(at(2)).toEqual({ allowed: true, remaining: 0, reset: 8 });
    expect(at(2)).toEqual({ allowed: false, retryAfter: 2 });
    expect(at(100)).toEqual({ allowed: true, remaining: 3, reset: 2 });
  });

  test("a time that no number has exactly does not cost a second", () => {
    const limit = new RateLimit({ requests: 1, seconds: 1 });
    const now = 256.0000000734378;
    expect(limit.take(SHOP, now)).toEqual({ allowed: true, remaining: 0, reset: 1 });
    expect(limit.take(SHOP, now)).toEqual({ allowed: false, retryAfter: 1 });
  });

  test("a refused request costs nothing", () => {
    const limit = new RateLimit({ requests: 1, seconds: 10 });
    expect(limit.take(SHOP, 0).allowed).toBe(true);
    for (let now = 0; now < 10_000; now += 10) expect(limit.take(SHOP, now).allowed).toBe(false);
    expect(limit.take(SHOP, 10_000).allowed).toBe(true);
  });
});

const rate = fc.record({
  requests: fc.integer({ min: 1, max: 50 }),
  seconds: fc.integer({ min: 1, max: 30 }),
});
/** Milliseconds between requests: many at once, some close by, some after a pause. */
const gaps = fc.array(
  fc.oneof(fc.constant(0), fc.double({ min: 0, max: 500, noNaN: true }), fc.nat(40_000)),
  {
    maxLength: 300,
  },
);

describe("whatever the times of the requests", () => {
  test("within any time there are no more than the bucket holds and what flows in", () => {
    fc.assert(
      fc.property(rate, gaps, ({ requests, seconds }, between) => {
        const limit = new RateLimit({ requests, seconds });
        const let1: number[] = [];
        let now = 0;
        for (const gap of between) {
          now += gap;
          if (limit.take(SHOP, now).allowed) let1.push(now);
        }
        for (let from = 0; from < let1.length; from++) {
          for (let to = from; to < let1.length; to++) {
            const span = (let1[to]! - let1[from]!) / 1000;
            expect(to - from + 1).toBeLessThanOrEqual(requests * (1 + span / seconds) + 1e-3);
          }
        }
      }),
      { numRuns: 60 },
    );
  });

  test("what is said is so: `remaining` more at once and not one further; all again after `reset`", () => {
    fc.assert(
      fc.property(rate, gaps, ({ requests, seconds }, between) => {
        // What is said is tried out on a limit of the same past.
        const [said, tried] = [new RateLimit({ requests, seconds }), new RateLimit({ requests, seconds })];
        let now = 0;
        for (const gap of between) {
          now += gap;
          said.take(SHOP, now);
          tried.take(SHOP, now);
        }
        const answer = said.take(SHOP, now);
        expect(tried.take(SHOP, now)).toEqual(answer);
        if (answer.allowed) {
          for (let more = 0; more < answer.remaining; more++)
            expect(tried.take(SHOP, now).allowed).toBe(true);
          expect(tried.take(SHOP, now).allowed).toBe(false);
          const later = said.take(SHOP, now + answer.reset * 1000);
          expect(later).toMatchObject({ allowed: true, remaining: requests - 1 });
        } else {
          expect(answer.retryAfter).toBeGreaterThanOrEqual(1);
          expect(said.take(SHOP, now + answer.retryAfter * 1000).allowed).toBe(true);
          // In whole seconds, it could not be said earlier.
          expect(tried.take(SHOP, now + (answer.retryAfter - 1) * 1000).allowed).toBe(false);
        }
      }),
    );
  });

  test("who keeps to the rate is never refused", () => {
    fc.assert(
      fc.property(rate, ({ requests, seconds }) => {
        const limit = new RateLimit({ requests, seconds });
        for (let count = 0; count < 500; count++)
          expect(limit.take(SHOP, (count * seconds * 1000) / requests).allowed).toBe(true);
      }),
    );
  });

  test("a clock that goes back costs a window at most", () => {
    const limit = new RateLimit({ requests: 2, seconds: 10 });
    limit.take(SHOP, 1e12);
    limit.take(SHOP, 1e12);
    expect(limit.take(SHOP, 1e9)).toMatchObject({ allowed: false, retryAfter: 5 });
    expect(limit.take(SHOP, 1e9 + 10_000).allowed).toBe(true);
  });
});

describe("the limit belongs to the token", () => {
  const once = { requests: 1, seconds: 60 };

  test("tokens have one each, also two of the same name", () => {
    const limit = new RateLimit(once);
    for (const id of ["a", "b", "", "Bookshop"]) {
      expect(limit.take({ id, name: "Bookshop" }, 0).allowed).toBe(true);
      expect(limit.take({ id, name: "Bookshop" }, 0).allowed).toBe(false);
    }
  });

  test("without an id, the name; a name is no id", () => {
    const limit = new RateLimit(once);
    expect(limit.take({ id: undefined, name: "a" }, 0).allowed).toBe(true);
    expect(limit.take({ id: undefined, name: "a" }, 0).allowed).toBe(false);
    expect(limit.take({ id: undefined, name: "b" }, 0).allowed).toBe(true);
    expect(limit.take({ id: "a", name: undefined }, 0).allowed).toBe(true);
    expect(limit.take({ id: undefined, name: undefined }, 0).allowed).toBe(true);
    expect(limit.take({ id: undefined, name: undefined }, 0).allowed).toBe(false);
  });

  test("long ids are told apart by their last letter", () => {
    const limit = new RateLimit(once);
    const long = "x".repeat(8000);
    expect(limit.take({ id: `${long}a`, name: undefined }, 0).allowed).toBe(true);
    expect(limit.take({ id: `${long}b`, name: undefined }, 0).allowed).toBe(true);
    expect(limit.take({ id: `${long}a`, name: undefined }, 0).allowed).toBe(false);
  });
});

describe("memory", () => {
  test("within what fits, nobody is forgotten before the time", () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.nat(9), fc.nat(4000)), { maxLength: 200 }),
        fc.integer({ min: 1, max: 3 }),
        (calls, requests) => {
          // Two generations of ten: as many as there are tokens. The other remembers everything.
          const [small, large] = [new RateLimit({ requests, seconds: 10 }, 10), new Map<number, RateLimit>()];
          let now = 0;
          for (const [token, gap] of calls) {
            now += gap;
            if (!large.has(token)) large.set(token, new RateLimit({ requests, seconds: 10 }, 1_000_000));
            const caller = { id: String(token), name: undefined };
            expect(small.take(caller, now)).toEqual(large.get(token)!.take(caller, now));
          }
        },
      ),
    );
  });

  test("beyond that, those used last are remembered, and the others are few", () => {
    const limit = new RateLimit({ requests: 1, seconds: 3600 }, 100);
    const take = (id: number) => limit.take({ id: String(id), name: undefined }, 1000).allowed;
    for (let id = 0; id < 100_000; id++) expect(take(id)).toBe(true);
    const remembered = Array.from({ length: 1000 }, (_, at) => 99_999 - at).filter((id) => !take(id));
    expect(remembered.length).toBeGreaterThanOrEqual(100);
    expect(remembered.length).toBeLessThanOrEqual(200);
  });
});

describe("header fields", () => {
  const limit = new RateLimit({ requests: 2, seconds: 60 });

  test("of an answer", () => {
    expect(limit.headers(limit.take(SHOP, 0))).toEqual({
      "RateLimit-Policy": '"default";q=2;w=60',
      RateLimit: '"default";r=1;t=30',
    });
    expect(limit.headerLines(limit.take(SHOP, 0))).toBe(
      'RateLimit-Policy: "default";q=2;w=60\r\nRateLimit: "default";r=0;t=60\r\n',
    );
  });

  test("of a refusal: 429 with Retry-After", () => {
    const refused = limit.take(SHOP, 500);
    if (refused.allowed) throw new Error("It should be refused");
    const error = limit.error(refused);
    expect(error.status).toBe(429);
    expect(error.headers).toEqual({
      "Retry-After": "30",
      "RateLimit-Policy": '"default";q=2;w=60',
      RateLimit: '"default";r=0;t=30',
    });
    expect(error.toJSON()).toMatchObject({ status: 429, message: "Too Many Requests" });
  });
});
