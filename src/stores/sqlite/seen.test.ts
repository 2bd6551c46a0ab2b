import { expect, test } from "bun:test";
import { Seen } from "./seen.ts";

test("what was there is always known; what was not, nearly always", () => {
  const seen = new Seen();
  const isbn = (at: number) => 9_780_000_000_000 + at * 10_007;
  let wrong = 0;
  for (let at = 0; at < 300_000; at++) if (seen.add(isbn(at))) wrong++;
  for (let at = 0; at < 300_000; at++) expect(seen.add(isbn(at))).toBe(true);
  expect(wrong).toBeLessThan(3);
});
