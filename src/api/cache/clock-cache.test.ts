import { expect, test } from "bun:test";
import { ClockCache } from "./clock-cache.ts";

test("the budget is never exceeded, whatever the sizes", () => {
  const cache = new ClockCache<number>(100_000);
  for (let key = 0; key < 5000; key++) {
    cache.set(String(key), key, (key * 7919) % 9000);
    expect(cache.sizeBytes).toBeLessThanOrEqual(100_000);
  }
  expect(cache.get("4999")).toBe(4999);
  expect(cache.get("0")).toBeUndefined();
});

test("what alone exceeds the budget is not kept, and pushes nothing out", () => {
  const cache = new ClockCache<string>(10_000);
  cache.set("a", "a", 1000);
  cache.set("b", "b", 10_000);
  expect([cache.get("a"), cache.get("b")]).toEqual(["a", undefined]);
});

test("what is used stays longer than what is not", () => {
  const cache = new ClockCache<number>(20_000);
  for (let key = 0; key < 10; key++) cache.set(String(key), key, 1000);
  for (let key = 10; key < 1000; key++) {
    cache.get("3");
    cache.set(String(key), key, 1000);
  }
  expect(cache.get("3")).toBe(3);
  expect(cache.get("4")).toBeUndefined();
});

test("a key that is set again counts once", () => {
  const cache = new ClockCache<string>(10_000);
  for (let times = 0; times < 100; times++) cache.set("a", String(times), 1000);
  const size = cache.sizeBytes;
  cache.set("a", "last", 1000);
  expect([cache.get("a"), cache.sizeBytes]).toEqual(["last", size]);
  cache.clear();
  expect([cache.get("a"), cache.sizeBytes]).toEqual([undefined, 0]);
});

test("a key is wanted when it is asked for a second time, soon", () => {
  const cache = new ClockCache<string>(40_000_000);
  const keys = Array.from({ length: 100 }, (_, key) => `97880${key}`);
  expect(keys.filter((key) => cache.countMiss(key))).toEqual([]);
  // Two of them may have the same place.
  expect(keys.filter((key) => cache.countMiss(key)).length).toBeGreaterThan(95);
  const others = Array.from({ length: 200_000 }, (_, key) => `97990${key}`);
  for (const key of others) cache.countMiss(key);
  expect(keys.filter((key) => cache.countMiss(key)).length).toBeLessThan(5);
});

test("when another would have to go for it, a key is wanted the fourth time", () => {
  const cache = new ClockCache<string>(100_000);
  for (let key = 0; cache.sizeBytes < 95_000; key++) cache.set(String(key), "", 1000);
  expect(Array.from({ length: 5 }, () => cache.countMiss("a"))).toEqual([false, false, false, true, true]);
  cache.clear();
  expect(Array.from({ length: 3 }, () => cache.countMiss("b"))).toEqual([false, true, true]);
});

test("who reads at random in much more than there is room for does not change what is kept", () => {
  const cache = new ClockCache<number>(1_000_000);
  let set = 0;
  for (let seed = 1, times = 0; times < 20_000; times++) {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0;
    const key = String((seed >>> 8) % 2000);
    if (cache.get(key) !== undefined || !cache.countMiss(key)) continue;
    cache.set(key, times, 4000);
    set++;
  }
  // 200 and more have room; each of the others has pushed one out.
  expect(set).toBeLessThan(600);
});

test("a key that is a part of a long text does not keep all of it", () => {
  const cache = new ClockCache<number>(10_000_000);
  Bun.gc(true);
  const before = process.memoryUsage.rss();
  for (let key = 0; key < 4000; key++) {
    const request = `/api/isbn/${key} ${"x".repeat(60_000)}`;
    cache.set(Buffer.from(request).toString("latin1").slice(0, 20), key, 100);
  }
  Bun.gc(true);
  expect(cache.get("/api/isbn/3999 xxxxx")).toBe(3999);
  expect(process.memoryUsage.rss() - before).toBeLessThan(120_000_000);
});
