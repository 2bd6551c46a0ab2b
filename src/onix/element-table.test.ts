import { expect, test } from "bun:test";
import { allElements, elementByTag } from "./element-table.ts";
import table from "./tables/elements.json" with { type: "json" };

const rows = table as Record<string, { many?: string[]; one?: string[]; children?: string[] }>;

test("an element has a place in every composite that it may stand in, and in no other", () => {
  const stated = Object.entries(rows).flatMap(([name, { many = [], one = [] }]) =>
    [...many, ...one].map((parent) => `${parent} ${name}`),
  );
  const placed = allElements().flatMap(({ name, children }) =>
    Array.from(children.keys(), (child) => `${name} ${child}`),
  );
  expect(placed.sort()).toEqual(stated.sort());
});

test("reference names and short tags are one and the same, and no two elements share one", () => {
  const tags = allElements().flatMap(({ name, short }) => [name, short]);
  expect(new Set(tags).size).toBe(tags.length);
  for (const rule of allElements()) expect(elementByTag(rule.short)).toBe(rule);
});

test("what ONIX 3.1 declares where it stands has its place too", () => {
  const before = (parent: string, one: string, other: string) => {
    const { children } = elementByTag(parent)!;
    expect([parent, one, children.get(one)!.order < children.get(other)!.order]).toEqual([parent, one, true]);
  };
  before("TextContent", "EpubLicense", "ContentDate");
  before("ResourceVersion", "EpubLicense", "ContentDate");
  before("ContentItem", "EpubUsageConstraint", "EpubLicense");
  before("ContentItem", "EpubLicense", "ComponentTypeName");
  before("EpubLicense", "EpubLicenseExpression", "EpubLicenseDate");
  expect(elementByTag("TextContent")!.children.get("EpubLicense")!.repeats).toBe(true);
});
