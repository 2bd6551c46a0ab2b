/** The records of real feeds and of the sample catalog against the schema of a record, and how much of them it types. */
import { describe, expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { sharedFile } from "../../../lib/testing/shared-files.ts";
import { readSample } from "../../../onix/testing/samples.ts";
import { storedProducts } from "../../../onix/testing/scan-message.ts";
import { bookErrors, countTyped, document, type TypedValues } from "./testing/typed-values.ts";

const { path: SAMPLES, missing: hasNoSamples } = sharedFile("onix/samples");
const CATALOG = join(import.meta.dir, "../../../../sample/catalog.xml");

async function recordsOf(path: string): Promise<readonly object[]> {
  const sample = await readSample(path);
  return sample ? storedProducts(sample.scanned).map(({ record }) => record) : [];
}

describe("the schema of a record", () => {
  const counts: TypedValues = { listed: 0, extra: 0, untyped: 0 };

  async function check(path: string): Promise<number> {
    const records = await recordsOf(path);
    for (const record of records) {
      expect([path, bookErrors(record)]).toEqual([path, ""]);
      countTyped(record, document, counts);
    }
    return records.length;
  }

  test("validates every record of the sample catalog, and types every value of it", async () => {
    expect(await check(CATALOG)).toBe(223);
    expect(counts.untyped).toBe(0);
    expect(counts.extra).toBe(0);
    expect(counts.listed).toBeGreaterThan(10_000);
  });

  test.skipIf(hasNoSamples)(
    `validates every record of real feeds, and types more than 99 % of their values${hasNoSamples ? " (skipped: no ../shared/onix/samples)" : ""}`,
    async () => {
      let records = 0;
      for (const file of readdirSync(SAMPLES)) {
        if (/\.(xml|onx|onix)$/.test(file)) records += await check(join(SAMPLES, file));
      }
      expect(records).toBe(190);
      const total = counts.listed + counts.extra + counts.untyped;
      console.info(
        `the schema lists ${counts.listed} of ${total} values, and has patterns for ${counts.extra}`,
      );
      expect(counts.listed / total).toBeGreaterThan(0.99);
      expect(counts.untyped / total).toBeLessThan(0.001);
    },
  );
});
