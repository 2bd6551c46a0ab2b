import { expect, test } from "bun:test";
import { EtagCache } from "./etag-cache.ts";

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
