/** A short feed fuzzing run with a fixed seed. `npm run fuzz` runs for minutes with a random one. */
import { expect, test } from "bun:test";
import fc from "fast-check";
import { temporaryFolder } from "../process.ts";
import { savingFailingInput } from "./failing-input.ts";
import { importBytes } from "./feeds.ts";
import { bytesOf, mutatedFeeds } from "./mutations.ts";

const folder = temporaryFolder();

test("mutated feeds are applied or rejected, and the catalog is consistent after each", async () => {
  const codes = new Set<number>();
  await fc.assert(
    fc.asyncProperty(mutatedFeeds, async (feed) => {
      const bytes = bytesOf(feed);
      await savingFailingInput("feed", bytes, async () => {
        codes.add((await importBytes(folder, bytes)).code);
      });
    }),
    { seed: 20260715, numRuns: 12, endOnFailure: true },
  );
  // Both outcomes must occur, so that both are checked.
  expect([...codes]).toContain(0);
  expect([...codes]).toContain(1);
});
