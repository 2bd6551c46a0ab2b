/** Holds docs/record.md against the tables of ONIX. */
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { PAGE_PATH, withCodedFields } from "../scripts/coded-fields.ts";
import { codeLists } from "../src/onix/code-lists.ts";

const page = readFileSync(PAGE_PATH, "utf8");

test("docs/record.md has the table of coded fields that scripts/coded-fields.ts writes", () => {
  expect(withCodedFields(page)).toBe(page);
});

test("docs/record.md has a field for every category of the translation table", () => {
  const categories = new Set(
    Array.from(page.matchAll(/^\| \d+ \| `(\w+)` \| .+ \|$/gm), ([, name]) => name!),
  );
  expect([...categories].sort()).toEqual(Object.keys(codeLists).sort());
});
