import { expect, setDefaultTimeout, test } from "bun:test";
import { compareCaches } from "../testing/cache-comparison.ts";

setDefaultTimeout(120_000);

test("responses with and without the cache are the same while imports change the catalog", async () => {
  expect(await compareCaches({ numRuns: 10, seed: 1 })).toBeGreaterThan(200);
});
