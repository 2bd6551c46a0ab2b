/** Random feeds: every product counts once, and batches do what single products would do. */
import { expect, test } from "bun:test";
import fc from "fast-check";
import { type ProductOptions, product } from "../onix/testing/message.ts";
import type { PreparedProduct } from "./entry.ts";
import type { UpdateCounts } from "./history/update-counts.ts";
import { Import, type ImportRules } from "./import.ts";
import type { ReportedComplaint } from "./report.ts";
import { messageFrom, readFeed } from "./testing/import-feeds.ts";
import { anyRun } from "./testing/import-runs.ts";
import { byIsbn, MemoryCatalog } from "./testing/memory-catalog.ts";

const ISBNS = ["9788437604947", "9780199632091", "9782070360024", "9780306406157"];
const SUPPLY = "<ProductSupply><SupplyDetail/></ProductSupply>";

const productOptions: fc.Arbitrary<ProductOptions> = fc
  .record({
    notification: fc.constantFrom("03", "03", "04", "04", "05", "05", "88"),
    isbn: fc.constantFrom(...ISBNS),
    hasIsbn: fc.boolean(),
    isPart: fc.boolean(),
    reference: fc.constantFrom("a", "b", "c", ""),
    title: fc.constantFrom("One", "Two"),
  })
  .map(({ hasIsbn, isPart, ...options }) => ({
    ...options,
    ...(!hasIsbn && { identifiers: "" }),
    ...(isPart && options.notification === "04" && { blocks: SUPPLY }),
  }));

const feeds = fc.array(
  fc.record({
    sender: fc.constantFrom("One", "Two"),
    sent: fc.constantFrom("20240101", "20240102"),
    products: fc.array(productOptions, { maxLength: 8 }),
  }),
  { minLength: 1, maxLength: 3 },
);

const rules = fc.record({
  replace: fc.boolean(),
  otherSenders: fc.constantFrom("warn" as const, "keep" as const),
});

interface Outcome {
  readonly catalog: MemoryCatalog;
  readonly counts: Import["counts"];
  readonly updates: UpdateCounts;
  readonly complaints: readonly ReportedComplaint[];
  readonly productCount: number;
}

/** Imports all feeds in one import into a catalog that has the books of `before`. */
async function run(
  before: MemoryCatalog,
  feeds: readonly { products: readonly PreparedProduct[]; feed: ReturnType<typeof readFeed>["feed"] }[],
  batchSize: number,
  given: Pick<ImportRules, "replace" | "otherSenders">,
): Promise<Outcome> {
  const catalog = new MemoryCatalog();
  Object.assign(catalog, before);
  const complaints: ReportedComplaint[] = [];
  const transaction = catalog.beginImport();
  const listener = { complaint: (complaint: ReportedComplaint) => complaints.push(complaint), removed() {} };
  const rules = { ...given, allowRemovals: true, inOrder: false };
  const catalogImport = new Import(transaction, listener, rules);
  let productCount = 0;
  for (const [index, { products, feed }] of feeds.entries()) {
    for (let start = 0; start === 0 || start < products.length; start += batchSize) {
      await catalogImport.apply(products.slice(start, start + batchSize), { ...feed, number: index + 1 });
    }
    productCount += products.length;
  }
  const { revision, updates } = await catalogImport.complete();
  await transaction.commit(revision, anyRun());
  return { catalog, updates, counts: catalogImport.counts, complaints, productCount };
}

test("every product is in one count, and a batch does what its products do one after the other", async () => {
  await fc.assert(
    fc.asyncProperty(feeds, feeds, rules, async (first, second, rules) => {
      const [firstFeeds, secondFeeds] = [first, second].map((list) =>
        list.map(({ products, ...header }) => readFeed(messageFrom(header, ...products.map(product)))),
      );
      const { catalog } = await run(new MemoryCatalog(), firstFeeds!, 100, { replace: false });
      const batched = await run(catalog, secondFeeds!, 100, rules);
      const { added, updated, unchanged, deleted, removed, rejected, repeated, ignored, kept, tests } =
        batched.counts;
      const sum =
        added + updated + unchanged + (deleted - removed) + rejected + repeated + ignored + kept + tests;
      expect(sum).toBe(batched.productCount);
      expect(Math.min(...Object.values(batched.counts), deleted - removed)).toBeGreaterThanOrEqual(0);
      const kinds = Object.values(batched.updates);
      expect(Math.max(...kinds)).toBeLessThanOrEqual(updated);
      expect(kinds.reduce((a, b) => a + b)).toBeGreaterThanOrEqual(updated);
      expect(batched.counts.warnings + rejected).toBe(batched.complaints.length);
      expect(added - deleted).toBe(batched.catalog.entries.size - catalog.entries.size);

      const single = await run(catalog, secondFeeds!, 1, rules);
      expect(single.counts).toEqual(batched.counts);
      expect(single.complaints).toEqual(batched.complaints);
      expect(single.catalog.revision).toBe(batched.catalog.revision);
      expect(byIsbn(single.catalog.entries)).toEqual(byIsbn(batched.catalog.entries));
    }),
    { numRuns: 300 },
  );
});
