import { expect, test } from "bun:test";
import { type FeedOptions, messageParts } from "./feed.ts";
import { isbnAt } from "./product-xml.ts";

const PRODUCTS = 500;

function feedOf(options: Partial<FeedOptions> = {}): string[] {
  return [...messageParts({ products: PRODUCTS, ...options })].filter((part) => part.startsWith("<Product>"));
}

function isbnsIn(feed: readonly string[]): string[] {
  return feed.map((xml) => /<IDValue>(\d+)/.exec(xml)![1]!);
}

test("the same options give the same bytes, with each ISBN once", () => {
  const feed = feedOf();
  expect(feedOf()).toEqual(feed);
  const all = Array.from({ length: PRODUCTS }, (_, number) => isbnAt(number));
  expect(isbnsIn(feed).sort()).toEqual(all);
});

test.each([
  ["usual", 3900],
  ["large", 6400],
] as const)("a product of the size %s has about %d bytes", (size, bytes) => {
  const mean = Buffer.byteLength(feedOf({ size }).join("")) / PRODUCTS;
  expect(Math.abs(mean / bytes - 1)).toBeLessThan(0.03);
});

test("an update differs from the new product in its notification and its publishing status only", () => {
  const expected = feedOf().map((xml) =>
    xml
      .replace("<NotificationType>03<", "<NotificationType>04<")
      .replace("<PublishingStatus>04<", "<PublishingStatus>06<"),
  );
  expect(feedOf({ kind: "update" })).toEqual(expected);
});

test("a supply update has no other block, and each revision another price and stock", () => {
  const [first, second] = [1, 2].map((revision) => feedOf({ kind: "supply", revision }));
  expect(first!.join("")).not.toMatch(/DescriptiveDetail|CollateralDetail|PublishingDetail/);
  for (const field of ["PriceAmount", "OnHand"]) {
    const value = new RegExp(`<${field}>([^<]*)`);
    for (const [index, xml] of first!.entries())
      expect(value.exec(xml)![1]).not.toBe(value.exec(second![index]!)![1]!);
  }
});

test.each([1, 10])("a supply update changes the availability of a tenth of the books, every %d", (every) => {
  const availabilities = (revision: number) =>
    feedOf({ products: 10_000, every, kind: "supply", revision }).map(
      (xml) => /<ProductAvailability>\d+/.exec(xml)![0],
    );
  const before = availabilities(0);
  for (const revision of [1, 2, 30]) {
    const after = availabilities(revision);
    const changed = after.filter((each, index) => each !== before[index]).length;
    expect(Math.abs(changed / before.length - 0.1)).toBeLessThan(0.01);
  }
});

test("every tenth product is the same one as in the whole feed", () => {
  const whole = new Set(feedOf());
  const tenth = feedOf({ every: 10 });
  expect(tenth.length).toBe(PRODUCTS / 10);
  expect(tenth.every((xml) => whole.has(xml))).toBe(true);
  const others = feedOf({ every: 10, first: 3 });
  expect(others.every((xml) => whole.has(xml) && !tenth.includes(xml))).toBe(true);
});

test("a deletion names the product alone", () => {
  for (const xml of feedOf({ kind: "deletion" }))
    expect(xml).toMatch(
      /^<Product><RecordReference>ref-\d+<\/RecordReference><NotificationType>05<\/NotificationType>\s*<ProductIdentifier>.*<\/ProductIdentifier>\s*<\/Product>\n$/,
    );
});
