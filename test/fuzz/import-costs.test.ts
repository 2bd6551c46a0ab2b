/** The work of an import is linear in its feed. `npm run fuzz -- imports` measures all kinds of hostile feeds. */
import { expect, test } from "bun:test";
import { temporaryFolder } from "../process.ts";
import { feedCosts, MAX_COST_RATIO, MAX_IMPORT_BYTES } from "./import-costs.ts";

/** The kinds that took the most, or without a limit would. */
const KINDS = ["titles and imprints of marks", "unknown attributes", "empty products", "deep nesting"];

test("hostile feeds take at most 5 times the CPU time of an ordinary feed, and bounded memory", async () => {
  const costs = await Array.fromAsync(feedCosts(temporaryFolder(), KINDS, 2));
  expect(costs.map(({ code }) => code)).toEqual([0, 1, 3, 0]);
  expect(costs.filter(({ ratio }) => ratio > MAX_COST_RATIO)).toEqual([]);
  expect(costs.filter(({ peakBytes }) => peakBytes > MAX_IMPORT_BYTES)).toEqual([]);
});
