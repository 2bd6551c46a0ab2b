import { describe, expect, test } from "bun:test";
import { closeSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { createSharedMemory, mapSharedMemory } from "../../lib/shared-memory.ts";
import { type Rate, RateLimit } from "./rate-limit.ts";
import { SharedRateBuckets } from "./shared-rate-buckets.ts";
import { SharedRateMemory } from "./shared-rate-memory.ts";
import { BARRIER_BYTES, RATE } from "./testing/rate-taker.program.ts";

const NOW_MS = 1_000_000;
/** How far the clocks of workers are behind the supervisor's. */
const OFFSETS_MS = [0, 500_000.25, -3000];

/** Returns the memory of a supervisor. */
function memoryOf(slots?: number): SharedRateMemory {
  const memory = new SharedRateMemory(new Uint8Array(SharedRateMemory.bytes(slots)));
  memory.initialize();
  return memory;
}

const caller = (id: unknown) => ({ id: String(id), name: undefined });

function sharedLimit(rate: Rate, memory: SharedRateMemory, offsetMs = 0): RateLimit {
  return new RateLimit(rate, new SharedRateBuckets(memory, rate.seconds * 1000, offsetMs));
}

describe("RateLimit with shared buckets", () => {
  test("decides as with local ones, whichever process gets the request and whenever generations start", () => {
    fc.assert(
      fc.property(
        fc.array(fc.record({ worker: fc.nat(2), token: fc.nat(5), gapMs: fc.nat(3000) }), { maxLength: 100 }),
        fc.record({ requests: fc.integer({ min: 1, max: 5 }), seconds: fc.integer({ min: 1, max: 20 }) }),
        fc.nat(5000),
        (calls, rate, extraMs) => {
          const memory = memoryOf(16);
          const workers = OFFSETS_MS.map((offsetMs) => sharedLimit(rate, memory, offsetMs));
          const alone = new RateLimit(rate);
          let nowMs = NOW_MS;
          let startedMs = nowMs;
          for (const { worker, token, gapMs } of calls) {
            nowMs += gapMs;
            if (nowMs - startedMs > rate.seconds * 1000 + extraMs) {
              memory.startGeneration();
              startedMs = nowMs;
            }
            const expected = alone.take(caller(token), nowMs).allowed;
            const workerMs = nowMs - OFFSETS_MS[worker]!;
            expect(workers[worker]!.take(caller(token), workerMs).allowed).toBe(expected);
          }
        },
      ),
    );
  });

  test("separates a token id from the same name", () => {
    const limit = sharedLimit({ requests: 1, seconds: 60 }, memoryOf());
    for (const each of [caller("a"), { id: undefined, name: "a" }, { id: undefined, name: undefined }]) {
      expect([limit.take(each, NOW_MS).allowed, limit.take(each, NOW_MS).allowed]).toEqual([true, false]);
    }
  });

  test("counts 30,000 tokens over all processes, and more in each process", () => {
    const memory = memoryOf();
    const [first, second] = [0, 1].map(() => sharedLimit({ requests: 1, seconds: 3600 }, memory)) as [
      RateLimit,
      RateLimit,
    ];
    const allowedOf = (limit: RateLimit, count: number) =>
      Array.from({ length: count }, (_, token) => limit.take(caller(token), NOW_MS).allowed).filter(Boolean)
        .length;
    expect([allowedOf(first, 30_000), allowedOf(second, 30_000)]).toEqual([30_000, 0]);

    const small = memoryOf(64);
    const [third, fourth] = [0, 1].map(() => sharedLimit({ requests: 1, seconds: 3600 }, small)) as [
      RateLimit,
      RateLimit,
    ];
    expect([allowedOf(third, 100), allowedOf(third, 100), allowedOf(fourth, 100)]).toEqual([100, 0, 36]);
  });

  test("counts a request again when a generation starts before it is counted", () => {
    const memory = memoryOf();
    const [lagging, other] = [0, 1].map(() => new SharedRateBuckets(memory, 60_000, 0)) as [
      SharedRateBuckets,
      SharedRateBuckets,
    ];
    const fullAtMs = lagging.fullAtMs(caller("a"), NOW_MS);
    memory.startGeneration();
    expect(lagging.trySet(fullAtMs + 60_000)).toBe(false);
    expect(other.fullAtMs(caller("a"), NOW_MS)).toBe(fullAtMs + 60_000);
    // The time that was carried over cannot be changed in the old generation.
    expect(lagging.trySet(fullAtMs)).toBe(false);
    expect(lagging.fullAtMs(caller("a"), NOW_MS)).toBe(fullAtMs + 60_000);
  });
});

test("several processes together never exceed the limit of a token, and use it up", async () => {
  const [processes, rounds, tokens, takes] = [3, 100, 4, 6];
  const descriptor = createSharedMemory(SharedRateMemory.bytes(16) + BARRIER_BYTES);
  try {
    new SharedRateMemory(mapSharedMemory(descriptor).subarray(0, -BARRIER_BYTES)).initialize();
    const program = join(import.meta.dir, "testing/rate-taker.program.ts");
    const children = Array.from({ length: processes }, (_, number) =>
      Bun.spawn([process.execPath, program, ...[number, processes, rounds, tokens, takes].map(String)], {
        stdio: ["ignore", "pipe", "inherit", descriptor],
      }),
    );
    const results: number[][][] = await Promise.all(
      children.map(async ({ stdout }) => JSON.parse(await new Response(stdout).text())),
    );
    const sums = results[0]!.flatMap((counts, round) =>
      counts.map((_, token) => results.reduce((sum, each) => sum + each[round]![token]!, 0)),
    );
    expect(sums).toHaveLength(rounds * tokens);
    expect(Math.max(...sums)).toBe(RATE.requests);
    // Each process may have counted one request twice when the generation started.
    expect(Math.min(...sums)).toBeGreaterThanOrEqual(RATE.requests - processes);
  } finally {
    closeSync(descriptor);
  }
});
