import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import type { Complaint } from "../../onix/complaint.ts";
import type { ScannedProduct } from "../../onix/scanned-product.ts";
import { FeedQuality } from "./feed-quality.ts";
import { BLOCKS, fixesFor } from "./score.ts";
import { assessedProduct } from "./testing/complaints.ts";

const BAD_VALUE: Complaint = { kind: "bad-value", text: "A sentence.", line: 1, column: 1 };

function qualityOf(...products: readonly ScannedProduct[]) {
  const quality = new FeedQuality();
  quality.add("feed.xml", "Sender", products);
  return quality.scores()[0]!;
}

const blockScores = (...products: readonly ScannedProduct[]) =>
  Object.fromEntries(qualityOf(...products).blocks.map(({ name, score }) => [name, score]));

describe("the score", () => {
  test("the points of all criteria are 100", () => {
    const points = BLOCKS.flatMap(({ criteria }) => criteria.map((criterion) => criterion.points));
    expect(points.reduce((sum, each) => sum + each, 0)).toBe(100);
  });

  test("is 100 only when nothing is missing", () => {
    expect(qualityOf(assessedProduct()).score).toBe(100);
    const thousand = Array.from({ length: 999 }, () => assessedProduct());
    expect(qualityOf(...thousand, assessedProduct(["language"])).score).toBe(99);
  });

  test("loses the points of what is missing, by the share of products", () => {
    expect(qualityOf(assessedProduct(["cover"])).score).toBe(91);
    expect(qualityOf(assessedProduct(["cover"]), assessedProduct()).score).toBe(95);
    expect(blockScores(assessedProduct(["cover"]), assessedProduct())).toMatchObject({
      "Marketing collateral": 75,
      "Product supply": 100,
    });
  });

  test("loses 8 points when every product has an error", () => {
    const { score, blocks } = qualityOf(assessedProduct([], { complaints: [BAD_VALUE] }));
    expect(score).toBe(92);
    expect(blocks.at(-1)).toMatchObject({ name: "Conformance", score: 0 });
  });

  test("does not count a deprecated code as an error", () => {
    const complaints: Complaint[] = [{ ...BAD_VALUE, kind: "deprecated-code" }];
    expect(qualityOf(assessedProduct([], { complaints })).score).toBe(100);
  });

  test("counts of an update only the blocks that it carries", () => {
    const update = assessedProduct(["price"], { action: "update" }, ["availability", "price"]);
    expect(blockScores(update)).toMatchObject({
      "Product description": undefined,
      "Marketing collateral": undefined,
      "Product supply": 25,
    });
    expect(qualityOf(update).score).toBe(48);
  });

  test("counts a rejected product as one without an ISBN", () => {
    const rejected = assessedProduct(["cover"], { action: "rejection", isbn: undefined });
    expect(blockScores(rejected, assessedProduct())).toMatchObject({
      Identification: 50,
      "Marketing collateral": 100,
    });
  });

  test("is undefined for a feed of deletions", () => {
    expect(qualityOf(assessedProduct([], { action: "deletion", completeness: 0 }))).toMatchObject({
      score: undefined,
      products: 0,
    });
  });

  test("names the most effective change first", () => {
    const fixes = fixesFor(qualityOf(assessedProduct(["cover", "language"]), assessedProduct(["language"])));
    expect(fixes.map(({ name, gain, unmet, assessed }) => [name, gain, unmet, assessed])).toEqual([
      ["cover", 4.5, 1, 2],
      ["language", 3, 2, 2],
    ]);
  });

  test("tells wrong prices from missing ones, and a feed without usable prices loses a fifth", () => {
    const wrong = assessedProduct(["price"], { complaints: [{ ...BAD_VALUE, element: "PriceAmount" }] });
    const feed = qualityOf(wrong, wrong, assessedProduct(["price"]));
    expect(fixesFor(feed)[0]).toMatchObject({ name: "price", gain: 20, unmet: 3, wrong: 2, assessed: 3 });
    expect(qualityOf(assessedProduct(["price"])).score).toBe(80);
  });

  test("is computed for each feed and for all together", () => {
    const quality = new FeedQuality();
    quality.add("a.xml", "A", [assessedProduct()]);
    quality.add("b.xml", "B", [assessedProduct(["cover"])]);
    expect(quality.scores().map(({ file, sender, score }) => [file, sender, score])).toEqual([
      ["a.xml", "A", 100],
      ["b.xml", "B", 91],
    ]);
    expect(quality.total()).toMatchObject({ score: 95, products: 2 });
  });

  test("an archive of countless feeds needs bounded memory", () => {
    const quality = new FeedQuality();
    for (let index = 0; index < 1500; index++) quality.add(`${index}.xml`, "", [assessedProduct()]);
    const scores = quality.scores();
    expect(scores.length).toBe(1001);
    expect(scores.at(-1)).toMatchObject({ file: "other feeds", products: 500 });
  });
});

test("docs/check.md has the points of every criterion", async () => {
  const docs = await Bun.file(join(import.meta.dir, "../../../docs/check.md")).text();
  const rows = Array.from(docs.matchAll(/^\|[^|]*\| ([A-Za-z ]+) \| (\d+) \|/gm), ([, name, points]) => ({
    name: name!,
    points: Number(points),
  }));
  expect(rows).toEqual(
    BLOCKS.flatMap(({ criteria }) => criteria.map(({ name, points }) => ({ name, points }))),
  );
});
