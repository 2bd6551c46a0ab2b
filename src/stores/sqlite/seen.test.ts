import { expect, test } from "bun:test";
import { Seen } from "./seen.ts";

test("what was there is always known; what was not, nearly always", () => {
  const seen = new Seen();
  const isbn = (at: number) => 9_780_000_000_000 + at * 10_007;
  let wrong = 0;
  for (let at = 0; at < 1_000_000; at++) if (seen.add(isbn(at))) wrong++;
  let forgotten = 0;
  for (let at = 0; at < 1_000_000; at++) if (!seen.add(isbn(at))) forgotten++;
  expect(forgotten).toBe(0);
  // 0.09^6 of the last ones, and fewer of those before: about one in ten runs would have one.
  expect(wrong).toBeLessThan(3);
});
