import { heapStats } from "bun:jsc";
import { describe, expect, test } from "bun:test";
import { ClockCache } from "./clock-cache.ts";

describe("set", () => {
  test("never exceeds the budget, whatever the sizes", () => {
    const cache = new ClockCache<number>(100_000);
    for (let key = 0; key < 5000; key++) {
      cache.set(String(key), key, (key * 7919) % 9000);
      expect(cache.sizeBytes).toBeLessThanOrEqual(100_000);
    }
    expect(cache.get("4999")).toBe(4999);
    expect(cache.get("0")).toBeUndefined();
  });

  test("does not store a value that exceeds the budget alone, and evicts nothing for it", () => {
    const cache = new ClockCache<string>(10_000);
    cache.set("a", "a", 1000);
    cache.set("b", "b", 10_000);
    expect([cache.get("a"), cache.get("b")]).toEqual(["a", undefined]);
  });

  test("evicts unused entries before used ones", () => {
    const cache = new ClockCache<number>(20_000);
    for (let key = 0; key < 10; key++) cache.set(String(key), key, 1000);
    for (let key = 10; key < 1000; key++) {
      cache.get("3");
      cache.set(String(key), key, 1000);
    }
    expect(cache.get("3")).toBe(3);
    expect(cache.get("4")).toBeUndefined();
  });

  test("replaces the value of a key, which counts once", () => {
    const cache = new ClockCache<string>(10_000);
    cache.set("a", "first", 1000);
    const size = cache.sizeBytes;
    for (let count = 0; count < 100; count++) cache.set("a", String(count), 1000);
    cache.set("a", "last", 1000);
    expect([cache.get("a"), cache.sizeBytes]).toEqual(["last", size]);
    cache.clear();
    expect([cache.get("a"), cache.sizeBytes]).toEqual([undefined, 0]);
  });

  test("does not keep the long string alive that a key is a part of", () => {
    const cache = new ClockCache<number>(10_000_000);
    const heapBytes = () => {
      Bun.gc(true);
      return heapStats().extraMemorySize;
    };
    const before = heapBytes();
    for (let key = 0; key < 200; key++) {
      const request = Buffer.from(`/api/isbn/${key} ${"x".repeat(60_000)}`).toString("latin1");
      cache.set(request.slice(0, 20), key, 100);
    }
    // All of the strings take 12 MB.
    expect(heapBytes() - before).toBeLessThan(3_000_000);
    expect(cache.get("/api/isbn/199 xxxxxx")).toBe(199);
  });
});

describe("countMiss", () => {
  test("returns true for the second miss of a key, unless many other keys missed in between", () => {
    const cache = new ClockCache<string>(40_000_000);
    const keys = Array.from({ length: 100 }, (_, key) => `97880${key}`);
    expect(keys.filter((key) => cache.countMiss(key))).toEqual([]);
    // Two keys may share a slot.
    expect(keys.filter((key) => cache.countMiss(key)).length).toBeGreaterThan(95);
    for (let key = 0; key < 200_000; key++) cache.countMiss(`97990${key}`);
    expect(keys.filter((key) => cache.countMiss(key)).length).toBeLessThan(5);
  });

  test("returns true for the fourth miss when another entry would be evicted", () => {
    const cache = new ClockCache<string>(100_000);
    for (let key = 0; cache.sizeBytes < 95_000; key++) cache.set(String(key), "", 1000);
    expect(Array.from({ length: 5 }, () => cache.countMiss("a"))).toEqual([false, false, false, true, true]);
    cache.clear();
    expect(Array.from({ length: 3 }, () => cache.countMiss("b"))).toEqual([false, true, true]);
  });

  test("returns true for few random reads among many more keys than fit", () => {
    const cache = new ClockCache<number>(1_000_000);
    let stored = 0;
    for (let seed = 1, count = 0; count < 20_000; count++) {
      seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0;
      const key = String((seed >>> 8) % 2000);
      if (cache.get(key) !== undefined || !cache.countMiss(key)) continue;
      cache.set(key, count, 4000);
      stored++;
    }
    // About 200 fit. Each of the others has evicted one.
    expect(stored).toBeLessThan(600);
  });
});
