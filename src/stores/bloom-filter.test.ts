import { expect, test } from "bun:test";
import { BloomFilter } from "./bloom-filter.ts";

test("what was there is always known; what was not, nearly always", () => {
  const seen = new BloomFilter();
  const isbn = (at: number) => 9_780_000_000_000 + at * 10_007;
  let wrong = 0;
  for (let at = 0; at < 1_000_000; at++) if (seen.add(isbn(at))) wrong++;
  let forgotten = 0;
  for (let at = 0; at < 1_000_000; at++) if (!(seen.mayContain(isbn(at)) && seen.add(isbn(at)))) forgotten++;
  expect(forgotten).toBe(0);
  for (let at = 0; at < 1_000_000; at++) if (seen.mayContain(isbn(at) + 1)) wrong++;
  // 0.09^6 of the last ones, and fewer of those before: about one in two runs would have one, were it by chance.
  expect(wrong).toBeLessThan(5);
});
