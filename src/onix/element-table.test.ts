import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sharedFile } from "../lib/testing/requirements.ts";
import { allElements, elementByTag } from "./element-table.ts";
import table from "./generated/elements.json" with { type: "json" };

const rows = table as Record<string, { many?: string[]; one?: string[]; children?: string[] }>;

test("an element is a child of every composite that the table names as its parent, and of no other", () => {
  const listed = Object.entries(rows).flatMap(([name, { many = [], one = [] }]) =>
    [...many, ...one].map((parent) => `${parent} ${name}`),
  );
  const children = allElements().flatMap((rule) =>
    Array.from(rule.children.keys(), (child) => `${rule.name} ${child}`),
  );
  expect(children.sort()).toEqual(listed.sort());
});

test("elementByTag finds each element by reference name and short tag, which are unique", () => {
  const tags = allElements().flatMap(({ name, short }) => [name, short]);
  expect(new Set(tags).size).toBe(tags.length);
  for (const rule of allElements()) expect(elementByTag(rule.short)).toBe(rule);
});

test("elements that ONIX 3.1 declares locally have their order too", () => {
  const expectBefore = (parent: string, one: string, other: string) => {
    const { children } = elementByTag(parent)!;
    expect([parent, one, children.get(one)!.order < children.get(other)!.order]).toEqual([parent, one, true]);
  };
  expectBefore("TextContent", "EpubLicense", "ContentDate");
  expectBefore("ResourceVersion", "EpubLicense", "ContentDate");
  expectBefore("ContentItem", "EpubUsageConstraint", "EpubLicense");
  expectBefore("ContentItem", "EpubLicense", "ComponentTypeName");
  expectBefore("EpubLicense", "EpubLicenseExpression", "EpubLicenseDate");
  expect(elementByTag("TextContent")!.children.get("EpubLicense")!.repeats).toBe(true);
});

const standard = sharedFile("onix");
const output = mkdtempSync(join(tmpdir(), "colophon-tables-"));
afterAll(() => rmSync(output, { recursive: true, force: true }));

test.skipIf(standard.missing)(
  `npm run tables generates the tables${standard.missing ? " (skipped: no ../shared/onix)" : ""}`,
  () => {
    const script = join(import.meta.dir, "../../scripts/tables.ts");
    expect(Bun.spawnSync([process.execPath, script, standard.path, output]).exitCode).toBe(0);
    const tables = join(import.meta.dir, "generated");
    expect(readdirSync(output).sort()).toEqual(readdirSync(tables).sort());
    for (const file of readdirSync(tables)) {
      const isSame = readFileSync(join(tables, file), "utf8") === readFileSync(join(output, file), "utf8");
      expect([file, isSame]).toEqual([file, true]);
    }
  },
);
