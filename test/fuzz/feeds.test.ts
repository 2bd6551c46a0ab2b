/** A short run of the feeds' fuzzing, the same each time; `npm run fuzz` goes on for minutes. */
import { afterAll, expect, test } from "bun:test";
import fc from "fast-check";
import { temporaryFolder } from "../process.ts";
import { importBytes } from "./feeds.ts";
import { savingFailingInput } from "./failing-input.ts";
import { bytesOf, mutatedFeeds } from "./mutations.ts";

const folder = temporaryFolder();
afterAll(() => folder.remove());

test("30 changed feeds are taken or refused, and the catalog is whole after each", async () => {
  const codes = new Set<number>();
  await fc.assert(
    fc.asyncProperty(mutatedFeeds, async (feed) => {
      const bytes = bytesOf(feed);
      await savingFailingInput("feed", bytes, async () => {
        codes.add((await importBytes(folder.path, bytes)).code);
      });
    }),
    { seed: 20260715, numRuns: 30, endOnFailure: true },
  );
  // Both happened, so that both were looked at.
  expect([...codes]).toContain(0);
  expect([...codes]).toContain(1);
});
