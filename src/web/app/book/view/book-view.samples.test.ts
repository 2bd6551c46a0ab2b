/** Every value of every record is in the view: in one of its parts, or in the tree of remaining fields. */
import { describe, expect, test } from "bun:test";
import { areSamplesMissing, readSamples } from "../../../../onix/testing/samples.ts";
import { recordOf } from "../../../../onix/testing/scan-message.ts";
import { describedIn, hiddenValues } from "../testing/record-values.ts";
import { bookViewOf } from "./book-view.ts";

function textsOf(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap(textsOf);
}

async function sampleRecords(): Promise<readonly Record<string, unknown>[]> {
  const samples = await Array.fromAsync(readSamples());
  return samples
    .flatMap(({ scanned }) => scanned.products)
    .filter(({ action }) => action !== "rejection" && action !== "deletion")
    .map(recordOf);
}

describe.skipIf(areSamplesMissing)("the samples (skipped without ../shared)", () => {
  test("have every value in the view, in both languages", async () => {
    const records = await sampleRecords();
    expect(records.length).toBeGreaterThan(150);
    const hidden = records.flatMap((record) =>
      (["eng", "spa"] as const).flatMap((language) => {
        const described = describedIn(record, language);
        const { everything: _, ...view } = bookViewOf(described, { language, today: "20260101" });
        return hiddenValues(described, textsOf(view).join("\n"));
      }),
    );
    expect(hidden).toEqual([]);
  });
});
