import { expect, test } from "bun:test";
import { waitMs } from "./retry.ts";

test("waits as long as Retry-After says, in seconds or as a date", () => {
  const now = Date.parse("2026-11-16T12:00:00Z");
  expect(waitMs(1, "7", now)).toBe(7000);
  expect(waitMs(1, "Mon, 16 Nov 2026 12:00:05 GMT", now)).toBe(5000);
  expect(waitMs(1, "Mon, 16 Nov 2026 11:00:00 GMT", now)).toBe(0);
});

test("waits twice as long each time without Retry-After, with a random part", () => {
  for (const [attempt, longest] of [
    [1, 250],
    [2, 500],
    [3, 1000],
  ] as const) {
    for (const retryAfter of [null, "soon"]) {
      const wait = waitMs(attempt, retryAfter);
      expect(wait).toBeGreaterThanOrEqual(longest / 2);
      expect(wait).toBeLessThanOrEqual(longest);
    }
  }
});
